import { assert } from "@effect/vitest"
import { DirectoryStore, MATCHES_COUNTED_MAX } from "@outbound/domain/data/directory/DirectoryStore.js"
import { directorySources } from "@outbound/domain/data/directory/directorySources.js"
import { addressFingerprint } from "@outbound/domain/data/directory/matched.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { CompanyQuery, CompanySearch } from "@outbound/domain/sources/ports/CompanySource.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { Effect, Option } from "effect"
import { givenWorkspace } from "./fixtures.js"
import {
  ANYBODY,
  asks,
  companiesFound,
  type DirectoryIt,
  EVERYBODY,
  found,
  given,
  leads,
  NO_ONE,
  take
} from "./directoryFixtures.js"

/** How people and companies are found, and by whom. */
export const directorySearchTests = (it: DirectoryIt): void => {
  it.effect("short titles are whole words or what they stand for, so that no director is a CTO", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      yield* take(
        workspaceId,
        "people",
        [
          "CTO",
          "Chief Technology Officer",
          "Sales Director",
          "CTO/Founder",
          "Project Coordinator",
          "Chief Operating Officer",
          "Vice-President, Sales",
          "SVP of Sales & Marketing",
          "Vice President of Product",
          "President"
        ].map((title, at) => ({ full_name: `P${at}`, email: `p${at}@acme.com`, title }))
      )
      const titled = (...titles: ReadonlyArray<string>) => found(workspaceId, { titles })
      assert.deepStrictEqual(yield* titled("cto"), ["P0", "P1", "P3"])
      assert.deepStrictEqual(yield* titled("chief technology officer"), ["P0", "P1", "P3"])
      assert.deepStrictEqual(yield* titled("coo"), ["P5"])
      assert.deepStrictEqual(yield* titled("vp sales"), ["P6", "P7"])
      assert.deepStrictEqual(yield* titled("vice president"), ["P6", "P7", "P8"])
      assert.deepStrictEqual(yield* titled("coo", "president", "director"), ["P2", "P5", "P6", "P8", "P9"])
      assert.deepStrictEqual(yield* titled("cfo"), [])
    })
  )

  it.effect("titles are contained, whatever the case, within words and across them", () =>
    Effect.gen(function* () {
      const workspaceId = yield* given
      const titled = (...titles: ReadonlyArray<string>) => found(workspaceId, { titles })
      assert.deepStrictEqual(yield* titled("sales"), ["Bob", "Cem Celik"])
      assert.deepStrictEqual(yield* titled("happiness off"), ["Ann Ames"])
      assert.deepStrictEqual(yield* titled("ief happiness officer (c"), ["Ann Ames"])
      assert.deepStrictEqual(yield* titled("of pre", "engineer"), ["Bob", "Dee Dunn"])
      assert.deepStrictEqual(yield* titled("happiness sales"), [])
      assert.deepStrictEqual(yield* titled("100%", "_"), [])
      assert.deepStrictEqual(yield* titled("'\\"), [])
      assert.deepStrictEqual(yield* titled("e"), ["Ann Ames", "Bob", "Cem Celik", "Dee Dunn"])
      assert.deepStrictEqual(yield* leads(workspaceId, { titles: ["VP"] }), ["Cem Celik"])
      yield* take(workspaceId, "people", [
        { full_name: "Eve", email: "eve@acme.com", title: "CTO@Robotics" },
        { full_name: "Flo", email: "flo@acme.com", title: "Founder @Robotix, mail flo@acme.com" }
      ])
      assert.deepStrictEqual(yield* titled("roboti"), ["Eve", "Flo"])
      assert.deepStrictEqual(yield* titled("@robot"), ["Eve", "Flo"])
      assert.deepStrictEqual(yield* titled("founder @"), ["Flo"])
    })
  )

  it.effect(
    "places are understood: countries by any name, groups, states, areas, cities with and without accents",
    () =>
      Effect.gen(function* () {
        const workspaceId = yield* given
        const at = (...locations: ReadonlyArray<string>) => leads(workspaceId, { locations })
        for (const place of ["Switzerland", "ch", "DACH", "Zurich", "Zürich, Switzerland", "Greater Zurich Area"]) {
          assert.deepStrictEqual(yield* at(place), ["Ann Ames"], place)
        }
        for (const place of ["Texas", "Austin", "Austin, TX", "USA", "North America"]) {
          assert.deepStrictEqual(yield* at(place), ["Bob"], place)
        }
        assert.deepStrictEqual(yield* at("Bay Area", "Atlantis", "Berlin, Germany"), [])
        assert.deepStrictEqual(yield* at("constructor", "the constructor region", "__proto__"), [])
        assert.deepStrictEqual(yield* at("United Kingdom", "Switzerland"), ["Ann Ames", "Dee Dunn"])
        assert.deepStrictEqual(yield* at("Europe"), ["Ann Ames", "Dee Dunn"])
      })
  )

  it.effect("a place is found by the words that the list has for it, and by its country, where it is clear which", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      yield* take(workspaceId, "people", [
        { full_name: "Gus", email: "gus@acme.com", location: "Austin, TX" },
        { full_name: "Hal", email: "hal@acme.com", city: "Boise", region: "Idaho" },
        { full_name: "Ida", email: "ida@acme.com", location: "Paris, FR" },
        { full_name: "Jan", email: "jan@acme.com", location: "Amsterdam, NL" },
        { full_name: "Kim", email: "kim@acme.com", location: "Tbilisi, Georgia" },
        { full_name: "Lea", email: "lea@acme.com", location: "Atlanta, GA, United States" }
      ])
      const at = (location: string) => leads(workspaceId, { locations: [location] })
      for (const place of ["Austin, TX", "Austin, Texas", "Texas"]) assert.deepStrictEqual(yield* at(place), ["Gus"])
      assert.deepStrictEqual(yield* at("Boise, Idaho"), ["Hal"])
      assert.deepStrictEqual(yield* at("United States"), ["Gus", "Hal", "Lea"])
      assert.deepStrictEqual(yield* at("Atlanta, GA"), ["Lea"])
      for (const place of ["Tbilisi, Georgia", "Georgia"]) assert.deepStrictEqual(yield* at(place), ["Kim"])
      for (const place of ["Paris, France", "France"]) assert.deepStrictEqual(yield* at(place), ["Ida"])
      assert.deepStrictEqual(yield* at("Amsterdam"), ["Jan"])
      assert.deepStrictEqual(yield* at("Canada"), [])
      yield* take(workspaceId, "companies", [{ domain: "peak.com", location: "Denver, Colorado" }])
      const { companySource } = yield* directorySources
      const asked = {
        search: { kind: "firmographic", locations: [], keywords: [], excludeKeywords: [] },
        audience: "",
        industries: [],
        countryCodes: ["US"],
        headcountMin: 10,
        headcountMax: null,
        limit: 10,
        lowConfidenceLimit: 0
      } satisfies CompanyQuery
      const page = yield* companySource.search(asked).pipe(asks(workspaceId))
      assert.deepStrictEqual(
        page.companies.map(({ countryCode, domain }) => [domain, countryCode]),
        [["peak.com", "US"]]
      )
    })
  )

  it.effect("filters go together, and who is not known to match does not", () =>
    Effect.gen(function* () {
      const workspaceId = yield* given
      assert.deepStrictEqual(yield* leads(workspaceId, { companyDomains: ["acme.com"], titles: ["sales"] }), [
        "Cem Celik"
      ])
      assert.deepStrictEqual(yield* leads(workspaceId, { industries: ["Banking"], headcountMin: 1_000 }), ["Bob"])
      assert.deepStrictEqual(yield* leads(workspaceId, { headcountMin: 1 }), ["Ann Ames", "Bob", "Cem Celik"])
      assert.deepStrictEqual(yield* leads(workspaceId, { headcountMax: 10 }), [])
      assert.deepStrictEqual(yield* leads(workspaceId, { locations: ["Texas"], titles: ["data"] }), [])
      assert.deepStrictEqual(yield* found(workspaceId, {}), ["Ann Ames", "Bob", "Cem Celik", "Dee Dunn"])
    })
  )

  it.effect(
    "the audience steers, a longer list begins with the shorter one, and matches are counted up to a maximum",
    () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const { searchPeople } = yield* DirectoryStore
        const rows = Array.from({ length: MATCHES_COUNTED_MAX + 500 }, (_, at) => ({
          email: `p${at}@acme.com`,
          title: at === 700 ? "Sales Manager, Robots" : "Sales Manager"
        }))
        const few = yield* take(workspaceId, "people", rows.slice(0, 900))
        assert.strictEqual(few.added, 900)
        const asked = { ...EVERYBODY, titles: ["manager"], limit: 5 }
        const page = yield* searchPeople(workspaceId, asked)
        assert.deepStrictEqual([page.people.length, page.total], [5, 900])
        const longer = yield* searchPeople(workspaceId, { ...asked, limit: 50 })
        assert.deepStrictEqual(longer.people.slice(0, 5), page.people)
        const steered = yield* searchPeople(workspaceId, { ...asked, steering: ["robot"] })
        assert.strictEqual(steered.people[0]?.title, "Sales Manager, Robots")
        yield* take(workspaceId, "people", rows)
        const many = yield* searchPeople(workspaceId, asked)
        assert.deepStrictEqual([many.people.length, many.total], [5, MATCHES_COUNTED_MAX])
      })
  )

  it.effect("companies are found by keyword, place, size and industry, and not by what they exclude", () =>
    Effect.gen(function* () {
      const workspaceId = yield* given
      const { companySource } = yield* directorySources
      const search = (search: CompanySearch, query: Partial<CompanyQuery> = {}) =>
        companySource
          .search({
            search,
            audience: "",
            industries: [],
            countryCodes: [],
            headcountMin: 10,
            headcountMax: null,
            limit: 10,
            lowConfidenceLimit: 0,
            ...query
          })
          .pipe(asks(workspaceId))
      const firmographic = (given: Partial<Extract<CompanySearch, { readonly kind: "firmographic" }>>, query = {}) =>
        search({ kind: "firmographic", locations: [], keywords: [], excludeKeywords: [], ...given }, query).pipe(
          Effect.map(({ companies }) => companies.map(({ domain }) => domain).sort())
        )
      assert.deepStrictEqual(yield* firmographic({ keywords: ["FRAUD"] }), ["acme.com", "tiny.de"])
      assert.deepStrictEqual(yield* firmographic({ keywords: ["raud detec"] }), ["acme.com"])
      assert.deepStrictEqual(yield* firmographic({ keywords: ["machine learning. no"] }), ["acme.com"])
      assert.deepStrictEqual(yield* firmographic({ keywords: ["fraud"], excludeKeywords: ["hardware"] }), ["tiny.de"])
      assert.deepStrictEqual(yield* firmographic({ excludeKeywords: ["fraud"] }), ["acme.com", "bolt.com"])
      assert.deepStrictEqual(yield* firmographic({ locations: ["Zurich", "Texas"] }), ["acme.com"])
      assert.deepStrictEqual(yield* firmographic({}, { countryCodes: ["US", "DE"] }), ["bolt.com", "tiny.de"])
      assert.deepStrictEqual(yield* firmographic({}, { headcountMin: 50, headcountMax: 200 }), ["acme.com"])
      assert.deepStrictEqual(yield* firmographic({}, { industries: ["Banking"] }), ["bolt.com"])
      const query = yield* search(
        { kind: "query", query: "Marketplaces and payments, in Switzerland" },
        { lowConfidenceLimit: 5 }
      )
      assert.deepInclude(query.companies[0], { domain: "acme.com", countryCode: "CH", foundedYear: 2015 })
      assert.strictEqual(query.companies[0]?.evidence[0]?.confidence, "high")
      const half = yield* search(
        { kind: "query", query: "fraud reports about dragons and unicorns" },
        { lowConfidenceLimit: 5 }
      )
      assert.deepStrictEqual(
        half.companies.map(({ domain, evidence }) => [domain, evidence[0]?.confidence]),
        [["tiny.de", "low"]]
      )
      const page = yield* search(
        { kind: "firmographic", locations: [], keywords: [], excludeKeywords: [] },
        { limit: 2 }
      )
      assert.deepStrictEqual([page.companies.length, page.moreAvailable], [2, true])
      assert.deepStrictEqual(yield* companiesFound(workspaceId, { words: ["bank", "builder"] }), ["bolt.com"])
    })
  )

  it.effect("texts of any script and length are kept, and what no text holds finds nobody", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const description = Array.from({ length: 4_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7) % 6_000)))
      const report = yield* take(workspaceId, "companies", [{ domain: "a.jp", description: description.join("") }])
      assert.deepStrictEqual([report.added, report.mistakes], [1, 0])
      for (const from of [0, 130, 1_999, 3_880]) {
        const keywords = [description.slice(from, from + 120).join("")]
        assert.deepStrictEqual(yield* companiesFound(workspaceId, { keywords }), ["a.jp"], String(from))
      }
      yield* take(workspaceId, "people", [
        // It folds to eighteen characters each.
        { email: "a@a.jp", title: "\uFDFA".repeat(300) },
        { social_url: `https://a.jp/${"\u4e00".repeat(400)}`, title: "\u{1F4EC}".repeat(150) },
        { full_name: "\uFDFA".repeat(300), company_name: "\uFDFA".repeat(300), city: "\uFDFA".repeat(300) }
      ])
      assert.lengthOf(yield* found(workspaceId, {}), 3)
      assert.lengthOf(yield* found(workspaceId, { titles: ["\u{1F4EC}\u{1F4EC}"] }), 1)
      for (const odd of ["\u0000", "\u0001t", "\ud83d", "a\u0000b c"]) {
        assert.isEmpty(yield* leads(workspaceId, { titles: [odd], industries: [odd], locations: [odd] }))
        assert.isEmpty(yield* companiesFound(workspaceId, { keywords: [odd], words: [odd], countryCodes: [odd] }))
      }
    })
  )

  it.effect("a person is looked up by address, profile, or name at a company; of two who could be meant, neither", () =>
    Effect.gen(function* () {
      const workspaceId = yield* given
      const { contactEnricher } = yield* directorySources
      const lookup = (identity: Partial<PersonIdentity>) =>
        contactEnricher.lookup({ ...NO_ONE, ...identity }).pipe(asks(workspaceId), Effect.map(Option.getOrNull))
      const ann = {
        workEmail: "ann@acme.com",
        workEmailStatus: "valid",
        emailVerdict: "valid",
        mobilePhone: "+41791234567"
      } as const
      assert.deepInclude(yield* lookup({ email: "ann@acme.com" }), ann)
      assert.deepInclude(yield* lookup({ socialUrl: "https://www.linkedin.com/in/Ann-Ames" }), ann)
      assert.deepInclude(yield* lookup({ fullName: "ann AMES", companyDomain: "acme.com" }), ann)
      assert.deepInclude(yield* lookup({ firstName: "Ann", lastName: "Ames", companyName: "ACME" }), ann)
      const cem = yield* lookup({ fullName: "Cem Celik", companyDomain: "acme.com" })
      assert.deepInclude(cem, { workEmail: null, workEmailStatus: null, emailVerdict: null })
      assert.deepInclude(yield* lookup({ fullName: "Dee Dunn", companyName: "nowhere ltd" }), { city: "London" })
      assert.isNull(yield* lookup({ fullName: "Ann Ames" }))
      assert.isNull(yield* lookup({ email: "nobody@acme.com" }))
      yield* take(workspaceId, "people", [
        {
          full_name: "Ann Ames",
          company_domain: "acme.com",
          email: "ann2@acme.com",
          title: "Intern",
          email_status: "invalid"
        }
      ])
      assert.isNull(yield* lookup({ fullName: "Ann Ames", companyDomain: "acme.com" }))
      const intern = yield* lookup({ fullName: "Ann Ames", companyDomain: "acme.com", title: "intern" })
      assert.deepInclude(intern, { workEmail: null, workEmailStatus: "not_found" })
    })
  )

  it.effect("nothing of another workspace is ever seen, and who asks on nobody's behalf finds nobody", () =>
    Effect.gen(function* () {
      const ours = yield* given
      const { workspaceId: theirs } = yield* givenWorkspace()
      const store = yield* DirectoryStore
      const { companySource, contactEnricher, leadSource } = yield* directorySources
      assert.deepStrictEqual(yield* found(theirs, { titles: ["sales"] }), [])
      assert.deepStrictEqual(yield* found(theirs, { companyDomains: ["acme.com"] }), [])
      assert.deepStrictEqual(yield* found(theirs, {}), [])
      assert.deepStrictEqual(yield* companiesFound(theirs, {}), [])
      assert.deepStrictEqual(yield* companiesFound(theirs, { keywords: ["fraud"] }), [])
      const nameKey = "ann ames"
      for (const lookup of [
        { by: "fingerprint", fingerprint: addressFingerprint(yield* Crypto, ours, "ann@acme.com") },
        { by: "profile", socialKey: "linkedin.com/in/ann-ames" },
        { by: "name", nameKey, companyKeys: ["acme.com"] }
      ] as const) {
        assert.lengthOf(yield* store.lookUp(ours, lookup), 1)
        assert.lengthOf(yield* store.lookUp(theirs, lookup), 0)
      }
      assert.deepStrictEqual(yield* store.domainsOf(theirs, "acme"), [])
      yield* take(theirs, "companies", [{ domain: "acme.com", headcount: "7" }])
      assert.deepStrictEqual(yield* found(ours, { headcountMax: 10 }), [])
      const page = yield* leadSource.search(ANYBODY).pipe(asks(null))
      assert.deepStrictEqual(page, { people: [], totalFound: 0, places: [] })
      assert.isTrue(Option.isNone(yield* contactEnricher.lookup({ ...NO_ONE, email: "ann@acme.com" }).pipe(asks(null))))
      assert.strictEqual(companySource.name, "directory")
    })
  )
}
