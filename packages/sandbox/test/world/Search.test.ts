import { assert, describe, it } from "@effect/vitest"
import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type { LeadQuery } from "@outbound/domain/sources/ports/LeadSource.js"
import type { Person } from "@outbound/domain/sources/ports/Person.js"
import { sandboxLeads } from "@outbound/sandbox/providers/Sandbox.js"
import { search } from "@outbound/sandbox/world/Search.js"
import { personOf, world } from "@outbound/sandbox/world/World.js"
import { Effect } from "effect"
import * as FC from "fast-check"

const ALL: LeadQuery = {
  audience: "",
  titles: [],
  locations: [],
  industries: [],
  companyDomains: [],
  headcountMin: null,
  headcountMax: null,
  limit: 25
}

const everybody = Array.from({ length: world().peopleCount }, (_, person) => personOf(world(), person))

/** Short forms are words of their own, or what they stand for. */
const MEANT: Readonly<Record<string, RegExp>> = {
  vp: /\b(s?vp|evp|avp)\b|vice president/i,
  ceo: /\bceo\b|chief executive/i
}

const isTitled = (sought: string, title: string): boolean =>
  MEANT[sought]?.test(title) ?? title.toLowerCase().includes(sought.toLowerCase())

/** The filters said again, as plainly as can be, for places that are meant literally. */
const satisfies = (query: LeadQuery, person: Person): boolean =>
  (query.titles.length === 0 || query.titles.some((title) => person.title !== null && isTitled(title, person.title))) &&
  (query.locations.length === 0 ||
    query.locations.some((place) =>
      [person.city, person.country].some((name) => name?.toLowerCase() === place.toLowerCase())
    )) &&
  (query.industries.length === 0 || query.industries.includes(person.companyIndustry ?? "")) &&
  (query.companyDomains.length === 0 || query.companyDomains.includes(person.companyDomain ?? "")) &&
  (person.companyHeadcount ?? 0) >= (query.headcountMin ?? 0) &&
  (person.companyHeadcount ?? 0) <= (query.headcountMax ?? Number.MAX_SAFE_INTEGER)

const some = (values: ReadonlyArray<string>, maxLength: number) =>
  FC.oneof(
    { weight: 2, arbitrary: FC.constant([]) },
    { weight: 3, arbitrary: FC.uniqueArray(FC.constantFrom(...values), { maxLength }) }
  )

const domains = world()
  .companies.filter(({ headcount }) => headcount > 500)
  .map(({ domain }) => domain)

const queries: FC.Arbitrary<LeadQuery> = FC.record({
  audience: FC.constantFrom("", "heads of sales at software companies", "CFO, insurance", "the and of"),
  titles: some(["sales", "HEAD of", "vp", "ceo", "Software Engineer", "no such title"], 3),
  locations: some(["Germany", "germany", "United States", "Berlin", "Cambridge", "Zurich", "Singapore", "Atlantis"], 3),
  industries: some(INDUSTRIES.slice(0, 20), 6),
  companyDomains: some([...domains, "elsewhere.test"], 20),
  headcountMin: FC.option(FC.integer({ min: 1, max: 2000 })),
  headcountMax: FC.option(FC.integer({ min: 1, max: 90_000 })),
  limit: FC.integer({ min: 0, max: 200 })
})

