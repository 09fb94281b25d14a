import type { ContactEnricher, EnrichedContact, MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Effect, Option } from "effect"
import { contactOf, toEnriched, type Contact } from "../world/Contacts.js"
import { identify } from "../world/Identify.js"
import { magicContact, magicOf, magicPerson, SLOW_MILLIS } from "../world/Magic.js"
import { slugOf, world } from "../world/World.js"
import { hashText, share } from "../world/Hash.js"

interface Known {
  /** Stable, one per person: decides which of the sources knows them. */
  readonly key: string
  readonly contact: Contact
  readonly enriched: EnrichedContact
}

const knownOf = (identity: PersonIdentity): Known | null => {
  const theWorld = world()
  const magic = magicOf(identity)
  if (magic !== null) {
    const contact = magicContact(theWorld.seed, magic)
    if (contact === null) return null
    const { mobile, workEmail, workEmailStatus, emailVerdict } = contact
    const mobilePhone = mobile?.comesWithEmail === true ? mobile.number : null
    const enriched = { ...magicPerson(theWorld.seed, magic), workEmail, workEmailStatus, emailVerdict, mobilePhone }
    return { key: magic.email, contact, enriched }
  }
  const person = identify(theWorld, identity)
  if (person === null) return null
  const contact = contactOf(theWorld, person)
  return { key: slugOf(theWorld, person), contact, enriched: toEnriched(theWorld, person, contact) }
}

const ask = <A>(
  source: string,
  identity: PersonIdentity,
  answer: (known: Known | null) => Option.Option<A>
): Effect.Effect<Option.Option<A>, ProviderFailure> =>
  Effect.suspend(() => {
    const magic = magicOf(identity)
    if (magic?.finds === "unavailable")
      return Effect.fail(new ProviderFailure({ provider: source, reason: "transient" }))
    const answered = Effect.sync(() => answer(knownOf(identity)))
    return magic?.slow === true ? Effect.delay(answered, SLOW_MILLIS) : answered
  })

const enricher = (declared: Omit<ContactEnricher, "lookup">, knows: (known: Known) => boolean): ContactEnricher => ({
  ...declared,
  lookup: (identity) =>
    ask(declared.name, identity, (known) =>
      known !== null && knows(known) ? Option.some(known.enriched) : Option.none()
    )
})

const INDEX_SHARE = 0.6

/** The cheap one: knows three in five of those who have an address, and of them all that the broad one knows. */
export const sandboxContactsIndex: ContactEnricher = enricher(
  { name: "sandbox_contacts_index", costMicros: 8_000, missRate: 0.5, latencyMillis: 40 },
  ({ contact, key }) => contact.workEmail !== null && share(hashText(world().seed ^ 0x61, key)) < INDEX_SHARE
)

/** The broad one: knows everybody, also those without an address. */
export const sandboxContactsBroad: ContactEnricher = enricher(
  { name: "sandbox_contacts_broad", costMicros: 24_000, missRate: 0.15, latencyMillis: 120 },
  () => true
)

/** Knows every mobile number there is. */
export const sandboxMobiles: MobileFinder = {
  name: "sandbox_mobiles",
  costMicros: 90_000,
  missRate: 0.6,
  latencyMillis: 200,
  find: (identity) => ask("sandbox_mobiles", identity, (known) => Option.fromNullable(known?.contact.mobile?.number))
}
