import { endedWithin } from "@outbound/domain/kernel/inOwnFiber.js"
import { Context, Effect } from "effect"

/** Whether this host can serve: its database is migrated, commits writes and has room on its disk. */
export class Readiness extends Context.Service<Readiness, { readonly ready: Effect.Effect<boolean> }>()(
  "@outbound/host-http/health/Readiness"
) {}

/** How old the proof may be that an answer rests on. */
export const PROOF_SECONDS_MAX = 3
/** A proof that takes longer has failed. */
const PROOF_MILLIS_MAX = 2_000

/**
 * Runs the probe when asked, at most once in `PROOF_SECONDS_MAX`, however many ask. An idle host is not probed. A probe
 * that hangs is left alone, because interrupting a statement may hit the connection's next user.
 */
export const provenBy = <E>(probe: Effect.Effect<unknown, E>): Effect.Effect<Effect.Effect<boolean>> =>
  Effect.cachedWithTTL(
    endedWithin(Effect.exit(probe), PROOF_MILLIS_MAX, () => null).pipe(
      Effect.map((exit) => exit._tag === "Success"),
      Effect.orElseSucceed(() => false)
    ),
    `${PROOF_SECONDS_MAX} seconds`
  )
