import { encodeError, refuse, statusOf } from "../kernel/errors/Wire.js"
import { zero } from "../kernel/money/Credits.js"
import type { StoredOutcome } from "./Attempt.js"

/** How a sweeper ends a dead host's call. Both ways release the whole reservation and charge nothing. */
export interface AbandonedCallEnd {
  readonly status: "failed" | "unknown"
  readonly httpStatus: number
  readonly errorCode: string
  /** Kept for repeats, so that a possible effect never happens twice. Null frees the Idempotency-Key. */
  readonly outcome: StoredOutcome | null
}

/** Failed if no unrepeatable effect had begun, otherwise unknown (contract: credits, dead hosts). */
export const endOfAbandoned = (call: {
  readonly requestId: string
  readonly effectStarted: boolean
}): AbandonedCallEnd => {
  const error = call.effectStarted
    ? refuse("operation_unknown_state", { operation_id: call.requestId })
    : refuse("internal", {})
  const httpStatus = statusOf(error)
  return {
    status: call.effectStarted ? "unknown" : "failed",
    httpStatus,
    errorCode: error.code,
    outcome: call.effectStarted
      ? {
          requestId: call.requestId,
          httpStatus,
          body: JSON.stringify(encodeError(error)),
          charged: zero,
          approvalId: null
        }
      : null
  }
}
