import { layer } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { endLeftovers, forgetLeftovers } from "../../service/Leftovers.js"
import { SUITE } from "./stories.js"

type Needs = Effect.Services<typeof endLeftovers>

type Tell<R> = <A, E>(name: string, story: () => Effect.Effect<A, E, R>, millisMax?: number) => void

interface Stories<R> {
  readonly effect: Tell<R | Scope.Scope>
}

/**
 * A suite of stories over one service. The hosts of a story would also work for all that the stories before it left at
 * work, which took most of the time of long suites. So what a story has set up ends with it.
 */
export const describeStories =
  <R, E>(service: Layer.Layer<R | Needs, E>) =>
  (name: string, tell: (it: Stories<R | Needs>) => void): void =>
    layer(service, SUITE)(name, ({ effect }) => {
      const ending = <A, E2, R2>(story: Effect.Effect<A, E2, R2>) =>
        Effect.andThen(forgetLeftovers, Effect.tap(story, endLeftovers))
      tell({
        effect: (title, story, millisMax) =>
          effect(title, () => ending(Effect.scoped(Effect.suspend(story))), millisMax)
      })
    })
