import { Effect, Random } from "effect"

/** How long to wait between tries: `first` after the first failure, `factor` times as long after each more, up to `max`. */
export interface Backoff {
  readonly first: number
  readonly max: number
  /** 2 unless said. */
  readonly factor?: number
}

/** More failures than this wait no longer: no unit's wait grows beyond what a number holds. */
const FAILURES_COUNTED_MAX = 50

/** The wait after so many failures in a row (1 for the first), in the unit of `first`. */
export const backoff = (failures: number, { factor = 2, first, max }: Backoff): number =>
  Math.min(max, first * factor ** (Math.min(Math.max(failures, 1), FAILURES_COUNTED_MAX) - 1))

/** The same, by chance down to half of it, so that what failed together is not tried together. */
export const jittered = (failures: number, waits: Backoff): Effect.Effect<number> =>
  Effect.map(Random.nextBetween(0.5, 1), (share) => Math.ceil(share * backoff(failures, waits)))
