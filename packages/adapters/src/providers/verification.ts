import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { EmailCheck, EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect } from "effect"

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
