import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { ApprovalStore } from "../../../src/calls/approvals/ApprovalStore.js"
import type { Reconciled } from "../../../src/calls/Attempt.js"
import { CallJournal } from "../../../src/calls/CallJournal.js"
import { Crypto } from "../../../src/kernel/ports/Crypto.js"
import { Ids } from "../../../src/kernel/ports/Ids.js"
import { DONE, waitFor } from "../../../src/kernel/ports/LongWork.js"
import { type InTx, UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"
import { type TrailEvent, TrailStore } from "../../../src/kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "../../../src/kernel/workspaces/WorkspaceStore.js"
import { MailReader } from "../../../src/outreach/mail/MailReader.js"
import { MailTransport } from "../../../src/outreach/mail/MailTransport.js"
import { OperationStore, type ReplyOperation } from "../../../src/outreach/operations/OperationStore.js"
import {
  ASKING_MILLIS_MAX,
  LOOK_UPS_MAX,
  makeReplyOutcome,
  replyReconciliation
} from "../../../src/outreach/replies/ReplyOutcome.js"
import type { SentReplyState } from "../../../src/outreach/replies/SentReplyMachine.js"
import { type SentReply, SentReplyStore } from "../../../src/outreach/replies/SentReplyStore.js"
import { OwnMailboxStore } from "../../../src/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "../../../src/outreach/sending/SendingStore.js"
import { VendorStore } from "../../../src/outreach/sending/vendor/VendorStore.js"
import { Providers } from "../../../src/sources/ports/Providers.js"
import { ProviderFailure } from "../../../src/sources/ports/Source.js"
import { SourceAccessFactory } from "../../../src/sources/SourceAccessFactory.js"

const NOW = Date.UTC(2027, 0, 4)
const ASKED = NOW - ASKING_MILLIS_MAX

const reply: SentReply = {
  workspaceId: "w",
  sentReplyId: "s",
  replyId: "r",
  campaignId: "c",
  campaignLeadId: "l",
  threadId: "t",
  requestId: "q",
  approvalId: "a",
  mailboxId: "m",
  addressHash: "hash",
  fromEmail: "jo@acme.test",
  toEmail: "ann@x.test",
  subject: "Re: Hello",
  bodyText: "Thursday it is.",
  references: [],
  state: "pending",
  createdAtMillis: NOW - 7_000_000,
  askedAtMillis: ASKED,
  sentAtMillis: null,
  lookUps: 0
}

const operation: ReplyOperation = {
  workspaceId: "w",
  operationId: "q",
  kind: "reply",
  status: "running",
  items: [{ id: "s", kind: "reply", status: "active", detail: null }],
  error: null,
  createdAtMillis: NOW,
  updatedAtMillis: NOW,
  finishedAtMillis: null
} as never

type Answer = "sent" | "not_sent" | "unknowable" | null

interface Given {
  readonly sent?: Partial<SentReply>
  /** Whether its call got as far as to record it. */
  readonly isRecorded?: boolean
  /** The same as it is when it is locked; null: it is gone. */
  readonly locked?: Partial<SentReply> | null
  readonly operation?: Partial<ReplyOperation> | null
  /** How its call stands; null: nobody knows the call. */
  readonly call?: "pending" | "unknown" | null
  /** What the provider says; null: it can't tell. */
  readonly answer?: Answer
  readonly mailbox?: "live" | "gone" | "without a sender"
}

/** Runs it over what is stored: what it gives back, and what is stored then. */
const over = <A, E, R>(given: Given, run: (sent: SentReply) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const { answer = null, call = "unknown", isRecorded = true, mailbox = "live" } = given
    const sent = { ...reply, ...given.sent }
    const after = {
      reply: given.locked === null ? null : { ...sent, ...given.locked },
      operation: given.operation === null ? null : { ...operation, ...given.operation },
      released: [] as Array<string>,
      told: [] as Array<TrailEvent>,
      reconciled: [] as Array<Reconciled>,
      found: [] as Array<string>
    }
    const lookUp = ({ messageId }: { readonly messageId: string }) =>
      Effect.suspend(() => {
        after.found.push(messageId)
        return answer === null
          ? Effect.fail(new ProviderFailure({ provider: "p", reason: "transient" }))
          : Effect.succeed(answer)
      })
    const sending = { name: "p", schedules: "outbound", findSent: lookUp }
    const stubs = Layer.mergeAll(
      Layer.succeed(SentReplyStore, {
        ofRequest: () => Effect.succeed(isRecorded ? Option.some(sent) : Option.none()),
        lock: () => Effect.sync(() => Option.fromNullishOr(after.reply)),
        update: (now: SentReply) => Effect.sync(() => void (after.reply = now))
      } as never),
      Layer.succeed(OperationStore, {
        lock: () => Effect.sync(() => Option.fromNullishOr(after.operation)),
        update: (now: ReplyOperation) => Effect.sync(() => void (after.operation = now))
      } as never),
      Layer.succeed(TrailStore, {
        append: (events: ReadonlyArray<TrailEvent>) => Effect.sync(() => void after.told.push(...events))
      } as never),
      Layer.succeed(Ids, { next: () => "event" } as never),
      Layer.succeed(ApprovalStore, {
        lock: (_: string, id: string) =>
          Effect.succeed(Option.some({ approvalId: id, state: "used", expiresAtMillis: NOW + 1, target: "reply:r" })),
        update: ({ approvalId, state }: { readonly approvalId: string; readonly state: string }) =>
          Effect.sync(() => void after.released.push(`${approvalId} ${state}`))
      } as never),
      Layer.succeed(WorkspaceStore, {
        shareSending: () => Effect.succeed({ suspendedAtMillis: null, suspendedReason: null }),
        get: () => Effect.succeed(Option.some({ workspaceId: "w", kind: "live" }))
      } as never),
      Layer.succeed(CallJournal, {
        request: () => Effect.succeed(Option.map(Option.fromNullishOr(call), (status) => ({ status }))),
        reconcileIn: (to: Reconciled) => Effect.sync(() => void after.reconciled.push(to))
      } as never),
      Layer.succeed(SendingStore, {
        mailbox: () =>
          Effect.succeed(
            mailbox === "gone"
              ? Option.none()
              : Option.some({ kind: "purchased", domain: "acme.test", address: "jo@acme.test", displayName: "Jo" })
          )
      } as never),
      Layer.succeed(Providers, { live: { sending: mailbox === "live" ? sending : null } } as never),
      Layer.succeed(UnitOfWork, { atomically: (body: unknown) => body } as never),
      ...[Crypto, OwnMailboxStore, MailReader, MailTransport, VendorStore, SourceAccessFactory].map((tag) =>
        Layer.succeed(tag as typeof Crypto, {} as never)
      )
    )
    const gave = yield* Effect.provide(run(sent), stubs as Layer.Layer<R>)
    const ended: ReadonlyArray<string | undefined> = [after.reply?.state, after.operation?.status]
    return { gave, ...after, ended }
  })

