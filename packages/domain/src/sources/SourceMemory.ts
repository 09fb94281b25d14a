import { Effect, type Option } from "effect"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { type LearntPlace, type SourceOutcome, type SourceOutcomes, SourceMemoryStore } from "./SourceMemoryStore.js"

/** `SourceMemoryStore` for sources, which have no transactions of their own. */
export interface SourceMemory {
  readonly place: (companyDomain: string, nowMillis: number) => FromStore<Option.Option<LearntPlace>>
  readonly putPlace: (learnt: LearntPlace) => FromStore<void>
  readonly outcomes: (source: string, nowMillis: number) => FromStore<SourceOutcomes>
  readonly addOutcome: (outcome: SourceOutcome, nowMillis: number) => FromStore<SourceOutcomes>
}

export const sourceMemory: Effect.Effect<SourceMemory, never, SourceMemoryStore | UnitOfWork> = Effect.gen(
  function* () {
    const store = yield* SourceMemoryStore
    const { atomically } = yield* UnitOfWork
    return {
      place: store.place,
      putPlace: (learnt) => atomically(store.putPlace(learnt)),
      outcomes: store.outcomes,
      addOutcome: (outcome, nowMillis) => atomically(store.addOutcome(outcome, nowMillis))
    }
  }
)
