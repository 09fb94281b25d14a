import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"
import { BY_EMAIL, BY_PROFILE, contact, PAT, PROFILE, UNKNOWABLE, unasked } from "./people.js"

const MATCH = "/api/v1/people/match"

const matched = (answer: Exchange["answer"], query: Readonly<Record<string, string | null>> = {}): Exchange => ({
  request: { method: "POST", path: MATCH, query },
  answer
})

const PERSON = {
  id: "64b7f",
  first_name: "Pat",
  last_name: "Doe",
  name: "Pat Doe",
  linkedin_url: "http://www.linkedin.com/in/patdoe-example",
  title: "VP Sales",
  email: "pat@example.com",
  email_status: "verified",
  city: "Austin",
  state: "Texas",
  country: "United States",
  organization: {
    id: "5f",
    name: "Example Inc",
    primary_domain: "example.com",
    estimated_num_employees: 120,
    industry: "computer software"
  }
}

const found = (person: object | null): Answer => ({ json: { person } })

const APOLLO_PAT = contact({
  fullName: "Pat Doe",
  firstName: "Pat",
  lastName: "Doe",
  title: "VP Sales",
  companyName: "Example Inc",
  companyDomain: "example.com",
  companyHeadcount: 120,
  companyIndustry: "computer software",
  city: "Austin",
  country: "United States",
  socialUrl: "http://www.linkedin.com/in/patdoe-example",
  workEmail: "pat@example.com",
  workEmailStatus: "valid",
  emailVerdict: "valid"
})

const withoutAddress = { workEmail: null, workEmailStatus: "not_found" as const, emailVerdict: null }

const FAILURES = [
  {
    says: "answers a key in plain text",
    answer: { status: 401, text: "Invalid access credentials." },
    reason: "account"
  },
  {
    says: "has it not in the plan",
    answer: { status: 403, json: { error: "not accessible", error_code: "API_INACCESSIBLE" } },
    reason: "account"
  },
  { says: "does not understand us", answer: { status: 422, json: { error: "bad" } }, reason: "invalid" },
  {
    says: "is asked too often",
    answer: { status: 429, json: { message: "slow down" }, headers: { "retry-after": "24" } },
    reason: "rate_limited",
    retryAfterSeconds: 24
  }
] as const

/** Beyond what the numbers of JSON can tell apart. */
const REQUEST_ID = "-7316049823467120931"

export const searched: Exchange = matched(
  {
    text: `{"waterfall": {"request_id": 5}, "person": {"about": "\\"request_id\\": 7"}, "request_id": ${REQUEST_ID}}`,
    headers: { "content-type": "application/json" }
  },
  { reveal_phone_number: "true", webhook_url: "https://hooks.example/phones" }
)

export const delivered = (answer: Answer): Exchange => ({
  request: { method: "GET", path: `/api/v1/webhook_result/${REQUEST_ID}` },
  answer: { ...answer, headers: { connection: "close" } }
})

const withPhones = (more: object, phone_numbers: ReadonlyArray<object>): Answer => ({
  json: {
    webhook_status: "success",
    webhook_result: { status: "success", ...more, people: [{ id: "64b7f", phone_numbers }] }
  }
})

export const phones = (...phone_numbers: ReadonlyArray<object>): Answer => withPhones({}, phone_numbers)

export const phonesFor = (credits_consumed: number, ...phone_numbers: ReadonlyArray<object>): Answer =>
  withPhones({ credits_consumed }, phone_numbers)

export const number = (sanitized_number: string, more: object = {}) => ({
  sanitized_number,
  status_cd: "valid_number",
  type_cd: "mobile",
  ...more
})

export const apolloFixtures: Omit<VendorFixtures, "account"> = {
  settings: { phone_webhook_url: "https://hooks.example/phones" },
  contact_enricher: {
    cases: [
      {
        says: "reveals an address",
        request: PAT,
        exchanges: [matched(found({ name: "Pat Doe", email: "pat@example.com", email_status: "verified" }))],
        expected: contact({
          fullName: "Pat Doe",
          workEmail: "pat@example.com",
          workEmailStatus: "valid",
          emailVerdict: "valid"
        }),
        spent: 1
      },
      {
        says: "reveals by name and company",
        request: PAT,
        exchanges: [
          matched(found(PERSON), {
            first_name: "Pat",
            last_name: "Doe",
            domain: "example.com",
            reveal_phone_number: null
          })
        ],
        expected: APOLLO_PAT,
        spent: 1
      },
      {
        says: "reveals by profile",
        request: BY_PROFILE,
        exchanges: [matched(found(PERSON), { linkedin_url: PROFILE })],
        expected: APOLLO_PAT
      },
      {
        says: "reveals by address",
        request: BY_EMAIL,
        exchanges: [matched(found(PERSON), { email: "pat@example.com" })],
        expected: APOLLO_PAT
      },
      {
        says: "an address that it has guessed is not called valid",
        request: PAT,
        exchanges: [matched(found({ ...PERSON, email_status: "guessed" }))],
        expected: { ...APOLLO_PAT, workEmailStatus: "unknown", emailVerdict: "unknown" }
      },
      ...["email_not_unlocked@domain.com", "", null].map((email) => ({
        says: `an address that is not told is none: ${email}`,
        request: PAT,
        exchanges: [matched(found({ ...PERSON, email }))],
        expected: { ...APOLLO_PAT, ...withoutAddress }
      })),
      ...[null, {}, { id: "64b7f", name: " ", email: null }].map((person) => ({
        says: `knows nobody: ${JSON.stringify(person)}`,
        request: PAT,
        exchanges: [matched(found(person))],
        expected: null
      })),
      ...UNKNOWABLE.map(([says, request]) => unasked(says, request))
    ],
    wire: { hasEffect: true, failures: FAILURES }
  },
  mobile_finder: {
    cases: [
      {
        says: "finds a number, by an id of 64 bits",
        request: PAT,
        exchanges: [searched, delivered(phones(number("+15125550100")))],
        expected: "+15125550100",
        spent: 9
      },
      {
        says: "takes the mobile one, and none that is wrong",
        request: PAT,
        exchanges: [
          searched,
          delivered(
            phones(
              number("+15125550103", { status_cd: "invalid_number" }),
              number("+15125550102", { type_cd: "work_hq" }),
              number("+15125550101", { type_cd: null }),
              number("+15125550100")
            )
          )
        ],
        expected: "+15125550100"
      },
      {
        says: "takes one of another kind where it has no mobile, as its specification shows, at the cost it names",
        request: PAT,
        exchanges: [
          searched,
          delivered(
            phonesFor(
              1.5,
              number("+15125550102", { type_cd: "work_hq" }),
              number("+15125550164", { type_cd: "other", confidence_cd: "high" })
            )
          )
        ],
        expected: "+15125550164",
        spent: 1.5
      },
      { says: "knows no number", request: PAT, exchanges: [searched, delivered(phones())], expected: null, spent: 1 },
      { says: "knows nobody", request: PAT, exchanges: [matched(found(null))], expected: null, spent: 0 }
    ],
    wire: { hasEffect: true, failures: FAILURES }
  }
}
