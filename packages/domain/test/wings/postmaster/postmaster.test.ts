import { assert, it } from "@effect/vitest"
import { HOUR_MILLIS } from "../../../src/kernel/durations.js"
import { measuredBy, type PostmasterReading, readingState } from "../../../src/wings/postmaster/Postmaster.js"

const NOW = Date.UTC(2026, 10, 20)

const reading = (given: Partial<PostmasterReading>): PostmasterReading => ({
  workspaceId: "w",
  domain: "acme.test",
  readAtMillis: NOW,
  requirements: [{ requirement: "SPF", status: "compliant" }],
  day: "2026-11-18",
  spamRate: 0.0005,
  rejectRate: 0,
  tempFailRate: 0,
  ...given
})

it("a state is proven by Google's own limits, and nothing is proven by silence or by age", () => {
  const of = (given: Partial<PostmasterReading>) => readingState(reading(given), NOW)
  assert.strictEqual(of({}), "good")
  assert.strictEqual(of({ spamRate: 0.001 }), "watch")
  assert.strictEqual(of({ spamRate: 0.0029 }), "watch")
  assert.strictEqual(of({ spamRate: 0.003 }), "bad")
  assert.strictEqual(of({ rejectRate: 0.05 }), "watch")
  assert.strictEqual(of({ tempFailRate: 0.2 }), "bad")
  assert.strictEqual(of({ requirements: [{ requirement: "DKIM", status: "needs_work" }] }), "watch")
  assert.strictEqual(of({ requirements: [{ requirement: "DKIM", status: "unknown" }] }), "unknown")
  assert.strictEqual(of({ requirements: [] }), "unknown")
  assert.strictEqual(of({ spamRate: null }), "unknown")
  assert.strictEqual(of({ spamRate: 0.5, readAtMillis: NOW - 97 * HOUR_MILLIS }), "unknown")
  assert.isNull(measuredBy([reading({})], NOW)[0]?.advice ?? null)
  assert.include(measuredBy([reading({ spamRate: 0.01 })], NOW)[0]?.advice?.text ?? "", "1 % reported as spam")
})
