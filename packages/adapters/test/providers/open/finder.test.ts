import { assert, describe, it } from "@effect/vitest"
import type { KnownPeople } from "@outbound/domain/outreach/campaigns/knownPeople.js"
import type { EmailCheck, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { ContactEnricher } from "@outbound/domain/sources/ports/ContactEnricher.js"
import { Effect, Fiber, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { spelled } from "../../../src/providers/finder/names.js"
import { finder } from "../../../src/providers/finder/Finder.js"
import { BELIEF_WEIGHT } from "../../../src/providers/open/measured.js"
import { make, makeIn, person } from "./finding.js"
import { page } from "./OpenWorld.js"

/** A verifier that knows its mailboxes, and what it was asked. */
const knowing = (
  mailboxes: ReadonlyArray<string>,
  otherwise: EmailCheck = { status: "invalid", isCatchAllDomain: false }
) => {
  const asked: Array<string> = []
  const verifier: EmailVerifier = {
    name: "prober",
    costMicros: 0,
    missRate: 0,
    latencyMillis: 1,
    verify: (email) =>
      Effect.sync(() => {
        asked.push(email)
        return mailboxes.includes(email) ? { status: "valid" as const, isCatchAllDomain: false } : otherwise
      })
  }
  return { asked, verifier }
}

const listing = (
  people: Readonly<Record<string, string>>,
  barred: { readonly never?: ReadonlyArray<string>; readonly gone?: ReadonlyArray<string> } = {}
): KnownPeople => ({
  at: (_workspace, domain) =>
    Effect.succeed(
      Object.entries(people).flatMap(([fullName, email]) =>
        email.endsWith(`@${domain}`) ? [{ fullName, firstName: null, lastName: null, email }] : []
      )
    ),
  barred: (_workspace, emails) =>
    Effect.succeed({
      never: emails.some((email) => barred.never?.includes(email) === true),
      gone: new Set(emails.filter((email) => barred.gone?.includes(email) === true))
    })
})

const CATCH_ALL: EmailCheck = { status: "catch_all_unknown", isCatchAllDomain: true }

describe("an address that is found", () => {
  it.effect("is one that the mail server proved, asked in order of likelihood, and no more than four", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing(["jdoe@acme.test"])
      const { lookup } = yield* make(verifier, null)
      const found = Option.getOrThrow(yield* lookup(person("Jane", "Doe", "acme.test")))
      assert.deepInclude(found, { workEmail: "jdoe@acme.test", workEmailStatus: "valid", emailVerdict: "valid" })
      assert.deepStrictEqual(asked, ["jane.doe@acme.test", "jdoe@acme.test"])
      asked.length = 0
      assert.isTrue(Option.isNone(yield* lookup(person("John", "Roe", "acme.test"))))
      assert.lengthOf(asked, 4)
      assert.lengthOf(new Set(asked), 4)
    })
  )

  it.effect("is written as the company writes others", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing(["jane@acme.test"])
      const { lookup } = yield* make(verifier, listing({ "Ada Byron": "ada@acme.test", "Bob Ross": "bob@acme.test" }))
      assert.isTrue(Option.isSome(yield* lookup(person("Jane", "Doe", "acme.test"))))
      assert.deepStrictEqual(asked, ["jane@acme.test"])
    })
  )

  it.effect("is written as the company's own pages write others, where no list knows any", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing(["j.doe@acme.test"])
      const { lookup, world } = yield* make(verifier, listing({}))
      world.put("acme.test", "/", page(`<a href="mailto:press.office@acme.test">p</a> Write to a.byron@acme.test`))
      assert.isTrue(Option.isSome(yield* lookup(person("Jane", "Doe", "acme.test"))))
      assert.deepStrictEqual(asked, ["j.doe@acme.test"])
    })
  )

  it.effect("is never a mailbox that may be another's: a given name alone, or an address that is known", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing(["jane@acme.test", "jdoe@acme.test"])
      const { lookup } = yield* make(verifier, listing({ "John Doe": "jdoe@acme.test" }))
      assert.isTrue(Option.isNone(yield* lookup(person("Jane", "Doe", "acme.test"))))
      assert.notIncludeMembers(asked, ["jane@acme.test", "jdoe@acme.test"])
    })
  )

  it.effect("is the person's own where it is known already", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing(["jane.doe@acme.test"])
      const { lookup } = yield* make(verifier, listing({ "Jane Doe": "jane.doe@acme.test" }))
      const found = Option.getOrThrow(yield* lookup(person("Jane", "Doe", "acme.test")))
      assert.strictEqual(found.workEmail, "jane.doe@acme.test")
      assert.deepStrictEqual(asked, ["jane.doe@acme.test"])
    })
  )

  it.effect("at a company that takes everybody is told as catch_all, and only if two people prove the pattern", () =>
    Effect.gen(function* () {
      const { verifier } = knowing([], CATCH_ALL)
      const one = yield* make(verifier, listing({ "Ada Byron": "ada.byron@acme.test" }))
      assert.isTrue(Option.isNone(yield* one.lookup(person("Jane", "Doe", "acme.test"))))
      const two = yield* make(
        verifier,
        listing({ "Ada Byron": "ada.byron@acme.test", "Bob Ross": "bob.ross@acme.test" })
      )
      assert.deepInclude(Option.getOrThrow(yield* two.lookup(person("Jane", "Doe", "acme.test"))), {
        workEmail: "jane.doe@acme.test",
        workEmailStatus: "catch_all",
        emailVerdict: "catch_all_unknown"
      })
    })
  )

  it.effect("is none where the server tells nothing, and its other addresses are left alone", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing([], { status: "unknown", isCatchAllDomain: false })
      const { lookup } = yield* make(verifier, null)
      assert.isTrue(Option.isNone(yield* lookup(person("Jane", "Doe", "acme.test"))))
      assert.lengthOf(asked, 1)
    })
  )
})

