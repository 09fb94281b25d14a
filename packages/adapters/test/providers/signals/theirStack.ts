import type { CompanyQuery, FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import type { Exchange } from "@outbound/testkit/vendors/Exchange.js"

const technologies: CompanyQuery = {
  ...anyCompany,
  limit: 2,
  lowConfidenceLimit: 0,
  search: { kind: "signals", hiring: null, technologies: ["C#"] }
}

const both: CompanyQuery = {
  ...anyCompany,
  headcountMin: 10,
  headcountMax: 500,
  countryCodes: ["DE", "AT"],
  industries: ["Software Development"],
  limit: 3,
  lowConfidenceLimit: 1,
  search: {
    kind: "signals",
    hiring: { titles: ["Account Executive"], descriptionContains: ["CRM"], postedWithinDays: 14 },
    technologies: ["HubSpot"]
  }
}

const ACME = {
  name: "Acme",
  domain: "acme.example",
  url: "https://www.acme.example",
  linkedin_url: "http://www.linkedin.com/company/acme",
  employee_count: 120,
  country_code: "DE",
  city: "Berlin",
  industry: "Software Development",
  founded_year: 2017,
  num_jobs_last_30_days: 4,
  technology_slugs: ["c-sharp"],
  technologies_found: [
    {
      technology: { name: "C#", slug: "c-sharp" },
      confidence: "high",
      first_date_found: "2023-01-01",
      last_date_found: "2026-01-01",
      jobs: 3
    }
  ]
}

const acme: FoundCompany = {
  domain: "acme.example",
  name: "Acme",
  description: null,
  descriptionSource: null,
  specialties: [],
  socialUrl: "http://www.linkedin.com/company/acme",
  headcount: 120,
  industry: "Software Development",
  country: "Germany",
  countryCode: "DE",
  city: "Berlin",
  foundedYear: 2017,
  totalFundingUsd: null,
  jobsLast30Days: 4,
  lastFundingRoundDate: null,
  lastFundingRoundAmountUsd: null,
  evidence: [
    {
      signal: "technology",
      subject: "C#",
      text: null,
      summary: "Uses C#, named in 3 postings",
      evidenceUrl: null,
      observedAt: "2026-01-01",
      score: 0.9,
      confidence: "high"
    }
  ]
}

const search = (body: Readonly<Record<string, unknown>>, data: ReadonlyArray<unknown>): Exchange => ({
  request: { method: "POST", path: "/v1/companies/search", body },
  answer: { json: { metadata: {}, data } }
})

const catalogue = (q: string, data: ReadonlyArray<unknown>): Exchange => ({
  request: { method: "GET", path: "/v0/catalog/keywords", query: { q, keyword_type: "technology" } },
  answer: { json: { data } }
})

const companies = ["a", "b", "c", "d"].map((name) => ({
  ...ACME,
  name,
  domain: `${name}.example`,
  technologies_found: [
    {
      technology: { name: "HubSpot", slug: "hubspot-crm" },
      confidence: name < "c" ? "low" : "medium",
      last_date_found: "2026-01-01"
    }
  ],
  jobs_found: name === "a" ? [] : [{ job_title: "Account Executive", url: "jobs.example/1", date_posted: "1970-01-01" }]
}))

const NO_CREDITS = {
  says: "has no credits left",
  answer: { status: 402, json: { request_id: "r", error: { code: "E-001", title: "No credits" } } },
  reason: "account" as const
}

const LIMITED = {
  says: "is asked too often, by the headers of the draft",
  answer: { status: 429, headers: { "ratelimit-reset": "7" }, json: {} },
  reason: "rate_limited" as const,
  retryAfterSeconds: 7
}

export const theirStackFixtures: VendorFixtures = {
  // By its own name for it: what the catalogue says is remembered, and would not be asked for again.
  settings: { technology_slugs: { "c#": "c-sharp" }, rows_per_page: 3 },
  company_source: {
    cases: [
      {
        says: "a company of which little is known",
        request: technologies,
        exchanges: [
          search({ company_technology_slug_or: ["c-sharp"] }, [
            {
              url: "https://acme.example",
              technologies_found: [{ technology: { name: "C#" }, confidence: "high", last_date_found: "2026-01-01" }]
            }
          ])
        ],
        spent: 3
      },
      {
        says: "companies that use a technology, of those that are sure alone",
        request: technologies,
        exchanges: [
          search(
            {
              company_technology_slug_or: ["c-sharp"],
              expand_technology_slugs: ["c-sharp"],
              tech_filters: { confidence_or: ["high", "medium"] },
              min_employee_count: 1,
              offset: 0,
              limit: 2
            },
            [ACME]
          )
        ],
        expected: { companies: [acme], moreAvailable: false, places: [] },
        spent: 3
      },
      {
        says: "those that also hire, with every filter, on two pages",
        request: both,
        exchanges: [
          catalogue("HubSpot", [
            { name: "HubSpot Sales", slug: "hubspot-sales" },
            { name: "HubSpot", slug: "hubspot-crm" }
          ]),
          search(
            {
              company_technology_slug_or: ["hubspot-crm"],
              job_filters: {
                posted_at_max_age_days: 14,
                job_title_or: ["Account Executive"],
                job_description_contains_or: ["CRM"]
              },
              company_country_code_or: ["DE", "AT"],
              industry_or: ["Software Development"],
              min_employee_count: 10,
              max_employee_count: 500,
              offset: 0,
              limit: 3
            },
            companies.slice(0, 3)
          ),
          search({ offset: 3, limit: 1 }, companies.slice(3))
        ],
        expected: {
          companies: ["b", "c", "d", "a"].map((name) => ({
            ...acme,
            domain: `${name}.example`,
            name,
            evidence: [
              ...(name === "a"
                ? []
                : [
                    {
                      signal: "hiring" as const,
                      subject: "Account Executive",
                      text: null,
                      summary: "Hiring: Account Executive",
                      evidenceUrl: "https://jobs.example/1",
                      observedAt: "1970-01-01",
                      score: 1,
                      confidence: "high" as const
                    }
                  ]),
              {
                signal: "technology" as const,
                subject: "HubSpot",
                text: null,
                summary: "Uses HubSpot",
                evidenceUrl: null,
                observedAt: "2026-01-01",
                score: name < "c" ? 0.3 : 0.6,
                confidence: name < "c" ? ("low" as const) : ("high" as const)
              }
            ]
          })),
          moreAvailable: true,
          places: []
        },
        spent: 12
      },
      {
        says: "those of a technology that the catalogue does not know, by its name",
        request: { ...technologies, search: { kind: "signals", hiring: null, technologies: ["Google Analytics"] } },
        exchanges: [
          catalogue("Google Analytics", []),
          search({ company_technology_slug_or: ["google-analytics"] }, [])
        ],
        expected: { companies: [], moreAvailable: false, places: [] },
        spent: 0
      },
      {
        says: "those of a technology where the catalogue is down",
        request: { ...technologies, search: { kind: "signals", hiring: null, technologies: ["Node.js"] } },
        exchanges: [
          { ...catalogue("Node.js", []), answer: { status: 500, json: {} } },
          search({ company_technology_slug_or: ["node-js"] }, [])
        ],
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures: [NO_CREDITS, LIMITED] }
  },
  company_dataset_source: {
    cases: [
      {
        says: "what it uses, without what is not sure",
        request: { dataset: "technologies", companyDomain: "acme.example" },
        exchanges: [
          {
            request: { method: "POST", path: "/v1/companies/technologies", body: { company_domain: "acme.example" } },
            answer: {
              json: {
                data: [
                  {
                    technology: { name: "PostgreSQL", category: "Databases" },
                    confidence: "high",
                    first_date_found: "2019-08-24",
                    last_date_found: "2026-01-24"
                  },
                  { technology: { name: "Cobol" }, confidence: "low" }
                ]
              }
            }
          }
        ],
        expected: [{ name: "PostgreSQL", category: "Databases", firstSeen: "2019-08-24", lastSeen: "2026-01-24" }],
        spent: 3
      },
      {
        says: "nothing, for nothing",
        request: { dataset: "technologies", companyDomain: "acme.example" },
        exchanges: [
          { request: { method: "POST", path: "/v1/companies/technologies" }, answer: { json: { data: [] } } }
        ],
        expected: null,
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures: [NO_CREDITS] }
  },
  intent_source: {
    cases: [
      {
        says: "postings, the newest first",
        request: { companyDomain: "acme.example", signal: "hiring", roles: ["sales"], limit: 2 },
        exchanges: [
          {
            request: {
              method: "POST",
              path: "/v1/jobs/search",
              body: {
                company_domain_or: ["acme.example"],
                order_by: [{ field: "date_posted", desc: true }],
                page: 0,
                limit: 2
              }
            },
            answer: {
              json: {
                data: [
                  { id: 1, job_title: "Sales Manager", company: "Acme", url: "x.example/1", date_posted: "2026-01-01" },
                  { id: 2, job_title: "Engineer", company: "Acme", final_url: null, date_posted: "2026-01-03" }
                ]
              }
            }
          }
        ],
        expected: [
          {
            companyDomain: "acme.example",
            title: "Engineer",
            summary: "Acme is hiring: Engineer",
            observedAt: "2026-01-03",
            evidenceUrl: null,
            newsType: null
          },
          {
            companyDomain: "acme.example",
            title: "Sales Manager",
            summary: "Acme is hiring: Sales Manager",
            observedAt: "2026-01-01",
            evidenceUrl: "https://x.example/1",
            newsType: null
          }
        ],
        spent: 2
      }
    ],
    wire: { hasEffect: true, failures: [NO_CREDITS] }
  },
  account: {
    exchanges: [
      {
        request: { method: "GET", path: "/v0/billing/credit-balance" },
        answer: { json: { ui_credits: 1, used_ui_credits: 0, api_credits: 200, used_api_credits: 12 } }
      }
    ],
    expected: { left: 188, missing: [] }
  }
}
