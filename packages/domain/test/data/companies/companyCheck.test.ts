import { assert, describe, it } from "@effect/vitest"
import { companyCheck } from "../../../src/data/companies/companyCheck.js"
import { crediblePage } from "../../../src/data/companies/credibleCompany.js"
import { companyRecord } from "../../../src/data/companies/findCompanies.js"
import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
  FoundCompany
} from "../../../src/sources/ports/CompanySource.js"
import { CompanyRecord } from "../../../src/verbs/companyFields.js"
import { Schema } from "effect"

const NOW = Date.UTC(2026, 5, 15, 12)

const technology = (more: Partial<CompanyEvidence> = {}): CompanyEvidence => ({
  signal: "technology",
  subject: "Slack",
  text: null,
  summary: `Uses ${more.subject ?? "Slack"}`,
  evidenceUrl: null,
  observedAt: "2026-01-01",
  score: 0.9,
  confidence: "high",
  ...more
})

const posting = (more: Partial<CompanyEvidence> = {}): CompanyEvidence =>
  technology({
    signal: "hiring",
    subject: "Sales Manager",
    text: "Sell things, remotely.",
    summary: `Hiring: ${more.subject ?? "Sales Manager"}`,
    observedAt: "2026-06-01",
    ...more
  })

const company = (more: Partial<FoundCompany> = {}): FoundCompany => ({
  domain: "acme.example",
  name: "Acme",
  description: "Acme makes payroll software.",
  descriptionSource: "vendor",
  specialties: [],
  socialUrl: null,
  headcount: 40,
  industry: "Banking",
  country: "Germany",
  countryCode: "DE",
  city: "Berlin",
  foundedYear: 2001,
  totalFundingUsd: null,
  jobsLast30Days: null,
  lastFundingRoundDate: null,
  lastFundingRoundAmountUsd: null,
  evidence: [technology()],
  ...more
})

const SLACK: CompanySearch = { kind: "signals", hiring: null, technologies: ["slack"] }

const query = (search: CompanySearch, more: Partial<CompanyQuery> = {}): CompanyQuery => ({
  search,
  audience: "",
  industries: [],
  countryCodes: [],
  headcountMin: 10,
  headcountMax: null,
  limit: 25,
  lowConfidenceLimit: 25,
  ...more
})

const pageOf = (...companies: ReadonlyArray<FoundCompany>): CompanyPage => ({
  companies,
  moreAvailable: null,
  places: []
})

const check = (asked: CompanyQuery, ...companies: ReadonlyArray<FoundCompany>) => {
  const page = crediblePage(pageOf(...companies))
  assert.isNotNull(page)
  return companyCheck(asked, page!, NOW)
}

const hiring = (more: { titles?: ReadonlyArray<string>; descriptionContains?: ReadonlyArray<string> } = {}) =>
  ({
    kind: "signals",
    hiring: { titles: [], descriptionContains: [], postedWithinDays: 30, ...more },
    technologies: []
  }) satisfies CompanySearch

const firmographic = (more: Partial<Extract<CompanySearch, { kind: "firmographic" }>> = {}): CompanySearch => ({
  kind: "firmographic",
  locations: [],
  keywords: [],
  excludeKeywords: [],
  ...more
})

const fact = (signal: CompanyEvidence["signal"], subject: string | null = null) =>
  technology({ signal, subject, summary: "fits" })

const local = (...categories: ReadonlyArray<string>): CompanySearch => ({
  kind: "local",
  locations: ["Berlin, Germany"],
  categories
})

