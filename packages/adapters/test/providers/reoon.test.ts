import { assert, describe, it } from "@effect/vitest"
import type { EmailCheck, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { makeKeptLater } from "@outbound/domain/sources/SourceAccessFactory.js"
import type { Later } from "@outbound/domain/sources/Later.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import type { VendorCost } from "@outbound/domain/sources/VendorCost.js"
import { patience } from "@outbound/testkit/service/patience.js"
import * as MemoryLayer from "@outbound/testkit/memory/layer.js"
import * as MemoryWork from "@outbound/testkit/memory/MemoryWork.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import * as TestIds from "@outbound/testkit/memory/TestIds.js"
import { Effect, Fiber, Layer, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { reoon } from "../../src/providers/reoon/Reoon.js"

const stored = Layer.provideMerge(MemoryWork.layer, MemoryLayer.layer)
const STORES = Layer.merge(Layer.merge(stored, TestCrypto.layer), TestIds.layer)

const PERSON = "pat.doe@acme.example"
const NAME = "reoon_verifications"
const VALID: EmailCheck = { status: "valid", isCatchAllDomain: false }

/** Answers when it is told to. */
const makeSlowServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const open: Array<ServerResponse> = []
    let left = 0
    const server = createServer((_request, response) => {
      open.push(response)
      response.once("close", () => {
        if (!response.writableEnded) left++
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return { server, open, left: () => left }
  }),
  ({ server }) =>
    Effect.promise(async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    })
)

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const until = (isSo: () => Effect.Effect<boolean>, says: string) =>
  Effect.gen(function* () {
    for (const isPatient = patience(); isPatient();) {
      if (yield* isSo()) return
      yield* turn
    }
    assert.fail(says)
  })

const given = Effect.gen(function* () {
  const { left, open, server } = yield* makeSlowServer
  const make = Result.getOrThrow(reoon.decode({ wait_seconds: 15 }))
  const made = yield* make({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    credential: Redacted.make("a credential"),
    callsPerMinute: null,
    unitMicros: 1_000_000,
    declared: {}
  })
  const verifier = made.sources.email_verifier as EmailVerifier
  const laterOf = yield* makeKeptLater
  const costs: Array<VendorCost> = []
  const begin = (later: Later = laterOf("w_1")) =>
    Effect.forkChild(Effect.result(verifier.verify(PERSON))).pipe(
      Effect.provideService(CurrentSourceAccess, {
        ...noAccess,
        later,
        spent: (cost: VendorCost) => Effect.sync(() => void costs.push(cost))
      })
    )
  const later = laterOf("w_1")
  return {
    begin,
    later,
    left,
    open,
    ask: Effect.flatMap(begin(), Fiber.join),
    asked: (count: number) => until(() => Effect.sync(() => open.length === count), `${count} requests`),
    /** What is known of it now. */
    known: Effect.map(later.find(NAME, PERSON), (one) => Option.getOrNull(one)?._tag ?? null),
    laterOf,
    answers: (index: number, json: unknown) =>
      Effect.sync(() => void open[index]?.setHeader("content-type", "application/json").end(JSON.stringify(json))),
    spent: () => costs.reduce((sum, { amount }) => sum + amount, 0),
    followUp: made.followUps?.[0]?.followUp({}, 1) ?? Effect.die("no follow-up")
  }
})

const failureIn = <A>(asked: Result.Result<A, ProviderFailure>): unknown =>
  Result.isFailure(asked) ? [asked.failure.reason, asked.failure.concluded] : asked

const valueIn = <A>(asked: Result.Result<A, ProviderFailure>): A | null => Result.getOrElse(asked, () => null)

const PENDING = ["transient", "pending"]

describe("reoon, whose answers may take longer than a call waits", () => {
  const scoped = (says: string, story: () => Effect.Effect<void, unknown, Effect.Services<typeof given>>) =>
    it.effect(says, () => Effect.provide(story(), STORES))

  /** A call that waited for as long as one may. */
  const late = Effect.gen(function* () {
    const all = yield* given
    const call = yield* all.begin()
    yield* all.asked(1)
    yield* TestClock.adjust("15 seconds")
    assert.deepStrictEqual(failureIn(yield* Fiber.join(call)), PENDING)
    return all
  })

  scoped("one that comes in time is written down nowhere", () =>
    Effect.gen(function* () {
      const { answers, asked, begin, known, spent } = yield* given
      const call = yield* begin()
      yield* asked(1)
      yield* TestClock.adjust("14 seconds")
      yield* answers(0, { status: "valid" })
      assert.deepStrictEqual(valueIn(yield* Fiber.join(call)), VALID)
      assert.deepStrictEqual([yield* known, spent()], [null, 1])
    })
  )

  scoped("what is late is told to who asks next, and is paid for once", () =>
    Effect.gen(function* () {
      const { answers, ask, known, open, spent } = yield* late
      assert.deepStrictEqual(failureIn(yield* ask), PENDING, "it is not asked for twice")
      assert.strictEqual(spent(), 0)
      yield* answers(0, { status: "valid" })
      yield* until(() => Effect.map(Effect.orDie(known), (tag) => tag === "Answered"), "kept")
      assert.deepStrictEqual(valueIn(yield* ask), VALID)
      assert.deepStrictEqual(valueIn(yield* ask), VALID)
      assert.deepStrictEqual([open.length, spent()], [1, 1])
      yield* TestClock.adjust("25 hours")
      assert.isNull(yield* known)
    })
  )

  scoped("one that fails late, or that a host lost, is asked for anew", () =>
    Effect.gen(function* () {
      const { asked, begin, followUp, known, open } = yield* late
      open[0]?.destroy()
      yield* until(() => Effect.map(Effect.orDie(known), (tag) => tag === null), "gone")
      const call = yield* begin()
      yield* asked(2)
      yield* Fiber.interrupt(call)
      assert.deepStrictEqual(yield* followUp, { _tag: "Gone" })
    })
  )

  it.live("a host that stops does not wait for it", () =>
    Effect.gen(function* () {
      const began = Date.now()
      yield* Effect.scoped(Effect.provide(late, Layer.merge(STORES, TestClock.layer())))
      assert.isBelow(Date.now() - began, 20_000)
    })
  )

  scoped("another workspace knows nothing of it", () =>
    Effect.gen(function* () {
      const { answers, asked, begin, laterOf } = yield* late
      const call = yield* begin(laterOf("w_2"))
      yield* asked(2)
      yield* answers(1, { status: "invalid" })
      assert.deepStrictEqual(valueIn(yield* Fiber.join(call)), { ...VALID, status: "invalid" })
    })
  )

  scoped("who leaves before that is seen to leave", () =>
    Effect.gen(function* () {
      const { asked, begin, known, left } = yield* given
      const call = yield* begin()
      yield* asked(1)
      yield* Fiber.interrupt(call)
      yield* until(() => Effect.sync(() => left() === 1), "the connection closes")
      assert.isNull(yield* known)
    })
  )

  scoped("where it can't be written down, nothing goes on that nobody would be told", () =>
    Effect.gen(function* () {
      const { asked, begin, later, left } = yield* given
      const failure = new ProviderFailure({ provider: "x", reason: "transient" })
      const call = yield* begin({ ...later, ask: () => Effect.fail(failure) })
      yield* asked(1)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(failureIn(yield* Fiber.join(call)), ["transient", undefined])
      yield* until(() => Effect.sync(() => left() === 1), "the connection closes")
    })
  )
})
