import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailStatus, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { Effect, Option, Schema } from "effect"
import { domainAmong } from "../companies.js"
import { contactWith, internationalNumber, professionalProfile, splitName, toldAddress } from "../contacts.js"
import { maybe, maybeTexts, Numeric } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { found } from "../verification.js"
import type { VendorParts } from "../Vendor.js"

const path = (value: string) => setting(Schema.String.check(Schema.isStartingWith("/")), value)

const Paths = Schema.Struct({
  email_finder: path("/v1/people/email-finder"),
  mobile_finder: path("/v1/people/mobile-finder"),
  email_validation: path("/v1/people/email-validation"),
  credits: path("/v1/credits")
})

export const LeadMagicSettings = Schema.Struct({
  /** Below the base address. Older accounts have no `/v1/people`, and `/email-validate` for `email_validation`. */
  paths: setting(Paths, Schema.decodeSync(Paths)({}))
})

export type LeadMagicSettings = typeof LeadMagicSettings.Type

/** Its errors for an unknown person. */
const Nobody = Schema.Union([
  Schema.Struct({ errors: Schema.Array(Schema.Unknown) }),
  Schema.Struct({ error: Schema.Unknown }),
  Schema.Struct({ success: Schema.Literal(false) })
])

const FoundEmail = Schema.Struct({
  email: Schema.NullOr(Schema.String),
  status: maybe(Schema.String),
  credits_consumed: maybe(Numeric),
  ...maybeTexts("first_name", "last_name", "domain", "company_name", "company_industry")
})

/** An answer without an address may omit the field. */
const NoEmail = Schema.Struct({ status: Schema.Literal("not_found"), credits_consumed: maybe(Numeric) })

const FoundMobile = Schema.Struct({
  mobile_number: Schema.NullOr(Schema.Union([Schema.String, Schema.Number])),
  credits_consumed: maybe(Numeric)
})

const Validated = Schema.Struct({
  email_status: Schema.String,
  credits_consumed: maybe(Numeric),
  is_domain_catch_all: maybe(Schema.Boolean),
  mx_provider: maybe(Schema.String),
  mx_security_gateway: maybe(Schema.Union([Schema.String, Schema.Boolean]))
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

/** The reported charge, else the documented one. */
const costOf = (answer: { readonly credits_consumed?: number | null } | object, documented: number): number =>
  ("credits_consumed" in answer ? answer.credits_consumed : null) ?? documented

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

export const makePeople = ({ charged, http, settings: { paths } }: VendorParts<LeadMagicSettings>) => {
  const lookup: ContactEnricher["lookup"] = (identity) => {
    const name = splitName(identity)
    const { companyDomain, companyName } = identity
    if (name === null || (companyDomain === null && companyName === null)) return Effect.succeedNone
    const company = companyDomain === null ? { company_name: companyName } : { domain: companyDomain }
    const body = { first_name: name.first, last_name: name.last, ...company }
    const FoundOrNot = Schema.Union([FoundEmail, NoEmail, Nobody])
    const contactIn = (answer: typeof FoundOrNot.Type) => ("email" in answer ? contactOf(answer, identity) : null)
    return Effect.map(
      charged(FoundOrNot, { path: paths.email_finder, body }, (answer) =>
        costOf(answer, contactIn(answer) === null ? 0 : EMAIL_CREDITS)
      ),
      (answer) => Option.fromNullishOr(contactIn(answer))
    )
  }

  const find: MobileFinder["find"] = (identity) => {
    const profile = professionalProfile(identity.socialUrl)
    if (profile === null && identity.email === null) return Effect.succeedNone
    const body = profile === null ? { work_email: identity.email } : { profile_url: profile }
    const FoundOrNot = Schema.Union([FoundMobile, Nobody])
    const numberIn = (answer: typeof FoundOrNot.Type) =>
      "mobile_number" in answer ? numberOf(answer.mobile_number) : null
    return Effect.map(
      charged(FoundOrNot, { path: paths.mobile_finder, body }, (answer) =>
        costOf(answer, numberIn(answer) === null ? 0 : MOBILE_CREDITS)
      ),
      (answer) => Option.fromNullishOr(numberIn(answer))
    )
  }

  const verify: EmailVerifier["verify"] = (email) =>
    Effect.flatMap(
      charged(Validated, { path: paths.email_validation, body: { email } }, (answer) =>
        costOf(answer, FREE.has(statusOf(answer.email_status)) ? 0 : VALIDATION_CREDITS)
      ),
      ({ email_status, is_domain_catch_all, mx_provider }) => {
        const status = statusOf(email_status)
        const isCatchAll = status.startsWith("catch_all") || is_domain_catch_all === true
        return found(http.name, status, isCatchAll, { email_status, is_domain_catch_all, mx_provider })
      }
    )

  return { find, lookup, verify }
}
