import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"

const API = "/api/v3"

const rows = (kind: string, limit: number, json: unknown): Exchange => ({
  request: { method: "GET", path: `${API}/companies/acme.example/${kind}`, query: { limit: String(limit) } },
  answer: { json }
})

const reference = (id: string, type: string) => ({ data: { id, type } })

const company = (id: string, domain: string, company_name: string) => ({
  id,
  type: "company",
  attributes: { domain, company_name }
})

const article = (id: string, url: string, published_at: string) => ({
  id,
  type: "news_article",
  attributes: { url, title: "t", published_at }
})

const news = (id: string, category: string, companies: readonly [string, string?], source: string | null) => ({
  id,
  type: "news_event",
  attributes: {
    summary: `Event ${id}`,
    category,
    found_at: `2026-01-0${id}T00:00:00Z`,
    effective_date: "2030-01-01",
    confidence: 0.9
  },
  relationships: {
    company1: reference(companies[0], "company"),
    ...(companies[1] === undefined ? {} : { company2: reference(companies[1], "company") }),
    most_relevant_source: { data: source === null ? null : { id: source, type: "news_article" } }
  }
})

const connection = (id: string, category: string, first: string, second: string) => ({
  id,
  type: "connection",
  attributes: { category, source_url: "acme.example/customers", first_seen_at: "2025-01-01T00:00:00Z" },
  relationships: { company1: reference(first, "company"), company2: reference(second, "company") }
})

const ROUND = {
  id: "f1",
  type: "financing_event",
  attributes: {
    effective_date: "2025-05-01",
    found_at: "2025-05-02T00:00:00Z",
    financing_type: "Series A",
    financing_type_normalized: "series_a",
    amount: "$5M",
    amount_normalized: 5_000_000,
    source_urls: ["https://news.example/a"]
  },
  relationships: { investors: { data: [{ id: "c2", type: "company" }] } }
}

const NO_QUOTA = {
  says: "has no calls left this month",
  answer: { status: 402, json: { errors: [{ title: "Monthly limit" }] } } satisfies Answer,
  reason: "account" as const
}

const UNKNOWN_COMPANY = (kind: string): Exchange => ({
  request: { method: "GET", path: `${API}/companies/acme.example/${kind}` },
  answer: { status: 404, json: { errors: [{ title: "Not found" }] } }
})

const asks = (signal: "hiring" | "funding" | "news") => ({
  companyDomain: "acme.example",
  signal,
  roles: [],
  limit: 5
})

