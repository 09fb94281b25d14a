import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { Answer, Exchange } from "@outbound/testkit/vendors/Exchange.js"
import type { VendorFixtures } from "@outbound/testkit/contracts/providers/vendor.js"
import { nobody } from "@outbound/testkit/contracts/providers/contactEnricher.js"
import { BY_EMAIL, BY_PROFILE, contact, PAT, PROFILE, UNKNOWABLE, unasked } from "./people.js"

const leadMagicAsked = (path: string, answer: Exchange["answer"], body = {}): Exchange => ({
  request: { method: "POST", path: `/v1/people/${path}`, body },
  answer
})

const leadMagicError = (status: number, title: string, code = "some_code"): Answer => ({
  status,
  json: { success: false, errors: [{ type: "error", title, status, code }], meta: { request_id: "r_1" } }
})

const LEAD_MAGIC_FAILURES = [
  { says: "is out of credit", answer: leadMagicError(402, "Insufficient credits"), reason: "account" },
  { says: "is out of credit, and says 400", answer: leadMagicError(400, "Not enough credits"), reason: "account" },
  { says: "does not understand us", answer: leadMagicError(400, "Validation failed"), reason: "invalid" },
  { says: "refuses a domain", answer: leadMagicError(400, "credits.example is no domain"), reason: "invalid" },
  { says: "knows no such path", answer: leadMagicError(404, "Route not found"), reason: "invalid" },
  { says: "fails, and says 200", answer: leadMagicError(200, "Something broke"), reason: "unknown_outcome" },
  { says: "fails as it did of old", answer: { status: 200, json: { error: "no credits" } }, reason: "account" }
] as const

const FOUND_EMAIL = {
  email: "pat@example.com",
  status: "valid",
  credits_consumed: 1,
  first_name: "Pat",
  last_name: "Doe",
  company_name: "Example Inc",
  company_industry: "Software",
  mx_provider: "google",
  is_domain_catch_all: false
}

const LEAD_MAGIC_PAT = contact({
  firstName: "Pat",
  lastName: "Doe",
  companyName: "Example Inc",
  companyDomain: "example.com",
  companyIndustry: "Software",
  workEmail: "pat@example.com",
  workEmailStatus: "valid",
  emailVerdict: "valid"
})

const byName = { first_name: "Pat", last_name: "Doe" }

const validated = (email_status: string, status: EmailStatus, isCatchAllDomain: boolean) => ({
  says: `${email_status} is ${status}`,
  request: "pat@example.com",
  exchanges: [
    leadMagicAsked(
      "email-validation",
      { json: { email: "pat@example.com", email_status, credits_consumed: 0.25, is_domain_catch_all: false } },
      { email: "pat@example.com" }
    )
  ],
  expected: { status, isCatchAllDomain },
  spent: 0.25
})

