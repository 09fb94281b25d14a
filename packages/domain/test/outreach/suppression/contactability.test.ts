import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DAY_MILLIS } from "../../../src/kernel/durations.js"
import { Crypto } from "../../../src/kernel/ports/Crypto.js"
import { StoreUnavailable } from "../../../src/kernel/ports/UnitOfWork.js"
import * as ContactabilityLive from "../../../src/outreach/suppression/Contactability.js"
import {
  Contactability,
  contactedSince,
  reasonCounts,
  waitsUntil
} from "../../../src/outreach/suppression/Contactability.js"
import {
  type Barred,
  type ContactCheck,
  countedReason,
  SuppressionStore
} from "../../../src/outreach/suppression/SuppressionStore.js"

const NOW = 1_800_000_000_000

/** A workspace's answer to who must not be written to, and what it was asked. */
const asking = (answer: (check: ContactCheck) => ReadonlyMap<string, Barred> | null) => {
  const asked: Array<ContactCheck> = []
  const store = {
    check: (check: ContactCheck) => {
      asked.push(check)
      const found = answer(check)
      return found === null
        ? Effect.fail(new StoreUnavailable({ operation: "suppressions.check", cause: "down" }))
        : Effect.succeed(found)
    }
  } as unknown as SuppressionStore["Service"]
  const crypto = { mac: (_purpose: string, text: string) => `#${text}` } as unknown as Crypto["Service"]
  const layer = ContactabilityLive.layer.pipe(
    Layer.provide(Layer.mergeAll(Layer.succeed(SuppressionStore, store), Layer.succeed(Crypto, crypto)))
  )
  const check = (...emails: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const contactability = yield* Contactability
      const people = emails.map((email) => ({ email, addressHash: contactability.hashOf("w", email) }))
      const found = yield* contactability.check({ workspaceId: "w", campaignId: "c", people, nowMillis: NOW })
      return { found, people }
    }).pipe(Effect.provide(layer))
  return { asked, check }
}

it.effect("nobody may be written to while nobody can say who must not be", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(asking(() => null).check("ann@acme.test"))
    assert.strictEqual(error.code, "contact_history_unavailable")
  })
)

it.effect(
  "who was suppressed under the spelling of an earlier release is kept out, under the hash that is asked for",
  () =>
    Effect.gen(function* () {
      const isQuoted = ({ email }: { readonly email: string }, hash: string, own: string) =>
        email !== "" && hash !== own
      let ownHash = ""
      const { asked, check } = asking(({ people }) => {
        ownHash = people[0]!.addressHash
        const other = people.find((one) => isQuoted(one, one.addressHash, ownHash))
        return new Map(other === undefined ? [] : [[other.addressHash, "opted_out"]])
      })
      const { found, people } = yield* check("ann.lee@acme.test")
      assert.deepStrictEqual([...found], [[people[0]!.addressHash, "opted_out"]])
      assert.strictEqual(asked[0]!.contactedSinceMillis, NOW - 30 * DAY_MILLIS)
      assert.isFalse(asked[0]!.mayWait)
    })
)

it.effect("the person's own reason counts before that of the earlier spelling", () =>
  Effect.gen(function* () {
    const { check } = asking(
      ({ people }) =>
        new Map(
          people.map(({ addressHash }, at): readonly [string, Barred] => [
            addressHash,
            at === 0 ? "opted_out" : "capped"
          ])
        )
    )
    const { found, people } = yield* check("ann.lee@acme.test")
    assert.deepStrictEqual([...found], [[people[0]!.addressHash, "opted_out"]])
  })
)

it.effect("an erased person is asked for by their hash alone", () =>
  Effect.gen(function* () {
    const { asked, check } = asking(() => new Map())
    yield* check("", "")
    assert.isTrue(asked[0]!.people.every(({ email }) => email === ""))
    assert.lengthOf(asked[0]!.people, 2)
  })
)

it("who waits may be written to in the first moment at which the other message no longer counts", () => {
  const until = waitsUntil(NOW)
  assert.isAbove(contactedSince(until), NOW)
  assert.strictEqual(contactedSince(until - 1), NOW)
})

it("who is left out for the CRM or a rule is counted as other, and the rest under their own reason", () => {
  assert.strictEqual(countedReason("role_address"), "other")
  assert.deepStrictEqual(reasonCounts(["capped", "role_address", "crm_owned", "opted_out", "capped"]), {
    capped: 2,
    other: 2,
    opted_out: 1
  })
})
