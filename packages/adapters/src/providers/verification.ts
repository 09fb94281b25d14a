import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { EmailCheck, EmailStatus, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect } from "effect"
import { declaredBy, type Declared, type VendorConfig } from "./Vendor.js"

/** The vendor's result in our terms; its basis is recorded as evidence. */
export const found = (
  source: string,
  status: EmailStatus,
  isCatchAllDomain: boolean,
  facts: JsonObject
): Effect.Effect<EmailCheck> =>
  Effect.flatMap(CurrentSourceAccess, ({ evidence }) =>
    Effect.as(evidence(source, facts), { status, isCatchAllDomain })
  )

/** A vendor's verifier, with its price per answer in the vendor's unit. */
export const verifierOf = (
  config: VendorConfig,
  name: string,
  declared: Declared,
  verify: EmailVerifier["verify"]
): EmailVerifier => ({ ...declaredBy(config, name, "email_verifier", declared), verify })
