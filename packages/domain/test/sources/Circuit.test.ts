import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  Circuit,
  FAILURES_MAX,
  LATENCY_KEPT_SECONDS,
  OPEN_SECONDS,
  OPEN_SECONDS_MAX,
  REST_SECONDS_DEFAULT,
  REST_SECONDS_MAX,
  WINDOW_ASKED_MIN,
  WINDOW_SECONDS
} from "../../src/sources/Circuit.js"
import type { ProviderFailureReason } from "../../src/sources/ports/Source.js"

const SECOND = 1000
const START = 1_800_000_000_000

/** What a request comes to, whose source was not to be left alone. */
type Outcome = "answer" | ProviderFailureReason

const ask = (circuit: Circuit, outcome: Outcome, now: number, retryAfterSeconds?: number): boolean => {
  const pass = circuit.enter(now)
  if (pass === null) return false
  if (outcome === "answer") circuit.answered(pass, now)
  else circuit.failed(pass, outcome, retryAfterSeconds, now)
  return true
}

const tripped = (now = START): Circuit => {
  const circuit = new Circuit()
  for (let count = 0; count < FAILURES_MAX; count++) assert.isTrue(ask(circuit, "transient", now))
  return circuit
}

describe("the circuit of a source", () => {
  it("opens after so many failures in a row, and not before; an answer between them counts them anew", () => {
    const circuit = new Circuit()
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < FAILURES_MAX - 1; count++) assert.isTrue(ask(circuit, "account", START))
      assert.isTrue(ask(circuit, "answer", START))
    }
    assert.strictEqual(circuit.state, "closed")
    assert.strictEqual(tripped().state, "open")
    assert.strictEqual(tripped().waitMillis(START), OPEN_SECONDS * SECOND)
  })

  it("opens where half of what was asked within the window failed, with answers between", () => {
    const circuit = new Circuit()
    for (let count = 0; count < WINDOW_ASKED_MIN - 1; count++) {
      assert.isTrue(ask(circuit, count % 2 === 0 ? "transient" : "answer", START + count * SECOND))
    }
    assert.strictEqual(circuit.state, "closed", "not asked often enough to tell")
    ask(circuit, "transient", START + WINDOW_ASKED_MIN * SECOND)
    assert.strictEqual(circuit.state, "open")

    const slow = new Circuit()
    const apart = (WINDOW_SECONDS / (WINDOW_ASKED_MIN - 1)) * 1.5 * SECOND
    for (let count = 0; count < 5 * WINDOW_ASKED_MIN; count++) {
      assert.isTrue(ask(slow, count % 2 === 0 ? "transient" : "answer", START + count * apart))
    }
    assert.strictEqual(slow.state, "closed", "what is older than the window is forgotten")
  })

  it("counts a request that the source refuses, or may not be asked yet, as answered", () => {
    const circuit = new Circuit()
    for (let count = 0; count < 10 * FAILURES_MAX; count++) {
      const now = START + count * 10 * SECOND
      assert.isTrue(ask(circuit, count % 2 === 0 ? "invalid" : "rate_limited", now, 1))
    }
    assert.strictEqual(circuit.state, "closed")
  })

  it("lets one probe through once its wait is over, and closes when that is answered", () => {
    const circuit = tripped()
    const over = START + OPEN_SECONDS * SECOND
    assert.isNull(circuit.enter(over - 1))
    const probe = circuit.enter(over)
    assert.deepStrictEqual(probe, { isProbe: true })
    assert.isNull(circuit.enter(over), "only one at a time")
    circuit.answered(probe ?? assert.fail(), over)
    assert.strictEqual(circuit.state, "closed")
    for (let count = 0; count < FAILURES_MAX - 1; count++) ask(circuit, "transient", over)
    assert.strictEqual(circuit.state, "closed", "what failed before counts no more")
  })

  it("stays open for twice as long after each probe that fails, up to a bound, and recovers from that", () => {
    const circuit = tripped()
    let now = START
    for (let wait = OPEN_SECONDS; wait < 20 * OPEN_SECONDS_MAX; wait *= 2) {
      assert.strictEqual(circuit.waitMillis(now), Math.min(wait, OPEN_SECONDS_MAX) * SECOND)
      now += circuit.waitMillis(now)
      assert.isTrue(ask(circuit, "transient", now))
    }
    now += circuit.waitMillis(now)
    assert.isTrue(ask(circuit, "answer", now))
    for (let count = 0; count < FAILURES_MAX; count++) ask(circuit, "transient", now)
    assert.strictEqual(circuit.waitMillis(now), OPEN_SECONDS * SECOND)
  })

  it("lets another probe through where the first was interrupted", () => {
    const circuit = tripped()
    const now = START + OPEN_SECONDS * SECOND
    circuit.abandoned(circuit.enter(now) ?? assert.fail())
    assert.strictEqual(circuit.state, "open")
    assert.isTrue(ask(circuit, "answer", now))
  })

  it("is not moved by what was asked before it opened", () => {
    const circuit = new Circuit()
    const early = [circuit.enter(START), circuit.enter(START)].map((pass) => pass ?? assert.fail())
    for (let count = 0; count < FAILURES_MAX; count++) ask(circuit, "transient", START)
    circuit.answered(early[0] ?? assert.fail(), START + SECOND)
    circuit.failed(early[1] ?? assert.fail(), "transient", undefined, START + SECOND)
    assert.strictEqual(circuit.state, "open")
    assert.strictEqual(circuit.waitMillis(START + SECOND), (OPEN_SECONDS - 1) * SECOND)
  })

  it("leaves a source alone for as long as it says, within a bound, and to the millisecond", () => {
    for (const [said, kept] of [
      [undefined, REST_SECONDS_DEFAULT],
      [7, 7],
      [0.25, 0.25],
      [1e9, REST_SECONDS_MAX],
      [-5, 0]
    ] as const) {
      const circuit = new Circuit()
      ask(circuit, "rate_limited", START, said)
      assert.strictEqual(circuit.waitMillis(START), kept * SECOND)
      if (kept > 0) assert.isFalse(ask(circuit, "answer", START + kept * SECOND - 1))
      assert.isTrue(ask(circuit, "answer", START + kept * SECOND))
    }
  })

  it("is not held by a clock that is set back", () => {
    const circuit = tripped()
    assert.strictEqual(circuit.waitMillis(START - 3600 * SECOND), 0)
    assert.isTrue(ask(circuit, "answer", START - 3600 * SECOND))
  })

  it("believes what it measured more and more, and for so long", () => {
    const circuit = new Circuit()
    assert.strictEqual(circuit.latencyMillis(100, START), 100)
    circuit.measure(100, 600, START)
    assert.strictEqual(circuit.latencyMillis(100, START), 200)
    for (let count = 0; count < 50; count++) circuit.measure(100, 600, START)
    assert.closeTo(circuit.latencyMillis(100, START), 600, 1)
    assert.strictEqual(circuit.latencyMillis(100, START + LATENCY_KEPT_SECONDS * SECOND), 100)
  })

  it("whatever happens: nobody is asked within a wait, no two probes go at once, and every wait ends", () => {
    const outcome = fc.constantFrom<Outcome>("answer", "transient", "account", "invalid", "rate_limited")
    const event = fc.record({
      passes: fc.integer({ min: 0, max: 90 * SECOND }),
      outcome,
      wait: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
      isLate: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const circuit = new Circuit()
        const open: Array<{ readonly isProbe: boolean }> = []
        let now = START
        for (const { isLate, outcome, passes, wait } of events) {
          now += passes
          const waits = circuit.waitMillis(now)
          assert.isAtMost(waits, Math.max(OPEN_SECONDS_MAX, 100) * SECOND)
          const pass = circuit.enter(now)
          if (waits > 0) assert.isNull(pass)
          if (pass !== null) open.push(pass)
          assert.isAtMost(open.filter(({ isProbe }) => isProbe).length, 1)
          assert.strictEqual(
            circuit.state === "half_open",
            open.some(({ isProbe }) => isProbe)
          )
          if (isLate) continue
          const ended = open.shift()
          if (ended === undefined) continue
          if (outcome === "answer") circuit.answered(ended, now)
          else circuit.failed(ended, outcome, wait, now)
        }
        for (const pass of open) circuit.abandoned(pass)
        now += circuit.waitMillis(now)
        assert.isTrue(ask(circuit, "answer", now))
        assert.strictEqual(circuit.state, "closed")
      })
    )
  })
})
