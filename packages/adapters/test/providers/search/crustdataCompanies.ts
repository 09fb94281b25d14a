import type { CompanyPage, CompanyQuery, FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import type { Case } from "@outbound/testkit/contracts/providers/sources.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import { failures, OWN_ERRORS, post, suggests } from "./crustdataWire.js"

const ACME = {
  crustdata_company_id: 77,
  basic_info: {
    name: "Acme",
    primary_domain: "acme.example",
    website: "https://www.acme.example",
    professional_network_url: "https://www.linkedin.com/company/acme",
    description: "Payroll for makers.",
    year_founded: "2017",
    industries: ["Software"]
  },
  headcount: { total: 120 },
  funding: {
    total_investment_usd: 9_000_000,
    last_round_amount_usd: 5_000_000,
    last_fundraise_date: "2025-05-01",
    last_round_type: "series_a"
  },
  locations: { country: "DEU", state: null, headquarters: "Berlin, Germany" },
  taxonomy: {
    professional_network_industry: "Software Development",
    categories: ["Payroll"],
    professional_network_specialities: ["Wages"]
  }
}

const NOW = "1970-01-01T00:00:00.000Z"

const acme: FoundCompany = {
  domain: "acme.example",
  name: "Acme",
  description: "Payroll for makers.",
  descriptionSource: "vendor",
  specialties: ["Wages", "Payroll"],
  socialUrl: "https://www.linkedin.com/company/acme",
  headcount: 120,
  industry: "Software Development",
  country: "Germany",
  countryCode: "DE",
  city: "Berlin",
  foundedYear: 2017,
  totalFundingUsd: 9_000_000,
  jobsLast30Days: null,
  lastFundingRoundDate: "2025-05-01",
  lastFundingRoundAmountUsd: 5_000_000,
  evidence: [
    {
      signal: "firmographic",
      subject: "Software Development",
      text: null,
      summary: "Software Development, 120 employees, Berlin, Germany",
      evidenceUrl: "https://www.linkedin.com/company/acme",
      observedAt: NOW,
      score: 1,
      confidence: "high"
    }
  ]
}

export const firmographic: CompanyQuery = {
  ...anyCompany,
  headcountMin: 10,
  search: { kind: "firmographic", locations: [], keywords: ["payroll"], excludeKeywords: [] }
}

export const hiring: CompanyQuery = {
  ...anyCompany,
  headcountMin: 10,
  limit: 1,
  search: {
    kind: "signals",
    hiring: { titles: ["account executive"], descriptionContains: ["CRM"], postedWithinDays: 30 },
    technologies: []
  }
}

/** Postings, and who is behind them. */
export const hiringCase: Case<CompanyQuery, CompanyPage> = {
  says: "companies that hire, each once",
  request: hiring,
  exchanges: [
    post(
      "/job/search",
      {
        job_listings: ["Account Executive", "Senior Account Executive"].map((title) => ({
          job_details: { title, url: "https://jobs.acme.example/1" },
          company: { basic_info: { name: "Acme", primary_domain: "acme.example" } },
          content: { description: "You know your CRM." },
          metadata: { date_added: "1970-01-01" }
        })),
        next_cursor: null
      },
      {
        limit: 4,
        filters: {
          op: "and",
          conditions: [
            { field: "metadata.date_added", type: "=>", value: "1969-12-02" },
            { field: "job_details.title", type: "[.]", value: "account executive" },
            { field: "content.description", type: "[.]", value: "CRM" }
          ]
        }
      }
    )
  ],
  spent: 0.06
}

/** Its companies. */
export const crustdataCompanies: Pick<VendorFixtures, "company_source" | "company_dataset_source"> = {
  company_source: {
    cases: [
      {
        says: "a company of which little is known",
        request: firmographic,
        exchanges: [
          post("/company/search", { companies: [{ basic_info: { primary_domain: "acme.example" } }] }, { limit: 10 })
        ],
        spent: 0.03
      },
      {
        says: "companies by keyword and size",
        request: firmographic,
        exchanges: [
          post(
            "/company/search",
            {
              companies: [
                { ...ACME, locations: { hq_country: "DEU", hq_city: "Berlin" } },
                { basic_info: { name: "Without a site" } }
              ],
              next_cursor: null,
              total_count: 2
            },
            {
              filters: {
                op: "and",
                conditions: [
                  { field: "headcount.total", type: "=>", value: 10 },
                  {
                    op: "or",
                    conditions: [
                      { field: "taxonomy.categories", type: "[.]", value: "payroll" },
                      { field: "basic_info.markets", type: "[.]", value: "payroll" }
                    ]
                  }
                ]
              }
            }
          )
        ],
        expected: { companies: [acme], moreAvailable: false, places: [] },
        spent: 0.06
      },
      {
        says: "companies by industry, country and headquarters",
        request: {
          ...firmographic,
          industries: ["Software Development"],
          countryCodes: ["DE"],
          search: { kind: "firmographic", locations: ["Berlin, Germany"], keywords: [], excludeKeywords: ["crypto"] }
        },
        exchanges: [
          suggests("company", "taxonomy.professional_network_industry", "Software Development", [
            "Software Development"
          ]),
          post(
            "/company/search",
            { companies: [ACME], next_cursor: "more", total_count: 900 },
            {
              filters: {
                op: "and",
                conditions: [
                  { field: "taxonomy.professional_network_industry", type: "in", value: ["Software Development"] },
                  { field: "locations.country", type: "in", value: ["DEU"] },
                  {
                    op: "and",
                    conditions: [
                      { field: "locations.headquarters", type: "[.]", value: "Berlin" },
                      { field: "locations.country", type: "in", value: ["DEU"] }
                    ]
                  },
                  { field: "headcount.total", type: "=>", value: 10 }
                ]
              }
            }
          )
        ]
      },
      hiringCase,
      {
        ...hiringCase,
        says: "companies of a size that hire",
        request: { ...hiring, headcountMin: 50, headcountMax: 500 },
        exchanges: [
          post(
            "/job/search",
            { job_listings: [] },
            {
              filters: {
                op: "and",
                conditions: [
                  { field: "metadata.date_added", type: "=>", value: "1969-12-02" },
                  {
                    op: "and",
                    conditions: [
                      { field: "company.headcount.total", type: "=>", value: 50 },
                      { field: "company.headcount.total", type: "=<", value: 500 }
                    ]
                  },
                  { field: "job_details.title", type: "[.]", value: "account executive" },
                  { field: "content.description", type: "[.]", value: "CRM" }
                ]
              }
            }
          )
        ],
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures: [...failures.slice(0, 2), ...OWN_ERRORS] }
  },
  company_dataset_source: {
    cases: [
      {
        says: "a total without any round",
        request: { dataset: "funding", companyDomain: "acme.example" },
        exchanges: [
          post("/company/enrich", [
            {
              matches: [
                {
                  company_data: {
                    basic_info: { website: "https://acme.example/" },
                    funding: { total_investment_usd: 5 }
                  }
                }
              ]
            }
          ])
        ],
        expected: { totalUsd: 5, rounds: [] },
        spent: 2
      },
      {
        says: "a profile, of the company that has the domain",
        request: { dataset: "profile", companyDomain: "acme.example" },
        exchanges: [
          post(
            "/company/enrich",
            [
              {
                matched_on: "acme.example",
                matches: [
                  { company_data: { basic_info: { name: "Acme Ltd", primary_domain: "acme-ltd.example" } } },
                  { company_data: ACME }
                ]
              }
            ],
            { domains: ["acme.example"], exact_match: true }
          )
        ],
        expected: {
          name: "Acme",
          description: "Payroll for makers.",
          industry: "Software Development",
          headcount: 120,
          foundedYear: 2017,
          country: "Germany",
          city: "Berlin",
          socialUrl: "https://www.linkedin.com/company/acme",
          website: "https://www.acme.example"
        },
        spent: 4
      },
      {
        says: "one that is told in a list with a name, at the cost that it says itself",
        request: { dataset: "funding", companyDomain: "acme.example" },
        exchanges: [
          {
            request: { method: "POST", path: "/company/enrich" },
            answer: { headers: { "x-credits-used": "3.5" }, json: { results: [{ matches: [{ company_data: ACME }] }] } }
          }
        ],
        spent: 3.5
      },
      {
        says: "funding, as far as it goes",
        request: { dataset: "funding", companyDomain: "acme.example" },
        exchanges: [post("/company/enrich", [{ matches: [{ company_data: ACME }] }])],
        expected: {
          totalUsd: 9_000_000,
          rounds: [{ date: "2025-05-01", type: "Series A", amountUsd: 5_000_000, investors: [] }]
        },
        spent: 2
      },
      {
        says: "nothing, told by no match",
        request: { dataset: "profile", companyDomain: "acme.example" },
        exchanges: [post("/company/enrich", [{ matched_on: "acme.example", matches: [] }])],
        expected: null,
        spent: 0
      },
      {
        says: "nothing, told by an error",
        request: { dataset: "profile", companyDomain: "acme.example" },
        exchanges: [
          {
            request: { method: "POST", path: "/company/enrich" },
            answer: { status: 404, json: { error: "No data found" } }
          }
        ],
        expected: null,
        spent: 0
      }
    ],
    wire: {
      hasEffect: true,
      failures: [{ says: "is at the wrong address", answer: { status: 404, text: "?" }, reason: "invalid" }]
    }
  }
}
