import type { CompanyQuery } from "@outbound/domain/sources/ports/CompanySource.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import type { Exchange } from "@outbound/testkit/vendors/Exchange.js"

export const similar: CompanyQuery = {
  ...anyCompany,
  headcountMin: 10,
  headcountMax: 500,
  countryCodes: ["DE"],
  industries: ["Software Development"],
  limit: 2,
  search: { kind: "similar", companyDomain: "acme.example" }
}

const LIKE = {
  domain: "like.example",
  name: "Like",
  primaryCountry: "de",
  employeeCountLinkedin: 80,
  industries: ["Internet", "Software"],
  description: "Wages.",
  medias: { linkedin: { url: "https://www.linkedin.com/company/like" } }
}

const like = (score: number) => ({
  domain: "like.example",
  name: "Like",
  description: "Wages.",
  descriptionSource: "vendor" as const,
  specialties: [],
  socialUrl: "https://www.linkedin.com/company/like",
  headcount: 80,
  industry: "Software Development",
  country: "Germany",
  countryCode: "DE",
  city: null,
  foundedYear: null,
  totalFundingUsd: null,
  jobsLast30Days: null,
  lastFundingRoundDate: null,
  lastFundingRoundAmountUsd: null,
  evidence: [
    {
      signal: "similar" as const,
      subject: null,
      text: null,
      summary: "Resembles acme.example: Internet, Software",
      evidenceUrl: null,
      observedAt: "1970-01-01T00:00:00.000Z",
      score,
      confidence: "high" as const
    }
  ]
})

const answered = (companies: ReadonlyArray<unknown>, searchAfter?: string): Exchange => ({
  request: {
    method: "POST",
    path: "/v3/search/companies",
    body: {
      size: 2,
      companiesFilters: {
        lookalikeDomains: ["acme.example"],
        excludeDomains: ["acme.example"],
        employeeCountLinkedin: { from: 10, to: 500 },
        primaryLocations: { includeCountries: ["de"] },
        industries: { industries: ["Software Development"], mode: "anyOf" }
      }
    }
  },
  answer: { json: { companies, ...(searchAfter === undefined ? {} : { searchAfter }), total: 1 } }
})

export const oceanIoFixtures: VendorFixtures = {
  company_source: {
    cases: [
      {
        says: "companies like another, with every filter",
        request: similar,
        exchanges: [answered([{ company: LIKE, relevance: "A" }, { company: { domain: "www.acme.example" } }])],
        expected: { companies: [like(1)], moreAvailable: false, places: [] },
        spent: 2
      },
      {
        says: "the same where rows are told flat",
        request: similar,
        exchanges: [answered([{ ...LIKE, relevance: 0.7 }])],
        expected: { companies: [like(0.7)], moreAvailable: false, places: [] },
        spent: 1
      },
      {
        says: "nothing",
        request: similar,
        exchanges: [answered([])],
        expected: { companies: [], moreAvailable: false, places: [] },
        spent: 0
      }
    ],
    wire: {
      hasEffect: true,
      failures: [
        { says: "has no credits left", answer: { status: 403, json: { detail: "No credits" } }, reason: "account" }
      ]
    }
  },
  account: {
    exchanges: [{ request: { method: "GET", path: "/v2/credits/balance" }, answer: { json: { balance: 12 } } }],
    expected: { left: 12, missing: [] }
  }
}
