import type { Source } from "@outbound/domain/sources/ports/Source.js"
import type { FromStore } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { SourceMemory } from "@outbound/domain/sources/SourceMemory.js"
import type { SourceOutcomes } from "@outbound/domain/sources/SourceMemoryStore.js"
import { Clock, Effect, Option } from "effect"
import type { VendorConfig, VendorPort } from "../Vendor.js"

/** What is believed of a source before it was asked weighs as much as this many lookups. */
export const BELIEF_WEIGHT = 40

type Declared = Omit<Source, "name">

/** What lookups came to, and what was believed before. */
export const measuredBy = (
  { asked, found, tookMillis }: SourceOutcomes,
  usual: Declared
): Pick<Source, "latencyMillis" | "missRate"> => ({
  missRate: (usual.missRate * BELIEF_WEIGHT + asked - found) / (BELIEF_WEIGHT + asked),
  latencyMillis: Math.round((usual.latencyMillis * BELIEF_WEIGHT + tookMillis) / (BELIEF_WEIGHT + asked))
})

const NOTHING: SourceOutcomes = { asked: 0, found: 0, tookMillis: 0 }

/**
 * A source whose miss rate and latency are what happened in the last days, on every host. What the operator declares
 * counts instead. `counted` wraps a lookup whose outcome tells.
 */
export const makeMeasured = (
  { declared }: Pick<VendorConfig, "declared">,
  memory: SourceMemory | null,
  name: string,
  port: VendorPort,
  usual: Declared
) =>
  Effect.gen(function* () {
    const own = declared[port] ?? {}
    /** Where they can't be kept, this host's own count goes on. */
    const kept = (outcomes: FromStore<SourceOutcomes>): Effect.Effect<SourceOutcomes | null> =>
      Effect.catch(outcomes, () => Effect.as(Effect.logWarning("outcomes of a source can't be kept"), null))
    const began = yield* Clock.currentTimeMillis
    let outcomes = (memory === null ? null : yield* kept(memory.outcomes(name, began))) ?? NOTHING

    const source: Source = {
      name,
      costMicros: own.costMicros ?? usual.costMicros,
      get missRate() {
        return own.missRate ?? measuredBy(outcomes, usual).missRate
      },
      get latencyMillis() {
        return own.latencyMillis ?? measuredBy(outcomes, usual).latencyMillis
      }
    }

    const add = (isFound: boolean, tookMillis: number) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const here = {
          asked: outcomes.asked + 1,
          found: outcomes.found + (isFound ? 1 : 0),
          tookMillis: outcomes.tookMillis + tookMillis
        }
        const everywhere =
          memory === null ? null : yield* kept(memory.addOutcome({ source: name, isFound, tookMillis }, now))
        outcomes = everywhere ?? here
      })

    /** A failure is no outcome. */
    const counted = <A, E, R>(lookup: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
      Effect.gen(function* () {
        const since = yield* Clock.currentTimeMillis
        const over = (isFound: boolean) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => add(isFound, Math.max(0, now - since)))
        // Who was waited for until the call gave up was not found either.
        const found = yield* Effect.onInterrupt(lookup, () => over(false))
        yield* over(Option.isSome(found))
        return found
      })

    return { source, counted }
  })
