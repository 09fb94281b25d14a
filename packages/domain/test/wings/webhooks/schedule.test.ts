import { assert, it } from "@effect/vitest"
import { DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS } from "../../../src/kernel/durations.js"
import { REST_MILLIS, RETRY_AFTER_MILLIS_MAX, RETRY_MILLIS, retryOf } from "../../../src/wings/webhooks/schedule.js"

const SECOND_MILLIS = 1_000

it("an event is tried twelve times over about three days, and then no more", () => {
  const waits = Array.from({ length: 12 }, (_, index) => retryOf(index + 1, 1, null).retryInMillis)
  assert.deepStrictEqual(waits, [
    5 * SECOND_MILLIS,
    30 * SECOND_MILLIS,
    2 * MINUTE_MILLIS,
    10 * MINUTE_MILLIS,
    30 * MINUTE_MILLIS,
    HOUR_MILLIS,
    3 * HOUR_MILLIS,
    6 * HOUR_MILLIS,
    12 * HOUR_MILLIS,
    DAY_MILLIS,
    DAY_MILLIS,
    null
  ])
  const sum = RETRY_MILLIS.reduce((all, wait) => all + wait, 0)
  assert.isTrue(sum > 2.5 * DAY_MILLIS && sum < 3.5 * DAY_MILLIS)
})

it("an endpoint rests once it failed three times in a row, longer each time, and never longer than that", () => {
  const rests = Array.from({ length: 9 }, (_, index) => retryOf(1, index + 1, null).restMillis)
  const [, , third, fourth, fifth, sixth] = REST_MILLIS
  assert.deepStrictEqual(rests, [0, 0, third, fourth, fifth, sixth, sixth, sixth, sixth])
  assert.deepStrictEqual(
    [third, fourth, fifth, sixth],
    [10 * SECOND_MILLIS, 30 * SECOND_MILLIS, MINUTE_MILLIS, 5 * MINUTE_MILLIS]
  )
})

it("a receiver that asks for more time gets it, up to an hour; one that asks for less changes nothing", () => {
  assert.deepStrictEqual(retryOf(1, 1, 7 * MINUTE_MILLIS), {
    retryInMillis: 7 * MINUTE_MILLIS,
    restMillis: 7 * MINUTE_MILLIS
  })
  assert.deepStrictEqual(retryOf(1, 1, DAY_MILLIS), {
    retryInMillis: RETRY_AFTER_MILLIS_MAX,
    restMillis: RETRY_AFTER_MILLIS_MAX
  })
  assert.strictEqual(RETRY_AFTER_MILLIS_MAX, HOUR_MILLIS)
  assert.deepStrictEqual(retryOf(8, 6, SECOND_MILLIS), {
    retryInMillis: 6 * HOUR_MILLIS,
    restMillis: 5 * MINUTE_MILLIS
  })
  assert.deepStrictEqual(retryOf(1, 1, -DAY_MILLIS), { retryInMillis: 5 * SECOND_MILLIS, restMillis: 0 })
  // The last try stays the last.
  assert.deepStrictEqual(retryOf(12, 6, HOUR_MILLIS), { retryInMillis: null, restMillis: HOUR_MILLIS })
})
