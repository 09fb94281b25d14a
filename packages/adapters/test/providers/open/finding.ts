import type { KnownPeople } from "@outbound/domain/outreach/campaigns/knownPeople.js"
import type { ContactEnricher } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect } from "effect"
import { finder } from "../../../src/providers/finder/Finder.js"
import { madeIn, makeOpenWorld, type OpenWorld } from "./OpenWorld.js"

export const person = (
  firstName: string | null,
  lastName: string | null,
  companyDomain: string | null
): PersonIdentity => ({
  fullName: null,
  firstName,
  lastName,
  email: null,
  socialUrl: null,
  companyName: null,
  companyDomain,
  title: null
})

/** The finder among the world's hosts. */
export const make = (verifier: EmailVerifier, known: KnownPeople | null, settings: object = {}) =>
  Effect.flatMap(makeOpenWorld(), (world) => makeIn(world, verifier, known, settings))

/** A further one in the same world, as on another host. */
export const makeIn = (world: OpenWorld, verifier: EmailVerifier, known: KnownPeople | null, settings: object = {}) =>
  Effect.gen(function* () {
    const made = yield* madeIn(world, finder, settings, "", { verifier, known })
    const source = made.sources.contact_enricher as ContactEnricher
    const lookup = (identity: PersonIdentity) =>
      Effect.provideService(source.lookup(identity), CurrentSourceAccess, { ...noAccess, workspaceId: "w_1" })
    return { world, source, lookup }
  })