/** What a source should not have returned. */
const WRONG: ReadonlyArray<readonly [string, CompanyQuery, FoundCompany]> = [
  ["too small", query(SLACK), company({ headcount: 9 })],
  ["too large", query(SLACK, { headcountMax: 39 }), company()],
  ["of another industry", query(SLACK, { industries: ["Insurance"] }), company()],
  ["of another country", query(SLACK, { countryCodes: ["AT", "CH"] }), company()],
  ["without the technology", query(SLACK), company({ evidence: [technology({ subject: "Teams" })] })],
  [
    "with a technology only alike in letters",
    query(SLACK),
    company({ evidence: [technology({ subject: "Slackware" })] })
  ],
  ["with another kind of signal", query(SLACK), company({ evidence: [posting()] })],
  ["that hires for another title", query(hiring({ titles: ["Engineer"] })), company({ evidence: [posting()] })],
  [
    "whose posting says something else",
    query(hiring({ descriptionContains: ["onsite"] })),
    company({ evidence: [posting()] })
  ],
  ["whose posting is too old", query(hiring()), company({ evidence: [posting({ observedAt: "2026-05-15" })] })],
  ["whose posting is of the future", query(hiring()), company({ evidence: [posting({ observedAt: "2026-06-17" })] })],
  ["that hires and uses nothing", query({ ...hiring(), technologies: ["Slack"] }), company({ evidence: [posting()] })],
  [
    "that is the lookalike's seed",
    query({ kind: "similar", companyDomain: "acme.example" }),
    company({ evidence: [fact("similar")] })
  ],
  ["without the keyword", query(firmographic({ keywords: ["robots"] })), company({ evidence: [fact("firmographic")] })],
  [
    "with an excluded keyword",
    query(firmographic({ excludeKeywords: ["PAYROLL"] })),
    company({ evidence: [fact("firmographic")] })
  ],
  ["elsewhere", query(firmographic({ locations: ["Munich"] })), company({ evidence: [fact("firmographic")] })],
  ["in another city of the country", query(local()), company({ city: "Munich", evidence: [fact("local")] })],
  ["of another kind of business", query(local("dentists")), company({ evidence: [fact("local", "Bakeries")] })]
]

const RIGHT: ReadonlyArray<readonly [string, CompanyQuery, FoundCompany, isUnchecked: boolean]> = [
  [
    "with the technology by its longer name",
    query(SLACK),
    company({ evidence: [technology({ subject: "Slack Enterprise" })] }),
    false
  ],
  ["of an unknown size", query(SLACK), company({ headcount: null }), true],
  ["of an unknown country", query(SLACK, { countryCodes: ["DE"] }), company({ countryCode: null }), true],
  ["of an unnamed technology", query(SLACK), company({ evidence: [technology({ subject: null })] }), true],
  [
    "posted on the first day that counts",
    query(hiring()),
    company({ evidence: [posting({ observedAt: "2026-05-16" })] }),
    false
  ],
  [
    "whose posting's text is not told",
    query(hiring({ descriptionContains: ["onsite"] })),
    company({ evidence: [posting({ text: null })] }),
    true
  ],
  [
    "known by a specialty",
    query(firmographic({ keywords: ["robots"] })),
    company({ specialties: ["Robots"], evidence: [fact("firmographic")] }),
    false
  ],
  [
    "of which no text is known",
    query(firmographic({ keywords: ["robots"] })),
    company({ description: null, evidence: [fact("firmographic")] }),
    true
  ],
  ["in the city", query(local("dentists")), company({ evidence: [fact("local", "Dentists")] }), false],
  [
    "for a query, by any signal",
    query({ kind: "query", query: "banks" }),
    company({ evidence: [fact("similar")] }),
    false
  ]
]

