import { isCrediblePhone } from "@outbound/domain/data/people/Credible.js"
import { hostOf } from "@outbound/domain/kernel/people/Domain.js"
import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { Person, PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { declaredBy, type Declared, type VendorConfig } from "./Vendor.js"

/*
 * What vendors of contacts have in common: what they need to know of a person before they can be asked, and what they say
 * where they have nothing to say.
 */

/** Nobody is known by anything. */
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

/** A person's contact with what is known of it; the rest is null. */
export const contactWith = (known: Partial<EnrichedContact>): EnrichedContact => ({
  ...NOBODY,
  workEmail: null,
  workEmailStatus: null,
  emailVerdict: null,
  mobilePhone: null,
  ...known
})

const said = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

/** First and last name, where both are told or can be told from the whole. */
export const splitName = ({
  firstName,
  fullName,
  lastName
}: Pick<PersonIdentity, "firstName" | "fullName" | "lastName">): {
  readonly first: string
  readonly last: string
} | null => {
  const [begin, ...rest] = said(fullName)?.split(/\s+/) ?? []
  const first = said(firstName) ?? begin ?? null
  const last = said(lastName) ?? said(rest.join(" "))
  return first === null || last === null ? null : { first, last }
}

/** The address of a person's profile on the professional network that vendors know people by; others tell them nothing. */
export const professionalProfile = (url: string | null): string | null => {
  const host = url === null ? null : hostOf(url)
  if (url === null || host === null || !(host === "linkedin.com" || host.endsWith(".linkedin.com"))) return null
  const { pathname } = new URL(/^https?:\/\//i.test(url) ? url : `https://${url}`)
  const handle = /^\/in\/[^/]+/.exec(pathname)?.[0]
  return handle === undefined ? null : `https://www.linkedin.com${handle}`
}

/** What vendors write in the place of an address that they don't tell: asterisks in it, or words for having none. */
const PLACEHOLDER = /\*|^(?:email_)?not_unlocked@|^no_?e?mail@/i

/** The address, unless it stands for none. What is no address at all is for whoever asked to judge. */
export const toldAddress = (text: string | null): string | null => {
  const address = said(text)
  return address === null || PLACEHOLDER.test(address) ? null : address
}

/** A number as vendors write it, in E.164; null where it is masked, or of no country. */
export const internationalNumber = (text: string | null): string | null => {
  const number = said(text)
  if (number === null || !/^(?:\+|00)[\d\s().-]+$/.test(number)) return null
  const digits = `+${number.replace(/^00/, "").replace(/\D/g, "")}`
  return isCrediblePhone(digits) ? digits : null
}

/** A vendor's enricher, which costs so many of its units for a person. */
export const enricherOf = (
  config: VendorConfig,
  name: string,
  declared: Declared,
  lookup: ContactEnricher["lookup"]
): ContactEnricher => ({ ...declaredBy(config, name, "contact_enricher", declared), lookup })

/** A vendor's finder of mobile numbers, which costs so many of its units for a number. */
export const finderOf = (
  config: VendorConfig,
  name: string,
  declared: Declared,
  find: MobileFinder["find"]
): MobileFinder => ({ ...declaredBy(config, name, "mobile_finder", declared), find })
