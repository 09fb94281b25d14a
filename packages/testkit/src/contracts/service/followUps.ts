import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { ASKED_SECONDS_MAX, CLAIM_LEASE_MILLIS, FollowUps } from "@outbound/domain/sources/FollowUps.js"
import {
  AFTER_SECONDS_MAX,
  KEPT_UNNAMED_SECONDS_MAX,
  PENDING_SECONDS_MAX,
  TRIES_MAX
} from "@outbound/domain/sources/Later.js"
import { Deferred, Effect, Fiber, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenWorkspace } from "../fixtures.js"
import { TestRows } from "../../memory/Hooks.js"
import {
  ANSWER,
  answering,
  asked,
  EMAIL,
  failing,
  type FollowUpsOnStores,
  given,
  HOUR_SECONDS,
  laterOf,
  pass,
  round,
  type Script,
  scripts,
  SOURCE,
  subjectOf,
  tagOf,
  timesAsked
} from "./followUpScripts.js"
import { SUITE } from "./support.js"

/** Lookups that finish after their call: any host continues them, one at a time, and the next call gets the result. */
export const followUpsContract = <E>(name: string, service: Layer.Layer<FollowUpsOnStores, E>) => {
  describeLayer(service, SUITE)(`follow-ups of sources (${name})`, (it) => {
    it.effect("the source is asked in the name of the workspace when it is time, and who asks next knows", () =>
      Effect.gen(function* () {
        const { ask, find, subject, workspaceId } = yield* given(answering)
        const request = { subject, about: `somebody ${subject}` }
        assert.deepStrictEqual(Option.getOrThrow(yield* find), { _tag: "Pending", request })
        yield* round
        assert.strictEqual(timesAsked(subject), 0)
        yield* pass(31)
        yield* round
        assert.deepStrictEqual(
          asked.filter((one) => subjectOf(one) === subject),
          [{ request, tries: 1, workspaceId }]
        )
        const answered = Option.getOrThrow(yield* find)
        assert.deepInclude(answered, { _tag: "Answered", answer: ANSWER })
        yield* ask
        yield* pass(HOUR_SECONDS)
        yield* round
        assert.strictEqual(timesAsked(subject), 1, "what is known is not asked again")
      })
    )

    it.effect("nobody else's workspace, source or subject knows, and nothing of it can be read in the store", () =>
      Effect.gen(function* () {
        const { find, later, subject } = yield* given(answering)
        const other = yield* laterOf((yield* givenWorkspace({ kind: "live" })).workspaceId)
        const rows = yield* TestRows
        assert.deepStrictEqual(yield* rows.standing(`somebody ${subject}`), [])
        yield* pass(31)
        yield* round
        assert.strictEqual(tagOf(yield* find), "Answered")
        assert.isNull(tagOf(yield* other.find(SOURCE, subject)))
        assert.isNull(tagOf(yield* later.find("another", subject)))
        assert.isNull(tagOf(yield* later.find(SOURCE, `${subject} `)))
        assert.deepStrictEqual(yield* rows.standing(EMAIL), [])
        assert.deepStrictEqual(yield* rows.standing(subject), [])
      })
    )

    it.effect("a source that is not ready is asked once more, as it said and with what it said", () =>
      Effect.gen(function* () {
        const again: Script = ({ request, tries }) =>
          tries === 1
            ? Effect.succeed({ _tag: "Again", afterSeconds: 600, request: { ...request, step: 2 } })
            : answering({ request, tries, workspaceId: null })
        const { find, subject } = yield* given(again)
        yield* pass(31)
        yield* round
        assert.strictEqual(tagOf(yield* find), "Pending")
        yield* pass(500)
        yield* round
        assert.strictEqual(timesAsked(subject), 1)
        yield* pass(101)
        yield* round
        assert.deepInclude(asked.at(-1)?.request, { subject, step: 2 })
        assert.strictEqual(tagOf(yield* find), "Answered")
      })
    )

    it.effect("one that fails is left alone for longer each time, and as long as it asks to be", () =>
      Effect.gen(function* () {
        const busy = yield* given(failing("rate_limited", { retryAfterSeconds: 900 }))
        const down = yield* given(failing("transient"))
        const outcome = yield* given(failing("unknown_outcome"))
        const broken = yield* given(() => Effect.die(new Error("a defect")))
        yield* pass(31)
        yield* round
        for (const { find } of [busy, down, outcome, broken]) assert.strictEqual(tagOf(yield* find), "Pending")
        yield* pass(31)
        yield* round
        const counts = () => [busy, down, outcome, broken].map(({ subject }) => timesAsked(subject))
        assert.deepStrictEqual(counts(), [1, 2, 2, 2])
        yield* pass(31)
        yield* round
        assert.deepStrictEqual(counts(), [1, 2, 2, 2])
        yield* pass(900)
        yield* round
        assert.deepStrictEqual(counts(), [2, 3, 3, 3])
      })
    )

    it.effect("what a source says is wrong, is over, or can't be asked any more is forgotten at once", () =>
      Effect.gen(function* () {
        const invalid = yield* given(failing("invalid"))
        const gone = yield* given(() => Effect.succeed({ _tag: "Gone" }))
        yield* pass(31)
        yield* round
        for (const { find } of [invalid, gone]) assert.isNull(tagOf(yield* find))
        yield* gone.ask
        assert.strictEqual(tagOf(yield* gone.find), "Pending", "it may be asked for anew")
      })
    )

    it.effect("nothing is asked for more often, or for longer, than is allowed", () =>
      Effect.gen(function* () {
        const often = yield* given(() => Effect.succeed({ _tag: "Again", afterSeconds: 0 }))
        const rarely = yield* given(() => Effect.succeed({ _tag: "Again", afterSeconds: Infinity }))
        yield* pass(31)
        for (let turn = 0; turn < TRIES_MAX + 5; turn++) {
          yield* round
          yield* pass(2)
        }
        assert.strictEqual(timesAsked(often.subject), TRIES_MAX)
        assert.isNull(tagOf(yield* often.find))
        for (let spent = 0; spent <= PENDING_SECONDS_MAX; spent += AFTER_SECONDS_MAX) {
          yield* pass(AFTER_SECONDS_MAX)
          yield* round
        }
        assert.isAtMost(timesAsked(rarely.subject), 4)
        assert.isNull(tagOf(yield* rarely.find))
        const { purge } = yield* FollowUps
        while ((yield* purge) > 0) yield* Effect.yieldNow
      })
    )

    it.effect("an earlier result is returned from then on, and a lookup in progress doesn't replace it", () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const slow: Script = () =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(Deferred.await(go)),
            Effect.as({ _tag: "Answer" as const, answer: { work_email: "late@corp.example" }, keepSeconds: 60 })
          )
        const { ask, find, later, subject } = yield* given(slow)
        yield* pass(31)
        const fiber = yield* Effect.forkChild(round)
        yield* Deferred.await(begun)
        assert.isTrue(
          yield* later.settle(SOURCE, subject, { _tag: "Answer", answer: ANSWER, keepSeconds: 2 * HOUR_SECONDS })
        )
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(fiber)
        yield* pass(HOUR_SECONDS)
        yield* round
        assert.strictEqual(timesAsked(subject), 1)
        assert.deepInclude(Option.getOrThrow(yield* find), { _tag: "Answered", answer: ANSWER })
        assert.isFalse(yield* later.settle(SOURCE, subject, { _tag: "Gone" }))
        assert.strictEqual(tagOf(yield* find), "Answered", "it is answered already")
        const amended = { ...ANSWER, amended: true }
        const amend = later.amend(SOURCE, subject, ANSWER, amended)
        const both = yield* Effect.all([amend, amend], { concurrency: "unbounded" })
        assert.sameMembers(both, [true, false], "one of two puts it in its place")
        assert.deepInclude(Option.getOrThrow(yield* find), { _tag: "Answered", answer: amended })
        yield* pass(2 * HOUR_SECONDS)
        assert.isFalse(yield* later.amend(SOURCE, subject, amended, ANSWER), "its time is over")
        yield* later.settle(SOURCE, subject, { _tag: "Answer", answer: ANSWER, keepSeconds: 60 })
        assert.isNull(tagOf(yield* find), "nothing was pending")
        yield* ask
        assert.isFalse(yield* later.amend(SOURCE, subject, {}, ANSWER), "nothing is answered")
        yield* later.settle(SOURCE, subject, { _tag: "Gone" })
        assert.isNull(tagOf(yield* find))
      })
    )

    it.effect("an answer that names nobody is kept for a day at most, others as long as their source says", () =>
      Effect.gen(function* () {
        const keepSeconds = 10 * 24 * HOUR_SECONDS
        const unnamed = yield* given(() => Effect.succeed({ _tag: "Answer", answer: { phone: "+1" }, keepSeconds }))
        const named = yield* given(answering)
        const known = yield* given(() => Effect.succeed({ _tag: "Answer", answer: { phone: "+1" }, keepSeconds }), {
          email: EMAIL
        })
        const [soon, about] = [yield* given(answering), yield* given(answering)]
        const settled = { _tag: "Answer", answer: { phone: "+1" }, keepSeconds } as const
        yield* soon.later.settle(SOURCE, soon.subject, settled)
        yield* about.later.settle(SOURCE, about.subject, { ...settled, about: EMAIL })
        yield* pass(31)
        yield* round
        yield* pass(KEPT_UNNAMED_SECONDS_MAX + 1)
        for (const { find } of [unnamed, soon]) assert.isNull(tagOf(yield* find))
        for (const { find } of [named, known, about]) assert.strictEqual(tagOf(yield* find), "Answered")
        yield* pass(keepSeconds)
        for (const { find } of [named, known, about]) assert.isNull(tagOf(yield* find))
      })
    )

    it.effect("of two hosts at once one asks, and a source that never ends keeps nobody else from an answer", () =>
      Effect.gen(function* () {
        const endless = yield* given(() => Effect.never)
        const begun = yield* Deferred.make<void>()
        const quick = yield* given((one) => Effect.andThen(Deferred.succeed(begun, undefined), answering(one)))
        yield* pass(31)
        const fiber = yield* Effect.forkChild(Effect.all([round, round], { concurrency: "unbounded" }))
        yield* Deferred.await(begun)
        while (fiber.pollUnsafe() === undefined) {
          yield* TestClock.adjust(`${ASKED_SECONDS_MAX} seconds`)
          yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
        }
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          [endless, quick].map(({ subject }) => timesAsked(subject)),
          [1, 1]
        )
        assert.strictEqual(tagOf(yield* quick.find), "Answered")
        assert.strictEqual(tagOf(yield* endless.find), "Pending")
        scripts.set(endless.subject, () => Effect.succeed({ _tag: "Gone" }))
      })
    )

    it.effect("where a host dies in the middle of it, another asks again when the claim is over", () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        const { find, subject } = yield* given(({ tries, ...rest }) =>
          tries === 1 ? Effect.andThen(Deferred.succeed(begun, undefined), Effect.never) : answering({ tries, ...rest })
        )
        yield* pass(31)
        const dying = yield* Effect.forkChild(round)
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(dying)
        yield* round
        assert.strictEqual(timesAsked(subject), 1, "the claim stands")
        yield* pass(CLAIM_LEASE_MILLIS / 1000 + 1)
        yield* round
        assert.strictEqual(timesAsked(subject), 2)
        assert.strictEqual(tagOf(yield* find), "Answered")
      })
    )

    it.effect("an erasure takes what is asked and what is known of a person, and what is on its way is not kept", () =>
      Effect.gen(function* () {
        const { eraseFor } = yield* Erasure
        const begun = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const mine = yield* given(
          (one) =>
            Effect.andThen(Deferred.succeed(begun, undefined), Effect.andThen(Deferred.await(go), answering(one))),
          { email: "Ada@Corp.example" }
        )
        const later = mine.later
        const about = (subject: string, request: JsonObject) => {
          scripts.set(subject, answering)
          return later.ask({ source: SOURCE, subject, email: null, request: { subject, ...request }, afterSeconds: 1 })
        }
        const [answered, pending, other] = [freshId(), freshId(), freshId()]
        yield* about(answered, {})
        yield* pass(2)
        yield* round
        assert.strictEqual(tagOf(yield* later.find(SOURCE, answered)), "Answered")
        yield* about(pending, { who: `${EMAIL} and others` })
        yield* about(other, { who: "other@corp.example" })
        scripts.set(other, () => Effect.succeed({ _tag: "Again", afterSeconds: 60 }))
        scripts.set(pending, () => Effect.succeed({ _tag: "Again", afterSeconds: 60 }))
        yield* pass(31)
        const fiber = yield* Effect.forkChild(round)
        yield* Deferred.await(begun)
        const report = yield* Effect.orDie(eraseFor(mine.workspaceId, EMAIL))
        assert.deepInclude(report, { known: true, late: 3 })
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(fiber)
        for (const subject of [mine.subject, answered, pending]) {
          assert.isNull(tagOf(yield* later.find(SOURCE, subject)), subject)
        }
        assert.strictEqual(tagOf(yield* later.find(SOURCE, other)), "Pending")
      })
    )
  })
}
