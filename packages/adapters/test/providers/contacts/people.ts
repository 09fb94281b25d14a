import type { EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { nobody } from "@outbound/testkit/contracts/providers/contactEnricher.js"

export const PROFILE = "https://www.linkedin.com/in/patdoe-example"

export const PAT: PersonIdentity = { ...nobody, fullName: "Pat Doe", companyDomain: "example.com" }
export const BY_PROFILE: PersonIdentity = { ...nobody, socialUrl: "https://de.linkedin.com/in/patdoe-example/?trk=x" }
export const BY_EMAIL: PersonIdentity = { ...nobody, email: "pat@example.com" }

/** As nobody can be looked up by them. */
export const UNKNOWABLE: ReadonlyArray<readonly [string, PersonIdentity]> = [
  ["a name without a company", { ...nobody, fullName: "Pat Doe" }],
  ["a first name alone", { ...nobody, firstName: "Pat", companyDomain: "example.com" }],
  ["a profile somewhere else", { ...nobody, socialUrl: "https://social.example/patdoe" }],
  ["a title and a company", { ...nobody, title: "CEO", companyName: "Example Inc" }]
]

export const contact = (known: Partial<EnrichedContact>): EnrichedContact => ({
  fullName: null,
  firstName: null,
  lastName: null,
  title: null,
  companyName: null,
  companyDomain: null,
  companyHeadcount: null,
  companyIndustry: null,
  city: null,
  country: null,
  socialUrl: null,
  observedAt: null,
  workEmail: null,
  workEmailStatus: null,
  emailVerdict: null,
  mobilePhone: null,
  ...known
})

export const unasked = (says: string, request: PersonIdentity) => ({
  says: `is not asked about ${says}`,
  request,
  exchanges: [],
  expected: null,
  spent: 0
})
