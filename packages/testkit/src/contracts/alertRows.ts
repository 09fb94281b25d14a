import { assert, it } from "@effect/vitest"
import type { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import {
  type Alert,
  ALERT_REPEAT_MILLIS,
  type AlertKind,
  AlertStore
} from "@outbound/domain/control/alerts/AlertStore.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, type Layer } from "effect"
import { admitted, anAttempt, costing } from "./calls.js"
import { DAY, freshId, givenKey, givenWorkspace, MINUTE, NOON, SUITE } from "./fixtures.js"
import { givenMailboxes, makeCampaign } from "./outboundFixtures.js"
import { appended, eventIn } from "./seals.js"

type Stores =
  | AlertStore
  | CallJournal
  | CampaignStore
  | CreditStore
  | KeyStore
  | SendingStore
  | TrailStore
  | UnitOfWork
  | UserStore
  | WorkspaceStore

const within = <A>(write: Effect.Effect<A, StoreUnavailable, Tx>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

const causes = (workspaceId: string, kind: AlertKind, nowMillis = NOON) =>
  Effect.gen(function* () {
    const found = yield* (yield* AlertStore).causes(kind, nowMillis, 10_000)
    return found.filter((cause) => cause.workspaceId === workspaceId)
  })

const subjects = (workspaceId: string, kind: AlertKind, nowMillis = NOON) =>
  Effect.map(causes(workspaceId, kind, nowMillis), (found) => found.map(({ subject }) => subject).toSorted())

const makeAlert = (workspaceId: string, given: Partial<Alert> = {}): Alert => ({
  workspaceId,
  alertId: freshId(),
  kind: "mailbox_paused",
  subject: "ann@x.test",
  period: freshId(),
  name: "ann@x.test",
  says: "bounces",
  raisedAtMillis: NOON,
  mailedAtMillis: null,
  ...given
})

const raise = (...alerts: ReadonlyArray<Alert>) => Effect.flatMap(AlertStore, (store) => within(store.raise(alerts)))

const add = (workspaceId: string, amount: string, kind: "grant" | "refund" = "grant") =>
  Effect.gen(function* () {
    const entry = { entryId: freshId(), workspaceId, kind, amount: credits(amount), requestId: null, atMillis: NOON }
    yield* within((yield* CreditStore).add({ ...entry, countsAsPaymentMethod: false }))
    return entry.entryId
  })

/** Takes so much that this is left. */
const leave = (workspaceId: string, amount: string) =>
  Effect.gen(function* () {
    const store = yield* CreditStore
    const { balance } = yield* store.balance(workspaceId)
    const taken = credits(String(Number((balance - credits(amount)) / 1n) / 1_000_000))
    const entry = { entryId: freshId(), workspaceId, kind: "upkeep", amount: taken, atMillis: NOON } as const
    assert.isTrue(yield* within(store.take(entry)))
  })

/** What every store of alerts guarantees: what there is to tell of, once, and to whom. */
export const alertRowsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  it.layer(adapter, SUITE)(`alerts (${name})`, (it) => {
    it.effect("a balance is low below a fifth of what came last, and below fifty where that was little", () =>
      Effect.gen(function* () {
        const store = yield* AlertStore
        const [{ workspaceId: us }, { workspaceId: them }] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const isLow = Effect.map(subjects(us, "low_balance"), (found) => found.length > 0)
        yield* leave(them, "0")
        assert.deepStrictEqual(yield* subjects(them, "low_balance"), [], "nothing came yet")
        yield* add(them, "60")
        const first = yield* add(us, "1000")
        yield* leave(us, "200")
        assert.isFalse(yield* isLow)
        yield* leave(us, "199.5")
        assert.deepStrictEqual(yield* causes(us, "low_balance"), [
          { workspaceId: us, kind: "low_balance", subject: "balance", period: first, name: "", says: "199.5" }
        ])
        const second = yield* add(us, "100")
        // It was credits once, and comes back: no more came.
        yield* add(us, "5000", "refund")
        yield* leave(us, "60")
        assert.isFalse(yield* isLow)
        yield* leave(us, "50")
        assert.isFalse(yield* isLow)
        yield* leave(us, "49.5")
        assert.deepStrictEqual(
          (yield* causes(us, "low_balance")).map(({ period, says }) => [period, says]),
          [[second, "49.5"]]
        )
        yield* within(store.setThreshold(us, credits("49.5")))
        assert.isFalse(yield* isLow)
        yield* within(store.setThreshold(us, credits("49.6")))
        assert.isTrue(yield* isLow)
        assert.deepStrictEqual(yield* subjects(them, "low_balance"), [])
      })
    )

    it.effect("the threshold is a workspace's own, until it takes it back", () =>
      Effect.gen(function* () {
        const store = yield* AlertStore
        const [{ workspaceId: us }, { workspaceId: them }] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const both = Effect.all([store.threshold(us), store.threshold(them)])
        assert.deepStrictEqual(yield* both, [null, null])
        yield* within(store.setThreshold(us, credits("5")))
        yield* within(store.setThreshold(them, credits("6")))
        yield* within(store.setThreshold(us, credits("7")))
        assert.deepStrictEqual(yield* both, [credits("7"), credits("6")])
        yield* within(store.setThreshold(us, null))
        assert.deepStrictEqual(yield* both, [null, credits("6")])
      })
    )

    it.effect("a key is told of at 80 and at 100 percent of its cap of this month, with what its open calls hold", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        yield* add(workspaceId, "1000")
        const capped = (cap: string | null) =>
          givenKey(workspaceId, { name: `of ${cap}`, monthlySpendCap: cap === null ? null : credits(cap) })
        const spend = ({ keyHash }: Effect.Success<ReturnType<typeof capped>>, amount: string) =>
          admitted(anAttempt(keyHash, { plan: costing(amount === "0" ? zero : credits(amount)) }))
        const [key, beside, free, none] = [
          yield* capped("10"),
          yield* capped("20"),
          yield* capped(null),
          yield* capped("0")
        ]
        yield* spend(key, "7.999999")
        yield* spend(beside, "10")
        yield* spend(free, "100")
        yield* spend(none, "0")
        assert.deepStrictEqual(yield* causes(workspaceId, "key_cap"), [])
        yield* spend(key, "0.000001")
        const { keyId } = key.key
        assert.deepStrictEqual(yield* causes(workspaceId, "key_cap"), [
          { workspaceId, kind: "key_cap", subject: `${keyId}/80`, period: "2026-03", name: "of 10", says: "80" }
        ])
        yield* spend(key, "1.999999")
        assert.deepStrictEqual(yield* subjects(workspaceId, "key_cap"), [`${keyId}/80`])
        yield* spend(key, "0.000001")
        assert.deepStrictEqual(yield* subjects(workspaceId, "key_cap"), [`${keyId}/100`, `${keyId}/80`])
        assert.deepStrictEqual(yield* subjects(workspaceId, "key_cap", NOON + 31 * DAY), [])
        yield* within(keys.update({ ...key.key, state: "revoked" }))
        assert.deepStrictEqual(yield* subjects(workspaceId, "key_cap"), [])
      })
    )

    it.effect("a mailbox that was paused within a day is told of, unless its owner did it, with what was said", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const paused = (mailbox: string | null, more: Readonly<Record<string, unknown>>, observedAtMillis = NOON) =>
          eventIn(workspaceId, {
            kind: "mailbox_paused",
            observedAtMillis,
            detail: { ...(mailbox === null ? {} : { mailbox }), ...more }
          })
        const ann = paused("ann@x.test", { reason: "bounces" })
        yield* appended(
          ann,
          paused("bob@x.test", { reason: "owner" }),
          paused(null, { reason: "bounces" }),
          paused("cem@x.test", { reason: "bounces" }, NOON - ALERT_REPEAT_MILLIS),
          paused("dan@x.test", { reason: "refused", status: "550", says: "no" }, NOON - ALERT_REPEAT_MILLIS + 1),
          paused("eve@x.test", {}),
          paused("fay@x.test", { reason: "refused", status: "421", says: "" }),
          { ...paused("gus@x.test", { reason: "bounces" }), kind: "resumed" }
        )
        const found = yield* causes(workspaceId, "mailbox_paused")
        assert.deepStrictEqual(found.map(({ name: of, says, subject }) => [of, subject, says]).toSorted(), [
          ["ann@x.test", "ann@x.test", "bounces"],
          ["dan@x.test", "dan@x.test", "refused: 550 no"],
          ["eve@x.test", "eve@x.test", ""],
          ["fay@x.test", "fay@x.test", "refused: 421"]
        ])
        assert.include(
          found.map(({ period }) => period),
          ann.eventId
        )
      })
    )

    it.effect("a campaign that was paused within a day for lack of capacity is told of, by its own name", () =>
      Effect.gen(function* () {
        const campaigns = yield* CampaignStore
        const { workspaceId } = yield* givenWorkspace()
        const [first, second, third] = ["first", "second", "third"].map((of) => makeCampaign({ workspaceId, name: of }))
        for (const one of [first!, second!, third!]) yield* within(campaigns.insert(one, []))
        const paused = (of: typeof first, reason: string, observedAtMillis = NOON) =>
          eventIn(workspaceId, { kind: "paused", observedAtMillis, campaignId: of!.campaignId, detail: { reason } })
        const event = paused(first, "capacity")
        yield* appended(event, paused(second, "owner"), paused(third, "capacity", NOON - ALERT_REPEAT_MILLIS), {
          ...paused(third, "capacity"),
          kind: "resumed"
        })
        const { campaignId } = first!
        assert.deepStrictEqual(yield* causes(workspaceId, "campaign_capacity"), [
          {
            workspaceId,
            kind: "campaign_capacity",
            subject: campaignId,
            period: event.eventId,
            name: "first",
            says: ""
          }
        ])
      })
    )

    it.effect("of a mailbox with many bounces is told while it sends, and of none beside it", () =>
      Effect.gen(function* () {
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const [high, , paused] = yield* givenMailboxes(workspaceId, 3)
        for (const { mailboxId } of [high!, paused!]) yield* within(sending.noteBounces(workspaceId, mailboxId, NOON))
        yield* within(sending.updateMailboxes([{ ...paused!, state: "paused", pauseReason: "owner" }]))
        const { address } = high!
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* causes(workspaceId, "bounces_high"), [
          { workspaceId, kind: "bounces_high", subject: address, period: String(NOON), name: address, says: "" }
        ])
      })
    )

    it.effect(
      "what was raised is no cause any more, nor is another of its subject within a day, and all others are",
      () =>
        Effect.gen(function* () {
          const store = yield* AlertStore
          const [{ workspaceId: us }, { workspaceId: them }] = [yield* givenWorkspace(), yield* givenWorkspace()]
          const pause = (workspaceId: string, mailbox: string, observedAtMillis: number) =>
            appended(eventIn(workspaceId, { kind: "mailbox_paused", observedAtMillis, detail: { mailbox } }))
          for (const workspaceId of [us, them]) yield* pause(workspaceId, "ann@x.test", NOON)
          yield* pause(us, "bob@x.test", NOON)
          yield* pause(us, "cem@x.test", NOON)
          const [ann] = (yield* causes(us, "mailbox_paused")).filter(({ subject }) => subject === "ann@x.test")
          // Bob's mailbox is told of for another reason, and Cem's was long before.
          yield* raise(
            makeAlert(us, ann!),
            makeAlert(us, { kind: "bounces_high", subject: "bob@x.test" }),
            makeAlert(us, { subject: "cem@x.test", raisedAtMillis: NOON - ALERT_REPEAT_MILLIS })
          )
          assert.deepStrictEqual(yield* subjects(us, "mailbox_paused"), ["bob@x.test", "cem@x.test"])
          assert.deepStrictEqual(yield* subjects(them, "mailbox_paused"), ["ann@x.test"])
          const dayOn = NOON + ALERT_REPEAT_MILLIS
          yield* pause(us, "ann@x.test", NOON + 1)
          assert.deepStrictEqual(yield* subjects(us, "mailbox_paused", dayOn - 1), ["bob@x.test", "cem@x.test"])
          assert.deepStrictEqual(yield* subjects(us, "mailbox_paused", dayOn), ["ann@x.test"])
          assert.lengthOf(yield* store.causes("mailbox_paused", NOON, 1), 1)
        })
    )

    it.effect("an alert is raised once, and listed in its workspace, newest first, in pages", () =>
      Effect.gen(function* () {
        const store = yield* AlertStore
        const [{ workspaceId: us }, { workspaceId: them }] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const [first, second, third] = [makeAlert(us), makeAlert(us, { subject: "bob@x.test" }), makeAlert(us)]
        const theirs = makeAlert(them)
        yield* raise()
        yield* raise(second, first, theirs)
        yield* raise({ ...first, alertId: freshId(), name: "again" }, third)
        const list = (workspaceId: string, limit = 9, before: string | null = null) =>
          Effect.map(store.list(workspaceId, NOON, limit, before), (found) => found.map(({ isOpen: _, ...one }) => one))
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* list(us), [third, second, first])
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* list(us, 2), [third, second])
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* list(us, 2, second.alertId), [first])
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* list(them), [theirs])
      })
    )

    it.effect(
      "an alert is mailed to its workspace's owners, and tried again after a while, a bounded number of times",
      () =>
        Effect.gen(function* () {
          const [store, users] = [yield* AlertStore, yield* UserStore]
          const old = NOON - 900 * DAY
          const [{ workspaceId: us }, { workspaceId: them }] = [
            yield* givenWorkspace({ name: "Acme" }),
            yield* givenWorkspace({ name: "Other" })
          ]
          const join = (workspaceId: string, email: string, role: "owner" | "member") =>
            within(users.ensureMember({ userId: freshId(), email, workspaceId, role, atMillis: NOON }))
          const emails = ["a", "b"].map((of) => `${of}-${us}@acme.test`)
          yield* join(us, emails[1]!, "owner")
          yield* join(us, emails[0]!, "owner")
          yield* join(us, `m-${us}@acme.test`, "member")
          yield* join(them, `o-${us}@other.test`, "owner")
          yield* join(them, emails[0]!, "member")
          const raised = (workspaceId: string, atMillis: number) => makeAlert(workspaceId, { raisedAtMillis: atMillis })
          const [tooOld, first, second] = [raised(us, old), raised(us, old + 1), raised(them, old + 2)]
          yield* raise(tooOld, second, first)
          const take = (nowMillis: number, limit = 9) =>
            within(
              store.takeUnmailed({ sinceMillis: old, nowMillis, retryMillis: MINUTE, attemptsMax: 2, limit })
            ).pipe(Effect.map((found) => found.toSorted((a, b) => a.alert.raisedAtMillis - b.alert.raisedAtMillis)))
          const ids = (nowMillis: number, limit?: number) =>
            Effect.map(take(nowMillis, limit), (found) => found.map(({ alert }) => alert.alertId))
          assert.deepStrictEqual(yield* ids(old), [])
          const [taken, ...others] = yield* take(old + 2, 1)
          assert.deepStrictEqual([taken, others], [{ alert: first, workspaceName: "Acme", owners: emails }, []])
          assert.deepStrictEqual(yield* take(old + 2), [
            { alert: second, workspaceName: "Other", owners: [`o-${us}@other.test`] }
          ])
          assert.deepStrictEqual(yield* ids(old + 1 + MINUTE), [])
          yield* within(store.markMailed(second, old + 3))
          assert.deepStrictEqual(yield* ids(old + 2 + MINUTE), [first.alertId])
          assert.deepStrictEqual(
            yield* ids(old + DAY),
            [],
            "both tries of the one are over, and the other one is mailed"
          )
          const mailed = (workspaceId: string) =>
            Effect.map(store.list(workspaceId, NOON, 9, null), (found) =>
              found.map(({ alertId, mailedAtMillis }) => [alertId, mailedAtMillis])
            )
          assert.deepStrictEqual(yield* mailed(them), [[second.alertId, old + 3]])
          assert.deepStrictEqual(yield* mailed(us), [
            [first.alertId, null],
            [tooOld.alertId, null]
          ])
        })
    )

    it.effect("alerts are deleted once they are old, the oldest first", () =>
      Effect.gen(function* () {
        const store = yield* AlertStore
        const old = NOON - 2_000 * DAY
        const [{ workspaceId: us }, { workspaceId: them }] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const [late, early, middle] = [old + 2, old, old + 1].map((raisedAtMillis, at) =>
          makeAlert(at === 1 ? them : us, { raisedAtMillis })
        )
        yield* raise(late!, early!, middle!)
        const left = Effect.gen(function* () {
          const found = [...(yield* store.list(us, NOON, 9, null)), ...(yield* store.list(them, NOON, 9, null))]
          return found.map(({ raisedAtMillis }) => raisedAtMillis - old).toSorted()
        })
        assert.strictEqual(yield* within(store.purge(old, 9)), 0)
        assert.strictEqual(yield* within(store.purge(old + 2, 1)), 1)
        assert.deepStrictEqual(yield* left, [1, 2])
        assert.deepStrictEqual([yield* within(store.purge(old + 2, 9)), yield* left], [1, [2]])
      })
    )
  })
}