describe("whom nobody asks about", () => {
  it.effect("who objected, at any address that they may have", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing(["jane.doe@acme.test"])
      const { lookup } = yield* make(verifier, listing({}, { never: ["jdoe@acme.test"] }))
      assert.isTrue(Option.isNone(yield* lookup(person("Jane", "Doe", "acme.test"))))
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("an address that bounced for good, while the person's others are asked for", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing(["jane.doe@acme.test", "jdoe@acme.test"])
      const { lookup } = yield* make(verifier, listing({}, { gone: ["jane.doe@acme.test"] }))
      assert.strictEqual(
        Option.getOrThrow(yield* lookup(person("Jane", "Doe", "acme.test"))).workEmail,
        "jdoe@acme.test"
      )
      assert.deepStrictEqual(asked, ["jdoe@acme.test"])
    })
  )

  it.effect("who has no name, no company, or a name that we can't spell", () =>
    Effect.gen(function* () {
      const { asked, verifier } = knowing([])
      const { lookup } = yield* make(verifier, null)
      for (const nobody of [
        person(null, "Doe", "acme.test"),
        person("Jane", "Doe", null),
        person("伟", "王", "acme.test")
      ]) {
        assert.isTrue(Option.isNone(yield* lookup(nobody)))
      }
      assert.deepStrictEqual(asked, [])
    })
  )
})

