import { Effect } from "effect"
import { paymentCredits } from "./payments/credits.js"
import type { WingCredits } from "./WingCredits.js"

const NOTHING: Effect.Effect<WingCredits> = Effect.succeed({ above: () => Effect.succeed(null), routes: () => [] })

/** What every wing adds to the page of credits, a line each. */
const ADDED = [NOTHING, paymentCredits] as const

type Added = (typeof ADDED)[number]

export const wingCredits: Effect.Effect<ReadonlyArray<WingCredits>, never, Effect.Services<Added>> = Effect.all(
  ADDED.map((added): Added => added)
)
