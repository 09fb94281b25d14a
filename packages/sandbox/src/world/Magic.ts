import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { Person, PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { type Contact, slugIn } from "./Contacts.js"
import { NAME_POOLS } from "./Names.js"
import type { Persona } from "./Personas.js"
import { fictionalMobile } from "./Phones.js"
import { observedAt, SOCIAL_PREFIX } from "./World.js"
import { hashText, pick } from "./Hash.js"

/** The domain whose addresses have documented outcomes. */
export const MAGIC_DOMAIN = "magic.test"

/** How long `slow@` takes to be answered, in milliseconds. */
export const SLOW_MILLIS = 3000

interface Spell {
  readonly truth: EmailStatus
  /** What an enrichment finds. `unavailable`: every source fails. */
  readonly finds: "email" | "email_and_mobile" | "email_then_mobile" | "nobody" | "unavailable"
  readonly persona: Persona | null
  readonly slow?: true
}

/** What each local part at the magic domain does. */
export const SPELLS = {
  valid: { truth: "valid", finds: "email", persona: null },
  invalid: { truth: "invalid", finds: "nobody", persona: null },
  catch_all_valid: { truth: "catch_all_valid", finds: "email", persona: null },
  catch_all_unknown: { truth: "catch_all_unknown", finds: "email", persona: null },
  risky: { truth: "risky", finds: "email", persona: null },
  unknown: { truth: "unknown", finds: "email", persona: null },
  unavailable: { truth: "unknown", finds: "unavailable", persona: null },
  slow: { truth: "valid", finds: "email", persona: null, slow: true },
  "email-only": { truth: "valid", finds: "email", persona: null },
  "email-and-mobile": { truth: "valid", finds: "email_and_mobile", persona: null },
  "mobile-search": { truth: "valid", finds: "email_then_mobile", persona: null },
  miss: { truth: "invalid", finds: "nobody", persona: null },
  interested: { truth: "valid", finds: "email", persona: "interested" },
  not_interested: { truth: "valid", finds: "email", persona: "not_interested" },
  other: { truth: "valid", finds: "email", persona: "other" },
  out_of_office: { truth: "valid", finds: "email", persona: "out_of_office" },
  unsubscribe: { truth: "valid", finds: "email", persona: "unsubscribe" },
  bounce: { truth: "invalid", finds: "nobody", persona: "bounce" },
  silent: { truth: "valid", finds: "email", persona: null }
} as const satisfies Record<string, Spell>

export type SpellName = keyof typeof SPELLS

const isSpell = (name: string): name is SpellName => Object.hasOwn(SPELLS, name)

/** A magic address: what it does, and the tag that makes one person of it among many. */
export interface Magic extends Spell {
  readonly name: SpellName
  /** What follows the first `+`; empty without one. */
  readonly tag: string
  readonly email: string
}

const cast = (name: SpellName, tag: string): Magic => ({
  ...SPELLS[name],
  name,
  tag,
  email: `${name}${tag === "" ? "" : `+${tag}`}@${MAGIC_DOMAIN}`
})

/** The magic of an address, or null where it has none. Case does not matter. */
export const magicOfEmail = (email: string): Magic | null => {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf("@")
  if (address.slice(at + 1) !== MAGIC_DOMAIN) return null
  const local = address.slice(0, at)
  const plus = local.indexOf("+")
  const name = plus < 0 ? local : local.slice(0, plus)
  return isSpell(name) ? cast(name, plus < 0 ? "" : local.slice(plus + 1)) : null
}

const SLUG_START = "magic."

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const magicOfSlug = (slug: string): Magic | null => {
  if (!slug.startsWith(SLUG_START)) return null
  const rest = slug.slice(SLUG_START.length)
  const dot = rest.indexOf(".")
  const name = dot < 0 ? rest : rest.slice(0, dot)
  const tag = dot < 0 ? "" : decoded(rest.slice(dot + 1))
  return isSpell(name) && tag !== null ? cast(name, tag) : null
}

/** Magic people are known by their address or their profile. Nobody has an address that can't be one. */
export const magicOf = (identity: PersonIdentity): Magic | null => {
  const byEmail = identity.email === null ? null : magicOfEmail(identity.email)
  const slug = byEmail !== null || identity.socialUrl === null ? null : slugIn(identity.socialUrl)
  const magic = slug === null ? byEmail : magicOfSlug(slug)
  return magic !== null && usableEmail(magic.email) !== null ? magic : null
}

const TITLES = [
  "Head of Sales",
  "VP of Marketing",
  "Founder & CEO",
  "Director of Operations",
  "Revenue Operations Manager"
]

export const magicPerson = (seed: number, magic: Magic): Person => {
  const key = hashText(seed, magic.email)
  const firstName = pick(key, NAME_POOLS.english.first)
  const lastName = pick(key >>> 8, NAME_POOLS.english.last)
  return {
    fullName: `${firstName} ${lastName}`,
    firstName,
    lastName,
    title: pick(key >>> 16, TITLES),
    companyName: "Magic Test Company",
    companyDomain: MAGIC_DOMAIN,
    companyHeadcount: 42,
    companyIndustry: INDUSTRIES[0] ?? null,
    city: "London",
    country: "United Kingdom",
    socialUrl: `${SOCIAL_PREFIX}${SLUG_START}${magic.name}${magic.tag === "" ? "" : `.${encodeURIComponent(magic.tag)}`}`,
    observedAt: observedAt(seed, key)
  }
}

const emailStatusOf = (truth: EmailStatus): Contact["workEmailStatus"] =>
  truth === "valid" ? "valid" : truth.startsWith("catch_all") ? "catch_all" : "unknown"

/** What enrichment finds of a magic person; null for those whom nobody knows. */
export const magicContact = (seed: number, magic: Magic): Contact | null => {
  if (magic.finds === "nobody" || magic.finds === "unavailable") return null
  const number = fictionalMobile("United Kingdom", hashText(seed ^ 1, magic.email))
  return {
    workEmail: magic.email,
    workEmailStatus: emailStatusOf(magic.truth),
    emailVerdict: magic.truth,
    truth: magic.truth,
    mobile: magic.finds === "email" ? null : { number, comesWithEmail: magic.finds === "email_and_mobile" }
  }
}
