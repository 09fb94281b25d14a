import { assert, describe, it } from "@effect/vitest"
import type { KnownPeople } from "@outbound/domain/outreach/suppression/knownPeople.js"
import type { ContactEnricher } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailCheck, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { mailNameServer, type MailZone } from "@outbound/testkit/mail/NameServer.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect, Option } from "effect"
import { finder } from "../../../src/providers/finder/Finder.js"
import { spelled } from "../../../src/providers/finder/names.js"
import { makeProber } from "../../../src/prober/Prober.js"
import { proberDefaults } from "../../../src/prober/ProberSettings.js"
import { scriptedSmtp } from "../../prober/ScriptedSmtp.js"
import { corpus, scriptOf } from "./finder.corpus.js"
import { madeIn, makeOpenWorld, page } from "./OpenWorld.js"

const person = (firstName: string | null, lastName: string | null, companyDomain: string | null): PersonIdentity => ({
  fullName: null,
  firstName,
  lastName,
  email: null,
  socialUrl: null,
  companyName: null,
  companyDomain,
  title: null
})

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

const make = (verifier: EmailVerifier, known: KnownPeople | null, settings: object = {}) =>
  Effect.gen(function* () {
    const world = yield* makeOpenWorld()
    const made = yield* madeIn(world, finder, settings, "", { verifier, known })
    const source = made.sources.contact_enricher as ContactEnricher
    const lookup = (identity: PersonIdentity) =>
      Effect.provideService(source.lookup(identity), CurrentSourceAccess, { ...noAccess, workspaceId: "w_1" })
    return { world, lookup }
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

it.live(
  "of 500 people at 60 mail servers, 98 of 100 valid addresses are right, and 70 of 100 people are found",
  () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(() => freePort())
      const companies = corpus()
      const zones: Record<string, MailZone> = {}
      for (const [at, company] of companies.entries()) {
        const address = `127.0.7.${at + 1}`
        zones[company.domain] = { mx: [[10, `mx.${company.domain}`]] }
        zones[`mx.${company.domain}`] = { a: [address] }
        yield* scriptedSmtp(scriptOf(company), { address, port })
      }
      const names = yield* mailNameServer(zones)
      const prober = yield* makeProber({
        ...proberDefaults(),
        heloName: "probe.outbound.test",
        allowPrivateTargets: true,
        resolvers: [names.address],
        smtpPort: port,
        hostPaceMillis: 0,
        commandMillis: 4_000,
        deadlineMillis: 10_000
      })
      const known: KnownPeople = {
        at: (_workspace, domain) =>
          Effect.succeed(
            companies
              .filter((company) => company.domain === domain)
              .flatMap(({ known: people }) =>
                people.flatMap(({ email, firstName, lastName }) =>
                  email === null ? [] : [{ email, firstName, lastName, fullName: null }]
                )
              )
          ),
        barred: () => Effect.succeed({ never: false, gone: new Set() })
      }
      const { lookup } = yield* make(prober.verifier, known)
      const asked = companies.flatMap((company) => company.people.map((one) => ({ company, one })))
      const outcomes = yield* Effect.forEach(
        asked,
        ({ company, one }) =>
          Effect.map(lookup(person(one.firstName, one.lastName, company.domain)), (found) => ({
            company,
            one,
            email: Option.getOrNull(found)?.workEmail ?? null,
            status: Option.getOrNull(found)?.workEmailStatus ?? null
          })),
        { concurrency: 24 }
      )
      assert.lengthOf(outcomes, 500)
      const valid = outcomes.filter(({ status }) => status === "valid")
      const right = valid.filter(({ email, one }) => email === one.email)
      const having = outcomes.filter(({ one }) => one.email !== null)
      const foundRight = having.filter(({ email, one }) => email === one.email)
      const wrong = valid.filter(({ email, one }) => email !== one.email).map(({ email, one }) => [email, one.email])
      assert.isAtLeast(right.length / valid.length, 0.98, `precision: ${JSON.stringify(wrong)}`)
      assert.isAtLeast(foundRight.length / having.length, 0.7, "recall")
      // A server that takes everybody proves nobody.
      for (const { company, status } of outcomes) {
        if (company.habit === "takes everybody" || company.habit === "returns it later")
          assert.notStrictEqual(status, "valid")
      }
      yield* Effect.logInfo(`valid ${right.length}/${valid.length}, found ${foundRight.length}/${having.length}`)
    }),
  120_000
)
