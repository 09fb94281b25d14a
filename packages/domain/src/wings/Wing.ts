import { type Effect, Layer, type Scope } from "effect"
import type { Job, JobHandler } from "../kernel/ports/LongWork.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import type { Hears } from "../outreach/campaigns/LeadNews.js"
import type { Measure } from "../outreach/health/Measurements.js"
import type { LinkBase } from "../outreach/suppression/linkBases.js"

/** `R`: what it is made of. Each wing needs other services, and the lists of its parts need them all. */
type Handler<R> = Effect.Effect<JobHandler, never, R>
type Lost<R> = Effect.Effect<(limit: number) => FromStore<ReadonlyArray<Job>>, never, R>
type Sweep<R> = Effect.Effect<FromStore<number>, never, R>
type Round<R> = Effect.Effect<Effect.Effect<never, never, Scope.Scope>, never, R>
type Ear<R> = Effect.Effect<Hears, never, R>
type Measuring<R> = Effect.Effect<Measure, never, R>
type Links<R> = Effect.Effect<LinkBase, never, R>

/** A capability beside the core, as the core meets it. A wing that has none of a part says so by `...NO_WING`. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever a wing needs, the lists know it of the wing itself
export interface Wing<R = any> {
  /** The name of its folder in every package. */
  readonly name: string
  /** The handler of each of its kinds of jobs. */
  readonly jobs: Readonly<Record<string, Handler<R>>>
  /** Jobs that a restored backup lacks, at most so many. */
  readonly lost: ReadonlyArray<Lost<R>>
  /** Rounds that delete what is over, a bounded number each, and say how much. */
  readonly sweeps: Readonly<Record<string, Sweep<R>>>
  /** What every host does for as long as it lives. Absent: nothing. */
  readonly rounds?: ReadonlyArray<Round<R>>
  /** What it does in the transaction that records what became of a lead. */
  readonly hears: ReadonlyArray<Ear<R>>
  /** Where links of new mail lead, if not to the service's own address. Absent: it has none. */
  readonly links?: ReadonlyArray<Links<R>>
  /** What it measures of where mail arrives. Absent: nothing. */
  readonly measures?: ReadonlyArray<Measuring<R>>
  /** What people and the operator use of it. */
  readonly services: Layer.Layer<never, never, R>
}

/** Begins the list of wings, so that its types hold if nobody else is in it. */
export const NO_WING: Wing<never> = { name: "", jobs: {}, lost: [], sweeps: {}, hears: [], services: Layer.empty }