describe("what the finder declares of itself", () => {
  /** A verifier that takes its time. */
  const slow = (mailboxes: ReadonlyArray<string>, millis: number) => {
    const { verifier } = knowing(mailboxes)
    return { ...verifier, verify: (email: string) => Effect.delay(verifier.verify(email), millis) }
  }
  const within = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
      yield* TestClock.adjust("1 hour")
      return yield* Fiber.join(fiber)
    })

  it.live("is a belief at first, and then what happened, on every host", () =>
    Effect.gen(function* () {
      const { verifier } = knowing(["jane.doe@acme.test"])
      const one = yield* make(verifier, null)
      assert.deepStrictEqual([one.source.missRate, one.source.latencyMillis], [0.4, 4_000])
      for (let at = 0; at < BELIEF_WEIGHT; at++) yield* one.lookup(person("Jane", "Doe", "acme.test"))
      // As often found as it was believed to be: halfway between 0.4 and 0.
      assert.closeTo(one.source.missRate, 0.2, 1e-9)
      assert.isBelow(one.source.latencyMillis, 2_500)
      const other = yield* makeIn(one.world, verifier, null)
      assert.closeTo(other.source.missRate, 0.2, 1e-9)
      for (let at = 0; at < 2 * BELIEF_WEIGHT; at++) yield* other.lookup(person("John", "Roe", "acme.test"))
      assert.closeTo(other.source.missRate, (0.4 + 2) / 4, 1e-9)
      // What it is not asked for says nothing of it.
      yield* other.lookup(person("Jane", "Doe", null))
      assert.closeTo(other.source.missRate, (0.4 + 2) / 4, 1e-9)
    })
  )

  it.effect("counts the time of each lookup, and one that was given up on as a miss", () =>
    Effect.gen(function* () {
      const { lookup, source } = yield* make(
        slow(["jane.doe@acme.test"], 8_000),
        listing({ "Ada Byron": "ada.byron@acme.test" })
      )
      const asked = lookup(person("Jane", "Doe", "acme.test"))
      yield* within(asked)
      assert.strictEqual(source.latencyMillis, Math.round((40 * 4_000 + 8_000) / 41))
      assert.closeTo(source.missRate, (40 * 0.4) / 41, 1e-9)
      yield* within(Effect.timeoutOption(asked, 2_000))
      assert.closeTo(source.missRate, (40 * 0.4 + 1) / 42, 1e-9)
      assert.strictEqual(source.latencyMillis, Math.round((40 * 4_000 + 10_000) / 42))
    })
  )

  it.effect("is what the operator declares, where that is said", () =>
    Effect.gen(function* () {
      const { verifier } = knowing([])
      const { world } = yield* make(verifier, null)
      const config = { baseUrl: "", credential: null, callsPerMinute: null, unitMicros: 0 }
      const { sources } = yield* Result.getOrThrow(finder.decode({}))(
        { ...config, declared: { contact_enricher: { missRate: 0.1 } } },
        { ...world.beside, verifier, known: null }
      )
      const source = sources.contact_enricher as ContactEnricher
      yield* source.lookup(person("John", "Roe", "acme.test"))
      assert.strictEqual(source.missRate, 0.1)
      assert.isBelow(source.latencyMillis, 4_000)
    })
  )
})

describe("names", () => {
  const CASES: ReadonlyArray<readonly [string, string, string]> = [
    ["Dr. Jürgen Müller", "juergen", "mueller"],
    ["Hans-Peter von der Heide", "hans-peter", "vonderheide"],
    ["Sergei Щербаков", "sergei", "shcherbakov"],
    ["Doe, Jane", "jane", "doe"],
    ["William O'Connor Jr.", "william", "oconnor"],
    ["Mary Ann Smith, PhD", "mary", "smith"]
  ]
  it.each(CASES)("%s is %s, %s", (fullName, first, last) => {
    const name = spelled({ fullName, firstName: null, lastName: null })
    assert.deepStrictEqual([name?.first[0]?.text, name?.last[0]?.text], [first, last])
  })

  it("are spelt in no time, whatever they are", () => {
    const before = performance.now()
    for (const fullName of ["a ".repeat(100_000), `${"ü".repeat(50_000)} ${"-".repeat(50_000)}`, "(".repeat(100_000)]) {
      spelled({ fullName, firstName: null, lastName: null })
    }
    assert.isBelow(performance.now() - before, 5_000)
  })
})
