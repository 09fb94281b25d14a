import { Data } from "effect"

/**
 * Why the embedded database is not there.
 *
 * - `in_use`: another process owns the data directory; the message names it.
 * - `unsupported_platform`: no binaries for this machine, or they can't run on it.
 * - `init_failed`: a new cluster could not be laid out.
 * - `start_failed`: the cluster is there, and its server could not be started or reached.
 * - `version_mismatch`: the cluster was written by another major version of PostgreSQL.
 */
export type Reason = "in_use" | "unsupported_platform" | "init_failed" | "start_failed" | "version_mismatch"

/** The message is for the operator: what failed, where, and how to mend it. It never holds the password. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{
  readonly reason: Reason
  readonly message: string
  readonly cause?: unknown
}> {}

/** Turns whatever a synchronous step threw into the typed error, and leaves typed errors as they are. */
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
