import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { DeclaredUse } from "@outbound/domain/outreach/sending/ramp.js"

/** What an owner says of a mailbox that sends a lot elsewhere: its ramp stands before no other rule for two weeks. */
export const sendsElsewhere = (nowMillis: number): DeclaredUse => ({
  declaredSends: 2_000,
  declaredSinceMillis: nowMillis - 60 * DAY_MILLIS,
  declaredAtMillis: nowMillis
})
