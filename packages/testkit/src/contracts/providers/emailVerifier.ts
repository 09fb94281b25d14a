import { assert } from "@effect/vitest"
import { type EmailCheck, EMAIL_STATUSES, type EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { portSuite } from "./portSuite.js"
import type { Fixture } from "./sources.js"

/** Asked about addresses. */
export type EmailVerifierFixture = Fixture<string, EmailCheck>

export const emailVerifierSuite = portSuite<EmailVerifier, string, EmailCheck>({
  kind: "email_verifier",
  ask: (source, email) => source.verify(email),
  holds: ({ isCatchAllDomain, status }, { says }) => {
    assert.include(EMAIL_STATUSES, status, says)
    assert.isBoolean(isCatchAllDomain, says)
    if (status.startsWith("catch_all")) assert.isTrue(isCatchAllDomain, `${says}: a domain that takes everything`)
  }
})
