import type { FoundSignal, IntentQuery } from "@outbound/domain/sources/ports/IntentSource.js"
import type { Case } from "@outbound/testkit/contracts/providers/sources.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import { anybody } from "@outbound/testkit/contracts/providers/leadSource.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import type { Exchange } from "@outbound/testkit/vendors/Exchange.js"
import { apolloFixtures as contacts } from "../contacts/apollo.js"

const API = "/api/v1"

/** How contacts are revealed has tests of its own; here it is that the vendor does it. */
const contactsIn = ({ contact_enricher, mobile_finder }: Omit<VendorFixtures, "account">) => ({
  ...(contact_enricher === undefined ? {} : { contact_enricher: { cases: contact_enricher.cases } }),
  ...(mobile_finder === undefined ? {} : { mobile_finder: { cases: mobile_finder.cases } })
})

const ORGANIZATION = {
  id: "o1",
  name: "Acme",
  website_url: "http://www.acme.example",
  linkedin_url: "http://www.linkedin.com/company/acme",
  primary_domain: "acme.example",
  industry: "information technology & services",
  estimated_num_employees: 120,
  founded_year: 2017,
  country: "Germany",
  city: "Berlin",
  short_description: "Payroll for makers.",
  keywords: ["payroll"],
  total_funding: 9_000_000,
  funding_events: [
    { date: "2025-05-01T00:00:00.000+00:00", type: "Series A", investors: "One, Two", amount: "5M", currency: "$" },
    { date: "2023-05-01T00:00:00.000+00:00", type: "Seed", investors: null, amount: "1M", currency: "€" }
  ],
  technology_names: ["Slack"],
  current_technologies: [{ uid: "slack", name: "Slack", category: "Chat" }]
}

const PERSON = {
  id: "p1",
  first_name: "Pat",
  last_name: "Doe",
  name: "Pat Doe",
  linkedin_url: "http://www.linkedin.com/in/pat-doe",
  title: "VP Sales",
  email: "pat@acme.example",
  city: "Berlin",
  country: "Germany",
  organization: ORGANIZATION
}

const pat = {
  fullName: "Pat Doe",
  firstName: "Pat",
  lastName: "Doe",
  title: "VP Sales",
  companyName: "Acme",
  companyDomain: "acme.example",
  companyHeadcount: 120,
  companyIndustry: "IT Services and IT Consulting",
  city: "Berlin",
  country: "Germany",
  socialUrl: "http://www.linkedin.com/in/pat-doe",
  observedAt: null
}

/** People as the search tells them: not who they are. */
const searched = (ids: ReadonlyArray<string>, total: number): Exchange => ({
  request: { method: "POST", path: `${API}/mixed_people/api_search` },
  answer: {
    json: {
      total_entries: total,
      people: ids.map((id) => ({
        id,
        first_name: "Pat",
        last_name_obfuscated: "D***e",
        organization: { name: "Acme" }
      }))
    }
  }
})

const matched = (matches: ReadonlyArray<unknown>): Exchange => ({
  request: { method: "POST", path: `${API}/people/bulk_match` },
  answer: { json: { matches } }
})

const enriched = (organization: unknown): Exchange => ({
  request: { method: "GET", path: `${API}/organizations/enrich`, query: { domain: "acme.example" } },
  answer: { json: { organization } }
})

const NO_ACCESS = {
  says: "is not in the plan",
  answer: { status: 403, json: { error: "not accessible with this key", error_code: "API_INACCESSIBLE" } },
  reason: "account" as const
}

/** News, for which the company is looked up first. */
export const apolloNews: Case<IntentQuery, ReadonlyArray<FoundSignal>> = {
  says: "news, by the company's id there",
  request: { companyDomain: "acme.example", signal: "news", roles: [], limit: 50 },
  exchanges: [
    enriched({ id: "o1", name: "Acme" }),
    {
      request: {
        method: "POST",
        path: `${API}/news_articles/search`,
        query: { "organization_ids[]": "o1", page: "1", per_page: "25" }
      },
      answer: {
        // Nothing is kept open that the next one would be asked over.
        headers: { connection: "close" },
        json: {
          news_articles: [
            {
              id: "n1",
              url: "https://news.example/1",
              title: "Acme raises",
              snippet: "Acme raises $5M.",
              published_at: "2026-01-02T00:00:00.000+00:00",
              event_categories: ["investment"]
            },
            {
              id: "n2",
              url: "https://news.example/2",
              title: "Acme at a fair",
              snippet: null,
              published_at: null
            }
          ]
        }
      }
    }
  ],
  expected: [
    {
      companyDomain: "acme.example",
      title: "Acme raises",
      summary: "Acme raises $5M.",
      observedAt: "2026-01-02T00:00:00.000+00:00",
      evidenceUrl: "https://news.example/1",
      newsType: "funding"
    }
  ],
  spent: 2
}

