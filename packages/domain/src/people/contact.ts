import type { Context } from "effect"
import type { Crypto } from "../ports/Crypto.js"
import type { Person } from "../ports/providers/Person.js"
import type { Contact } from "../verbs/fields.js"

const FINGERPRINT_CHARS = 32

/** What identifies a person across sources: the profile where there is one, else the name at the company. */
const identityText = (person: Person): string =>
  person.socialUrl !== null
    ? `social:${person.socialUrl.toLowerCase().replace(/\/+$/, "")}`
    : `name:${(person.fullName ?? `${person.firstName ?? ""} ${person.lastName ?? ""}`).trim().toLowerCase()}|${person.companyDomain ?? person.companyName ?? ""}`

/** The stable contact identifier: equal for the same person, whichever source and verb named them. */
export const fingerprintOf = (crypto: Context.Tag.Service<typeof Crypto>, person: Person): string =>
  crypto.sha256Hex(identityText(person)).slice(0, FINGERPRINT_CHARS)

const locationOf = (person: Person): string | null => {
  const parts = [person.city, person.country].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(", ")
}

/** A person as a contact record, with everything that must be revealed left out (interface.md §2.2). */
export const maskedContact = (crypto: Context.Tag.Service<typeof Crypto>, person: Person): Contact => ({
  fingerprint: fingerprintOf(crypto, person),
  full_name: person.fullName,
  title: person.title,
  company_name: person.companyName,
  company_domain: person.companyDomain,
  work_email: null,
  work_email_status: null,
  email_verdict: null,
  mobile_phone: null,
  social_url: person.socialUrl,
  location: locationOf(person),
  observed_at: person.observedAt
})
