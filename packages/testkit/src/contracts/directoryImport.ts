import { assert } from "@effect/vitest"
import { DIRECTORY_BATCH_MAX, DirectoryImport } from "@outbound/domain/data/directory/DirectoryImport.js"
import { DirectoryStore } from "@outbound/domain/data/directory/DirectoryStore.js"
import { addressFingerprint } from "@outbound/domain/data/directory/matched.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Deferred, Effect, Fiber, Stream } from "effect"
import { DAY, freshId, givenWorkspace } from "./fixtures.js"
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

/** So long a transaction that nothing holds up has ended for certain. */
const TURNS = 20_000

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
      const onOnePage = yield* take(workspaceId, "people", [
        { social_url: "https://www.facebook.com/profile.php?id=100001" },
        { social_url: "https://www.facebook.com/profile.php?id=100002" },
        { social_url: "https://facebook.com/profile.php?ref=search&id=100001", full_name: "Fay" }
      ])
      assert.deepStrictEqual(counts(onOnePage), [2, 0, 1, 0])
    })
  )

  it.effect("every mistake is told by its line, what is wrong and how to mend it; a wrong cell costs no row", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const report = yield* take(workspaceId, "people", [
        { email: "not an address", full_name: "X", company_domain: "acme.com" },
        { email: "b@acme.com", headcount: "many", mobile_phone: "0171", observed_at: "2026-04-31" },
        { email: "c@acme.com", title: "x".repeat(301) },
        { full_name: "J\uFFFDrg", company_domain: "acme.com" },
        { email: "d@acme.com", observed_at: "0000-01-01" },
        { email: "e@acme.com", observed_at: "9999-12-31T23:59:59-01:00" }
      ])
      assert.deepStrictEqual(counts(report), [4, 0, 0, 2])
      assert.deepStrictEqual(
        report.mistakesListed.map(({ column, left_out, line }) => [line, column, left_out]),
        [
          [2, "email", "row"],
          [3, "headcount", "cell"],
          [3, "mobile_phone", "cell"],
          [3, "observed_at", "cell"],
          [4, "title", "cell"],
          [5, "full_name", "row"],
          [6, "observed_at", "cell"],
          [7, "observed_at", "cell"]
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
      while ((yield* atomically(retention.forgetPeople(now + DAY, 5_000))) > 0) yield* Effect.yieldNow
      assert.deepStrictEqual(yield* found(workspaceId, {}), [])
      assert.strictEqual((yield* companiesFound(workspaceId, {})).length, 3)
    })
  )

  it.effect("an import never adds an erased person again, and reports their rows", () =>
    Effect.gen(function* () {
      const workspaceId = yield* given
      const { atomically } = yield* UnitOfWork
      const erasures = yield* ErasureStore
      const addressHash = addressFingerprint(yield* Crypto, workspaceId, "ann@acme.com")
      const request = { workspaceId, erasureId: freshId(), addressHash, requestedByUserId: null, fingerprints: [] }
      const nowMillis = yield* Clock.currentTimeMillis
      yield* atomically(
        erasures.open({ ...request, requestedAtMillis: nowMillis, told: false, finishedAtMillis: null })
      )
      yield* atomically(erasures.forgetPerson({ workspaceId, email: "ann@acme.com", addressHash }))
      for (const dryRun of [true, false, false]) {
        const again = [...PEOPLE, { full_name: "Another Ann", email: "ANN@acme.com" }]
        const report = yield* take(workspaceId, "people", again, dryRun)
        assert.deepStrictEqual(counts(report), [0, 0, 3, 2])
        assert.deepStrictEqual(
          report.mistakesListed.map(({ left_out, line, what }) => ({ left_out, line, what })),
          [2, 6].map((line) => ({ left_out: "row", line, what: "this person was erased" }))
        )
        assert.deepStrictEqual(yield* found(workspaceId, {}), ["Bob", "Cem Celik", "Dee Dunn"])
      }
      const other = yield* given
      assert.include(yield* found(other, {}), "Ann Ames", "another workspace's is another's")
    })
  )

  it.effect("an erasure takes what a batch under way brings", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const { atomically } = yield* UnitOfWork
      const erasures = yield* ErasureStore
      const store = yield* DirectoryStore
      const donor = yield* given
      const crypto = yield* Crypto
      const [ann] = yield* store.people(donor, [addressFingerprint(crypto, donor, "ann@acme.com")])
      const addressHash = addressFingerprint(crypto, workspaceId, "ann@acme.com")
      if (ann === undefined) return assert.fail("Ann is known")
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const batch = Effect.gen(function* () {
        yield* store.lock(workspaceId)
        yield* store.putPeople(workspaceId, [{ ...ann, fingerprint: addressHash }])
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(go)
      })
      const importing = yield* Effect.forkChild(atomically(batch))
      yield* Deferred.await(begun)
      const erasing = yield* Effect.forkChild(
        atomically(erasures.forgetPerson({ workspaceId, email: "ann@acme.com", addressHash }))
      )
      // Where it does not wait, it ends meanwhile.
      for (let turn = 0; turn < TURNS && erasing.pollUnsafe() === undefined; turn++) {
        yield* Effect.promise(() => new Promise<void>((done) => setImmediate(done)))
      }
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(importing)
      assert.strictEqual(yield* Fiber.join(erasing), 1)
      assert.deepStrictEqual(yield* found(workspaceId, {}), [])
    })
  )

  it.effect("a dry run says what becomes of a list, however far apart it names somebody twice", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const person = (at: number, more = {}) => ({ email: `p${at}@acme.com`, full_name: `P ${at}`, ...more })
      yield* take(workspaceId, "people", [person(0), person(1)])
      const list = [
        ...Array.from({ length: DIRECTORY_BATCH_MAX }, (_, at) => person(at, at === 1 ? { title: "VP" } : {})),
        // In the next batch: as it was, something new, and known by now.
        person(1, { title: "VP" }),
        person(2),
        person(3, { title: "Head" }),
        person(3, { title: "Head" }),
        person(0)
      ]
      const rehearsed = yield* take(workspaceId, "people", list, true)
      const taken = yield* take(workspaceId, "people", list)
      assert.deepStrictEqual(counts(rehearsed), counts(taken))
      assert.deepStrictEqual(counts(taken), [DIRECTORY_BATCH_MAX - 2, 2, 5, 0])
      assert.isFalse(rehearsed.isEstimate)
    })
  )

  it.effect("a list for a workspace that there is not is refused", () =>
    Effect.gen(function* () {
      const nobody = "0198c0de-0000-7000-8000-000000000000"
      assert.deepInclude(yield* Effect.flip(take(nobody, "people", PEOPLE)), { code: "not_found" })
    })
  )
}
