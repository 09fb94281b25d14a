import { assert } from "@effect/vitest"
import { isCrediblePhone } from "@outbound/domain/data/people/Credible.js"
import type { MobileFinder } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { Effect, Option } from "effect"
import { portSuite } from "./portSuite.js"
import type { Fixture } from "./sources.js"

/** Asked about people; null: no number was found. */
export type MobileFinderFixture = Fixture<PersonIdentity, string | null>

export const mobileFinderSuite = portSuite<MobileFinder, PersonIdentity, string | null>({
  kind: "mobile_finder",
  ask: (source, identity) => Effect.map(source.find(identity), Option.getOrNull),
  holds: (number, { says }) => {
    if (number !== null) assert.isTrue(isCrediblePhone(number), `${says}: ${number} is not in E.164`)
  }
})
