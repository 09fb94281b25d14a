import { Effect, Layer } from "effect"
import { worker } from "./Workers.js"
import { Payments } from "../control/payments/Payments.js"

/** Asks about payments whose provider tells nothing, on every host: each is one host's at a time. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(Payments, (payments) => worker("payments", 15_000, payments.sweep))
)
