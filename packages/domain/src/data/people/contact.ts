import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { Person } from "../../sources/ports/Person.js"
import type { Contact } from "../../verbs/fields.js"

const FINGERPRINT_CHARS = 32

/** Identifies a person across sources: by profile, else by name and company, else by address. */
const identityText = (person: Person, email: string | null): string => {
  if (person.socialUrl !== null) return `social:${person.socialUrl.toLowerCase().replace(/\/+$/, "")}`
  const name = (person.fullName ?? `${person.firstName ?? ""} ${person.lastName ?? ""}`).trim().toLowerCase()
  return name === "" && email !== null
    ? `email:${email}`
    : `name:${name}|${person.companyDomain ?? person.companyName ?? ""}`
}

/** The stable contact identifier: equal for the same person in all sources and verbs. */
export const fingerprintOf = (crypto: Crypto["Service"], person: Person, email: string | null = null): string =>
  crypto.sha256Hex(identityText(person, email)).slice(0, FINGERPRINT_CHARS)

const locationOf = (person: Person): string | null => {
  const parts = [person.city, person.country].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(", ")
}

/** A person as a contact record, with everything that must be revealed left out. */
export const maskedContact = (crypto: Crypto["Service"], person: Person, email: string | null = null): Contact => ({
  fingerprint: fingerprintOf(crypto, person, email),
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
