import { HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect } from "effect"
import { IMAP } from "./imapFailure.js"

/** Most logins per mailbox in any hour: providers lock out mailboxes that log in more often. */
export const LOGINS_MAX = 6

/** Logins that only reading may use, so that copies and look-ups never keep a mailbox unread. */
const FOR_READING = 2

/** Most mailboxes whose logins are remembered. */
const MAILBOXES_MAX = 20_000

/** Counts logins per mailbox, for all connections of a host. */
export interface Logins {
  /** Counts one login; fails with `rate_limited` and the wait if there were too many in the last hour. */
  readonly take: (mailboxId: string, use: "reading" | "sent") => Effect.Effect<void, ProviderFailure>
}

export const makeLogins = (): Logins => {
  const taken = new Map<string, ReadonlyArray<number>>()
  return {
    take: (mailboxId, use) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
        // A clock that went back must not lock anybody out.
        const inHour = (taken.get(mailboxId) ?? []).filter((at) => at <= nowMillis && at > nowMillis - HOUR_MILLIS)
        const max = use === "reading" ? LOGINS_MAX : LOGINS_MAX - FOR_READING
        if (inHour.length >= max) {
          const freeAt = (inHour[inHour.length - max] ?? nowMillis) + HOUR_MILLIS
          const retryAfterSeconds = Math.max(1, Math.ceil((freeAt - nowMillis) / 1000))
          return new ProviderFailure({ provider: IMAP, reason: "rate_limited", retryAfterSeconds })
        }
        if (taken.size >= MAILBOXES_MAX) taken.clear()
        taken.set(mailboxId, [...inHour, nowMillis])
        return Effect.void
      })
  }
}
