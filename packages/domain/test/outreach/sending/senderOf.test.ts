import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Crypto } from "../../../src/kernel/ports/Crypto.js"
import { StoreUnavailable } from "../../../src/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../../../src/kernel/workspaces/WorkspaceStore.js"
import { MailReader } from "../../../src/outreach/mail/MailReader.js"
import { MailTransport } from "../../../src/outreach/mail/MailTransport.js"
import { OwnMailboxStore } from "../../../src/outreach/sending/OwnMailboxes.js"
import { makeSenderOf } from "../../../src/outreach/sending/senderOf.js"
import type { Mailbox } from "../../../src/outreach/sending/SendingStore.js"
import { VendorStore } from "../../../src/outreach/sending/vendor/VendorStore.js"
import { Providers } from "../../../src/sources/ports/Providers.js"
import type { OutgoingReply } from "../../../src/sources/ports/SendingProvider.js"
import { noAccess } from "../../../src/sources/SourceAccess.js"
import { SourceAccessFactory } from "../../../src/sources/SourceAccessFactory.js"

const NOW = Date.UTC(2027, 0, 4)

const REPLY: OutgoingReply = {
  workspaceId: "w",
  campaignId: "c",
  campaignLeadId: "l",
  messageId: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70@acme.test",
  from: { address: "jo@acme.test", name: "Jo" },
  to: "ann@x.test",
  subject: "Re: Hello",
  text: "Thursday it is.",
  references: ["1@x.test"]
}

interface Given {
  readonly kind?: "own" | "purchased"
  /** The campaign's name at the vendor; null: it is not there yet; absent: it is at no vendor. */
  readonly ref?: string | null
  readonly isLeadThere?: boolean
  readonly inSent?: "found" | "absent" | "unknowable"
}

/** A mailbox's sender, and what its vendor was asked. */
const senderOf = ({ inSent = "absent", isLeadThere = true, kind = "purchased", ...given }: Given = { ref: "there" }) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const asked: Array<object> = []
    const noting = (of: object) => Effect.sync(() => void asked.push(of))
    const vendor = {
      name: "v",
      schedules: "vendor",
      reply: noting,
      setInterest: noting,
      findSent: (of: object, atMillis: number) => Effect.as(noting({ ...of, atMillis }), "sent")
    }
    const person = { vendorLead: { ref: "p1" }, lead: { email: "ann@x.test" } }
    const stubs = Layer.mergeAll(
      Layer.succeed(VendorStore, {
        get: () =>
          Effect.succeed(
            given.ref === undefined
              ? Option.none()
              : Option.some({ workspaceId: "w", vendor: "v", account: "service", ref: given.ref })
          ),
        leadAt: () => Effect.succeed(isLeadThere ? Option.some(person) : Option.none())
      } as never),
      Layer.succeed(WorkspaceStore, {
        get: () => Effect.succeed(Option.some({ workspaceId: "w", kind: "live" }))
      } as never),
      Layer.succeed(SourceAccessFactory, { of: () => noAccess } as never),
      Layer.succeed(Providers, { live: { sending: vendor }, sandbox: { sending: null } } as never),
      Layer.succeed(OwnMailboxStore, {
        get: () =>
          Effect.succeed(
            Option.some({
              mailbox: { address: "jo@acme.test", displayName: "Jo" },
              own: { workspaceId: "w", mailboxId: "m", sealedSecret: "sealed" }
            })
          )
      } as never),
      Layer.succeed(Crypto, {
        open: () => "secret",
        mac: () => "0123456789abcdef".repeat(4),
        randomToken: () => "token"
      } as never),
      Layer.succeed(MailReader, { findInSent: () => Effect.succeed(inSent) } as never),
      Layer.succeed(MailTransport, {
        session: () =>
          Effect.map(Scope.Scope, () => ({
            send: (_: unknown, claim: Effect.Effect<boolean>) =>
              Effect.flatMap(claim, (isClear) =>
                isClear ? Effect.as(noting({ kind: "own" }), "sent") : Effect.succeed("withdrawn")
              )
          }))
      } as never)
    )
    const choose = yield* Effect.provide(makeSenderOf, stubs)
    const sender = yield* choose("live", { workspaceId: "w", mailboxId: "m", kind } as Mailbox)
    assert.isNotNull(sender)
    return { sender: sender!, asked }
  })

const down = Effect.fail(new StoreUnavailable({ operation: "look", cause: "down" }))

describe.each(["own", "purchased"] as const)("an answer from a mailbox that is %s", (kind) => {
  it.effect("leaves if the last check passes", () =>
    Effect.gen(function* () {
      const { asked, sender } = yield* senderOf({ kind, ref: "there" })
      assert.strictEqual(yield* sender.reply(REPLY, Effect.succeed(true)), "sent")
      assert.lengthOf(asked, 1)
    })
  )

  it.effect("does not leave if the last check does not pass, or can't be made", () =>
    Effect.gen(function* () {
      const { asked, sender } = yield* senderOf({ kind, ref: "there" })
      assert.strictEqual(yield* sender.reply(REPLY, Effect.succeed(false)), "withdrawn")
      assert.strictEqual((yield* Effect.flip(sender.reply(REPLY, down))).reason, "transient")
      assert.deepStrictEqual(asked, [])
    })
  )
})

describe("an answer at a vendor", () => {
  it.effect("names the campaign and the person as the vendor does", () =>
    Effect.gen(function* () {
      const { asked, sender } = yield* senderOf()
      yield* sender.reply(REPLY, Effect.succeed(true))
      yield* sender.findSent(REPLY, NOW - 7)
      const known = { ...REPLY, ref: "there", person: { ref: "p1", email: "ann@x.test" } }
      assert.deepStrictEqual(asked, [known, { ...known, atMillis: NOW - 7 }])
    })
  )

  it.effect("waits for the campaign to be there, and is refused where it, or the person, is at no vendor", () =>
    Effect.gen(function* () {
      const reasonOf = (given: Given) =>
        Effect.gen(function* () {
          const { asked, sender } = yield* senderOf(given)
          const { reason } = yield* Effect.flip(sender.reply(REPLY, Effect.succeed(true)))
          assert.deepStrictEqual(asked, [])
          return reason
        })
      assert.strictEqual(yield* reasonOf({ ref: null }), "transient")
      assert.strictEqual(yield* reasonOf({}), "invalid")
      assert.strictEqual(yield* reasonOf({ ref: "there", isLeadThere: false }), "invalid")
    })
  )
})

describe("whether an answer of an own mailbox left", () => {
  const MINUTE = 60_000

  it.effect("is proven by a copy; none proves nothing, and is looked for again within a minute", () =>
    Effect.gen(function* () {
      const outcome = (inSent: NonNullable<Given["inSent"]>, askedAgo: number) =>
        Effect.gen(function* () {
          const { sender } = yield* senderOf({ kind: "own", inSent })
          return yield* Effect.match(sender.findSent(REPLY, NOW - askedAgo), {
            onFailure: ({ reason }) => reason,
            onSuccess: (found) => found
          })
        })
      assert.strictEqual(yield* outcome("found", 0), "sent")
      assert.strictEqual(yield* outcome("found", MINUTE), "sent")
      assert.strictEqual(yield* outcome("absent", MINUTE - 1), "transient")
      assert.strictEqual(yield* outcome("absent", MINUTE), "unknowable")
      assert.strictEqual(yield* outcome("unknowable", 0), "unknowable")
    })
  )
})
