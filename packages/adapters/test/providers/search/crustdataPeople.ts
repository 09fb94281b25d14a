import type { Person } from "@outbound/domain/sources/ports/Person.js"
import { anybody } from "@outbound/testkit/contracts/providers/leadSource.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import { failures, NO_PLAN, post, postWhen, suggests } from "./crustdataWire.js"

const CURRENT = "experience.employment_details.current"

const PAT = {
  crustdata_person_id: 1001,
  basic_profile: {
    name: "Pat Doe",
    first_name: "Pat",
    last_name: "Doe",
    headline: "Selling",
    current_title: "VP Sales",
    last_updated: "2026-01-02T00:00:00Z",
    location: { country: "Germany", state: "Berlin", city: "Berlin" }
  },
  experience: {
    employment_details: {
      current: [
        { name: "Board of Others", title: "Advisor", company_website: "https://www.others.example" },
        {
          name: "Acme",
          title: "VP Sales",
          crustdata_company_id: 77,
          company_website_domain: "acme.example",
          company_headcount_latest: 120,
          company_industries: ["Software Dev."],
          start_date: "2025-12-01"
        }
      ]
    }
  },
  social_handles: { professional_network_identifier: { profile_url: "linkedin.com/in/pat-doe" } }
}

const pat: Person = {
  fullName: "Pat Doe",
  firstName: "Pat",
  lastName: "Doe",
  title: "VP Sales",
  companyName: "Acme",
  companyDomain: "acme.example",
  companyHeadcount: 120,
  companyIndustry: "Software Dev.",
  city: "Berlin",
  country: "Germany",
  socialUrl: "https://linkedin.com/in/pat-doe",
  observedAt: "2026-01-02T00:00:00Z"
}

const people = (profiles: ReadonlyArray<unknown>, next: string | null = null) => ({
  profiles,
  next_cursor: next,
  total_count: 31
})

const POST = {
  share_urn: "urn:1",
  share_url: "https://www.linkedin.com/posts/pat-doe_1",
  text: "Payroll, at last.",
  date_posted: "2026-02-02T10:00:00Z",
  actor: { name: "Pat Doe", professional_network_url: "https://www.linkedin.com/in/pat-doe" },
  engagement: { total_reactions: 3, total_comments: 2, num_shares: 1 }
}

const found = {
  url: "https://www.linkedin.com/posts/pat-doe_1",
  author: { name: "Pat Doe", handle: "pat-doe", url: "https://www.linkedin.com/in/pat-doe" },
  text: "Payroll, at last.",
  postedAt: "2026-02-02T10:00:00Z",
  likes: 3,
  comments: 2,
  shares: 1
}

