import { assert, describe, it } from "@effect/vitest"
import { factsOf, markOfMessage, messagesOf, PLANTED } from "../../src/evidence/messages.js"

const HONEST = 200
const FAULTY = 100
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1)

/** Of 100 planted faults so many may pass as proven, and of 200 honest messages so many may be marked. */
const MISSED_MAX = 1
const ALARMS_MAX = 4

describe("evidence, measured on a published set", () => {
  for (const set of ["tuning", "measured"] as const) {
    it(`marks at least 99 % of planted faults, and at most 2 % of honest messages (${set})`, () => {
      const facts = factsOf(set)
      const found = SEEDS.map((seed) => {
        const messages = messagesOf(facts, seed, HONEST, FAULTY)
        const isProven = messages.map((message) => markOfMessage(message) === "proven")
        const count = (test: (index: number) => boolean) => messages.filter((_, index) => test(index)).length
        return {
          seed,
          missed: count((index) => messages[index]?.planted !== null && isProven[index] === true),
          alarms: count((index) => messages[index]?.planted === null && isProven[index] === false)
        }
      })
      const total = (of: "missed" | "alarms") => found.reduce((sum, one) => sum + one[of], 0)
      console.log(
        `evidence (${set}): ${total("missed")} of ${FAULTY * SEEDS.length} planted faults passed, at most ${Math.max(...found.map(({ missed }) => missed))} of ${FAULTY}; ` +
          `${total("alarms")} of ${HONEST * SEEDS.length} honest messages were marked, at most ${Math.max(...found.map(({ alarms }) => alarms))} of ${HONEST}`
      )
      for (const { alarms, missed, seed } of found) {
        assert.isAtMost(missed, MISSED_MAX, `seed ${seed}`)
        assert.isAtMost(alarms, ALARMS_MAX, `seed ${seed}`)
      }
    })
  }

  it("each kind of fault is among the messages", () => {
    const messages = messagesOf(factsOf("measured"), 1, HONEST, FAULTY)
    for (const kind of PLANTED)
      assert.isTrue(
        messages.some(({ planted }) => planted === kind),
        kind
      )
    assert.lengthOf(messages, HONEST + FAULTY)
  })
})
