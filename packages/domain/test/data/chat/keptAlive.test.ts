import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { BEAT_SECONDS, keptAlive } from "../../../src/data/chat/keptAlive.js"
import type { NowOrLater } from "../../../src/kernel/NowOrLater.js"

/** Events whose client takes what it is sent as `takes` says. */
const given = (takes: () => NowOrLater<boolean> = () => true) =>
  Effect.clockWith((clock) =>
    Effect.sync(() => {
      let beats = 0
      const events = { send: takes, beat: () => void beats++, onLeft: () => () => undefined }
      return { alive: keptAlive(events, clock), beats: () => beats }
    })
  )

const seconds = (count: number) => TestClock.adjust(`${count} seconds`)

describe("a client that waits", () => {
  it.effect("hears every ten seconds that its answer is under way, until the end", () =>
    Effect.gen(function* () {
      const { alive, beats } = yield* given()
      yield* seconds(BEAT_SECONDS - 1)
      assert.strictEqual(beats(), 0)
      yield* seconds(1)
      assert.strictEqual(beats(), 1)
      yield* seconds(10 * BEAT_SECONDS)
      assert.strictEqual(beats(), 11)
      alive.end()
      yield* seconds(10 * BEAT_SECONDS)
      assert.strictEqual(beats(), 11)
    })
  )

  it.effect("hears nothing of it while events come", () =>
    Effect.gen(function* () {
      const { alive, beats } = yield* given()
      for (let i = 0; i < 20; i++) {
        yield* seconds(BEAT_SECONDS - 3)
        alive.send(["{}"])
      }
      assert.strictEqual(beats(), 0)
      alive.end()
    })
  )

  it.effect("is sent no more while it doesn't read what it was sent", () =>
    Effect.gen(function* () {
      let read: (value: boolean) => void = () => undefined
      const { alive, beats } = yield* given(() => new Promise<boolean>((resolve) => (read = resolve)))
      const sent = alive.send(["{}"])
      yield* seconds(5 * BEAT_SECONDS)
      assert.strictEqual(beats(), 0)
      read(true)
      assert.isTrue(yield* Effect.promise(() => Promise.resolve(sent)))
      yield* seconds(BEAT_SECONDS + 2)
      assert.strictEqual(beats(), 1)
      alive.end()
    })
  )
})
