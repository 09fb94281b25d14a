import { Effect } from "effect"
import type { Exchange, Surface } from "../http/Exchange.js"
import type { Admits } from "../HttpServer.js"
import { linkHostSurfaces } from "./linkHosts/surfaces.js"
import { paymentSurfaces } from "./payments/surfaces.js"
import type { WingSurfaces } from "./WingSurfaces.js"

const NO_SURFACES: WingSurfaces<never> = { surfaces: Effect.succeed([]), admits: Effect.succeed(() => true) }

/** The surfaces of every wing, a line each. */
const SURFACES = [NO_SURFACES, linkHostSurfaces, paymentSurfaces] as const

type Listed = (typeof SURFACES)[number]
type Needed = Effect.Services<Listed["surfaces"] | Listed["admits"]>

export const makeWingSurfaces: Effect.Effect<ReadonlyArray<Surface>, never, Needed> = Effect.map(
  Effect.all(SURFACES.map(({ surfaces }): Listed["surfaces"] => surfaces)),
  (all) => all.flat()
)

/** A request is let in where every wing lets it in. */
export const makeWingAdmits: Effect.Effect<Admits, never, Needed> = Effect.map(
  Effect.all(SURFACES.map(({ admits }): Listed["admits"] => admits)),
  (all) => {
    const from = (at: number, exchange: Exchange): ReturnType<Admits> => {
      const admits = all[at]
      if (admits === undefined) return true
      const answer = admits(exchange)
      if (answer === true) return from(at + 1, exchange)
      return answer === false ? false : answer.then((isIn) => isIn && from(at + 1, exchange))
    }
    return (exchange) => from(0, exchange)
  }
)
