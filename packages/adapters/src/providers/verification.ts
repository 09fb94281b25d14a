import type { JsonObject } from "@outbound/domain/calls/canonical.js"
import type { EmailCheck, EmailStatus, EmailVerifier } from "@outbound/domain/ports/providers/EmailVerifier.js"
import { Upstreams } from "@outbound/domain/providers/Upstreams.js"
import { Effect } from "effect"
import { declaredOf, type VendorConfig } from "./Vendor.js"

/** What a vendor found, in our words, with what it rests on noted. */
export const found = (
  source: string,
  status: EmailStatus,
  isCatchAllDomain: boolean,
  facts: JsonObject
): Effect.Effect<EmailCheck> =>
  Effect.flatMap(Upstreams, ({ evidence }) => Effect.as(evidence(source, facts), { status, isCatchAllDomain }))

/** A vendor's verifier, which costs so many of its units for an answer. */
export const verifierOf = (
  config: VendorConfig,
  name: string,
  declared: { readonly units: number; readonly missRate: number; readonly latencyMillis: number },
  verify: EmailVerifier["verify"]
): EmailVerifier => ({
  ...declaredOf(config, name, "email_verifier", {
    costMicros: Math.round(declared.units * config.unitMicros),
    missRate: declared.missRate,
    latencyMillis: declared.latencyMillis
  }),
  verify
})
