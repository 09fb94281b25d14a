import { assert, layer as describeLayer } from "@effect/vitest"
import { CLAIM_LEASE_MILLIS, FollowUps, OF_SOURCE_AT_ONCE_MAX } from "@outbound/domain/sources/FollowUps.js"
import { MarginStore } from "@outbound/domain/calls/MarginStore.js"
import { SourceAccessFactory } from "@outbound/domain/sources/SourceAccessFactory.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenWorkspace } from "../fixtures.js"
import {
  answering,
  type FollowUpsOnStores,
  given,
  HOUR_SECONDS,
  OTHER_SOURCE,
  pass,
  round,
  scripts,
  SOURCE,
  tagOf,
  timesAsked
} from "./followUpScripts.js"
import { SUITE } from "./support.js"

/** How sources are kept from each other, and what is shown of what nobody will know. */
export const followUpLanesContract = <E>(name: string, service: Layer.Layer<FollowUpsOnStores, E>) => {
  describeLayer(service, SUITE)(`lanes of follow-ups (${name})`, (it) => {
    it.effect("a source that answers nobody holds up no other, and takes no more than its lane", () =>
      Effect.gen(function* () {
        const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
        const until = (isSo: Effect.Effect<boolean, unknown>): Effect.Effect<void> =>
          Effect.flatMap(Effect.orDie(isSo), (is) => (is ? Effect.void : Effect.andThen(turn, until(isSo))))
        const stalled = yield* Effect.forEach(
          Array.from({ length: OF_SOURCE_AT_ONCE_MAX + 4 }),
          () => given(() => Effect.never),
          { concurrency: "unbounded" }
        )
        const quick = yield* given(answering, { source: OTHER_SOURCE })
        yield* pass(31)
        const { handler } = yield* FollowUps
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.forkScoped(handler(SOURCE))
            yield* handler(OTHER_SOURCE)
            const isAnswered = Effect.map(quick.find, (found) => tagOf(found) === "Answered")
            yield* until(isAnswered)
            const asking = () => stalled.filter(({ subject }) => timesAsked(subject) > 0).length
            yield* until(Effect.sync(() => asking() === OF_SOURCE_AT_ONCE_MAX))
            // What becomes due while they stall is asked all the same, of this source as of the other.
            const next = yield* given(answering, { source: OTHER_SOURCE, afterSeconds: 1 })
            yield* pass(2)
            yield* until(
              Effect.gen(function* () {
                yield* TestClock.adjust("1 second")
                yield* handler(OTHER_SOURCE)
                return tagOf(yield* next.find) === "Answered"
              })
            )
            assert.strictEqual(asking(), OF_SOURCE_AT_ONCE_MAX)
          })
        )
        for (const { subject } of stalled) scripts.set(subject, () => Effect.succeed({ _tag: "Gone" }))
        yield* pass(CLAIM_LEASE_MILLIS / 1000 + 1)
        while ((yield* round) > 0) yield* Effect.yieldNow
        for (const { find } of stalled) assert.isNull(tagOf(yield* find))
      })
    )

    it.effect("what nobody will ever know stands for its time, and is shown with the call that asked for it", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const requestId = freshId()
        const { later } = (yield* SourceAccessFactory).of({ workspaceId, workspaceKind: "live", requestId })
        const [id, subject] = [freshId(), freshId()]
        const asked = { id, source: SOURCE, subject, email: null, request: { subject }, afterSeconds: 30 }
        assert.isTrue(yield* later.ask(asked))
        assert.isFalse(yield* later.ask(asked), "of two who ask, one may do it")
        scripts.set(subject, () => Effect.succeed({ _tag: "Unknown", keepSeconds: 10 * 24 * HOUR_SECONDS }))
        yield* pass(31)
        yield* round
        const find = later.find(SOURCE, subject)
        assert.strictEqual(tagOf(yield* find), "Unknown")
        assert.isFalse(yield* later.ask(asked))
        assert.isFalse(yield* later.revise(SOURCE, subject, {}, { subject }, 1))
        assert.isFalse(yield* later.amend(SOURCE, subject, {}, { subject }))
        const { margins } = yield* MarginStore
        const of = (sinceMillis: number) => margins({ sinceMillis, workspaceId })
        assert.deepStrictEqual((yield* of(0)).unknownJobs, [{ source: SOURCE, jobs: 1 }])
        yield* pass(11 * 24 * HOUR_SECONDS)
        assert.isNull(tagOf(yield* find))
      })
    )
  })
}
