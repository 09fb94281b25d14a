import { HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, describe, it } from "@effect/vitest"
import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type { CompanyQuery } from "@outbound/domain/sources/ports/CompanySource.js"
import { searchCompanies } from "../../src/world/CompanySearch.js"
import { businessesIn, CATEGORIES, categoriesNamed } from "../../src/world/LocalBusinesses.js"
import { countryCodeOf } from "../../src/world/CountryCodes.js"
import { fundingOf } from "../../src/world/Funding.js"
import { jobsLast30Days, POSTINGS_MAX, postingsOf, publishedAt } from "../../src/world/Jobs.js"
import { COUNTRIES } from "../../src/world/Places.js"
import { specialtiesOf } from "../../src/world/Specialties.js"
import { TECHNOLOGIES, technologiesNamed, technologiesOf } from "../../src/world/Technologies.js"
import { world } from "../../src/world/World.js"

const NOON = Date.UTC(2026, 5, 15, 12)

const query = (search: CompanyQuery["search"]): CompanyQuery => ({
  search,
  audience: "",
  industries: [],
  countryCodes: [],
  headcountMin: 10,
  headcountMax: null,
  limit: 100,
  lowConfidenceLimit: 0
})

describe("the companies of the sandbox", () => {
  it("are in countries that have a code, and businesses around the corner in industries that exist", () => {
    for (const { name } of COUNTRIES) assert.match(countryCodeOf(name) ?? "", /^[A-Z]{2}$/, name)
    assert.strictEqual(new Set(COUNTRIES.map(({ name }) => countryCodeOf(name))).size, COUNTRIES.length)
    for (const { industry } of CATEGORIES) assert.include(INDUSTRIES, industry)
  })

  it("are all told apart by their domains, those around the corner too", () => {
    const { cities, companies } = world()
    const domains = cities.flatMap((_, city) =>
      CATEGORIES.flatMap((_, category) => businessesIn(world(), city, category).map(({ domain }) => domain))
    )
    const all = [...domains, ...companies.map(({ domain }) => domain)]
    assert.strictEqual(new Set(all).size, all.length)
    for (const domain of domains) assert.match(domain, /^[a-z0-9]+(-[a-z0-9]+)+\.test$/)
    assert.isAbove(domains.length, 5000)
  })

  it("are found by any word for a kind of business, and no word stands for two kinds", () => {
    CATEGORIES.forEach(({ aliases, name }, index) => {
      for (const word of [name, name.toUpperCase(), ...aliases])
        assert.deepStrictEqual(categoriesNamed(word), [index], word)
    })
    assert.deepStrictEqual(categoriesNamed("dentist"), [0])
    assert.deepStrictEqual(categoriesNamed("court jesters"), [])
  })

  it("use technologies that are found by their names and by a part of them", () => {
    TECHNOLOGIES.forEach(({ name }, index) => assert.include(technologiesNamed(name.toLowerCase()), index))
    assert.deepStrictEqual(
      technologiesNamed("azure").map((index) => TECHNOLOGIES[index]?.name),
      ["Microsoft Azure"]
    )
    assert.deepStrictEqual(technologiesNamed("lack"), [])
    const { companies, seed } = world()
    for (const company of companies.slice(0, 200)) {
      for (const { confidence, score } of technologiesOf(seed, company)) {
        assert.isTrue(confidence === "high" ? score >= 0.7 && score <= 1 : score >= 0.2 && score <= 0.5)
      }
    }
  })

  it("were funded after they were founded, and are known for something", () => {
    const { companies, seed } = world()
    const funded = companies.flatMap((company) => {
      assert.isNotEmpty(specialtiesOf(seed, company))
      const funding = fundingOf(seed, company)
      return funding === null ? [] : [{ company, funding }]
    })
    assert.isAbove(funded.length, 300)
    for (const { company, funding } of funded) {
      assert.isAtLeast(Number(funding.lastRoundDate.slice(0, 4)), company.foundedYear)
      assert.isAtMost(Date.parse(funding.lastRoundDate), Date.UTC(2026, 0, 1))
      assert.isAtLeast(funding.totalUsd, funding.lastRoundUsd)
    }
  })

  it("have postings of a fixed age, whose dates follow the clock", () => {
    const { companies } = world()
    const hiring = companies.filter((company) => postingsOf(world(), company).length > 0)
    assert.isAbove(hiring.length, 1500)
    for (const company of hiring) {
      const postings = postingsOf(world(), company)
      assert.isAtMost(postings.length, POSTINGS_MAX)
      assert.strictEqual(jobsLast30Days(world(), company), postings.filter(({ ageDays }) => ageDays < 30).length)
    }
    assert.strictEqual(publishedAt(0, NOON), "2026-06-15T00:00:00.000Z")
    assert.strictEqual(publishedAt(3, NOON + 12 * HOUR_MILLIS), "2026-06-13T00:00:00.000Z")
  })

  it("are the same for the same question, and differ by the dates of postings alone from day to day", () => {
    const hiring = { titles: ["sales"], descriptionContains: [], postedWithinDays: 30 }
    const asked = query({ kind: "signals", hiring, technologies: [] })
    const domainsAt = (millis: number) => searchCompanies(world(), asked, millis).companies.map(({ domain }) => domain)
    assert.deepStrictEqual(searchCompanies(world(), asked, NOON), searchCompanies(world(), asked, NOON + HOUR_MILLIS))
    assert.deepStrictEqual(domainsAt(NOON), domainsAt(NOON + 400 * 24 * HOUR_MILLIS))
    assert.isNotEmpty(domainsAt(NOON))
  })
})
