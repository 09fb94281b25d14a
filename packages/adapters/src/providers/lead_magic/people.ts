import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailStatus, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { Effect, Option, Schema } from "effect"
import { domainAmong } from "../companies.js"
import { contactWith, internationalNumber, professionalProfile, splitName, toldAddress } from "../contacts.js"
import { maybe, Numeric } from "../shape.js"
import type { Spend } from "../spending.js"
import type { VendorHttp } from "../VendorHttp.js"
import { found } from "../verification.js"

/** The path of each request; its documentation has older ones too. */
export interface LeadMagicPaths {
  readonly email_finder: string
  readonly mobile_finder: string
  readonly email_validation: string
  readonly credits: string
}

/** Its errors for an unknown person. */
const Nobody = Schema.Union(
  Schema.Struct({ errors: Schema.Array(Schema.Unknown) }),
  Schema.Struct({ error: Schema.Unknown }),
  Schema.Struct({ success: Schema.Literal(false) })
)

const FoundEmail = Schema.Struct({
  email: Schema.NullOr(Schema.String),
  status: maybe(Schema.String),
  credits_consumed: maybe(Numeric),
  first_name: maybe(Schema.String),
  last_name: maybe(Schema.String),
  domain: maybe(Schema.String),
  company_name: maybe(Schema.String),
  company_industry: maybe(Schema.String)
})

/** An answer without an address may omit the field. */
const NoEmail = Schema.Struct({ status: Schema.Literal("not_found"), credits_consumed: maybe(Numeric) })

const FoundMobile = Schema.Struct({
  mobile_number: Schema.NullOr(Schema.Union(Schema.String, Schema.Number)),
  credits_consumed: maybe(Numeric)
})

const Validated = Schema.Struct({
  email_status: Schema.String,
  credits_consumed: maybe(Numeric),
  is_domain_catch_all: maybe(Schema.Boolean),
  mx_provider: maybe(Schema.String),
  mx_security_gateway: maybe(Schema.Union(Schema.String, Schema.Boolean))
})

/** Its address statuses; others count as `unknown`. */
const STATUSES: Readonly<Record<string, EmailStatus>> = {
  valid: "valid",
  valid_catch_all: "catch_all_valid",
  catch_all: "catch_all_unknown",
  invalid: "invalid"
}

const WORK_EMAIL_STATUS = {
  valid: "valid",
  catch_all_valid: "catch_all",
  catch_all_unknown: "catch_all",
  invalid: "unknown",
  risky: "unknown",
  unknown: "unknown"
} as const satisfies Readonly<Record<EmailStatus, EnrichedContact["workEmailStatus"]>>

/** Credits per hit, and the address statuses that are free. */
const EMAIL_CREDITS = 1
const MOBILE_CREDITS = 5
const VALIDATION_CREDITS = 0.25
const FREE: ReadonlySet<EmailStatus> = new Set(["unknown", "catch_all_unknown"])

const statusOf = (word: string | null): EmailStatus => STATUSES[word?.toLowerCase() ?? ""] ?? "unknown"

const contactOf = (answer: typeof FoundEmail.Type, asked: PersonIdentity): EnrichedContact | null => {
  const workEmail = toldAddress(answer.email)
  const status = statusOf(answer.status)
  // These are free, and useless for sending.
  if (workEmail === null || status === "invalid" || answer.status === "not_found") return null
  const name = splitName(asked)
  return contactWith({
    firstName: answer.first_name ?? name?.first ?? null,
    lastName: answer.last_name ?? name?.last ?? null,
    companyName: answer.company_name ?? asked.companyName,
    companyDomain: domainAmong([answer.domain, asked.companyDomain]),
    companyIndustry: answer.company_industry,
    workEmail,
    workEmailStatus: WORK_EMAIL_STATUS[status],
    emailVerdict: status
  })
}

const numberOf = (number: string | number | null): string | null => {
  const text = number === null ? "" : String(number).trim()
  // Numbers start with the country code, sometimes without `+`.
  return internationalNumber(/^[1-9]/.test(text) ? `+${text}` : text)
}

export const makePeople = (http: VendorHttp, paths: LeadMagicPaths, spend: Spend) => {
  /** The reported charge, else the documented one. */
  const charged = (credits: number | null, documented: number) => spend(credits ?? documented)

  const lookup: ContactEnricher["lookup"] = (identity) => {
    const name = splitName(identity)
    const company =
      identity.companyDomain === null ? { company_name: identity.companyName } : { domain: identity.companyDomain }
    if (name === null || (identity.companyDomain === null && identity.companyName === null)) return Effect.succeedNone
    return http
      .read(Schema.Union(FoundEmail, NoEmail, Nobody), {
        method: "POST",
        path: paths.email_finder,
        hasEffect: true,
        body: { first_name: name.first, last_name: name.last, ...company }
      })
      .pipe(
        Effect.map((answer) => ({
          contact: "email" in answer ? contactOf(answer, identity) : null,
          credits: "credits_consumed" in answer ? answer.credits_consumed : null
        })),
        Effect.tap(({ contact, credits }) => charged(credits, contact === null ? 0 : EMAIL_CREDITS)),
        Effect.map(({ contact }) => Option.fromNullable(contact))
      )
  }

  const find: MobileFinder["find"] = (identity) => {
    const profile = professionalProfile(identity.socialUrl)
    const known = profile === null ? { work_email: identity.email } : { profile_url: profile }
    if (profile === null && identity.email === null) return Effect.succeedNone
    return http
      .read(Schema.Union(FoundMobile, Nobody), {
        method: "POST",
        path: paths.mobile_finder,
        hasEffect: true,
        body: known
      })
      .pipe(
        Effect.map((answer) => ({
          number: "mobile_number" in answer ? numberOf(answer.mobile_number) : null,
          credits: "credits_consumed" in answer ? answer.credits_consumed : null
        })),
        Effect.tap(({ credits, number }) => charged(credits, number === null ? 0 : MOBILE_CREDITS)),
        Effect.map(({ number }) => Option.fromNullable(number))
      )
  }

  const verify: EmailVerifier["verify"] = (email) =>
    Effect.gen(function* () {
      const answer = yield* http.read(Validated, {
        method: "POST",
        path: paths.email_validation,
        hasEffect: true,
        body: { email }
      })
      const status = statusOf(answer.email_status)
      yield* charged(answer.credits_consumed, FREE.has(status) ? 0 : VALIDATION_CREDITS)
      const isCatchAll = status.startsWith("catch_all") || answer.is_domain_catch_all === true
      const { email_status, is_domain_catch_all, mx_provider } = answer
      return yield* found(http.name, status, isCatchAll, { email_status, is_domain_catch_all, mx_provider })
    })

  return { find, lookup, verify }
}
