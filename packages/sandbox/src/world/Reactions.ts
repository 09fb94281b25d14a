import { contactOf, personByEmail } from "./Contacts.js"
import { magicOfEmail, magicPerson } from "./Magic.js"
import type { Persona } from "./Personas.js"
import { personOf, type World } from "./World.js"
import { hash, share } from "./Hash.js"

/** Who stands behind an address, as far as the world knows. */
export interface Recipient {
  readonly fullName: string | null
  /** Null: says nothing. */
  readonly persona: Persona | null
}

const WHAT_PERSONA = 0x41

/** Upper bounds of the shares of those whose address works; the rest is silent. An address that does not bounces. */
const SHARES: ReadonlyArray<readonly [number, Persona]> = [
  [0.15, "interested"],
  [0.23, "not_interested"],
  [0.33, "out_of_office"],
  [0.36, "unsubscribe"],
  [0.43, "other"]
]

const personaOf = (world: World, person: number): Persona | null => {
  if (contactOf(world, person).truth === "invalid") return "bounce"
  const drawn = share(hash(world.seed, WHAT_PERSONA, person))
  return SHARES.find(([bound]) => drawn < bound)?.[1] ?? null
}

/** Null: nobody of the sandbox's world, and no reaction. */
export const recipientOf = (world: World, email: string): Recipient | null => {
  const magic = magicOfEmail(email)
  if (magic !== null) return { fullName: magicPerson(world.seed, magic).fullName, persona: magic.persona }
  const person = personByEmail(world, email)
  return person === null ? null : { fullName: personOf(world, person).fullName, persona: personaOf(world, person) }
}
