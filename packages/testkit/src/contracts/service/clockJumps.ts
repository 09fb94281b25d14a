import { assert } from "@effect/vitest"
import { makeClockRound } from "@outbound/domain/app/ClockRound.js"
import type { ClockStore } from "@outbound/domain/kernel/ports/ClockStore.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { describeStories } from "./describeStories.js"
import {
  assertOnce,
  campaign,
  ONE_STEP,
  type OwnService,
  ownPass,
  ownTurn,
  people,
  recipients,
  sentIn,
  taken,
  team,
  THURSDAY
} from "./ownStories.js"
import { deliveries, launched, ok, pass, sender, silent, to, trailOf, work } from "./stories.js"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Back by these: just more than hosts may differ by, some hours, and more than a month. */
export const FIVE_HOURS = ["five hours", 5 * HOUR] as const
const BACK: ReadonlyArray<readonly [name: string, millis: number]> = [
  ["two minutes", 2 * MINUTE],
  FIVE_HOURS,
  ["forty days", 40 * DAY]
]

/** A host that looks at its clock, begun at this time. */
const beginAt = (atMillis: number) =>
  Effect.gen(function* () {
    const look = yield* makeClockRound
    yield* TestClock.setTime(atMillis)
    yield* look
    return {
      look,
      /** The clock jumps, and the host looks. */
      jump: (byMillis: number) =>
        Effect.gen(function* () {
          yield* TestClock.setTime((yield* Clock.currentTimeMillis) + byMillis)
          yield* look
        })
    }
  })

/** Whatever way the service's clock jumps, nothing waits for it to catch up, and nobody is written to twice. */
export const clockJumpsContract = <E>(
  name: string,
  service: Layer.Layer<OwnService | ClockStore, E>,
  sizes = BACK
): void => {
  describeStories(service)(`clocks that jump (${name})`, (it) => {
    for (const [size, millis] of sizes) {
      it.effect(`back by ${size}: an own mailbox goes on at its pace, and writes to each once`, () =>
        Effect.gen(function* () {
          const host = yield* beginAt(THURSDAY + 12 * HOUR)
          const owner = yield* team(1)
          const campaign_id = yield* campaign(owner, { recipients: people(8) })
          yield* ownPass("2 hours")
          const before = (yield* recipients(owner)).length
          assert.isAtLeast(before, 1)
          yield* host.jump(-millis)
          // As long as the longest pause between two of its messages.
          yield* ownPass("3 hours")
          assert.isAbove((yield* recipients(owner)).length, before)
          yield* ownPass("24 hours", "30 minutes")
          assertOnce(yield* recipients(owner), 8)
          assert.lengthOf(yield* sentIn(owner, campaign_id), 8)
        })
      )

      it.effect(`back by ${size}: what is due goes out within a minute, and the sequence after it`, () =>
        Effect.gen(function* () {
          const host = yield* beginAt(THURSDAY + 12 * HOUR)
          const client = yield* sender()
          const sent = yield* launched(client, { recipients: silent(3, `s${millis}`) })
          yield* work
          assert.lengthOf(yield* deliveries(sent), 3)
          const due = yield* launched(client, { recipients: silent(3, `l${millis}`) })
          yield* host.jump(-millis)
          yield* pass("1 minute", "10 seconds")
          for (const campaign_id of [sent, due]) assert.lengthOf(yield* deliveries(campaign_id), 6)
        })
      )

      it.effect(`back by ${size}: a follow-up waits as long as its step says, and no longer`, () =>
        Effect.gen(function* () {
          const host = yield* beginAt(THURSDAY + 12 * HOUR)
          const owner = yield* team(1)
          yield* campaign(owner, { recipients: people(1), sequence: [...ONE_STEP, { body: "Again", wait_days: 2 }] })
          yield* ownTurn
          assert.lengthOf(yield* recipients(owner), 1)
          yield* host.jump(-millis)
          yield* ownPass("47 hours", "1 hour")
          assert.lengthOf(yield* recipients(owner), 1)
          yield* ownPass("2 hours", "30 minutes")
          assert.lengthOf(yield* recipients(owner), 2)
        })
      )

      it.effect(`back by ${size}: an answer that has come in is read within a minute, and ends its sequence`, () =>
        Effect.gen(function* () {
          const host = yield* beginAt(THURSDAY + 12 * HOUR)
          const client = yield* sender()
          const campaign_id = yield* launched(client, { recipients: to(`interested+${millis}@magic.test`) })
          yield* work
          yield* TestClock.adjust("3 seconds")
          yield* host.jump(-millis)
          yield* pass("1 minute", "10 seconds")
          assert.lengthOf(ok(yield* client.call("get_replies", { campaign_id })).result.replies, 1)
          yield* pass("72 hours", "6 hours")
          assert.lengthOf(yield* deliveries(campaign_id), 1)
          assert.lengthOf(yield* trailOf(client, { campaign_id, kind: "stop" }), 1)
        })
      )
    }

    it.effect("back into a sending window that was over: the campaign uses it", () =>
      Effect.gen(function* () {
        const host = yield* beginAt(THURSDAY + 18 * HOUR)
        const owner = yield* team(1)
        const schedule = { timezone: "UTC", days: ["thu"], start_hour: 9, end_hour: 17 }
        yield* campaign(owner, { recipients: people(2), schedule })
        yield* ownPass("1 hour")
        assert.lengthOf(yield* recipients(owner), 0)
        yield* host.jump(-9 * HOUR)
        yield* ownTurn
        yield* TestClock.adjust("1 minute")
        yield* ownTurn
        assert.lengthOf(yield* recipients(owner), 1)
      })
    )

    it.effect("forward by a day and back again: each is written to once, within the caps of a day", () =>
      Effect.gen(function* () {
        const host = yield* beginAt(THURSDAY + 8 * HOUR)
        const owner = yield* team(1)
        const campaign_id = yield* campaign(owner, { recipients: people(30) })
        yield* ownPass("1 hour")
        yield* host.jump(DAY)
        yield* ownPass("1 hour")
        yield* host.jump(-DAY)
        yield* ownPass("13 hours")
        const today = (yield* taken(owner)).length
        assert.isAtMost(today, 25)
        yield* ownPass("24 hours", "20 minutes")
        assertOnce(yield* recipients(owner), 30)
        assert.lengthOf(yield* sentIn(owner, campaign_id), 30)
      })
    )

    it.effect("another host that saw the same jump moves nothing again, and one that is behind moves nothing", () =>
      Effect.gen(function* () {
        const host = yield* beginAt(THURSDAY + 12 * HOUR)
        const other = yield* makeClockRound
        yield* other
        const owner = yield* team(1)
        yield* campaign(owner, { recipients: people(3) })
        yield* ownTurn
        assert.lengthOf(yield* recipients(owner), 1)
        yield* host.jump(-5 * HOUR)
        yield* other
        yield* ownTurn
        assert.lengthOf(yield* recipients(owner), 1)
        // A host whose clock is always behind has not been set back.
        const behind = yield* makeClockRound
        yield* behind
        yield* TestClock.adjust("2 hours")
        yield* host.look
        yield* TestClock.setTime((yield* Clock.currentTimeMillis) - 2 * HOUR + MINUTE)
        const before = (yield* recipients(owner)).length
        yield* behind
        yield* ownTurn
        assert.lengthOf(yield* recipients(owner), before)
      })
    )
  })
}
