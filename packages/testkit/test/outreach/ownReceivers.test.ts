import { assert, describe } from "@effect/vitest"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { DAY, freshId, HOUR, NOON } from "../../src/contracts/fixtures.js"
import { MIDNIGHT } from "../../src/contracts/outboundFixtures.js"
import { MemoryMail } from "../../src/mail/MemoryMail.js"
import { Memory } from "../../src/memory/Memory.js"
import { keyOf } from "../../src/memory/Table.js"
import { given, people, story } from "./ownHost.js"

describe("a receiver that takes no more", () => {
  const DOMAIN = "d00.example"
  const REFUSED = { times: 1, status: "5.7.1", says: "no" }

  /** The first person's receiver: what it took today of the six that it may, and until when it is left alone. */
  const found = (taken: number, restsUntilMillis: number | null) =>
    Effect.gen(function* () {
      const of = yield* given([...people(1), "q@d00.example", "r@open.example"], { mailbox: { declaredSends: 12 } })
      const { mailboxId, workspaceId } = of
      const sending = yield* SendingStore
      const { atomically, read, write } = yield* Memory
      for (let each = 0; each < taken; each += 1) {
        const { messageId } = yield* of.abandoned(0, 0, {
          campaignLeadId: freshId(),
          state: "sent",
          sentAtMillis: MIDNIGHT,
          claimedAtMillis: MIDNIGHT
        })
        yield* atomically(write(({ receivers }) => receivers.set(keyOf(workspaceId, messageId), DOMAIN)))
      }
      const rest = { workspaceId, mailboxId, receiver: DOMAIN, restsUntilMillis: restsUntilMillis ?? 0, ...REFUSED }
      if (restsUntilMillis !== null) {
        yield* atomically(sending.setReceiverRest(rest))
      }
      assert.strictEqual(yield* of.round, 1)
      const mail = yield* MemoryMail
      const [message] = yield* mail.taken(of.mailboxes.map(({ address }) => address))
      const leads = yield* read((tables) =>
        of.leads.map(({ campaignLeadId }) => tables.leads.get(keyOf(workspaceId, campaignLeadId)))
      )
      const off = leads.slice(0, 2).map((lead) => (lead?.nextAtMillis ?? 0) - NOON)
      return message?.mail.to.address === "r@open.example" ? off : message?.mail.to.address
    })

  const midnight = [MIDNIGHT + DAY - NOON, MIDNIGHT + DAY - NOON]

  for (const [name, taken, rest, expected] of [
    ["takes one more", 5, null, "p@d00.example"],
    ["took all of today: its people wait until midnight, and others are written to", 6, null, midnight],
    ["rests: its people wait so long", 0, NOON + 1, [1, 1]],
    ["rested until now", 5, NOON, "p@d00.example"],
    ["rested until now, and took all of today", 6, NOON, midnight],
    ["rested long ago, and took all of today", 6, NOON - HOUR, midnight]
  ] as const) {
    story(
      name,
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* found(taken, rest), expected as never)
      })
    )
  }

  story(
    "keeps a mailbox from the others for no more than 21 looks",
    Effect.gen(function* () {
      for (const [closed, sent] of [
        [20, 1],
        [21, 0]
      ] as const) {
        const of = yield* given(people(closed + 1))
        const { workspaceId, mailboxId } = of
        const { atomically } = yield* Memory
        const sending = yield* SendingStore
        yield* atomically(
          Effect.forEach(people(closed), (email) => {
            const rest = { workspaceId, mailboxId, receiver: email.slice(2), restsUntilMillis: NOON + DAY, ...REFUSED }
            return sending.setReceiverRest(rest)
          })
        )
        assert.strictEqual(yield* of.round, sent)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* of.round, 1 - sent)
      }
    })
  )
})