const ending =
  (end: (ends: Effect.Success<typeof makeReplyOutcome>, sent: SentReply) => InTx<unknown>) => (sent: SentReply) =>
    Effect.flatMap(makeReplyOutcome, (ends) => end(ends, sent))

const ENDS = {
  sent: ending((ends, sent) => ends.sent(sent, { nowMillis: NOW, sentAtMillis: NOW - 5 }, "api")),
  unsent: ending((ends, sent) => ends.unsent(sent, NOW, "no")),
  unknown: ending((ends, sent) => ends.unknown(sent, NOW)),
  unknowable: ending((ends, sent) => ends.unknowable(sent, NOW, "never"))
}

const item = { ...operation.items[0], status: "active" }

it.effect("a reply ends with its operation: when it was sent, that it was not, or that nobody knows", () =>
  Effect.gen(function* () {
    const sent = yield* over({}, ENDS.sent)
    assert.deepStrictEqual(sent.reply, { ...reply, state: "sent", sentAtMillis: NOW - 5 })
    assert.deepStrictEqual(sent.operation, {
      ...operation,
      status: "succeeded",
      items: [{ ...item, status: "done" }],
      error: null,
      updatedAtMillis: NOW,
      finishedAtMillis: NOW
    } as never)
    assert.deepInclude(sent.told[0], {
      workspaceId: "w",
      kind: "reply_sent",
      source: "api",
      campaignId: "c",
      campaignLeadId: "l",
      replyId: "r",
      requestId: "q",
      operationId: "q",
      email: "ann@x.test",
      observedAtMillis: NOW
    })
    assert.deepStrictEqual([sent.told.length, sent.released], [1, []])

    const unsent = yield* over({}, ENDS.unsent)
    assert.deepStrictEqual(unsent.reply, { ...reply, state: "failed" })
    assert.deepInclude(unsent.operation, { status: "failed", error: "no", finishedAtMillis: NOW })
    assert.strictEqual(unsent.operation?.items[0]?.status, "failed")
    assert.deepStrictEqual([unsent.told, unsent.released], [[], ["a approved"]])

    const unknown = yield* over({}, ENDS.unknown)
    assert.deepStrictEqual(unknown.reply, { ...reply, state: "unknown" })
    assert.deepInclude(unknown.operation, { status: "waiting_external", error: null, finishedAtMillis: null })
    assert.deepInclude(unknown.operation, { updatedAtMillis: NOW, items: [{ ...item, status: "pending" }] as never })
    assert.deepStrictEqual([unknown.told, unknown.released], [[], []])

    const never = yield* over({}, ENDS.unknowable)
    assert.deepStrictEqual(never.ended, ["unknown", "failed"])
    assert.deepInclude(never.operation, { error: "never", finishedAtMillis: NOW })
    assert.strictEqual(never.operation?.items[0]?.status, "failed")
    assert.deepStrictEqual([never.told, never.released], [[], []])
  })
)

