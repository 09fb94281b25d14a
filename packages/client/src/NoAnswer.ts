import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { Data } from "effect"

/**
 * Why there is neither a result nor a refusal.
 *
 * - `unreachable`: no answer came, or what answered is not the service.
 * - `timed_out`: no answer came within the time that the caller gave.
 * - `aborted`: the caller gave the call up, or closed the client.
 * - `unreadable`: the service answered what this version of the client does not understand.
 */
export type NoAnswerReason = "unreachable" | "timed_out" | "aborted" | "unreadable"

/** A call without an answer. What became of it is unknown: the same key asks again without a second charge. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{
  readonly reason: NoAnswerReason
  readonly verb: VerbName
  /** The key that the call was sent with. Undefined: it took none. */
  readonly idempotencyKey: string | undefined
  readonly message: string
  readonly cause?: unknown
}> {
  /** Whether the same call may be sent again, with the same Idempotency-Key. */
  get isRetryable(): boolean {
    return this.reason === "unreachable" || this.reason === "timed_out"
  }
}
