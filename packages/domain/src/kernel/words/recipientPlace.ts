import { countryOfCode, readCountry } from "../people/Countries.js"
import type { LeadOrigin } from "../people/origins.js"
import { placeOf } from "../places/placeOf.js"
import type { Recipient } from "../sequences/Sequence.js"

/** By what the country of a recipient is known, the surest first. */
export const KNOWN_BY = ["person", "company", "domain"] as const
export type KnownBy = (typeof KNOWN_BY)[number]

/** The country of a recipient, as its ISO 3166-1 alpha-2 code. */
export interface RecipientPlace {
  /** Null: not known. */
  readonly country: string | null
  readonly knownBy: KnownBy | null
}

export const UNKNOWN_PLACE: RecipientPlace = { country: null, knownBy: null }

/** The names of custom values that say where a person's company is, without spaces, marks and capitals. */
const COMPANY_NAMES: ReadonlySet<string> = new Set([
  "companycountry",
  "companycountrycode",
  "companyhqcountry",
  "headquarterscountry",
  "hqcountry",
  "organizationcountry",
  "accountcountry"
])

/** Domains of countries that people take for what they sound like, wherever they are. */
const SOLD_EVERYWHERE: ReadonlySet<string> = new Set(
  "ac ag ai am bz cc cd co cx dj fm gg gl im io is la li ly me ms mu nu pro pw sc sh so st su tk to tv vc vg ws".split(
    " "
  )
)

/** The domain of the United Kingdom is not its code. */
const CODE_OF_DOMAIN: Readonly<Record<string, string>> = { uk: "GB" }

const ofDomain = (email: string): string | null => {
  const last = email.slice(email.lastIndexOf(".") + 1).toLowerCase()
  if (last.length !== 2 || SOLD_EVERYWHERE.has(last)) return null
  return countryOfCode(CODE_OF_DOMAIN[last] ?? last)?.code ?? null
}

const ofCompany = (custom: Recipient["custom"]): string | null => {
  for (const [name, value] of Object.entries(custom)) {
    if (!COMPANY_NAMES.has(name.toLowerCase().replace(/[^a-z]/g, ""))) continue
    const country = readCountry(value)
    if (country !== null) return country.code
  }
  return null
}

/**
 * The country whose words a recipient gets: what is said of the person, else of their company, else the country of their
 * address's domain, unless everybody buys domains there.
 */
export const recipientPlace = (
  recipient: Pick<Recipient, "custom" | "email">,
  origin: Pick<LeadOrigin, "country"> | null
): RecipientPlace => {
  const person = placeOf(recipient).country ?? origin?.country ?? null
  if (person !== null) return { country: person, knownBy: "person" }
  const company = ofCompany(recipient.custom)
  if (company !== null) return { country: company, knownBy: "company" }
  const domain = ofDomain(recipient.email)
  return domain === null ? UNKNOWN_PLACE : { country: domain, knownBy: "domain" }
}