it.effect(
  "what has ended stays ended when a second host comes, and so does what another host has asked for since",
  () =>
    Effect.gen(function* () {
      const table: ReadonlyArray<readonly [keyof typeof ENDS, SentReplyState, ReadonlyArray<string> | null]> = [
        ["sent", "unknown", ["sent", "succeeded"]],
        ["sent", "sent", null],
        ["sent", "failed", null],
        ["unsent", "unknown", ["failed", "failed"]],
        ["unsent", "sent", null],
        ["unsent", "failed", null],
        ["unknown", "unknown", null],
        ["unknown", "sent", null],
        ["unknown", "failed", null]
      ]
      for (const [end, state, then] of table) {
        const found = yield* over({ sent: { state } }, ENDS[end])
        const told = `${end} after ${state}`
        assert.deepStrictEqual(found.ended, then === null ? [state, "running"] : [...then], told)
        assert.strictEqual(Option.isSome(found.gave as Option.Option<SentReply>), then !== null, told)
        if (then === null) assert.deepStrictEqual([found.told, found.released], [[], []], told)
      }
      for (const end of ["sent", "unsent", "unknown"] as const) {
        const asked = yield* over({ locked: { askedAtMillis: NOW } }, ENDS[end])
        assert.deepStrictEqual([...asked.ended, asked.told.length, asked.released.length], ["pending", "running", 0, 0])
        const gone = yield* over({ locked: null }, ENDS[end])
        assert.deepStrictEqual([...gone.ended, gone.told.length, gone.released.length], [undefined, "running", 0, 0])
      }
    })
)

it.effect("an operation that is over, or that nobody has, keeps no reply from ending", () =>
  Effect.gen(function* () {
    const over_ = { status: "failed" as const, error: "before", updatedAtMillis: 1 }
    const failed = yield* over({ operation: over_ }, ENDS.sent)
    assert.deepStrictEqual(failed.ended, ["sent", "failed"])
    assert.deepInclude(failed.operation, over_)
    const none = yield* over({ operation: null }, ENDS.sent)
    assert.deepStrictEqual([...none.ended, none.told.length], ["sent", undefined, 1])
  })
)

const reconciled = (given: Given) =>
  over(given, () => Effect.flatMap(replyReconciliation, (reconcile) => reconcile(operation)))

const WAS_SENT = (sentAtMillis: number): Reconciled => ({
  workspaceId: "w",
  requestId: "q",
  status: "succeeded",
  httpStatus: 200,
  errorCode: null,
  body: JSON.stringify({
    status: "sent",
    sent_reply_id: "s",
    thread_id: "t",
    from_email: "jo@acme.test",
    to_email: "ann@x.test",
    sent_at: new Date(sentAtMillis).toISOString()
  }),
  subjects: ["hash"]
})

