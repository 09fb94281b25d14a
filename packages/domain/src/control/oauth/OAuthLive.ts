import { Effect, Layer } from "effect"
import { makeAsking } from "./asking.js"
import { makeDeciding, makeIssuing } from "./issuing.js"
import { OAuth } from "./OAuth.js"

export const layer = Layer.effect(
  OAuth,
  Effect.gen(function* () {
    return OAuth.of({ ...(yield* makeAsking), ...(yield* makeDeciding), ...(yield* makeIssuing) })
  })
)
