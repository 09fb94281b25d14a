import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { Person, PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { Effect, Option, Schema } from "effect"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { domainAmong, industryAmong } from "../companies.js"
import { contactWith, internationalNumber, professionalProfile, splitName, toldAddress } from "../contacts.js"
import { addressOf, maybe, maybeTexts } from "../shape.js"
import type { VendorParts } from "../Vendor.js"

const Email = Schema.Struct({
  status: maybe(Schema.String),
  revealed: maybe(Schema.Boolean),
  email: maybe(Schema.String)
})

const Mobile = Schema.Struct({
  revealed: maybe(Schema.Boolean),
  ...maybeTexts("mobile", "mobile_international")
})

export const ProspeoPerson = Schema.Struct({
  ...maybeTexts("full_name", "first_name", "last_name", "linkedin_url", "current_job_title"),
  email: maybe(Email),
  mobile: maybe(Mobile),
  location: maybe(Schema.Struct({ city: maybe(Schema.String), country: maybe(Schema.String) }))
})

export const ProspeoCompany = Schema.Struct({
  ...maybeTexts("name", "website", "domain", "industry"),
  employee_count: maybe(Schema.Number)
})

const Enriched = Schema.Struct({
  error: Schema.Boolean,
  free_enrichment: maybe(Schema.Boolean),
  person: maybe(ProspeoPerson),
  company: maybe(ProspeoCompany)
})

/** Credits per person, and per person with a mobile number. */
const PERSON_CREDITS = 1
const MOBILE_CREDITS = 10

/** The query that identifies a person; null if too little is known. */
const datapointsOf = (identity: PersonIdentity): JsonObject | null => {
  const profile = professionalProfile(identity.socialUrl)
  const name = splitName(identity)
  const company = {
    ...(identity.companyDomain === null ? {} : { company_website: identity.companyDomain }),
    ...(identity.companyName === null ? {} : { company_name: identity.companyName })
  }
  const points = {
    ...(profile === null ? {} : { linkedin_url: profile }),
    ...(identity.email === null ? {} : { email: identity.email }),
    ...(name === null || Object.keys(company).length === 0
      ? {}
      : { first_name: name.first, last_name: name.last, ...company })
  }
  return Object.keys(points).length === 0 ? null : points
}

/** A person and company from its answers. */
export const personOf = (
  person: typeof ProspeoPerson.Type,
  company: typeof ProspeoCompany.Type | null,
  industriesAsked: ReadonlyArray<string> = []
): Person => ({
  fullName: person.full_name,
  firstName: person.first_name,
  lastName: person.last_name,
  title: person.current_job_title,
  companyName: company?.name ?? null,
  companyDomain: domainAmong([company?.domain ?? null, company?.website ?? null]),
  companyHeadcount: company?.employee_count ?? null,
  companyIndustry:
    company === null || company.industry === null ? null : industryAmong([company.industry], industriesAsked),
  city: person.location?.city ?? null,
  country: person.location?.country ?? null,
  socialUrl: addressOf(person.linkedin_url),
  observedAt: null
})

const numberOf = (mobile: typeof Mobile.Type | null): string | null =>
  mobile === null || mobile.revealed === false
    ? null
    : (internationalNumber(mobile.mobile_international) ?? internationalNumber(mobile.mobile))

const contactOf = ({ company, person }: typeof Enriched.Type): EnrichedContact | null => {
  if (person === null) return null
  const workEmail = person.email?.revealed === false ? null : toldAddress(person.email?.email ?? null)
  const isVerified = person.email?.status?.toUpperCase() === "VERIFIED"
  const found = isVerified ? ("valid" as const) : ("unknown" as const)
  return contactWith({
    ...personOf(person, company),
    workEmail,
    workEmailStatus: workEmail === null ? "not_found" : found,
    emailVerdict: workEmail === null ? null : found,
    mobilePhone: numberOf(person.mobile)
  })
}

export interface EnrichSettings {
  readonly only_verified_email: boolean
  readonly only_verified_mobile: boolean
}

/** Looks people up, with or without their mobile number, which costs ten times as much. */
export const makeEnrich = ({ charged, settings }: VendorParts<EnrichSettings>) => {
  const ask = (identity: PersonIdentity, withMobile: boolean) => {
    const data = datapointsOf(identity)
    if (data === null) return Effect.succeedNone
    const body = {
      data,
      only_verified_email: settings.only_verified_email && !withMobile,
      enrich_mobile: withMobile,
      ...(withMobile ? { only_verified_mobile: settings.only_verified_mobile } : {})
    }
    const cost = ({ free_enrichment, person }: typeof Enriched.Type) => {
      if (person === null || free_enrichment === true) return 0
      return numberOf(person.mobile) === null ? PERSON_CREDITS : MOBILE_CREDITS
    }
    return Effect.map(charged(Enriched, { path: "/enrich-person", body }, cost), (answer) =>
      Option.fromNullishOr(contactOf(answer))
    )
  }

  const lookup: ContactEnricher["lookup"] = (identity) => ask(identity, false)
  const find: MobileFinder["find"] = (identity) =>
    Effect.map(
      ask(identity, true),
      Option.flatMapNullishOr(({ mobilePhone }) => mobilePhone)
    )
  return { lookup, find }
}