describe("a search", () => {
  it("returns only people who pass every filter, each once, and counts all who do", () => {
    FC.assert(
      FC.property(queries, (query) => {
        const page = search(world(), query)
        const matching = everybody.filter((person) => satisfies(query, person))
        assert.strictEqual(page.totalFound, matching.length)
        assert.strictEqual(page.people.length, Math.min(query.limit, matching.length))
        assert.isTrue(page.people.every((person) => satisfies(query, person)))
        assert.strictEqual(new Set(page.people.map(({ socialUrl }) => socialUrl)).size, page.people.length)
        assert.deepStrictEqual(page.places, [])
      }),
      { numRuns: 60 }
    )
  })

  it("is the same when asked again, and a shorter list begins the longer one", () => {
    FC.assert(
      FC.property(queries, FC.integer({ min: 0, max: 200 }), (query, limit) => {
        const page = search(world(), query)
        assert.deepStrictEqual(search(world(), query), page)
        const shorter = search(world(), { ...query, limit: Math.min(limit, query.limit) })
        assert.deepStrictEqual(shorter.people, page.people.slice(0, shorter.people.length))
        assert.strictEqual(shorter.totalFound, page.totalFound)
      }),
      { numRuns: 40 }
    )
  })

  it("is steered by the audience, which filters nobody", () => {
    const plain = search(world(), ALL)
    const steered = search(world(), { ...ALL, audience: "Heads of sales at insurance companies" })
    assert.strictEqual(steered.totalFound, plain.totalFound)
    assert.match(steered.people[0]?.title ?? "", /head of sales/i)
    assert.strictEqual(steered.people[0]?.companyIndustry, "Insurance")
    const fits = (people: ReadonlyArray<Person>) =>
      people.filter(({ companyIndustry, title }) => /sales/i.test(title ?? "") && companyIndustry === "Insurance")
        .length
    assert.isAbove(fits(steered.people), fits(plain.people))
  })

  it("reveals no address", () => {
    const page = Effect.runSync(sandboxLeads.search(ALL))
    assert.notInclude(JSON.stringify(page), "@")
  })
})

describe("a place that is not meant literally is interpreted, and the answer says how", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<readonly [country: string, city: string | null]>]> = [
    ["UK", [["United Kingdom", null]]],
    ["usa", [["United States", null]]],
    [
      "DACH",
      [
        ["Germany", null],
        ["Austria", null],
        ["Switzerland", null]
      ]
    ],
    [
      "Nordics",
      [
        ["Sweden", null],
        ["Denmark", null],
        ["Norway", null],
        ["Finland", null],
        ["Iceland", null]
      ]
    ],
    [
      "Bay Area",
      [
        ["United States", "San Francisco"],
        ["United States", "Palo Alto"],
        ["United States", "Oakland"]
      ]
    ],
    ["San Francisco Bay Area", [["United States", "San Jose"]]],
    [
      "California",
      [
        ["United States", "San Diego"],
        ["United States", "Los Angeles"]
      ]
    ],
    ["München", [["Germany", "Munich"]]],
    ["Zürich", [["Switzerland", "Zurich"]]],
    ["Greater Boston Area", [["United States", "Boston"]]]
  ]
  it.each(cases)("%s", (requested, expected) => {
    const page = search(world(), { ...ALL, locations: [requested], limit: 5000 })
    assert.isAbove(page.totalFound, 0)
    assert.isTrue(page.places.every((place) => place.requested === requested))
    for (const [country, city] of expected) {
      const place = page.places.find(({ region }) => region === country)
      assert.strictEqual(place?.cities.length === 0, city === null)
      if (city !== null) assert.include(place?.cities ?? [], city)
    }
    const within = (person: Person) =>
      page.places.some(
        ({ cities, region }) => region === person.country && (cities.length === 0 || cities.includes(person.city ?? ""))
      )
    assert.isTrue(page.people.every(within))
    assert.strictEqual(page.totalFound, everybody.filter(within).length)
  })

  it.each([
    ["Berlin, Germany", "Berlin", "Germany"],
    ["Cambridge, UK", "Cambridge", "United Kingdom"],
    ["Cambridge, MA", "Cambridge", "United States"]
  ])("%s is the one city of the name there", (requested, city, country) => {
    const page = search(world(), { ...ALL, locations: [requested], limit: 5000 })
    assert.isAbove(page.totalFound, 0)
    assert.isTrue(page.people.every((person) => person.city === city && person.country === country))
  })

  it("a place that is nowhere finds nobody, and does not widen the search", () => {
    for (const place of ["Atlantis", "", ",", "Berlin, France", "constructor", "__proto__"]) {
      assert.strictEqual(search(world(), { ...ALL, locations: [place] }).totalFound, 0, place)
    }
  })
})
