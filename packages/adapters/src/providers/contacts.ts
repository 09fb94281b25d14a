import { isCrediblePhone } from "@outbound/domain/data/people/Credible.js"
import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import type { EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { Person, PersonIdentity } from "@outbound/domain/sources/ports/Person.js"

// Shared by contact vendors: what they need to know of a person, and how they mark missing data.

/** A person without any data. */
const NOBODY: Person = {
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
  observedAt: null
}

/** A contact with these fields; the rest is null. */
export const contactWith = (known: Partial<EnrichedContact>): EnrichedContact => ({
  ...NOBODY,
  workEmail: null,
  workEmailStatus: null,
  emailVerdict: null,
  mobilePhone: null,
  ...known
})

const trimmedOrNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

/** First and last name, given or split from the full name. */
export const splitName = ({
  firstName,
  fullName,
  lastName
}: Pick<PersonIdentity, "firstName" | "fullName" | "lastName">): {
  readonly first: string
  readonly last: string
} | null => {
  const [begin, ...rest] = trimmedOrNull(fullName)?.split(/\s+/) ?? []
  const first = trimmedOrNull(firstName) ?? begin ?? null
  const last = trimmedOrNull(lastName) ?? trimmedOrNull(rest.join(" "))
  return first === null || last === null ? null : { first, last }
}

/** The person's profile on the professional network, by which vendors know people. Null for other profiles. */
export const professionalProfile = (url: string | null): string | null => {
  const host = url === null ? null : hostOf(url)
  if (url === null || host === null || !(host === "linkedin.com" || host.endsWith(".linkedin.com"))) return null
  const { pathname } = new URL(/^https?:\/\//i.test(url) ? url : `https://${url}`)
  const handle = /^\/in\/[^/]+/.exec(pathname)?.[0]
  return handle === undefined ? null : `https://www.linkedin.com${handle}`
}

/** Vendors' placeholders for a hidden address: asterisks, or words such as "not unlocked". */
const PLACEHOLDER = /\*|^(?:email_)?not_unlocked@|^no_?e?mail@/i

/** The address, unless it is a placeholder. The caller checks whether it is valid. */
export const toldAddress = (text: string | null): string | null => {
  const address = trimmedOrNull(text)
  return address === null || PLACEHOLDER.test(address) ? null : address
}

/** A phone number in E.164; null if it is masked or has no country code. */
export const internationalNumber = (text: string | null): string | null => {
  const number = trimmedOrNull(text)
  if (number === null || !/^(?:\+|00)[\d\s().-]+$/.test(number)) return null
  const digits = `+${number.replace(/^00/, "").replace(/\D/g, "")}`
  return isCrediblePhone(digits) ? digits : null
}
