import { anybody } from "@outbound/testkit/contracts/providers/leadSource.js"
import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import { BY_PROFILE, contact, PAT, PROFILE, UNKNOWABLE, unasked } from "./people.js"

const enrichPerson = (answer: Exchange["answer"], body: Readonly<Record<string, unknown>> = {}): Exchange => ({
  request: { method: "POST", path: "/enrich-person", body },
  answer
})

const PROSPEO_PERSON = {
  person_id: "p_1",
  full_name: "Pat Doe",
  linkedin_url: PROFILE,
  current_job_title: "VP Sales",
  job_history: [],
  email: { status: "VERIFIED", revealed: true, email: "pat@example.com" },
  mobile: null,
  location: { city: "Austin", state: "Texas", country: "United States", country_code: "US" }
}

const PROSPEO_COMPANY = {
  company_id: "c_1",
  name: "Example Inc",
  domain: "example.com",
  employee_count: 120,
  industry: "Software Development"
}

const PROSPEO_PAT = contact({
  fullName: "Pat Doe",
  title: "VP Sales",
  companyName: "Example Inc",
  companyDomain: "example.com",
  companyHeadcount: 120,
  companyIndustry: "Software Development",
  city: "Austin",
  country: "United States",
  socialUrl: PROFILE,
  workEmail: "pat@example.com",
  workEmailStatus: "valid",
  emailVerdict: "valid"
})

const prospeoSays = (person: object, more: object = {}): Answer => ({
  json: {
    error: false,
    free_enrichment: false,
    person: { ...PROSPEO_PERSON, ...person },
    company: PROSPEO_COMPANY,
    ...more
  }
})

/** Few words: what is cut at every byte is said in few. */
const LEAN = {
  error: false,
  person: { full_name: "Pat Doe", email: { status: "VERIFIED", email: "pat@example.com" } }
}
const LEAN_PAT = contact({
  fullName: "Pat Doe",
  workEmail: "pat@example.com",
  workEmailStatus: "valid",
  emailVerdict: "valid"
})

const prospeoFails = (error_code: string, status = 400): Answer => ({ status, json: { error: true, error_code } })

const PROSPEO_FAILURES = [
  { says: "is out of credit", answer: prospeoFails("INSUFFICIENT_CREDITS"), reason: "account" },
  { says: "is out of credit, and says 200", answer: prospeoFails("INSUFFICIENT_CREDITS", 200), reason: "account" },
  { says: "knows no such key", answer: prospeoFails("INVALID_API_KEY", 401), reason: "account" },
  { says: "has shut us out", answer: prospeoFails("ACCOUNT_RESTRICTED", 200), reason: "account" },
  { says: "does not understand us", answer: prospeoFails("INVALID_REQUEST"), reason: "invalid" },
  { says: "failed", answer: prospeoFails("INTERNAL_ERROR"), reason: "unknown_outcome" },
  { says: "failed, and says 200", answer: prospeoFails("SOMETHING_NEW", 200), reason: "unknown_outcome" },
  { says: "is asked too often", answer: prospeoFails("RATE_LIMITED", 429), reason: "rate_limited" },
  { says: "says so in other words", answer: prospeoFails("RATE_LIMIT_EXCEEDED", 400), reason: "rate_limited" },
  {
    says: "has no request left this minute",
    answer: { ...prospeoFails("RATE_LIMITED", 429), headers: { "x-minute-request-left": "0" } },
    reason: "rate_limited",
    retryAfterSeconds: 60
  },
  {
    says: "has no request left today",
    answer: {
      ...prospeoFails("RATE_LIMITED", 200),
      headers: { "x-minute-request-left": "0", "x-daily-request-left": "0" }
    },
    reason: "rate_limited",
    retryAfterSeconds: 3600
  }
] as const

const withMobile = { enrich_mobile: true, only_verified_mobile: true }

const searched = (answer: Exchange["answer"], body: Readonly<Record<string, unknown>> = {}): Exchange => ({
  request: { method: "POST", path: "/search-person", body },
  answer
})

const suggested = (asked: object, names: object): Exchange => ({
  request: { method: "POST", path: "/search-suggestions", body: { ...asked } },
  answer: { json: { error: false, ...names } }
})

