import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { KNOWN_MILLIS, makeKnownHosts, UNKNOWN_MILLIS } from "../../../src/wings/linkHosts/KnownHosts.js"

it.effect(
  "a name is asked of the database once in a while, and strangers' names make it remember no more than it may",
  () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const known = yield* makeKnownHosts((host) =>
        Effect.sync(() => {
          asked.push(host)
          return host.startsWith("links.")
        })
      )
      const timesAsked = (host: string) => asked.filter((one) => one === host).length
      for (let times = 0; times < 5; times++) {
        assert.isTrue(yield* known.ask("links.test"))
        assert.isFalse(yield* known.ask("other.test"))
      }
      assert.deepStrictEqual([timesAsked("links.test"), timesAsked("other.test")], [1, 1])
      // One that was just proven is let in soon.
      yield* TestClock.adjust(UNKNOWN_MILLIS)
      yield* known.ask("links.test")
      yield* known.ask("other.test")
      assert.deepStrictEqual([timesAsked("links.test"), timesAsked("other.test")], [1, 2])
      yield* TestClock.adjust(KNOWN_MILLIS)
      assert.isNull(known.recall("links.test"))
      yield* known.ask("links.test")
      assert.strictEqual(timesAsked("links.test"), 2)
      // A clock that was set back by a year does not keep it for a year.
      yield* TestClock.setTime(-31_536_000_000)
      assert.isNull(known.recall("links.test"))
      for (let index = 0; index < 2_500; index++) yield* known.ask(`name-${index}.test`)
      const remembered = Array.from({ length: 2_500 }, (_, index) => known.recall(`name-${index}.test`))
      assert.lengthOf(
        remembered.filter((one) => one !== null),
        1_000
      )
      assert.isFalse(remembered.at(-1))
    })
)
