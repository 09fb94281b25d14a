import { assert } from "@effect/vitest"
import { DIRECTORY_BATCH_MAX, DirectoryImport } from "@outbound/domain/directory/DirectoryImport.js"
import { DirectoryStore } from "@outbound/domain/directory/DirectoryStore.js"
import { addressFingerprint } from "@outbound/domain/directory/matched.js"
import { ErasureStore } from "@outbound/domain/erasure/ErasureStore.js"
import { RetentionStore } from "@outbound/domain/erasure/RetentionStore.js"
import { Crypto } from "@outbound/domain/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/ports/UnitOfWork.js"
import { Clock, Effect, Stream } from "effect"
import { DAY, givenWorkspace } from "./fixtures.js"
import {
  COMPANIES,
  companiesFound,
  counts,
  type DirectoryIt,
  found,
  given,
  listed,
  PEOPLE,
  take
} from "./directoryFixtures.js"

/** What becomes of lists that are taken over. */
export const directoryImportTests = (it: DirectoryIt): void => {
  it.effect("a list is taken over as it is read, and the same again says nothing new", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const crypto = yield* Crypto
      const store = yield* DirectoryStore
      assert.deepStrictEqual(counts(yield* take(workspaceId, "people", PEOPLE, true)), [4, 0, 0, 0])
      assert.deepStrictEqual(yield* found(workspaceId, {}), [], "a dry run changes nothing")
      assert.deepStrictEqual(counts(yield* take(workspaceId, "people", PEOPLE)), [4, 0, 0, 0])
      assert.deepStrictEqual(counts(yield* take(workspaceId, "people", PEOPLE)), [0, 0, 4, 0])
      assert.deepStrictEqual(counts(yield* take(workspaceId, "companies", COMPANIES)), [3, 0, 0, 0])
      assert.deepStrictEqual(counts(yield* take(workspaceId, "companies", COMPANIES)), [0, 0, 3, 0])
      const fingerprint = addressFingerprint(crypto, workspaceId, "ann@acme.com")
      const [ann] = yield* store.people(workspaceId, [fingerprint, "nobody"])
      assert.deepInclude(ann, {
        fullName: "Ann Ames",
        companyDomain: "acme.com",
        // The company's own row knows better.
        headcount: 120,
        industry: "Software Development",
        workEmail: "ann@acme.com",
        emailStatus: "valid",
        mobilePhone: "+41791234567",
        observedAtMillis: null
      })
      const [acme] = yield* store.companies(workspaceId, ["acme.com"])
      assert.deepInclude(acme, {
        specialties: ["Fraud detection", "Payouts"],
        foundedYear: 2015,
        totalFundingUsd: 12_500_000,
        lastFundingRoundDate: "2025-11-30"
      })
    })
  )

  it.effect("a company's row tells its people what it knows, whichever list came first", () =>
    Effect.gen(function* () {
      const first = yield* given
      const { workspaceId: second } = yield* givenWorkspace()
      yield* take(second, "companies", COMPANIES)
      yield* take(second, "people", PEOPLE)
      for (const workspaceId of [first, second]) {
        const mid = { headcountMin: 100, headcountMax: 150 }
        assert.deepStrictEqual(yield* found(workspaceId, mid), ["Ann Ames", "Cem Celik"])
        assert.deepStrictEqual(yield* found(workspaceId, { industries: ["Software Development"] }), [
          "Ann Ames",
          "Cem Celik"
        ])
      }
    })
  )

  it.effect("newer values win, empty ones never, and what says that it is older fills gaps alone", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const { people } = yield* DirectoryStore
      const fingerprint = addressFingerprint(yield* Crypto, workspaceId, "ann@acme.com")
      const row = { email: "ann@acme.com", title: "Manager", city: "Bern", observed_at: "2026-02-01" }
      yield* take(workspaceId, "people", [row])
      const older = { email: "ann@acme.com", title: "Intern", country: "CH", city: "", observed_at: "2025-01-01" }
      assert.deepStrictEqual(counts(yield* take(workspaceId, "people", [older])), [0, 1, 0, 0])
      const [kept] = yield* people(workspaceId, [fingerprint])
      assert.deepInclude(kept, { title: "Manager", city: "Bern", country: "CH" })
      assert.strictEqual(kept?.observedAtMillis, Date.UTC(2026, 1, 1))
      yield* take(workspaceId, "people", [{ email: "ANN@acme.com", title: "Director", city: "" }])
      const [newer] = yield* people(workspaceId, [fingerprint])
      assert.deepInclude(newer, { title: "Director", city: "Bern" })
      assert.deepStrictEqual(yield* found(workspaceId, { titles: ["manager"] }), [])
      assert.lengthOf(yield* found(workspaceId, { titles: ["director"] }), 1)
    })
  )

  it.effect("repetitions within a list are one, by address, else profile, else name and company", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const report = yield* take(workspaceId, "people", [
        { email: "a@acme.com", title: "One" },
        { email: "A@ACME.com", full_name: "Ann" },
        { social_url: "https://www.linkedin.com/in/bob/", title: "Two" },
        { social_url: "http://de.linkedin.com/in/Bob?x=1", full_name: "Bob" },
        { full_name: "Cy Coe", company_domain: "acme.com" },
        { full_name: " CY  coe", company_domain: "www.acme.com", title: "Three" },
        { full_name: "Cy Coe", company_name: "Other" },
        { title: "Nobody" }
      ])
      assert.deepStrictEqual(counts(report), [4, 0, 3, 1])
      assert.deepStrictEqual(
        report.mistakesListed.map(({ line }) => line),
        [9]
      )
      assert.strictEqual((yield* found(workspaceId, { titles: ["one", "two", "three"] })).length, 3)
    })
  )

  it.effect("every mistake is told by its line, what is wrong and how to mend it; a wrong cell costs no row", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const report = yield* take(workspaceId, "people", [
        { email: "not an address", full_name: "X", company_domain: "acme.com" },
        { email: "b@acme.com", headcount: "many", mobile_phone: "0171", observed_at: "2026-04-31" },
        { email: "c@acme.com", title: "x".repeat(301) },
        { full_name: "J\uFFFDrg", company_domain: "acme.com" }
      ])
      assert.deepStrictEqual(counts(report), [2, 0, 0, 2])
      assert.deepStrictEqual(
        report.mistakesListed.map(({ column, left_out, line }) => [line, column, left_out]),
        [
          [2, "email", "row"],
          [3, "headcount", "cell"],
          [3, "mobile_phone", "cell"],
          [3, "observed_at", "cell"],
          [4, "title", "cell"],
          [5, "full_name", "row"]
        ]
      )
      assert.isTrue(report.mistakesListed.every(({ mend, what }) => mend.length > 5 && what.length > 5))
    })
  )

  it.effect("an import that is killed in the middle and runs again ends where one run had", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const { takeFor } = yield* DirectoryImport
      const rows = Array.from({ length: DIRECTORY_BATCH_MAX + 200 }, (_, at) => ({
        email: `p${at % (DIRECTORY_BATCH_MAX + 100)}@acme.com`,
        title: `Title ${at}`
      }))
      const breaking = Stream.concat(listed(rows.slice(0, DIRECTORY_BATCH_MAX + 50)), Stream.fail("killed" as const))
      const killed = yield* Effect.flip(takeFor(workspaceId, { kind: "people", rows: breaking, dryRun: false }))
      assert.strictEqual(killed, "killed")
      const report = yield* take(workspaceId, "people", rows)
      assert.strictEqual(report.added + report.updated + report.known, rows.length)
      // What had been read when it broke off was taken over.
      assert.strictEqual(report.added, 50)
      const { workspaceId: other } = yield* givenWorkspace()
      yield* take(other, "people", rows)
      const crypto = yield* Crypto
      const { people } = yield* DirectoryStore
      const emails = [...new Set(rows.map(({ email }) => email))]
      const titles = (of: string) =>
        Effect.map(
          people(
            of,
            emails.map((email) => addressFingerprint(crypto, of, email))
          ),
          (all) => all.map(({ title, workEmail }) => `${workEmail} ${title}`).sort()
        )
      assert.deepStrictEqual(yield* titles(workspaceId), yield* titles(other))
      assert.lengthOf(yield* titles(other), emails.length)
    })
  )

  it.effect("a person who is erased leaves it, as does who was not named for too long", () =>
    Effect.gen(function* () {
      const workspaceId = yield* given
      const { atomically } = yield* UnitOfWork
      const erasures = yield* ErasureStore
      const retention = yield* RetentionStore
      const addressHash = addressFingerprint(yield* Crypto, workspaceId, "ann@acme.com")
      const forget = atomically(erasures.forgetPerson({ workspaceId, email: "ann@acme.com", addressHash }))
      assert.deepStrictEqual([yield* forget, yield* forget], [1, 0])
      assert.deepStrictEqual(yield* found(workspaceId, {}), ["Bob", "Cem Celik", "Dee Dunn"])
      assert.deepStrictEqual(yield* found(workspaceId, { titles: ["happiness"] }), [])
      const now = yield* Clock.currentTimeMillis
      assert.strictEqual(yield* atomically(retention.forgetPeople(now - DAY, 2)), 0)
      while ((yield* atomically(retention.forgetPeople(now + DAY, 5_000))) > 0) yield* Effect.yieldNow()
      assert.deepStrictEqual(yield* found(workspaceId, {}), [])
      assert.strictEqual((yield* companiesFound(workspaceId, {})).length, 3)
    })
  )

  it.effect("a list for a workspace that there is not is refused", () =>
    Effect.gen(function* () {
      const nobody = "0198c0de-0000-7000-8000-000000000000"
      assert.deepInclude(yield* Effect.flip(take(nobody, "people", PEOPLE)), { code: "not_found" })
    })
  )
}