const NOT_REVEALED = { status: "VERIFIED", revealed: false, email: "p**@example.com" }
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    person: { ...PROSPEO_PERSON, person_id: `p_${index}`, full_name: `Pat Doe ${index}`, email: NOT_REVEALED },
    company: PROSPEO_COMPANY
  }))

const searchPage = (count: number, current_page: number, total_count: number): Answer => ({
  json: {
    error: false,
    results: rows(count),
    pagination: { current_page, per_page: 25, total_page: Math.ceil(total_count / 25), total_count }
  }
})

const LEAD = {
  fullName: "Pat Doe 0",
  firstName: null,
  lastName: null,
  title: "VP Sales",
  companyName: "Example Inc",
  companyDomain: "example.com",
  companyHeadcount: 120,
  companyIndustry: "Software Development",
  city: "Austin",
  country: "United States",
  socialUrl: PROFILE,
  observedAt: null
}

export const prospeoFixtures: VendorFixtures = {
  premium_lead_source: {
    cases: [
      {
        says: "searches by title",
        request: { ...anybody, titles: ["VP Sales"] },
        exchanges: [searched({ json: { error: false, results: [{ person: { full_name: "Pat Doe" } }] } }, { page: 1 })],
        spent: 1
      },
      {
        says: "searches by title, company and headcount",
        request: { ...anybody, titles: ["VP Sales"], companyDomains: ["example.com"], headcountMin: 50 },
        exchanges: [
          searched(searchPage(1, 1, 1), {
            page: 1,
            filters: {
              person_job_title: { include: ["VP Sales"] },
              company: { websites: { include: ["example.com"] } },
              company_headcount_custom: { min: 50 }
            }
          })
        ],
        expected: { people: [LEAD], totalFound: 1, places: [] },
        spent: 1
      },
      {
        says: "asks in its own words for places and industries",
        request: { ...anybody, locations: ["Austin, USA"], industries: ["Software Development"], headcountMax: 500 },
        exchanges: [
          suggested(
            { location_search: "Austin" },
            {
              location_suggestions: [
                { name: "Austin, Manitoba, Canada", type: "CITY" },
                { name: "Austin, Texas, United States", type: "CITY" }
              ]
            }
          ),
          suggested(
            { industry_search: "Software Development" },
            { industry_suggestions: ["Embedded Software Products", "Software Development"] }
          ),
          searched(searchPage(1, 1, 1), {
            filters: {
              person_location_search: { include: ["Austin, Texas, United States"] },
              company_industry: { include: ["Software Development"] },
              company_headcount_custom: { max: 500 }
            }
          })
        ],
        expected: { people: [LEAD], totalFound: 1, places: [] },
        spent: 1
      },
      {
        says: "a place that it has no word for finds nobody, and costs nothing",
        request: { ...anybody, locations: ["Atlantis"] },
        exchanges: [suggested({ location_search: "Atlantis" }, { location_suggestions: [] })],
        expected: { people: [], totalFound: 0, places: [] },
        spent: 0
      },
      {
        says: "goes on to the next page, and no further than it needs",
        request: { ...anybody, titles: ["VP Sales"], limit: 30 },
        exchanges: [searched(searchPage(25, 1, 80), { page: 1 }), searched(searchPage(25, 2, 80), { page: 2 })],
        spent: 2
      },
      {
        says: "finds nobody",
        request: { ...anybody, titles: ["VP Sales"] },
        exchanges: [searched(prospeoFails("NO_RESULTS"))],
        expected: { people: [], totalFound: 0, places: [] },
        spent: 0
      }
    ],
    wire: {
      hasEffect: true,
      failures: [
        ...PROSPEO_FAILURES,
        { says: "knows no such filter", answer: prospeoFails("INVALID_FILTERS"), reason: "invalid" }
      ]
    }
  },
  contact_enricher: {
    cases: [
      {
        says: "reveals an address",
        request: PAT,
        exchanges: [enrichPerson({ json: LEAN })],
        expected: LEAN_PAT,
        spent: 1
      },
      {
        says: "reveals by name and company",
        request: PAT,
        exchanges: [
          enrichPerson(prospeoSays({}), {
            data: { first_name: "Pat", last_name: "Doe", company_website: "example.com" },
            only_verified_email: true,
            enrich_mobile: false
          })
        ],
        expected: PROSPEO_PAT,
        spent: 1
      },
      {
        says: "reveals by profile and address, whatever stands behind the profile's address",
        request: { ...BY_PROFILE, email: "pat@example.com" },
        exchanges: [enrichPerson(prospeoSays({}), { data: { linkedin_url: PROFILE, email: "pat@example.com" } })],
        expected: PROSPEO_PAT
      },
      {
        says: "what was paid for before costs nothing",
        request: PAT,
        exchanges: [enrichPerson(prospeoSays({}, { free_enrichment: true, member_of_next_year: [1] }))],
        expected: PROSPEO_PAT,
        spent: 0
      },
      {
        says: "an address that is not verified is not called valid",
        request: PAT,
        exchanges: [
          enrichPerson(prospeoSays({ email: { status: "UNVERIFIED", revealed: true, email: "p.doe@example.com" } }))
        ],
        expected: {
          ...PROSPEO_PAT,
          workEmail: "p.doe@example.com",
          workEmailStatus: "unknown",
          emailVerdict: "unknown"
        }
      },
      ...[
        { status: "VERIFIED", revealed: false, email: "p***@example.com" },
        { status: "VERIFIED", revealed: true, email: "p***@example.com" },
        { status: null, email: "email_not_unlocked@domain.com" },
        null
      ].map((email) => ({
        says: `an address that is not told is none: ${JSON.stringify(email)}`,
        request: PAT,
        exchanges: [enrichPerson(prospeoSays({ email }))],
        expected: { ...PROSPEO_PAT, workEmail: null, workEmailStatus: "not_found" as const, emailVerdict: null }
      })),
      {
        says: "a number that comes along is told, one that is masked is not",
        request: PAT,
        exchanges: [
          enrichPerson([
            prospeoSays({ mobile: { status: "VERIFIED", revealed: true, mobile_international: "+1 512-555-0100" } }),
            prospeoSays({ mobile: { status: "VERIFIED", revealed: true, mobile: "+1 512 5** ****" } })
          ])
        ],
        expected: { ...PROSPEO_PAT, mobilePhone: "+15125550100" }
      },
      ...["NO_MATCH", "NO_RESULTS", "INVALID_DATAPOINTS"].flatMap((code) =>
        [200, 400].map((status) => ({
          says: `knows nobody: ${code} with ${status}`,
          request: PAT,
          exchanges: [enrichPerson(prospeoFails(code, status))],
          expected: null,
          spent: 0
        }))
      ),
      {
        says: "knows nobody: an answer without a person",
        request: PAT,
        exchanges: [enrichPerson({ json: { error: false, person: null, company: null } })],
        expected: null,
        spent: 0
      },
      ...UNKNOWABLE.map(([says, request]) => unasked(says, request))
    ],
    wire: { hasEffect: true, failures: PROSPEO_FAILURES }
  },
  mobile_finder: {
    cases: [
      {
        says: "finds a number",
        request: PAT,
        exchanges: [
          enrichPerson({ json: { error: false, person: { mobile: { mobile: "+15125550100" } } } }, withMobile)
        ],
        expected: "+15125550100",
        spent: 10
      },
      {
        says: "finds a number, at the price of one",
        request: PAT,
        exchanges: [
          enrichPerson(
            prospeoSays({ mobile: { status: "VERIFIED", revealed: true, mobile: "+15125550100" } }),
            withMobile
          )
        ],
        expected: "+15125550100",
        spent: 10
      },
      {
        says: "a person without a number is no find",
        request: PAT,
        exchanges: [enrichPerson(prospeoSays({}), withMobile)],
        expected: null,
        spent: 1
      },
      {
        says: "knows nobody",
        request: PAT,
        exchanges: [enrichPerson(prospeoFails("NO_MATCH"), withMobile)],
        expected: null,
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures: PROSPEO_FAILURES }
  },
  account: {
    exchanges: [
      {
        request: { method: "GET", path: "/account-information" },
        answer: {
          json: { error: false, response: { current_plan: "GROWTH", remaining_credits: 420, used_credits: 80 } }
        }
      }
    ],
    expected: { left: 420, missing: [] },
    failures: [{ says: "a key that it does not know", answer: prospeoFails("INVALID_API_KEY", 200), reason: "account" }]
  }
}
