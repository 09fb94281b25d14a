import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import { BY_EMAIL, BY_PROFILE, contact, PAT, PROFILE, UNKNOWABLE, unasked } from "./people.js"

export const BULK = "/api/v2/contact/enrich/bulk"
export const JOB = "e_1"

export const started = (answer: Exchange["answer"] = { json: { enrichment_id: JOB } }): Exchange => ({
  request: {
    method: "POST",
    path: BULK,
    when: ({ body }) => body.data.length === 1 && body.name.includes(body.data[0].custom.marker)
  },
  answer
})

export const looked = (answer: Exchange["answer"]): Exchange => ({
  request: { method: "GET", path: `${BULK}/${JOB}` },
  answer
})

const PROFILE_OF_PAT = {
  id: "x",
  full_name: "Pat Doe",
  first_name: "Pat",
  last_name: "Doe",
  location: { country: "United States", country_code: "US", city: "Austin", region: "Texas" },
  social_profiles: { professional_network: { url: PROFILE, handle: "patdoe-example" } },
  employment: {
    current: {
      title: "VP Sales",
      company: { name: "Example Inc", domain: "www.example.com", headcount: 0, year_founded: 0, industry: {} }
    },
    all: []
  }
}

export const enrichment = (status: string, contact_info: object | null = null, credits = 0): Answer => ({
  json: {
    id: JOB,
    name: "n",
    status,
    cost: { credits },
    data: contact_info === null ? [] : [{ input: {}, contact_info, profile: PROFILE_OF_PAT }]
  }
})

export const emailInfo = (email: string, status: string) => ({
  most_probable_work_email: { email, status },
  work_emails: []
})
export const FINISHED = enrichment("FINISHED", emailInfo("pat@example.com", "DELIVERABLE"), 1)

/** Nothing is asked over the same connection any more. */
const closing = (answer: Answer): Answer => ({ ...answer, headers: { connection: "close" } })
const LAST = closing(FINISHED)

export const FULL_ENRICH_PAT = contact({
  fullName: "Pat Doe",
  firstName: "Pat",
  lastName: "Doe",
  title: "VP Sales",
  companyName: "Example Inc",
  companyDomain: "example.com",
  city: "Austin",
  country: "United States",
  socialUrl: PROFILE,
  workEmail: "pat@example.com",
  workEmailStatus: "valid",
  emailVerdict: "valid"
})

const withoutAddress = { workEmail: null, workEmailStatus: "not_found" as const, emailVerdict: null }

const FULL_ENRICH_FAILURES = [
  {
    says: "is out of credit",
    answer: { status: 402, json: { status: "CREDITS_INSUFFICIENT" } },
    reason: "account"
  },
  {
    says: "knows no such key",
    answer: { status: 401, json: { code: "error.api.key", message: "" } },
    reason: "account"
  },
  {
    says: "is asked too often",
    answer: { status: 429, json: { code: "error.rate.limit", message: "" } },
    reason: "rate_limited"
  },
  {
    says: "is asked too often, and says 400",
    answer: { status: 400, json: { code: "error.rate.limit", message: "" } },
    reason: "rate_limited"
  },
  { says: "does not understand us", answer: { status: 400, json: { code: "error.other" } }, reason: "invalid" }
] as const

export const fullEnrichFixtures: VendorFixtures = {
  contact_enricher: {
    cases: [
      {
        says: "starts a job, and tells what it found",
        request: PAT,
        exchanges: [started(), looked(LAST)],
        expected: FULL_ENRICH_PAT,
        spent: 1
      },
      ...(
        [
          ["HIGH_PROBABILITY", "catch_all", "catch_all_valid"],
          ["CATCH_ALL", "catch_all", "catch_all_unknown"],
          ["NEW_WORD", "unknown", "unknown"]
        ] as const
      ).map(([status, workEmailStatus, emailVerdict]) => ({
        says: `an address that is ${status} is ${emailVerdict}`,
        request: BY_PROFILE,
        exchanges: [started(), looked(enrichment("FINISHED", emailInfo("pat@example.com", status), 1))],
        expected: { ...FULL_ENRICH_PAT, workEmailStatus, emailVerdict }
      })),
      ...["INVALID", "INVALID_DOMAIN"].map((status) => ({
        says: `an address that is ${status} is none`,
        request: PAT,
        exchanges: [started(), looked(enrichment("FINISHED", emailInfo("pat@example.com", status)))],
        expected: { ...FULL_ENRICH_PAT, ...withoutAddress },
        spent: 0
      })),
      {
        says: "knows nobody",
        request: PAT,
        exchanges: [
          started(),
          looked({ json: { ...(enrichment("FINISHED").json as object), data: [{ custom: {} }] } })
        ],
        expected: null,
        spent: 0
      },
      ...[...UNKNOWABLE, ["an address alone", BY_EMAIL] as const].map(([says, request]) => unasked(says, request))
    ],
    wire: { hasEffect: true, failures: FULL_ENRICH_FAILURES }
  },
  mobile_finder: {
    cases: [
      {
        says: "finds a number",
        request: PAT,
        exchanges: [
          started(),
          looked(closing(enrichment("FINISHED", { most_probable_phone: { number: "+15125550100", region: "US" } }, 10)))
        ],
        expected: "+15125550100",
        spent: 10
      },
      {
        says: "knows no number",
        request: PAT,
        exchanges: [started(), looked(enrichment("FINISHED", { phones: [] }))],
        expected: null,
        spent: 0
      }
    ],
    wire: { hasEffect: true, failures: FULL_ENRICH_FAILURES }
  },
  account: {
    exchanges: [{ request: { method: "GET", path: "/api/v2/account/credits" }, answer: { json: { balance: 12 } } }],
    expected: { left: 12, missing: [] }
  }
}
