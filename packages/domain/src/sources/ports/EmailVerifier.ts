import type { Effect } from "effect"
import type { ProviderFailure, Source } from "./Source.js"

export const EMAIL_STATUSES = ["valid", "invalid", "catch_all_valid", "catch_all_unknown", "risky", "unknown"] as const

export type EmailStatus = (typeof EMAIL_STATUSES)[number]

export interface EmailCheck {
  readonly status: EmailStatus
  readonly isCatchAllDomain: boolean
  /** The person objected to being looked up: no other source is asked about them, whatever is known already. */
  readonly isObjected?: true
}

/** Checks whether a mailbox can receive mail. `unknown` is an answer: it can't be established. */
export interface EmailVerifier extends Source {
  /** `email` is normalised and syntactically possible. */
  readonly verify: (email: string) => Effect.Effect<EmailCheck, ProviderFailure>
}
