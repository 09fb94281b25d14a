import { Effect } from "effect"
import type { ClaimedNotice, NoticeAttempt, NoticeFailure } from "../../calls/approvals/notices/NoticeStore.js"
import { type Backoff, jittered } from "../../kernel/backoff.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import type { ChatFailure } from "./ChatSender.js"

/** Most attempts for one notice, and the waits between them. */
export const ATTEMPTS_MAX = 8
const WAITS: Backoff = { first: 2_000, max: 5 * 60_000 }

/** What an attempt came to. `retry`: nothing arrived, and another attempt may succeed. */
export interface Trouble {
  readonly outcome: "retry" | "fail" | "unknown"
  readonly failure: NoticeFailure
  readonly status: number | null
  readonly retryAfterMillis: number | null
}

const NOTHING_SAID = { status: null, retryAfterMillis: null }

/** We stopped waiting for an attempt that may have arrived. */
export const TIMED_OUT: Trouble = { outcome: "unknown", failure: "timeout", ...NOTHING_SAID }

/** No attempt can succeed. */
export const hopeless = (failure: NoticeFailure): Trouble => ({ outcome: "fail", failure, ...NOTHING_SAID })

/** Statuses that say that nothing was posted, and that later it may be. Gateways' own (502, 504) say nothing. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429, 500, 503])
const GATEWAY: ReadonlySet<number> = new Set([502, 504])

export const chatTrouble = (failed: ChatFailure): Trouble => {
  const { mayHaveArrived, reason, retryAfterMillis, status } = failed
  const said = { failure: reason, status, retryAfterMillis }
  if (reason === "status" && status !== null) {
    return { outcome: LATER.has(status) ? "retry" : GATEWAY.has(status) ? "unknown" : "fail", ...said }
  }
  if (reason === "redirect" || reason === "forbidden_address") return { outcome: "fail", ...said }
  return { outcome: mayHaveArrived ? "unknown" : "retry", ...said }
}

export const mailTrouble = ({ reason, retryAfterSeconds }: ProviderFailure): Trouble => {
  const retryAfterMillis = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1_000
  switch (reason) {
    case "transient":
      return { outcome: "retry", failure: "unreachable", status: null, retryAfterMillis }
    case "rate_limited":
      return { outcome: "retry", failure: "refused", status: null, retryAfterMillis }
    case "unknown_outcome":
      return TIMED_OUT
    case "account":
    case "invalid":
      return hopeless("refused")
  }
}

/** What follows a failed attempt. It is repeated only if it can still come before the approval ends. */
export const afterTrouble = (
  { attempts, of: { approval } }: Pick<ClaimedNotice, "attempts" | "of">,
  { failure, outcome, retryAfterMillis, status }: Trouble,
  nowMillis: number
): Effect.Effect<NoticeAttempt> =>
  Effect.map(jittered(attempts, WAITS), (wait) => {
    const dueAtMillis = nowMillis + Math.max(wait, retryAfterMillis ?? 0)
    const isRetried = outcome === "retry" && attempts < ATTEMPTS_MAX && dueAtMillis < approval.expiresAtMillis
    const state = isRetried ? "waiting" : outcome === "unknown" ? "unknown" : "failed"
    return { state, failure, status, atMillis: nowMillis, dueAtMillis: isRetried ? dueAtMillis : nowMillis }
  })
