import type { Vitest } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import * as fc from "fast-check"

type Values<Arbitraries extends ReadonlyArray<fc.Arbitrary<unknown>>> = {
  readonly [K in keyof Arbitraries]: Arbitraries[K] extends fc.Arbitrary<infer A> ? A : never
}

interface Runs {
  readonly timeout?: number
  readonly fastCheck?: fc.Parameters<unknown>
}

/**
 * A test that holds for whatever the arbitraries make; it runs anew, with a scope of its own, for each set of values. A
 * failure names the smallest values for which it does not.
 */
export const propertyIn =
  <R>({ effect }: { readonly effect: Vitest.Test<R> }) =>
  <const Arbitraries extends ReadonlyArray<fc.Arbitrary<unknown>>, E>(
    name: string,
    arbitraries: Arbitraries,
    holds: (values: Values<Arbitraries>) => Effect.Effect<unknown, E, R | Scope.Scope>,
    { fastCheck, timeout }: Runs = {}
  ): void =>
    effect(
      name,
      () =>
        Effect.flatMap(Effect.context<R>(), (context) =>
          Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(fc.tuple(...arbitraries), async (values) => {
                const run = Effect.scoped(holds(values as Values<Arbitraries>)) as Effect.Effect<unknown, E, R>
                await Effect.runPromiseWith(context)(run)
              }),
              fastCheck
            )
          )
        ),
      timeout
    )
