import { Context, Effect, Exit, Option } from "effect"

/** Whether this host can serve: its database is migrated, commits writes and has room on its disk. */
export class Readiness extends Context.Service<Readiness, { readonly ready: Effect.Effect<boolean> }>()(
  "@outbound/host-http/health/Readiness"
) {}

/** How old the proof may be that an answer rests on. */
export const PROOF_SECONDS_MAX = 3
/** A proof that takes longer has failed. */
const PROOF_MILLIS_MAX = 2_000

/**
 * Runs the probe when asked, at most once in `PROOF_SECONDS_MAX`, however many ask. An idle host is not probed. A statement
 * that hangs is left alone: the fiber that waited for it goes, the statement does not.
 */
export const provenBy = <E>(probe: Effect.Effect<unknown, E>): Effect.Effect<Effect.Effect<boolean>> =>
  Effect.cachedWithTTL(
    Effect.exit(probe).pipe(
      Effect.timeoutOption(PROOF_MILLIS_MAX),
      Effect.map((exit) => Option.exists(exit, Exit.isSuccess))
    ),
    `${PROOF_SECONDS_MAX} seconds`
  )
