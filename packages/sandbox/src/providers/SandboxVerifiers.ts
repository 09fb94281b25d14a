import type { EmailCheck, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Effect } from "effect"
import { checkStranger, contactOf } from "../world/Contacts.js"
import { personByEmail } from "../world/Identify.js"
import { MAGIC_DOMAIN, magicOfEmail, SLOW_MILLIS } from "../world/Magic.js"
import { world } from "../world/World.js"
import { hashText, share } from "../world/Hash.js"

/** The truth about an address, the same for every verifier. */
const check = (email: string): EmailCheck => {
  const theWorld = world()
  const domain = email.slice(email.lastIndexOf("@") + 1)
  const magic = magicOfEmail(email)
  if (magic !== null) return { status: magic.truth, isCatchAllDomain: magic.truth.startsWith("catch_all") }
  if (domain === MAGIC_DOMAIN) return { status: "invalid", isCatchAllDomain: false }
  const company = theWorld.companyByDomain.get(domain)
  if (company === undefined) return checkStranger(theWorld.seed, email, domain)
  const person = personByEmail(theWorld, email)
  if (person !== null) return { status: contactOf(theWorld, person).truth, isCatchAllDomain: company.isCatchAll }
  return { status: company.isCatchAll ? "catch_all_unknown" : "invalid", isCatchAllDomain: company.isCatchAll }
}

const verifier = (declared: Omit<EmailVerifier, "verify">, establishes: (email: string) => boolean): EmailVerifier => ({
  ...declared,
  // It knows the answer, so the effect is the outcome: no fiber needs to run for it.
  verify: (requested) => {
    const email = requested.trim().toLowerCase()
    const magic = magicOfEmail(email)
    if (magic?.finds === "unavailable") {
      return Effect.fail(new ProviderFailure({ provider: declared.name, reason: "transient" }))
    }
    const found = check(email)
    const checked = Effect.succeed<EmailCheck>(
      magic !== null || establishes(email) ? found : { ...found, status: "unknown" }
    )
    return magic?.slow === true ? Effect.delay(checked, SLOW_MILLIS) : checked
  }
})

const PROBE_SHARE = 0.88

/** The cheap one: for one address in eight it can't establish what is true. */
export const sandboxProbe: EmailVerifier = verifier(
  { name: "sandbox_probe", costMicros: 1_000, missRate: 0.15, latencyMillis: 60 },
  (email) => share(hashText(world().seed ^ 0x71, email)) < PROBE_SHARE
)

/** The thorough one: establishes what can be established at all. */
export const sandboxProbeDeep: EmailVerifier = verifier(
  { name: "sandbox_probe_deep", costMicros: 4_000, missRate: 0.05, latencyMillis: 250 },
  () => true
)
