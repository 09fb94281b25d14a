import { assert, describe, it } from "@effect/vitest"
import type { ContactEnricher } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import {
  sandboxContactsBroad,
  sandboxContactsIndex,
  sandboxMobiles,
  sandboxProbe,
  sandboxProbeDeep
} from "@outbound/sandbox/providers/Sandbox.js"
import { MAGIC_DOMAIN, SPELLS } from "@outbound/sandbox/world/Magic.js"
import { addressOf, personOf, world } from "@outbound/sandbox/world/World.js"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"

const nobody: PersonIdentity = {
  fullName: null,
  firstName: null,
  lastName: null,
  email: null,
  socialUrl: null,
  companyName: null,
  companyDomain: null,
  title: null
}
const withEmail = (email: string): PersonIdentity => ({ ...nobody, email })
const magic = (local: string) => `${local}@${MAGIC_DOMAIN}`

const enrichers = [sandboxContactsIndex, sandboxContactsBroad]
const verifiers = [sandboxProbe, sandboxProbeDeep]

/** What the enrichers find together, the cheap one first. */
const enrich = (identity: PersonIdentity) =>
  Effect.map(
    Effect.forEach(enrichers, (source) => source.lookup(identity)),
    (answers) => Option.firstSomeOf(answers)
  )

describe("a magic address, verified", () => {
  it.effect.each(["valid", "invalid", "catch_all_valid", "catch_all_unknown", "risky", "unknown"] as const)(
    "%s@ is that, for every source and every tag",
    (status) =>
      Effect.gen(function* () {
        for (const verifier of verifiers) {
          for (const address of [magic(status), magic(`${status}+1`), magic(`${status.toUpperCase()}+a.b`)]) {
            assert.deepStrictEqual(yield* verifier.verify(address), {
              status,
              isCatchAllDomain: status.startsWith("catch_all")
            })
          }
        }
      })
  )

  it.effect("unavailable@ makes every source fail, having done nothing", () =>
    Effect.gen(function* () {
      for (const address of [magic("unavailable"), magic("unavailable+3")]) {
        const failures = [
          ...(yield* Effect.forEach(verifiers, (it) => Effect.flip(it.verify(address)))),
          ...(yield* Effect.forEach(enrichers, (it) => Effect.flip(it.lookup(withEmail(address))))),
          yield* Effect.flip(sandboxMobiles.find(withEmail(address)))
        ]
        assert.isTrue(failures.every(({ reason }) => reason === "transient"))
      }
    })
  )

  it.effect("slow@ is valid, and not a millisecond before 3 seconds are over", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(sandboxProbe.verify(magic("slow")))
      yield* TestClock.adjust(2999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(fiber)).status, "valid")
    })
  )
})

describe("a magic person, enriched", () => {
  it.effect.each([
    ["email-only", false, false],
    ["email-and-mobile", true, true],
    ["mobile-search", false, true]
  ] as const)("%s@", ([local, withLookup, bySearch]) =>
    Effect.gen(function* () {
      for (const address of [magic(local), magic(`${local}+7`)]) {
        const contact = Option.getOrThrow(yield* enrich(withEmail(address)))
        assert.strictEqual(contact.workEmail, address)
        assert.strictEqual(contact.workEmailStatus, "valid")
        assert.strictEqual(contact.emailVerdict, "valid")
        assert.strictEqual(contact.mobilePhone !== null, withLookup)
        assert.strictEqual(Option.isSome(yield* sandboxMobiles.find(withEmail(address))), bySearch)
        assert.strictEqual(contact.companyDomain, MAGIC_DOMAIN)
        assert.isTrue(
          [contact.fullName, contact.title, contact.companyName].every((text) => text !== null && text !== "")
        )
      }
    })
  )

  it.effect("miss@, bounce@, invalid@ and every undocumented name are nobody", () =>
    Effect.gen(function* () {
      for (const local of ["miss", "miss+1", "bounce", "invalid", "undocumented", "constructor", "__proto__", ""]) {
        assert.isTrue(Option.isNone(yield* enrich(withEmail(magic(local)))), local)
        assert.isTrue(Option.isNone(yield* sandboxMobiles.find(withEmail(magic(local)))), local)
      }
    })
  )

  it.effect("is another person for another tag, and found again by the profile", () =>
    Effect.gen(function* () {
      const tags = Array.from({ length: 50 }, (_, tag) => magic(`interested+${tag}`))
      const people = yield* Effect.forEach(tags, (email) => Effect.map(enrich(withEmail(email)), Option.getOrThrow))
      assert.strictEqual(new Set(people.map(({ socialUrl }) => socialUrl)).size, 50)
      assert.isAbove(new Set(people.map(({ fullName }) => fullName)).size, 40)
      for (const person of people) {
        const again = yield* enrich({ ...nobody, socialUrl: person.socialUrl })
        assert.deepStrictEqual(Option.getOrThrow(again), person)
      }
    })
  )

  it.effect("verifies as the enrichment said, for every documented name", () =>
    Effect.gen(function* () {
      for (const local of Object.keys(SPELLS).filter((name) => name !== "unavailable" && name !== "slow")) {
        const contact = yield* enrich(withEmail(magic(local)))
        const { status } = yield* sandboxProbeDeep.verify(magic(local))
        assert.strictEqual(Option.isNone(contact) ? "invalid" : contact.value.emailVerdict, status, local)
      }
    })
  )
})

