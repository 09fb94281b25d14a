import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import type { FollowUpSource } from "@outbound/domain/sources/ports/FollowUpSource.js"
import { Effect, Option, Schema } from "effect"
import { domainAmong } from "../companies.js"
import { contactWith, professionalProfile, splitName, toldAddress } from "../contacts.js"
import { addressOf, maybe, maybeTexts } from "../shape.js"
import { makePhones, PHONE_CREDITS, type PhoneSettings } from "./phones.js"
import type { VendorParts } from "../Vendor.js"

/** Credits per person. */
const PERSON_CREDITS = 1

const Matched = Schema.Struct({
  person: Schema.NullOr(
    Schema.Struct({
      ...maybeTexts(
        "first_name",
        "last_name",
        "name",
        "linkedin_url",
        "title",
        "email",
        "email_status",
        "city",
        "country"
      ),
      organization: maybe(
        Schema.Struct({
          ...maybeTexts("name", "primary_domain", "website_url", "industry"),
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
export const apolloContacts = (parts: VendorParts<PhoneSettings>): ApolloContacts => {
  const { charged, declared } = parts
  const lookup: ContactEnricher["lookup"] = (identity) => {
    const match = matchOf(identity)
    if (match === null) return Effect.succeedNone
    const request = { path: "/people/match", query: match }
    const cost = ({ person }: Matched) => (person === null ? 0 : PERSON_CREDITS)
    return Effect.map(charged(Matched, request, cost), (matched) => Option.fromNullishOr(contactOf(matched)))
  }
  const contact_enricher = {
    ...declared("contact_enricher", { units: PERSON_CREDITS, missRate: 0.4, latencyMillis: 2_000 }),
    lookup
  }
  const phones = makePhones(parts)
  if (phones === null) return { sources: { contact_enricher }, followUps: [] }
  const mobile_finder: MobileFinder = {
    ...declared("mobile_finder", { units: PERSON_CREDITS + PHONE_CREDITS, missRate: 0.6, latencyMillis: 15_000 }),
    find: (identity) => {
      const match = matchOf(identity)
      return match === null ? Effect.succeedNone : phones.find(identity, match)
    }
  }
  return { sources: { contact_enricher, mobile_finder }, followUps: [phones.followUp] }
}