describe("what a source returned", () => {
  it.each(WRONG)("is withheld, a company %s", (_, asked, found) => {
    const checked = check(asked, found)
    assert.deepStrictEqual([checked.companies, checked.unsure], [[], []])
    assert.deepStrictEqual(checked.counts, { status: "checked", kept: 0, withheld: 1, not_checked: 0 })
  })

  it.each(RIGHT)("is kept, a company %s", (_, asked, found, isUnchecked) => {
    const { companies, counts } = check(asked, found)
    assert.strictEqual(companies.length, 1)
    assert.deepStrictEqual([counts.withheld, counts.not_checked], [0, isUnchecked ? 1 : 0])
  })

  it("is low in confidence where one of the signals asked for is only low, and then is none of the results", () => {
    const low = technology({ confidence: "low" })
    const both = { ...hiring(), technologies: ["Slack"] }
    const { companies, unsure } = check(query(both), company({ evidence: [posting(), low] }))
    assert.deepStrictEqual([companies.length, unsure.length], [0, 1])
    const sure = check(query(both), company({ evidence: [posting(), low, technology({ summary: "Uses it too" })] }))
    assert.deepStrictEqual([sure.companies.length, sure.unsure.length], [1, 0])
    const unwanted = check(query(SLACK, { lowConfidenceLimit: 0 }), company({ evidence: [low] }))
    assert.deepStrictEqual([unwanted.companies, unwanted.unsure], [[], []])
  })

  it("is cut to the limit, and more is then available whatever the source says", () => {
    const many = Array.from({ length: 5 }, (_, index) => company({ domain: `acme-${index}.example` }))
    const { companies, counts, moreAvailable } = check(query(SLACK, { limit: 3 }), ...many)
    assert.deepStrictEqual([companies.length, counts.kept, moreAvailable], [3, 3, true])
    assert.isNull(check(query(SLACK, { limit: 5 }), ...many).moreAvailable)
  })

  it("is one company however often it is listed, with its signals together, at most ten and one of each", () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      company({
        domain: index % 2 === 0 ? "acme.example" : "https://www.ACME.example/",
        evidence: [technology({ summary: `Uses Slack ${index}`, score: 0.9 }), posting({ score: 0.1 })]
      })
    )
    const { companies } = check(query({ ...hiring(), technologies: ["Slack"] }), ...many)
    const [only] = companies
    assert.strictEqual(companies.length, 1)
    assert.strictEqual(only!.evidence.length, 10)
    assert.isTrue(only!.evidence.some(({ signal }) => signal === "hiring"))
  })

  it("is told within the bounds of the interface, or not at all", () => {
    const long = "\u{1F4EC} payroll ".repeat(200)
    const [kept] = check(
      query(firmographic({ keywords: ["payroll"] })),
      company({
        description: `${long}\n\n`,
        name: "x".repeat(301),
        socialUrl: "javascript:alert(1)",
        headcount: 12,
        foundedYear: 999,
        totalFundingUsd: Number.NaN,
        lastFundingRoundDate: "2025-02-03T10:00:00Z",
        countryCode: "Germany",
        evidence: [fact("firmographic"), technology({ signal: "firmographic", summary: long, score: 0.95 })]
      })
    ).companies
    const record = companyRecord(kept!, { withDescription: true })
    assert.deepStrictEqual(Schema.decodeUnknownSync(CompanyRecord, { onExcessProperty: "error" })(record), record)
    assert.strictEqual(record.last_funding_round_date, "2025-02-03")
    assert.deepStrictEqual([record.company_name, record.social_url, record.founded_year], [null, null, null])
    assert.isAtLeast(record.description?.length ?? 0, 490)
    assert.notMatch(record.description ?? "", /\p{Cs}/u)
    assert.isNull(companyRecord(kept!, { withDescription: false }).description)
  })

  it("is believed in nothing where all of it is nonsense", () => {
    const nonsense = company({ domain: "not a domain" })
    assert.isNull(crediblePage(pageOf(nonsense)))
    assert.isNull(crediblePage(pageOf(company({ evidence: [technology({ score: 7 })] }))))
    assert.isNull(crediblePage(pageOf(company({ evidence: [technology({ observedAt: "yesterday" })] }))))
    assert.deepStrictEqual(crediblePage(pageOf())?.companies, [])
    assert.strictEqual(crediblePage(pageOf(nonsense, company()))?.companies.length, 1)
  })
})
