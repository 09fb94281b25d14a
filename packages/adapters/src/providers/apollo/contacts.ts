import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import type { FollowUpSource } from "@outbound/domain/sources/Later.js"
import { Effect, Option, Schema } from "effect"
import { domainAmong } from "../companies.js"
import { contactWith, enricherOf, finderOf, professionalProfile, splitName, toldAddress } from "../contacts.js"
import { addressOf, maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import type { VendorConfig } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { makePhones, PHONE_CREDITS, type PhoneSettings } from "./phones.js"

/** Credits per person. */
const PERSON_CREDITS = 1

const Matched = Schema.Struct({
  person: Schema.NullOr(
    Schema.Struct({
      first_name: maybe(Schema.String),
      last_name: maybe(Schema.String),
      name: maybe(Schema.String),
      linkedin_url: maybe(Schema.String),
      title: maybe(Schema.String),
      email: maybe(Schema.String),
      email_status: maybe(Schema.String),
      city: maybe(Schema.String),
      country: maybe(Schema.String),
      organization: maybe(
        Schema.Struct({
          name: maybe(Schema.String),
          primary_domain: maybe(Schema.String),
          website_url: maybe(Schema.String),
          industry: maybe(Schema.String),
          estimated_num_employees: maybe(Schema.Number)
        })
      )
    })
  )
})
type Matched = typeof Matched.Type

/** Its word for a verified address. Other statuses say nothing certain. */
const VERDICTS: Readonly<Record<string, EmailStatus>> = { verified: "valid" }

/** The query that identifies a person; null if too little is known. */
export const matchOf = (identity: PersonIdentity): Readonly<Record<string, string>> | null => {
  const profile = professionalProfile(identity.socialUrl)
  const name = splitName(identity)
  const { companyDomain, companyName, email } = identity
  const isNamed = name !== null && (companyDomain !== null || companyName !== null)
  if (profile === null && email === null && !isNamed) return null
  return {
    ...(profile === null ? {} : { linkedin_url: profile }),
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { first_name: name.first, last_name: name.last }),
    ...(companyDomain === null ? {} : { domain: companyDomain }),
    ...(companyName === null ? {} : { organization_name: companyName })
  }
}

const contactOf = ({ person }: Matched): EnrichedContact | null => {
  if (person === null) return null
  const isBlank = [person.name, person.first_name, person.last_name, person.linkedin_url].every((one) => !one?.trim())
  const workEmail = toldAddress(person.email)
  if (isBlank && workEmail === null) return null
  const verdict = VERDICTS[person.email_status?.toLowerCase() ?? ""] ?? "unknown"
  const { organization } = person
  return contactWith({
    fullName: person.name,
    firstName: person.first_name,
    lastName: person.last_name,
    title: person.title,
    companyName: organization?.name ?? null,
    companyDomain: domainAmong([organization?.primary_domain ?? null, organization?.website_url ?? null]),
    companyHeadcount: organization?.estimated_num_employees ?? null,
    companyIndustry: organization?.industry ?? null,
    city: person.city,
    country: person.country,
    socialUrl: addressOf(person.linkedin_url),
    workEmail,
    workEmailStatus: workEmail === null ? "not_found" : verdict === "valid" ? "valid" : "unknown",
    emailVerdict: workEmail === null ? null : verdict
  })
}

export interface ApolloContacts {
  readonly sources: { readonly contact_enricher: ContactEnricher; readonly mobile_finder?: MobileFinder }
  readonly followUps: ReadonlyArray<FollowUpSource>
}

/**
 * Reveals people one by one. Mobile numbers come later, and only if the operator names a webhook address: Apollo
 * refuses to search for them without one.
 */
export const apolloContacts = (
  http: VendorHttp,
  config: VendorConfig,
  settings: PhoneSettings,
  spend: Spend
): ApolloContacts => {
  const lookup: ContactEnricher["lookup"] = (identity) => {
    const match = matchOf(identity)
    if (match === null) return Effect.succeedNone
    return http.read(Matched, { method: "POST", path: "/people/match", query: match, hasEffect: true }).pipe(
      Effect.tap(({ person }) => spend(person === null ? 0 : PERSON_CREDITS)),
      Effect.map((matched) => Option.fromNullable(contactOf(matched)))
    )
  }
  const declared = { units: PERSON_CREDITS, missRate: 0.4, latencyMillis: 2_000 }
  const contact_enricher = enricherOf(config, http.name, declared, lookup)
  const phones = makePhones(http, settings, spend)
  if (phones === null) return { sources: { contact_enricher }, followUps: [] }
  const slower = { units: PERSON_CREDITS + PHONE_CREDITS, missRate: 0.6, latencyMillis: 15_000 }
  const mobile_finder = finderOf(config, http.name, slower, (identity) => {
    const match = matchOf(identity)
    return match === null ? Effect.succeedNone : phones.find(identity, match)
  })
  return { sources: { contact_enricher, mobile_finder }, followUps: [phones.followUp] }
}
