import { Effect, Layer, type Scope } from "effect"
import type { JobHandler } from "../kernel/ports/LongWork.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import { LeadNews } from "../outreach/campaigns/LeadNews.js"
import { Settings } from "../kernel/Settings.js"
import { type Measure, Measurements } from "../outreach/health/Measurements.js"
import { type LinkBase, LinkBases } from "../outreach/suppression/linkBases.js"
import { NO_WING } from "./Wing.js"
import { canaryWing } from "./canary/wing.js"
import { crmWing } from "./crm/wing.js"
import { linkHostsWing } from "./linkHosts/wing.js"
import { openDirectoryWing } from "./openDirectory/wing.js"
import { paymentsWing } from "./payments/wing.js"
import { postmasterWing } from "./postmaster/wing.js"
import { webhooksWing } from "./webhooks/wing.js"

/** Every wing, a line each. */
const WINGS = [
  NO_WING,
  canaryWing,
  crmWing,
  linkHostsWing,
  openDirectoryWing,
  paymentsWing,
  postmasterWing,
  webhooksWing
] as const

type Listed = (typeof WINGS)[number]
type Values<T> = T extends unknown ? T[keyof T] : never
/** The parts of one kind that all wings have, under their names. */
type Named<A, M> = Effect.Effect<Readonly<Record<string, A>>, never, Effect.Services<M>>

/** The services of all wings. */
export type WingServices = Layer.Success<Listed["services"]>
export const services = Layer.mergeAll(Layer.empty, ...WINGS.map((wing) => wing.services))

const named = <M>(of: ReadonlyArray<Readonly<Record<string, M>>>): Readonly<Record<string, M>> =>
  Object.assign({}, ...of)

export const makeJobs: Named<JobHandler, Values<Listed["jobs"]>> = Effect.all(
  named<Values<Listed["jobs"]>>(WINGS.map((wing) => wing.jobs))
)

export const makeSweeps: Named<FromStore<number>, Values<Listed["sweeps"]>> = Effect.all(
  named<Values<Listed["sweeps"]>>(WINGS.map((wing) => wing.sweeps))
)

/** Jobs that a restored backup lacks, at most `limit` of each wing. */
export const makeLost = Effect.map(
  Effect.all(WINGS.flatMap<Listed["lost"][number]>((wing) => wing.lost)),
  (all) => (limit: number) =>
    Effect.map(
      Effect.forEach(all, (lost) => lost(limit)),
      (found) => found.flat()
    )
)

type Forever = Effect.Effect<never, never, Scope.Scope>
type Running = Effect.Effect<Forever> | Extract<Listed, { readonly rounds: ReadonlyArray<unknown> }>["rounds"][number]

/** What every host does for the wings, for as long as it lives. */
export const makeRounds: Effect.Effect<ReadonlyArray<Forever>, never, Effect.Services<Running>> = Effect.all(
  WINGS.flatMap((wing): ReadonlyArray<Running> => ("rounds" in wing ? wing.rounds : []))
)

/** All wings hear what becomes of leads. */
export const leadNews = Layer.effect(
  LeadNews,
  Effect.map(
    Effect.all(WINGS.flatMap<Listed["hears"][number]>((wing) => wing.hears)),
    (all) =>
      (...news) =>
        Effect.forEach(all, (hears) => hears(...news), { discard: true })
  )
)

type Measuring =
  | Effect.Effect<Measure>
  | Extract<Listed, { readonly measures: ReadonlyArray<unknown> }>["measures"][number]

/** What each wing measures of where mail arrives. */
export const measurements = Layer.effect(
  Measurements,
  Effect.gen(function* () {
    const measures: ReadonlyArray<Measure> = yield* Effect.all(
      WINGS.flatMap((wing): ReadonlyArray<Measuring> => ("measures" in wing ? wing.measures : []))
    )
    return (workspaceId, nowMillis) =>
      Effect.map(
        Effect.forEach(measures, (measure) => measure(workspaceId, nowMillis)),
        (found) => found.flat()
      )
  })
)

type Linked = Effect.Effect<LinkBase> | Extract<Listed, { readonly links: ReadonlyArray<unknown> }>["links"][number]

/** The first wing that has an address for a mail's links says it; without one, it is the service's own. */
export const linkBases = Layer.effect(
  LinkBases,
  Effect.gen(function* () {
    const { baseUrl } = yield* Settings
    const bases: ReadonlyArray<LinkBase> = yield* Effect.all(
      WINGS.flatMap((wing): ReadonlyArray<Linked> => ("links" in wing ? wing.links : []))
    )
    return (of) =>
      Effect.gen(function* () {
        for (const base of bases) {
          const found = yield* base(of)
          if (found !== null) return found
        }
        return baseUrl
      })
  })
)
