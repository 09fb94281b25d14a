import { assert, describe, it } from "@effect/vitest"
import type { ProviderFailure, Source } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"
import { answered, type Case, declaresItself, type Fixture, type Subject } from "./sources.js"
import { vendorFaultsSuite } from "./vendorFaults.js"
import { wireSuite } from "./wire.js"

/** What makes a kind's suite. */
export interface PortSuite<S extends Source, Request, Result> {
  readonly kind: string
  readonly ask: (source: S, request: Request) => Effect.Effect<Result, ProviderFailure>
  /** What must hold of any answer to that request, from any provider. */
  readonly holds: (result: Result, one: Case<Request, Result>, source: S) => void
}

/** The suite of one kind: what every source of it must hold, and how it fails where it asks over a wire. */
export const portSuite =
  <S extends Source, Request, Result>({ ask, holds, kind }: PortSuite<S, Request, Result>) =>
  (subject: Subject<S>, fixture: Fixture<Request, Result>): void => {
    describe(`${subject.name} as ${kind}`, () => {
      it.effect.each(fixture.cases.map((one) => [one.says, one] as const))("%s", ([, one]) =>
        Effect.scoped(
          Effect.gen(function* () {
            const made = yield* subject.make
            declaresItself(made.source)
            holds(yield* answered(made, one, ask), one, made.source)
          })
        )
      )

      it.effect("says the same when it is asked again, and by two at once", () =>
        Effect.scoped(
          Effect.gen(function* () {
            const [one] = fixture.cases
            const made = yield* subject.make
            const once = answered(made, one, ask)
            const [first, second] = yield* Effect.all([once, once], { concurrency: 2 })
            assert.deepStrictEqual(second, first)
            assert.deepStrictEqual(yield* once, first)
          })
        )
      )

      if (fixture.wire === undefined) return
      wireSuite(subject, fixture.cases[0], fixture.wire, ask)
      if (fixture.wire.hasEffect) vendorFaultsSuite(subject, fixture.cases[0], fixture.wire, ask)
    })
  }