export const apolloFixtures: VendorFixtures = {
  // What is remembered would not be asked for again.
  settings: { ids_kept_days: 0, phone_webhook_url: "https://hooks.example/phones" },
  lead_source: {
    cases: [
      {
        says: "somebody, by a look",
        request: { ...anybody, titles: ["VP"] },
        exchanges: [searched(["p1"], 1), matched([{ name: "Pat Doe", last_name: "Doe" }])],
        spent: 1
      },
      {
        says: "people, who are told by a look at each of them",
        request: {
          ...anybody,
          titles: ["VP Sales", "CRO"],
          locations: ["Germany", "USA"],
          companyDomains: ["acme.example"],
          headcountMin: 50,
          limit: 2
        },
        exchanges: [
          {
            ...searched(["p1", "p2"], 40),
            request: {
              method: "POST",
              path: `${API}/mixed_people/api_search`,
              query: { include_similar_titles: "false", page: "1", per_page: "2" },
              when: ({ query }) =>
                query.getAll("person_titles[]").join() === "VP Sales,CRO" &&
                query.getAll("person_locations[]").join() === "Germany,United States" &&
                query.getAll("q_organization_domains_list[]").join() === "acme.example" &&
                query.getAll("organization_num_employees_ranges[]").join() === "50,10000000"
            }
          },
          {
            request: {
              method: "POST",
              path: `${API}/people/bulk_match`,
              body: { details: [{ id: "p1" }, { id: "p2" }] }
            },
            answer: { json: { status: "success", missing_records: 1, credits_consumed: 0, matches: [PERSON, null] } }
          }
        ],
        expected: {
          people: [pat],
          totalFound: 40,
          places: [{ requested: "USA", region: "United States", cities: [] }]
        },
        // As it says itself, here of somebody who was paid for before.
        spent: 0
      },
      {
        says: "nobody, for nothing",
        request: { ...anybody, titles: ["VP Sales"] },
        exchanges: [searched([], 0)],
        expected: { people: [], totalFound: 0, places: [] },
        spent: 0
      },
      {
        says: "nobody who can't be told by a last name or a profile",
        request: { ...anybody, titles: ["VP Sales"] },
        exchanges: [searched(["p1"], 1), matched([{ ...PERSON, last_name: null, linkedin_url: null }])],
        expected: { people: [], totalFound: 1, places: [] },
        spent: 1
      },
      {
        says: "ten at a time, and those who were told before a look that failed",
        request: { ...anybody, titles: ["VP Sales"], limit: 11 },
        exchanges: [
          searched(
            Array.from({ length: 11 }, (_, index) => `p${index}`),
            11
          ),
          {
            ...matched([PERSON]),
            answer: [{ json: { matches: [PERSON] } }, { status: 500, json: {} }, { json: { matches: [PERSON] } }]
          }
        ],
        expected: { people: [pat], totalFound: 11, places: [] },
        spent: 1
      }
    ],
    wire: { hasEffect: true, faulty: 1, failures: [NO_ACCESS] }
  },
  ...contactsIn(contacts),
  company_source: {
    cases: [
      {
        says: "companies by keyword, size and country",
        request: {
          ...anyCompany,
          countryCodes: ["DE"],
          headcountMin: 10,
          headcountMax: 500,
          search: { kind: "firmographic", locations: [], keywords: ["payroll"], excludeKeywords: [] }
        },
        exchanges: [
          {
            request: {
              method: "POST",
              path: `${API}/mixed_companies/search`,
              query: {
                "organization_locations[]": "Germany",
                "q_organization_keyword_tags[]": "payroll",
                "organization_num_employees_ranges[]": "10,500",
                page: "1",
                per_page: "10"
              }
            },
            answer: {
              json: {
                pagination: { page: 1, per_page: 10, total_entries: 1, total_pages: 1 },
                organizations: [
                  {
                    id: "o1",
                    name: "Acme",
                    website_url: "http://www.acme.example",
                    primary_domain: "acme.example",
                    founded_year: 2017
                  }
                ]
              }
            }
          }
        ],
        spent: 1
      }
    ],
    wire: { hasEffect: true, failures: [NO_ACCESS] }
  },
  company_dataset_source: {
    cases: [
      {
        says: "what it uses, by mere names",
        request: { dataset: "technologies", companyDomain: "acme.example" },
        exchanges: [enriched({ name: "Acme", technology_names: ["Slack"] })],
        expected: [{ name: "Slack", category: null, firstSeen: null, lastSeen: null }],
        spent: 1
      },
      {
        says: "funding, in dollars where it is in dollars",
        request: { dataset: "funding", companyDomain: "acme.example" },
        exchanges: [enriched(ORGANIZATION)],
        expected: {
          totalUsd: 9_000_000,
          rounds: [
            { date: "2025-05-01", type: "Series A", amountUsd: 5_000_000, investors: ["One", "Two"] },
            { date: "2023-05-01", type: "Seed", amountUsd: null, investors: [] }
          ]
        },
        spent: 1
      },
      {
        says: "what it uses",
        request: { dataset: "technologies", companyDomain: "acme.example" },
        exchanges: [enriched(ORGANIZATION)],
        expected: [{ name: "Slack", category: "Chat", firstSeen: null, lastSeen: null }]
      },
      {
        says: "a profile",
        request: { dataset: "profile", companyDomain: "acme.example" },
        exchanges: [enriched(ORGANIZATION)]
      },
      {
        says: "nothing, told by no company",
        request: { dataset: "profile", companyDomain: "acme.example" },
        exchanges: [enriched(null)],
        expected: null,
        spent: 0
      },
      {
        says: "nothing, told by an empty company",
        request: { dataset: "profile", companyDomain: "acme.example" },
        exchanges: [enriched({})],
        expected: null,
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures: [NO_ACCESS] }
  },
  intent_source: {
    cases: [
      apolloNews,
      {
        says: "nothing of a company that it does not know",
        request: { companyDomain: "acme.example", signal: "news", roles: [], limit: 50 },
        exchanges: [enriched(null)],
        expected: [],
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures: [NO_ACCESS] }
  },
  account: {
    exchanges: [
      {
        request: { method: "POST", path: `${API}/usage_stats/credit_usage_stats` },
        answer: {
          json: {
            credit_usage_stats: {
              lead_credit: { limit: 10_000, consumed: 2_500, left_over: 7_500 },
              direct_dial_credit: { limit: 0, consumed: 0, left_over: 0 }
            },
            current_credit_cycle: { start_date: null, end_date: null }
          }
        }
      }
    ],
    expected: { left: 7_500, missing: [] },
    failures: [NO_ACCESS]
  }
}