describe("people of the world", () => {
  const people = Array.from({ length: 600 }, (_, n) => n * 61)

  const known = (source: ContactEnricher, person: number) =>
    source.lookup({ ...nobody, socialUrl: personOf(world(), person).socialUrl })

  it.effect(
    "are known in full to the broad source; the cheap one knows some of those with an address, and says the same",
    () =>
      Effect.gen(function* () {
        let cheap = 0
        for (const person of people) {
          const broad = Option.getOrThrow(yield* known(sandboxContactsBroad, person))
          assert.strictEqual(broad.workEmail === null, broad.workEmailStatus === "not_found")
          const index = yield* known(sandboxContactsIndex, person)
          if (Option.isNone(index)) continue
          cheap += 1
          assert.isNotNull(index.value.workEmail)
          assert.deepStrictEqual(index.value, broad)
        }
        assert.approximately(cheap / people.length, 0.5, 0.08)
      })
  )

  it.effect("have one mobile number, whichever source tells it", () =>
    Effect.gen(function* () {
      for (const person of people) {
        const broad = Option.getOrThrow(yield* known(sandboxContactsBroad, person))
        const found = yield* sandboxMobiles.find({ ...nobody, socialUrl: broad.socialUrl })
        if (broad.mobilePhone !== null) assert.strictEqual(Option.getOrThrow(found), broad.mobilePhone)
      }
    })
  )

  it.effect("verify as enrichment said; the cheap verifier says the same or `unknown`", () =>
    Effect.gen(function* () {
      let unknown = 0
      for (const person of people) {
        const { emailVerdict, workEmail, workEmailStatus } = Option.getOrThrow(
          yield* known(sandboxContactsBroad, person)
        )
        const check = yield* sandboxProbeDeep.verify(addressOf(world(), person))
        if (workEmail === null) assert.include(["invalid", "catch_all_unknown"], check.status)
        else if (emailVerdict !== null) assert.strictEqual(check.status, emailVerdict)
        if (workEmail !== null) assert.strictEqual(check.isCatchAllDomain, workEmailStatus === "catch_all")
        const probed = yield* sandboxProbe.verify(addressOf(world(), person))
        if (probed.status === "unknown") unknown += 1
        else assert.deepStrictEqual(probed, check)
      }
      assert.isTrue(unknown > 30 && unknown < 130)
    })
  )

  it.effect("strangers' addresses have a fixed outcome too, and a domain is catch-all for all of them or none", () =>
    Effect.gen(function* () {
      const seen = new Set<string>()
      for (let n = 0; n < 400; n++) {
        const check = yield* sandboxProbeDeep.verify(`someone${n}@company${n % 40}.test`)
        assert.deepStrictEqual(yield* sandboxProbeDeep.verify(`SOMEONE${n}@company${n % 40}.test`), check)
        const neighbour = yield* sandboxProbeDeep.verify(`neighbour@company${n % 40}.test`)
        assert.strictEqual(check.isCatchAllDomain, neighbour.isCatchAllDomain)
        assert.strictEqual(check.isCatchAllDomain, check.status.startsWith("catch_all"))
        seen.add(check.status)
      }
      assert.strictEqual(seen.size, 6)
    })
  )
})
