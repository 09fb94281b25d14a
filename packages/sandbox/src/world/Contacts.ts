import type { EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailCheck, EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { fictionalMobile } from "./Phones.js"
import { addressOf, companyOf, personBySlug, personOf, type World } from "./World.js"
import { hash, hashText, share } from "./Hash.js"
import { fold } from "./Text.js"

/** What can be found out about one person, by the sources together. */
export interface Contact {
  readonly workEmail: string | null
  readonly workEmailStatus: NonNullable<EnrichedContact["workEmailStatus"]>
  /** What the enricher says of the address. Null: it has not checked it. */
  readonly emailVerdict: EmailStatus | null
  /** What a verification of the address finds. */
  readonly truth: EmailStatus
  readonly mobile: { readonly number: string; readonly comesWithEmail: boolean } | null
}

const What = {
  email: 0x31,
  quality: 0x32,
  unverified: 0x33,
  catchAll: 0x34,
  mobile: 0x35,
  number: 0x36,
  stranger: 0x37,
  domain: 0x38
} as const

const HAS_EMAIL_SHARE = 0.85

/** Verdicts of addresses whose server tells: valid, flagged, and the rest never checked. */
const VALID_SHARE = 0.86
const RISKY_SHARE = 0.04

/** What verification finds of the addresses that were never checked. */
const UNVERIFIED: ReadonlyArray<readonly [number, EmailStatus]> = [
  [0.5, "valid"],
  [0.8, "invalid"],
  [1, "unknown"]
]

const CATCH_ALL_VALID_SHARE = 0.6

/** Mobile numbers: this share of those with an email has one that comes with it; this share of all, one to search for. */
const MOBILE_WITH_EMAIL_SHARE = 0.3
const MOBILE_BY_SEARCH_SHARE = 0.3

const below = (drawn: number, table: ReadonlyArray<readonly [number, EmailStatus]>): EmailStatus =>
  table.find(([bound]) => drawn < bound)?.[1] ?? "unknown"

const catchAllStatus = (drawn: number): EmailStatus =>
  drawn < CATCH_ALL_VALID_SHARE ? "catch_all_valid" : "catch_all_unknown"

type Address = Omit<Contact, "mobile">

const addressFacts = (world: World, person: number): Address => {
  const workEmail = addressOf(world, person)
  if (companyOf(world, person).isCatchAll) {
    const status = catchAllStatus(share(hash(world.seed, What.catchAll, person)))
    return { workEmail, workEmailStatus: "catch_all", emailVerdict: status, truth: status }
  }
  const quality = share(hash(world.seed, What.quality, person))
  if (quality < VALID_SHARE) return { workEmail, workEmailStatus: "valid", emailVerdict: "valid", truth: "valid" }
  if (quality < VALID_SHARE + RISKY_SHARE) {
    return { workEmail, workEmailStatus: "unknown", emailVerdict: "risky", truth: "risky" }
  }
  const truth = below(share(hash(world.seed, What.unverified, person)), UNVERIFIED)
  return { workEmail, workEmailStatus: "unknown", emailVerdict: null, truth }
}

const hasEmail = (world: World, person: number): boolean =>
  share(hash(world.seed, What.email, person)) < HAS_EMAIL_SHARE

export const contactOf = (world: World, person: number): Contact => {
  const reachable = hasEmail(world, person)
  const drawn = share(hash(world.seed, What.mobile, person))
  const comesWithEmail = reachable && drawn < MOBILE_WITH_EMAIL_SHARE
  const hasMobile = comesWithEmail || 1 - drawn <= MOBILE_BY_SEARCH_SHARE
  const country = world.cities[world.cityOf[person] ?? 0]?.country ?? null
  const mobile = hasMobile
    ? { number: fictionalMobile(country, hash(world.seed, What.number, person)), comesWithEmail }
    : null
  return reachable
    ? { ...addressFacts(world, person), mobile }
    : { workEmail: null, workEmailStatus: "not_found", emailVerdict: null, truth: "invalid", mobile }
}

export const toEnriched = (world: World, person: number, contact: Contact): EnrichedContact => ({
  ...personOf(world, person),
  workEmail: contact.workEmail,
  workEmailStatus: contact.workEmailStatus,
  emailVerdict: contact.emailVerdict,
  mobilePhone: contact.mobile?.comesWithEmail === true ? contact.mobile.number : null
})

/** Outcomes for addresses at domains that the world does not know. */
const STRANGERS: ReadonlyArray<readonly [number, EmailStatus]> = [
  [0.76, "valid"],
  [0.87, "invalid"],
  [0.93, "risky"],
  [1, "unknown"]
]
const STRANGE_CATCH_ALL_SHARE = 0.12

/** What verification finds of an address at a domain that is none of the world's companies'. */
export const checkStranger = (seed: number, email: string, domain: string): EmailCheck => {
  const isCatchAllDomain = share(hashText(seed ^ What.domain, domain)) < STRANGE_CATCH_ALL_SHARE
  const drawn = share(hashText(seed ^ What.stranger, email))
  return { isCatchAllDomain, status: isCatchAllDomain ? catchAllStatus(drawn) : below(drawn, STRANGERS) }
}

const SOCIAL_URL = /^(?:https?:\/\/)?(?:www\.)?social\.example\/in\/([^/?#]+)\/?(?:[?#].*)?$/i

/** The last part of a profile address of the world's network, or null for any other address. */
export const slugIn = (socialUrl: string): string | null =>
  SOCIAL_URL.exec(socialUrl.trim())?.[1]?.toLowerCase() ?? null

const among = (world: World, domain: string, matches: (person: number) => boolean): number | null => {
  const company = world.companyByDomain.get(domain)
  if (company === undefined) return null
  for (let person = company.firstPerson; person < company.firstPerson + company.peopleCount; person++) {
    if (matches(person)) return person
  }
  return null
}

/** Who has this address. Nobody has an address that the world only would have given them. */
export const personByEmail = (world: World, email: string): number | null => {
  const address = email.trim().toLowerCase()
  return among(
    world,
    address.slice(address.lastIndexOf("@") + 1),
    (person) => hasEmail(world, person) && addressOf(world, person) === address
  )
}

export const personByName = (world: World, fullName: string, companyDomain: string): number | null => {
  const name = fold(fullName)
  return among(world, companyDomain.toLowerCase(), (person) => {
    const first = world.firstNames[world.firstNameOf[person] ?? 0] ?? ""
    const last = world.lastNames[world.lastNameOf[person] ?? 0] ?? ""
    return fold(`${first} ${last}`) === name
  })
}

/** The person of the world that is meant: by profile, else by address, else by name and company. */
export const identify = (world: World, identity: PersonIdentity): number | null => {
  const slug = identity.socialUrl === null ? null : slugIn(identity.socialUrl)
  const bySlug = slug === null ? null : personBySlug(world, slug)
  if (bySlug !== null) return bySlug
  const byEmail = identity.email === null ? null : personByEmail(world, identity.email)
  if (byEmail !== null) return byEmail
  const name =
    identity.fullName ??
    (identity.firstName !== null && identity.lastName !== null ? `${identity.firstName} ${identity.lastName}` : null)
  return name === null || identity.companyDomain === null ? null : personByName(world, name, identity.companyDomain)
}