export const leadMagicFixtures: VendorFixtures = {
  contact_enricher: {
    cases: [
      {
        says: "finds an address, at its own price",
        request: PAT,
        exchanges: [leadMagicAsked("email-finder", { json: FOUND_EMAIL }, { ...byName, domain: "example.com" })],
        expected: LEAD_MAGIC_PAT,
        spent: 1
      },
      {
        says: "finds by the company's name where its domain is not known",
        request: { ...nobody, firstName: "Pat", lastName: "Doe", companyName: "Example Inc" },
        exchanges: [
          leadMagicAsked(
            "email-finder",
            { json: { ...FOUND_EMAIL, domain: "www.example.com" } },
            {
              ...byName,
              company_name: "Example Inc"
            }
          )
        ],
        expected: LEAD_MAGIC_PAT
      },
      {
        says: "an address of a domain that takes everything is told for what it is",
        request: PAT,
        exchanges: [leadMagicAsked("email-finder", { json: { ...FOUND_EMAIL, status: "valid_catch_all" } })],
        expected: { ...LEAD_MAGIC_PAT, workEmailStatus: "catch_all", emailVerdict: "catch_all_valid" }
      },
      {
        says: "a word that it did not have before is not taken for valid",
        request: PAT,
        exchanges: [leadMagicAsked("email-finder", { json: { ...FOUND_EMAIL, status: "quite_valid" } })],
        expected: { ...LEAD_MAGIC_PAT, workEmailStatus: "unknown", emailVerdict: "unknown" }
      },
      {
        says: "what it cost is taken for what is documented where it does not say",
        request: PAT,
        exchanges: [leadMagicAsked("email-finder", { json: { ...FOUND_EMAIL, credits_consumed: null } })],
        expected: LEAD_MAGIC_PAT,
        spent: 1
      },
      ...[
        { json: { email: null, status: "not_found", credits_consumed: 0 } },
        { json: { email: "", status: "not_found", credits_consumed: 0 } },
        { json: { status: "not_found", message: "Email not found", credits_consumed: "0" } },
        leadMagicError(404, "Person not found"),
        leadMagicError(404, "Nobody found at url.example"),
        { status: 404, json: { error: "Not Found" } }
      ].map((answer) => ({
        says: `knows nobody: ${JSON.stringify(answer)}`,
        request: PAT,
        exchanges: [leadMagicAsked("email-finder", answer)],
        expected: null,
        spent: 0
      })),
      ...[...UNKNOWABLE, ["an address alone", BY_EMAIL] as const, ["a profile alone", BY_PROFILE] as const]
        .filter(([says]) => says !== "a title and a company")
        .map(([says, request]) => unasked(says, request))
    ],
    wire: { hasEffect: true, failures: LEAD_MAGIC_FAILURES }
  },
  mobile_finder: {
    cases: [
      {
        says: "finds a number by profile",
        request: { ...BY_PROFILE, email: "pat@example.com" },
        exchanges: [
          leadMagicAsked(
            "mobile-finder",
            { json: { message: "Mobile number found", credits_consumed: 5, mobile_number: "15125550100" } },
            { profile_url: PROFILE }
          )
        ],
        expected: "+15125550100",
        spent: 5
      },
      {
        says: "finds a number by address",
        request: BY_EMAIL,
        exchanges: [
          leadMagicAsked(
            "mobile-finder",
            { json: { credits_consumed: 5, mobile_number: "+1 (512) 555-0100" } },
            { work_email: "pat@example.com" }
          )
        ],
        expected: "+15125550100"
      },
      {
        says: "what a number cost is taken for what is documented where it does not say",
        request: BY_EMAIL,
        exchanges: [leadMagicAsked("mobile-finder", { json: { mobile_number: "+15125550100" } })],
        expected: "+15125550100",
        spent: 5
      },
      ...[
        { json: { message: "Mobile number not found", credits_consumed: 0, mobile_number: null } },
        { json: { message: "Mobile number not found", mobile_number: null } },
        leadMagicError(404, "Mobile not found")
      ].map((answer) => ({
        says: `knows no number: ${JSON.stringify(answer)}`,
        request: BY_EMAIL,
        exchanges: [leadMagicAsked("mobile-finder", answer)],
        expected: null,
        spent: 0
      })),
      unasked("a name and a company", PAT)
    ],
    wire: { hasEffect: true, failures: LEAD_MAGIC_FAILURES }
  },
  email_verifier: {
    cases: [
      validated("valid", "valid", false),
      validated("valid_catch_all", "catch_all_valid", true),
      validated("catch_all", "catch_all_unknown", true),
      validated("invalid", "invalid", false),
      validated("unknown", "unknown", false),
      validated("new_word", "unknown", false),
      ...(
        [
          ["invalid", "invalid", 0.25],
          ["unknown", "unknown", 0]
        ] as const
      ).map(([email_status, status, spent]) => ({
        says: `what ${email_status} cost is taken for what is documented where it does not say`,
        request: "pat@example.com",
        exchanges: [leadMagicAsked("email-validation", { json: { email_status } })],
        expected: { status, isCatchAllDomain: false },
        spent
      }))
    ],
    wire: {
      hasEffect: true,
      failures: LEAD_MAGIC_FAILURES.filter(({ says }) => says !== "knows no such path")
    }
  },
  account: {
    exchanges: [
      { request: { method: "GET", path: "/v1/credits" }, answer: { json: { credits: 99.5, is_frozen: true } } }
    ],
    expected: { left: 99.5, missing: ["its credits are frozen"] }
  }
}
