import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { zero } from "../../../src/kernel/money/Credits.js"
import { windowOf } from "../../../src/data/intent/Window.js"
import { QUIET_PRICE } from "../../../src/verbs/prices.js"
import {
  CALL_SECONDS_MAX,
  callSources,
  checkCompany,
  checksOf,
  type CheckOutcome,
  SOURCE_SECONDS_MAX
} from "../../../src/data/intent/checkCompany.js"
import {
  type FoundSignal,
  type IntentQuery,
  type IntentSource,
  NOWHERE
} from "../../../src/sources/ports/IntentSource.js"
import { ProviderFailure, type ProviderFailureReason } from "../../../src/sources/ports/Source.js"

const QUERY: IntentQuery = { companyDomain: "acme.example", signal: "hiring", roles: [], limit: 50 }

const POSTING: FoundSignal = {
  companyDomain: "acme.example",
  title: "Engineer",
  summary: "Hiring: Engineer",
  observedAt: "1970-01-01",
  evidenceUrl: null,
  newsType: null
}

/** A source that takes note of each time it is asked. */
const source = (name: string, check: IntentSource["check"]) => {
  const asked: Array<string> = []
  const counting: IntentSource = {
    name,
    costMicros: 1,
    missRate: 0,
    latencyMillis: 1,
    signals: ["hiring"],
    check: (query) => {
      asked.push(query.companyDomain)
      return check(query)
    }
  }
  return { source: counting, asked }
}

const failing = (reason: ProviderFailureReason, retryAfterSeconds?: number) => () =>
  Effect.fail(
    new ProviderFailure({ provider: "x", reason, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) })
  )

const summary = (outcome: CheckOutcome) =>
  outcome._tag === "Answered" ? outcome.signals.length : [outcome.reason, outcome.retryAfterSeconds]

describe("the sources of one call", () => {
  it.effect("a source that is stuck is left for the next one", () =>
    Effect.gen(function* () {
      const stuck = source("stuck", () => Effect.never)
      const well = source("well", () => Effect.succeed([POSTING]))
      const { check } = yield* callSources([stuck.source, well.source])
      const open = yield* Effect.forkChild(check(QUERY))
      yield* TestClock.adjust(`${SOURCE_SECONDS_MAX} seconds`)
      assert.strictEqual(summary(yield* Fiber.join(open)), 1)
    })
  )

  it.effect("a source that finds nothing is no failure, also where the others fail", () =>
    Effect.gen(function* () {
      const empty = source("empty", () => Effect.succeed([]))
      const { check } = yield* callSources([source("down", failing("transient")).source, empty.source])
      assert.strictEqual(summary(yield* check(QUERY)), 0)
    })
  )

  it.effect("a source rests for as long as it says, and no other one with it", () =>
    Effect.gen(function* () {
      const limited = source("limited", failing("rate_limited", 9))
      const { check } = yield* callSources([limited.source])
      assert.deepStrictEqual(summary(yield* check(QUERY)), ["rate_limited", 9])
      yield* TestClock.adjust("8500 millis")
      assert.deepStrictEqual(summary(yield* check(QUERY)), ["temporarily_paused", 1])
      assert.strictEqual(limited.asked.length, 1)
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual(summary(yield* check(QUERY)), ["rate_limited", 9])
      const both = yield* callSources([limited.source, source("well", () => Effect.succeed([POSTING])).source])
      assert.strictEqual(summary(yield* both.check(QUERY)), 1)
      assert.strictEqual(summary(yield* both.check(QUERY)), 1)
      assert.strictEqual(limited.asked.length, 3)
    })
  )

  it.effect("nobody is asked anything after a minute", () =>
    Effect.gen(function* () {
      const well = source("well", () => Effect.succeed([POSTING]))
      const { check, isOpen } = yield* callSources([well.source])
      yield* TestClock.adjust(`${CALL_SECONDS_MAX} seconds`)
      assert.isFalse(yield* isOpen)
      assert.deepStrictEqual(summary(yield* check(QUERY)), ["temporarily_paused", 5])
      assert.isEmpty(well.asked)
    })
  )

  it.effect("a kind that no source serves is paused, without a time", () =>
    Effect.gen(function* () {
      const { check } = yield* callSources([source("well", () => Effect.succeed([POSTING])).source])
      assert.deepStrictEqual(summary(yield* check({ ...QUERY, signal: "news" })), ["temporarily_paused", null])
    })
  )
})

describe("a company without a place for openings", () => {
  const checked = (...sources: ReadonlyArray<IntentSource>) =>
    Effect.flatMap(callSources(sources), (asked) =>
      checkCompany(asked, "acme.example", checksOf(["hiring"], []), windowOf({}, 0))
    )

  it.effect("is checked to the end, and costs nothing; one with a place and no openings is a paid check", () =>
    Effect.gen(function* () {
      const nowhere = source("boards", () => Effect.succeed(NOWHERE))
      const quiet = source("well", () => Effect.succeed([]))
      const without = yield* checked(nowhere.source)
      assert.deepStrictEqual(
        [without.completed, without.read, without.signals, without.charge],
        [["hiring"], 0, [], zero]
      )
      const empty = yield* checked(quiet.source)
      assert.deepStrictEqual(
        [empty.completed, empty.read, empty.signals, empty.charge],
        [["hiring"], 1, [], QUIET_PRICE]
      )
    })
  )

  it.effect("is asked of the next source, which may know one", () =>
    Effect.gen(function* () {
      const nowhere = source("boards", () => Effect.succeed(NOWHERE))
      const well = source("well", () => Effect.succeed([POSTING]))
      assert.lengthOf((yield* checked(nowhere.source, well.source)).signals, 1)
    })
  )

  it.effect("is not known to be one while another source, which may know one, doesn't answer", () =>
    Effect.gen(function* () {
      const nowhere = source("feeds", () => Effect.succeed(NOWHERE))
      const failing = (failure: Partial<ConstructorParameters<typeof ProviderFailure>[0]>) =>
        source("news", () => Effect.fail(new ProviderFailure({ provider: "news", reason: "transient", ...failure })))
      const { charge, completed, unavailable } = yield* checked(
        nowhere.source,
        failing({ reason: "rate_limited", retryAfterSeconds: 17 }).source
      )
      assert.deepStrictEqual([completed, charge], [[], zero])
      assert.deepStrictEqual(
        unavailable.map(({ outcome }) => [outcome.reason, outcome.retryAfterSeconds]),
        [["rate_limited", 17]]
      )
      // One without a credential never answers.
      const unset = yield* checked(nowhere.source, failing({ reason: "account", concluded: "skipped" }).source)
      assert.deepStrictEqual(unset.completed, ["hiring"])
    })
  )

  it.effect("is not one whose website can't be read", () =>
    Effect.gen(function* () {
      const unread = source("boards", () =>
        Effect.fail(new ProviderFailure({ provider: "boards", reason: "invalid", concluded: "unreadable" }))
      )
      const { charge, completed, unavailable } = yield* checked(unread.source)
      assert.deepStrictEqual([completed, charge], [[], zero])
      assert.deepStrictEqual(
        unavailable.map(({ outcome }) => outcome.reason),
        ["upstream_error"]
      )
    })
  )
})
