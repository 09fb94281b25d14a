import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Result } from "effect"
import { EventReader } from "../../src/llm/EventReader.js"

/** A reader over a body that notes how it is held up. */
const given = () => {
  const asked: Array<string> = []
  const body = {
    pause: () => void asked.push("pause"),
    resume: () => void asked.push("resume"),
    abort: ({ message }: Error) => void asked.push(message)
  }
  const reader = new EventReader(body, () => void asked.length)
  return { asked, reader, events: (...data: ReadonlyArray<string>) => reader.data(bytesOf(data)) }
}

const bytesOf = (data: ReadonlyArray<string>): Buffer => Buffer.from(data.map((one) => `data: ${one}\n\n`).join(""))

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Waits for what comes by itself within milliseconds. */
const until = (holds: () => boolean) => Effect.repeat(turn, { until: holds })

describe("events on their way", () => {
  it.effect("gives all that one read brought before anybody asked, and holds the body up only when that is much", () =>
    Effect.gen(function* () {
      const { asked, events, reader } = given()
      events("1")
      events("2")
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual(yield* reader.next, ["1", "2"])
      const half = "x".repeat(33 * 1024)
      events(half)
      assert.deepStrictEqual(asked, [])
      events(half)
      assert.deepStrictEqual(asked, ["pause"])
      assert.deepStrictEqual(yield* reader.next, [half, half])
    })
  )

  it.effect("holds the body up while the taker has no room", () =>
    Effect.gen(function* () {
      const { asked, events, reader } = given()
      const room = yield* Deferred.make<boolean>()
      const taken: Array<ReadonlyArray<string>> = []
      const fiber = yield* Effect.forkChild(
        reader.each((some) => {
          taken.push(some)
          return taken.length === 1 ? Effect.runPromise(Deferred.await(room)) : true
        })
      )
      yield* until(() => asked.at(-1) === "resume")
      events("3")
      yield* until(() => taken.length === 1)
      events("4".repeat(65 * 1024))
      assert.deepStrictEqual([taken, asked.at(-1)], [[["3"]], "pause"])
      yield* Deferred.succeed(room, true)
      yield* until(() => taken.length === 2)
      yield* until(() => asked.at(-1) === "resume")
      assert.deepStrictEqual(taken, [["3"], ["4".repeat(65 * 1024)]])
      events("5", "[DONE]", "6")
      assert.isTrue(yield* Fiber.join(fiber))
      assert.deepStrictEqual(taken.at(-1), ["5"])
    })
  )

  it.effect("hands over together what comes in quick succession, however it was cut into pieces", () =>
    Effect.gen(function* () {
      const { asked, events, reader } = given()
      const taken: Array<ReadonlyArray<string>> = []
      const fiber = yield* Effect.forkChild(reader.each((some) => taken.push(some) > 0))
      yield* until(() => asked.at(-1) === "resume")
      events("1")
      events("2")
      yield* until(() => taken.length > 0)
      events("3")
      events("4")
      yield* until(() => taken.length > 1)
      events("5", "[DONE]")
      assert.isTrue(yield* Fiber.join(fiber))
      assert.deepStrictEqual(taken, [["1", "2"], ["3", "4"], ["5"]])
    })
  )

  it.effect("holds nothing back once the end is there, or once much waits", () =>
    Effect.gen(function* () {
      const { asked, events, reader } = given()
      const taken: Array<ReadonlyArray<string>> = []
      const fiber = yield* Effect.forkChild(reader.each((some) => taken.push(some) > 0))
      yield* until(() => asked.at(-1) === "resume")
      const much = "x".repeat(65 * 1024)
      events(much)
      yield* Effect.promise(() => Promise.resolve())
      assert.deepStrictEqual(taken, [[much]])
      events("1", "[DONE]")
      yield* Effect.promise(() => Promise.resolve())
      assert.deepStrictEqual(taken, [[much], ["1"]])
      assert.isTrue(yield* Fiber.join(fiber))
    })
  )

  it.effect("gives what came before a break, then says that it was cut off", () =>
    Effect.gen(function* () {
      const { events, reader } = given()
      events("1")
      reader.over(null)
      assert.deepStrictEqual(yield* reader.next, ["1"])
      const end = yield* Effect.result(reader.each(() => true))
      assert.match(String(Result.getFailure(end).pipe((left) => (left._tag === "Some" ? left.value : ""))), /\[DONE\]/)
    })
  )

  it.effect("aborts the request when it is left before its end, and what sends too much after it", () =>
    Effect.gen(function* () {
      const left = given()
      left.events("1")
      left.reader.leave()
      assert.deepStrictEqual(left.asked, ["nobody waits any more"])

      const ended = given()
      ended.events("[DONE]")
      assert.isNull(yield* ended.reader.next)
      ended.reader.data(Buffer.alloc(2_000))
      ended.reader.over(null)
      ended.reader.leave()
      assert.deepStrictEqual(ended.asked, ["too much after the end"])
    })
  )

  it.effect("a wait for the first events, for more of them, or for room ends at once when the reader is left", () =>
    Effect.gen(function* () {
      const first = given()
      const next = yield* Effect.forkChild(Effect.asVoid(first.reader.next))
      const more = given()
      const each = yield* Effect.forkChild(Effect.asVoid(more.reader.each(() => true)))
      const full = given()
      full.events("1")
      const room = yield* Effect.forkChild(Effect.asVoid(full.reader.each(() => new Promise<boolean>(() => undefined))))
      yield* until(() => more.asked.at(-1) === "resume")
      for (const [fiber, { asked, reader }] of [[next, first] as const, [each, more] as const, [room, full] as const]) {
        reader.leave()
        assert.match(String(yield* Effect.flip(Fiber.join(fiber))), /nobody waits/)
        assert.strictEqual(asked.at(-1), "nobody waits any more")
      }
    })
  )

  it.effect("a taker that wants no more ends it", () =>
    Effect.gen(function* () {
      const { events, reader } = given()
      events("1", "2")
      assert.isFalse(yield* reader.each(() => false))
    })
  )
})
