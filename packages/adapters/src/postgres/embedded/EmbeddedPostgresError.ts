import { Data, Effect } from "effect"
import { messageOf } from "../../platform/errors.js"

/**
 * Why the embedded database is unavailable.
 *
 * - `in_use`: another process owns the data directory; the message names it.
 * - `unsupported_platform`: no binaries for this machine, or they can't run on it.
 * - `init_failed`: a new cluster could not be created.
 * - `start_failed`: the cluster exists, but its server could not be started or reached.
 * - `version_mismatch`: another major version of PostgreSQL wrote the cluster.
 */
export type Reason = "in_use" | "unsupported_platform" | "init_failed" | "start_failed" | "version_mismatch"

/** The message tells the operator what failed, where, and how to fix it. It never holds the password. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly reason: Reason
  readonly message: string
  readonly cause?: unknown
}> {}

export const failed = (reason: Reason, message: string, cause?: unknown): EmbeddedPostgresError =>
  new EmbeddedPostgresError({ reason, message, ...(cause === undefined ? {} : { cause }) })

export const startFailed = (message: string, cause?: unknown) => failed("start_failed", message, cause)

/** Wraps anything a synchronous step threw in the typed error; typed errors stay as they are. */
export const attempt = <A>(reason: Reason, what: string, step: () => A): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.try({
    try: step,
    catch: (cause) =>
      cause instanceof EmbeddedPostgresError ? cause : failed(reason, `${what}: ${messageOf(cause)}`, cause)
  })