/** Its people, and what they say. */
export const crustdataPeople: Pick<VendorFixtures, "lead_source" | "intent_source" | "post_source"> = {
  lead_source: {
    cases: [
      {
        says: "somebody without a company that can be told",
        request: { ...anybody, titles: ["VP"] },
        exchanges: [
          post("/person/search", {
            profiles: [{ basic_profile: { name: "Pat Doe" }, experience: null }],
            next_cursor: null,
            total_count: null
          })
        ],
        expected: {
          people: [
            {
              fullName: "Pat Doe",
              firstName: null,
              lastName: null,
              title: null,
              companyName: null,
              companyDomain: null,
              companyHeadcount: null,
              companyIndustry: null,
              city: null,
              country: null,
              socialUrl: null,
              observedAt: null
            }
          ],
          totalFound: 1,
          places: []
        }
      },
      {
        says: "people by title and company, at the position that they were found by",
        request: { ...anybody, titles: ["VP", "Head of"], companyDomains: ["acme.example"] },
        exchanges: [
          post("/person/search", people([PAT]), {
            filters: {
              op: "and",
              conditions: [
                {
                  op: "or",
                  conditions: [
                    { field: `${CURRENT}.title`, type: "[.]", value: "VP" },
                    { field: `${CURRENT}.title`, type: "[.]", value: "Head of" }
                  ]
                },
                { field: `${CURRENT}.company_website_domain`, type: "in", value: ["acme.example"] }
              ]
            },
            limit: 10
          })
        ],
        expected: { people: [pat], totalFound: 31, places: [] },
        spent: 0.03
      },
      {
        says: "places and industries by the values that it has for them, looked up once",
        request: {
          ...anybody,
          locations: ["Munich, Germany", "USA"],
          industries: ["Software Development"],
          headcountMin: 50,
          headcountMax: 500
        },
        exchanges: [
          suggests("person", `${CURRENT}.company_industries`, "Software Development", []),
          suggests("person", `${CURRENT}.company_industries`, "software", ["Software Dev.", "Computer Software"]),
          suggests("person", `${CURRENT}.company_industries`, "saas", []),
          suggests("person", `${CURRENT}.company_industries`, "software as a service", []),
          suggests("person", "basic_profile.location.city", "Munich", ["Munich", "Munich Airport"]),
          suggests("person", "basic_profile.location.state", "Munich", []),
          suggests("person", "basic_profile.location.country", "Germany", ["Germany"]),
          suggests("person", "basic_profile.location.country", "United States", ["United States of America"]),
          post("/person/search", people([PAT]), {
            filters: {
              op: "and",
              conditions: [
                {
                  op: "or",
                  conditions: [
                    {
                      op: "and",
                      conditions: [
                        { field: "basic_profile.location.city", type: "in", value: ["Munich"] },
                        { field: "basic_profile.location.country", type: "=", value: "Germany" }
                      ]
                    },
                    { field: "basic_profile.location.country", type: "=", value: "United States of America" }
                  ]
                },
                { field: `${CURRENT}.company_industries`, type: "in", value: ["Computer Software"] },
                {
                  op: "and",
                  conditions: [
                    { field: `${CURRENT}.company_headcount_latest`, type: "=>", value: 50 },
                    { field: `${CURRENT}.company_headcount_latest`, type: "=<", value: 500 }
                  ]
                }
              ]
            }
          })
        ],
        spent: 0.03
      },
      {
        says: "more than one page, and what came before a page that fails",
        request: { ...anybody, titles: ["Sales"], limit: 3 },
        exchanges: [
          {
            request: { method: "POST", path: "/person/search", when: ({ body }) => body.cursor === "c2" },
            answer: { status: 500, json: { error: "down" } }
          },
          {
            request: { method: "POST", path: "/person/search", when: ({ body }) => body.cursor === undefined },
            answer: { json: people([PAT, { ...PAT, crustdata_person_id: 1002 }], "c2") }
          }
        ],
        expected: { people: [pat, pat], totalFound: 31, places: [] },
        spent: 0.06
      },
      {
        says: "nobody where it knows no value for the place, and nothing spent on it",
        request: { ...anybody, locations: ["Nowhere at all"] },
        exchanges: [
          suggests("person", "basic_profile.location.city", "Nowhere at all", []),
          suggests("person", "basic_profile.location.state", "Nowhere at all", [])
        ],
        expected: { people: [], totalFound: 0, places: [] },
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures }
  },
  intent_source: {
    cases: [
      {
        says: "who changed to the only position that they have",
        request: { companyDomain: "acme.example", signal: "job_change", roles: [], limit: 5 },
        exchanges: [
          post("/person/search", {
            profiles: [
              {
                basic_profile: { name: "Pat Doe" },
                experience: { employment_details: { current: [{ start_date: "2025-12-01" }] } }
              }
            ]
          })
        ],
        expected: [
          {
            companyDomain: "acme.example",
            title: null,
            summary: "Pat Doe started at acme.example",
            observedAt: "2025-12-01",
            evidenceUrl: null,
            newsType: null
          }
        ],
        spent: 0.03
      },
      {
        says: "who changed jobs, since when they did",
        request: { companyDomain: "acme.example", signal: "job_change", roles: [], limit: 5 },
        exchanges: [
          post("/person/search", people([PAT, { ...PAT, experience: { employment_details: { current: [] } } }]), {
            filters: {
              op: "and",
              conditions: [
                { field: `${CURRENT}.company_website_domain`, type: "in", value: ["acme.example"] },
                { field: "recently_changed_jobs", type: "=", value: true }
              ]
            }
          })
        ],
        expected: [
          {
            companyDomain: "acme.example",
            title: "VP Sales",
            summary: "Pat Doe started at Acme as VP Sales",
            observedAt: "2025-12-01",
            evidenceUrl: "https://linkedin.com/in/pat-doe",
            newsType: null
          }
        ],
        spent: 0.06
      }
    ],
    wire: { hasEffect: true, failures: failures.slice(0, 1) }
  },
  post_source: {
    cases: [
      {
        says: "posts that hold every word, the newest first, though it can't sort them by their dates",
        request: { search: { query: 'payroll "at last"', platforms: ["social"], sinceMillis: null, limit: 5 } },
        exchanges: [
          postWhen(
            "/social_post/search",
            { posts: [{ ...POST, share_url: "https://www.linkedin.com/posts/2", date_posted: "2025-01-01" }, POST] },
            ({ body }) => !("sorts" in body),
            {
              filters: {
                op: "and",
                conditions: [
                  { field: "text", type: "[.]", value: "payroll" },
                  { field: "text", type: "[.]", value: "at last" }
                ]
              }
            }
          )
        ],
        spent: 1
      },
      {
        says: "those of a profile, by its address as it is kept",
        request: {
          ofProfile: {
            target: { by: "url", url: "https://de.linkedin.com/in/pat-doe/?miniProfileUrn=x" },
            sinceMillis: Date.parse("2026-01-01T00:00:00Z"),
            limit: 5
          }
        },
        exchanges: [
          post(
            "/social_post/search",
            { posts: [POST], next_cursor: null },
            {
              filters: {
                op: "and",
                conditions: [
                  {
                    field: "actor.professional_network_url",
                    type: "=",
                    value: "https://www.linkedin.com/in/pat-doe"
                  },
                  { field: "date_posted", type: "=>", value: "2026-01-01" }
                ]
              }
            }
          )
        ],
        expected: {
          kind: "found",
          profile: { name: "Pat Doe", handle: "pat-doe", url: "https://www.linkedin.com/in/pat-doe" },
          page: { posts: [found], isComplete: true }
        },
        spent: 0.5
      }
    ],
    wire: {
      hasEffect: true,
      failures: [{ says: "is not enabled", answer: NO_PLAN, reason: "account" }]
    }
  }
}
