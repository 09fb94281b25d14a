import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { hasEmail } from "./Contacts.js"
import { fold } from "./Text.js"
import { addressOf, personBySlug, type World } from "./World.js"

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