const WAS_NOT: Reconciled = {
  workspaceId: "w",
  requestId: "q",
  status: "failed",
  httpStatus: 503,
  errorCode: "provider_unavailable",
  body: null
}

it.effect(
  "what became of a reply is found out once its call and the host that asked are done, and is then the call's answer",
  () =>
    Effect.gen(function* () {
      const table: ReadonlyArray<
        readonly [string, Given, object, ReadonlyArray<string | undefined>, ReadonlyArray<Reconciled>]
      > = [
        ["its call recorded none", { isRecorded: false, answer: "sent" }, DONE, ["pending", "running"], []],
        ["its call is under way", { call: "pending" }, waitFor(500), ["pending", "running"], []],
        ["it was never asked for", { sent: { askedAtMillis: null } }, DONE, ["failed", "failed"], [WAS_NOT]],
        [
          "a host may still ask",
          { sent: { askedAtMillis: ASKED + 1 }, answer: "sent" },
          waitFor(1),
          ["pending", "running"],
          []
        ],
        [
          "its end is unknown, so nobody asks any more",
          { sent: { state: "unknown", askedAtMillis: NOW - 1 }, answer: "sent" },
          DONE,
          ["sent", "succeeded"],
          [WAS_SENT(NOW - 1)]
        ],
        ["it was sent", { answer: "sent" }, DONE, ["sent", "succeeded"], [WAS_SENT(ASKED)]],
        ["nobody knows its call", { answer: "sent", call: null }, DONE, ["sent", "succeeded"], [WAS_SENT(ASKED)]],
        ["it was not sent", { answer: "not_sent" }, DONE, ["failed", "failed"], [WAS_NOT]],
        ["nobody will ever know", { answer: "unknowable" }, DONE, ["unknown", "failed"], []],
        ["nobody can tell yet", {}, waitFor(5_000), ["pending", "running"], []],
        ["its mailbox is gone", { answer: "sent", mailbox: "gone" }, waitFor(5_000), ["pending", "running"], []],
        [
          "nobody sends for its mailbox",
          { answer: "sent", mailbox: "without a sender" },
          waitFor(5_000),
          ["pending", "running"],
          []
        ],
        [
          "it was asked for often enough",
          { sent: { lookUps: LOOK_UPS_MAX }, answer: "sent" },
          DONE,
          ["unknown", "failed"],
          []
        ],
        [
          "it may be asked for once more",
          { sent: { lookUps: LOOK_UPS_MAX - 1 }, answer: "sent" },
          DONE,
          ["sent", "succeeded"],
          [WAS_SENT(ASKED)]
        ],
        [
          "another host ended it meanwhile",
          { answer: "sent", locked: { state: "sent" } },
          waitFor(500),
          ["sent", "running"],
          []
        ]
      ]
      for (const [name, given, gave, ended, remembered] of table) {
        const found = yield* reconciled(given)
        assert.deepStrictEqual(found.gave, gave, name)
        assert.deepStrictEqual(found.ended, [...ended], name)
        assert.deepStrictEqual(found.reconciled, [...remembered], name)
      }
    })
)

it.effect("a provider is asked by the reply's own id, and each look is counted", () =>
  Effect.gen(function* () {
    const { found, operation: now, reply: looked, told } = yield* reconciled({ sent: { lookUps: 3 } })
    assert.deepStrictEqual(found, ["s@acme.test"])
    assert.deepStrictEqual(looked, { ...reply, lookUps: 4 })
    assert.deepStrictEqual([now?.status, told], ["running", []])
    const gone = yield* reconciled({ locked: null })
    assert.deepStrictEqual([gone.gave, gone.reply], [waitFor(5_000), null])
    const known = yield* reconciled({ answer: "sent" })
    assert.deepStrictEqual(known.reply?.sentAtMillis, ASKED)
    assert.deepInclude(known.told[0], { source: "system", kind: "reply_sent" })
    const not = yield* reconciled({ answer: "not_sent" })
    assert.include(not.operation?.error, "was not sent")
    assert.deepStrictEqual(not.released, ["a approved"])
    assert.include((yield* reconciled({ answer: "unknowable" })).operation?.error, "can't tell")
  })
)