export const predictLeadsFixtures: VendorFixtures = {
  intent_source: {
    cases: [
      {
        says: "postings, since when it has seen them",
        request: asks("hiring"),
        exchanges: [
          rows("job_openings", 100, {
            data: [
              {
                id: "j1",
                type: "job_opening",
                attributes: { title: "Engineer", url: "https://x.example/1", first_seen_at: "2026-01-01T00:00:00Z" }
              },
              { id: "j2", type: "job_opening", attributes: { title: null, first_seen_at: "2026-01-02T00:00:00Z" } }
            ]
          })
        ],
        expected: [
          {
            companyDomain: "acme.example",
            title: "Engineer",
            summary: "Hiring: Engineer",
            observedAt: "2026-01-01T00:00:00Z",
            evidenceUrl: "https://x.example/1",
            newsType: null
          }
        ],
        spent: 1
      },
      {
        says: "news of the company, sorted, and of nobody else",
        request: asks("news"),
        exchanges: [
          rows("news_events", 100, {
            data: [
              news("1", "signs_new_client", ["c1"], "a1"),
              news("2", "partners_with", ["c2", "c1"], null),
              news("3", "launches", ["c2"], null),
              news("4", "attends_event", ["unknown"], null)
            ],
            included: [
              company("c1", "www.acme.example", "Acme"),
              company("c2", "other.example", "Other"),
              article("a1", "https://news.example/1", "2025-12-31T00:00:00Z")
            ],
            meta: { count: 4 }
          })
        ],
        expected: [
          ["Event 4", "2026-01-04T00:00:00Z", null, "other"],
          ["Event 2", "2026-01-02T00:00:00Z", null, "partnership"],
          ["Event 1", "2025-12-31T00:00:00Z", "https://news.example/1", "customers"]
        ].map(([summary, observedAt, evidenceUrl, newsType]) => ({
          companyDomain: "acme.example",
          title: null,
          summary: summary ?? "",
          observedAt: observedAt ?? "",
          evidenceUrl: evidenceUrl ?? null,
          newsType: newsType as "other"
        })),
        spent: 1
      },
      {
        says: "rounds",
        request: asks("funding"),
        exchanges: [rows("financing_events", 100, { data: [ROUND] })],
        expected: [
          {
            companyDomain: "acme.example",
            title: "Series A",
            summary: "Raised $5,000,000 (Series A)",
            observedAt: "2025-05-01",
            evidenceUrl: "https://news.example/a",
            newsType: null
          }
        ],
        spent: 1
      },
      {
        says: "nothing of a company that it does not know",
        request: asks("news"),
        exchanges: [UNKNOWN_COMPANY("news_events")],
        expected: []
      }
    ],
    wire: {
      hasEffect: true,
      failures: [
        NO_QUOTA,
        { says: "is at the wrong address", answer: { status: 404, text: "?" }, reason: "invalid" },
        {
          says: "tells a title that is no text",
          answer: { json: { data: [{ attributes: { title: 7 } }] } },
          reason: "unknown_outcome"
        }
      ]
    }
  },
  company_dataset_source: {
    cases: [
      {
        says: "a round of which little is known",
        request: { dataset: "funding", companyDomain: "acme.example" },
        exchanges: [rows("financing_events", 1000, { data: [{ attributes: { found_at: "2025-05-02T00:00:00Z" } }] })],
        expected: { totalUsd: null, rounds: [{ date: "2025-05-02", type: null, amountUsd: null, investors: [] }] },
        spent: 1
      },
      {
        says: "rounds with their investors, and no total",
        request: { dataset: "funding", companyDomain: "acme.example" },
        exchanges: [
          rows("financing_events", 1000, { data: [ROUND], included: [company("c2", "fund.example", "The Fund")] })
        ],
        expected: {
          totalUsd: null,
          rounds: [{ date: "2025-05-01", type: "Series A", amountUsd: 5_000_000, investors: ["The Fund"] }]
        },
        spent: 1
      },
      {
        says: "what others are to it, whichever of the two it is named as",
        request: { dataset: "relationships", companyDomain: "acme.example" },
        exchanges: [
          rows("connections", 1000, {
            data: [
              connection("1", "vendor", "c1", "c2"),
              connection("2", "vendor", "c3", "c1"),
              connection("3", "investor", "c1", "c3"),
              connection("4", "investor", "c2", "c1"),
              connection("5", "parent", "c2", "c1"),
              connection("6", "parent", "c1", "c3"),
              connection("7", "integration", "c1", "c3"),
              connection("8", "published_in", "c1", "c2"),
              connection("9", "partner", "c1", "c1")
            ],
            included: [
              company("c1", "acme.example", "Acme"),
              company("c2", "two.example", "Two"),
              company("c3", "three.example", "Three")
            ]
          })
        ],
        expected: (
          [
            ["two.example", "customer"],
            ["three.example", "supplier"],
            ["two.example", "investor"],
            ["two.example", "parent"],
            ["three.example", "subsidiary"],
            ["three.example", "partner"]
          ] as const
        ).map(([companyDomain, kind]) => ({
          companyDomain,
          kind,
          evidenceUrl: "https://acme.example/customers",
          observedAt: "2025-01-01T00:00:00Z"
        })),
        spent: 1
      },
      {
        says: "nothing of a company that it does not know",
        request: { dataset: "relationships", companyDomain: "acme.example" },
        exchanges: [UNKNOWN_COMPANY("connections")],
        expected: null
      }
    ],
    wire: { hasEffect: true, failures: [NO_QUOTA] }
  },
  account: {
    exchanges: [
      {
        request: { method: "GET", path: `${API}/api_subscription` },
        answer: {
          json: {
            data: {
              id: "s",
              type: "api_subscription",
              attributes: { monthly_api_limit: 1000, api_calls_this_month: 90, plan: "x" }
            }
          }
        }
      }
    ],
    expected: { left: 910, missing: [] }
  }
}
