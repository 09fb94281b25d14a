import { assert } from "@effect/vitest"
import { credibleContact } from "@outbound/domain/data/enrichment/credibleContact.js"
import type { ContactEnricher, EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { Effect, Option } from "effect"
import { portSuite } from "./portSuite.js"
import { type Fixture, isRegistrable, keepsAll } from "./sources.js"

/** Asked about people; null: there is no such person, or nothing to reveal of them. */
export type ContactEnricherFixture = Fixture<PersonIdentity, EnrichedContact | null>

export const contactEnricherSuite = portSuite<ContactEnricher, PersonIdentity, EnrichedContact | null>({
  kind: "contact_enricher",
  ask: (source, identity) => Effect.map(source.lookup(identity), Option.getOrNull),
  holds: (contact, { says }) => {
    if (contact === null) return
    keepsAll(contact, credibleContact(contact), says)
    isRegistrable(contact.companyDomain, says)
    const { workEmail, workEmailStatus } = contact
    if (workEmail === null) assert.include(["not_found", null], workEmailStatus, `${says}: what is said of no address`)
    else assert.notStrictEqual(workEmailStatus, "not_found", `${says}: an address that was found`)
  }
})

/** Nobody is known by anything. */
export const nobody: PersonIdentity = {
  fullName: null,
  firstName: null,
  lastName: null,
  email: null,
  socialUrl: null,
  companyName: null,
  companyDomain: null,
  title: null
}
