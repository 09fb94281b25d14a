import { Data } from "effect"

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

/** Wraps anything a synchronous step threw in the typed error; typed errors stay as they are. */
export const asError =
  (reason: Reason, what: string) =>
  (cause: unknown): EmbeddedPostgresError =>
    cause instanceof EmbeddedPostgresError
      ? cause
      : new EmbeddedPostgresError({
          reason,
          message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause
        })
