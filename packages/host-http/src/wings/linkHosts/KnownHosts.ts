import type { FromStore } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect } from "effect"

/** Most names that are remembered, and for how long: those that links lead to, and others. */
const REMEMBERED_MAX = 1_000
export const KNOWN_MILLIS = 60_000
export const UNKNOWN_MILLIS = 5_000

interface Remembered {
  readonly isKnown: boolean
  readonly untilMillis: number
}

/**
 * Which names links lead to, asked of the database at most once in a while for each. Strangers choose the names that are asked,
 * so as many are remembered as fit, the newest.
 */
export const makeKnownHosts = (isKnown: (host: string) => FromStore<boolean>) =>
  Effect.map(Clock.Clock, (clock) => {
    const remembered = new Map<string, Remembered>()
    const recall = (host: string): boolean | null => {
      const found = remembered.get(host)
      const nowMillis = clock.currentTimeMillisUnsafe()
      // A clock that was set back makes nothing last longer.
      return found !== undefined &&
        found.untilMillis > nowMillis &&
        found.untilMillis <= nowMillis + (found.isKnown ? KNOWN_MILLIS : UNKNOWN_MILLIS)
        ? found.isKnown
        : null
    }
    const keep = (host: string, known: boolean): boolean => {
      remembered.delete(host)
      const oldest = remembered.size < REMEMBERED_MAX ? undefined : remembered.keys().next().value
      if (oldest !== undefined) remembered.delete(oldest)
      const untilMillis = clock.currentTimeMillisUnsafe() + (known ? KNOWN_MILLIS : UNKNOWN_MILLIS)
      remembered.set(host, { isKnown: known, untilMillis })
      return known
    }
    return {
      /** What is remembered; null: it has to be asked. */
      recall,
      ask: (host: string): FromStore<boolean> =>
        Effect.suspend(() => {
          const known = recall(host)
          return known === null ? Effect.map(isKnown(host), (found) => keep(host, found)) : Effect.succeed(known)
        })
    }
  })
