import { DAY_MILLIS } from "../../kernel/durations.js"
import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"

/** What a call of the workspace found out about an address, and when. */
export interface Verdict {
  readonly status: EmailStatus
  readonly checkedAtMillis: number
}

/** No verdict is kept for longer: no rule of a workspace counts an older one. */
export const VERDICT_DAYS_MAX = 365

/**
 * Whether a verdict takes the place of the one before: the newer one does. One that could establish nothing replaces only
 * another such: it says nothing against what was established.
 */
export const replaces = (before: Verdict, after: Verdict): boolean =>
  after.checkedAtMillis >= before.checkedAtMillis && (after.status !== "unknown" || before.status === "unknown")

/** Whether a verdict is young enough to count. */
export const isCurrent = (verdict: Verdict, maxAgeDays: number, nowMillis: number): boolean =>
  nowMillis - verdict.checkedAtMillis <= maxAgeDays * DAY_MILLIS

/** Whether it says that the address takes mail, or may. What is unknown or invalid is not verified. */
export const isVerified = ({ status }: Verdict): boolean => status !== "unknown" && status !== "invalid"
