import { assert, describe, it } from "@effect/vitest"
import { anytimeDifference, type Difference } from "../../../src/kernel/statistics/anytimeDifference.js"

/** A generator with a seed, so that a failure comes again (mulberry32). */
const seeded = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The interval by counts, for groups of these sizes: a simulation meets the same counts again and again. */
const remembered = (written: number, held: number) => {
  const known = new Map<number, Difference>()
  return (inWritten: number, inHeld: number): Difference => {
    const key = inWritten * (held + 1) + inHeld
    const before = known.get(key)
    if (before !== undefined) return before
    const found = anytimeDifference({ people: written, outcomes: inWritten }, { people: held, outcomes: inHeld })
    assert.isNotNull(found)
    known.set(key, found as Difference)
    return found as Difference
  }
}

interface Plan {
  readonly written: number
  readonly held: number
  /** The chance to have the outcome at all. */
  readonly ofWritten: number
  readonly ofHeld: number
  /** When it comes, among those to whom it comes: of people who are written to sooner, if below one. */
  readonly sooner: number
}

/** One campaign, looked at after every outcome: whether any look claims a difference, and whether any misses the truth. */
const run = (plan: Plan, interval: (one: number, other: number) => Difference, random: () => number) => {
  const events: Array<{ readonly at: number; readonly isHeld: boolean }> = []
  const draw = (people: number, chance: number, isHeld: boolean): void => {
    for (let one = 0; one < people; one += 1) {
      if (random() < chance) events.push({ at: random() ** (isHeld ? 1 : 1 / plan.sooner), isHeld })
    }
  }
  draw(plan.written, plan.ofWritten, false)
  draw(plan.held, plan.ofHeld, true)
  events.sort((a, b) => a.at - b.at)
  /** The true difference by then. */
  const truth = (at: number): number => plan.ofWritten * at ** plan.sooner - plan.ofHeld * at
  let [inWritten, inHeld, claims, misses] = [0, 0, false, false]
  const look = (at: number): void => {
    const { high, low } = interval(inWritten, inHeld)
    claims ||= low > 0 || high < 0
    misses ||= truth(at) < low || truth(at) > high
  }
  look(0)
  for (const { at, isHeld } of events) {
    // Just before and just after each: where an interval that is wrong is wrong.
    look(at)
    if (isHeld) inHeld += 1
    else inWritten += 1
    look(at)
  }
  look(1)
  return { claims, misses, last: interval(inWritten, inHeld) }
}

const RUNS = 10_000

const simulate = (plan: Plan, runs: number, seed: number) => {
  const random = seeded(seed)
  const interval = remembered(plan.written, plan.held)
  let [claims, misses, found] = [0, 0, 0]
  for (let one = 0; one < runs; one += 1) {
    const result = run(plan, interval, random)
    if (result.claims) claims += 1
    if (result.misses) misses += 1
    if (result.last.low > 0) found += 1
  }
  return { claims, misses, found }
}

describe("a difference that may be looked at any time", () => {
  it("of 10,000 campaigns that change nothing, at most 5 % claim something at any look", () => {
    for (const [seed, chance] of [
      [1, 0.03],
      [2, 0.2]
    ] as const) {
      const plan = { written: 300, held: 60, ofWritten: chance, ofHeld: chance, sooner: 1 }
      const { claims, misses } = simulate(plan, RUNS, seed)
      assert.isAtMost(claims, RUNS * 0.05, `${chance}`)
      assert.isAtMost(misses, RUNS * 0.05, `${chance}`)
    }
  })

  it("with planted effects the interval covers the truth at every look in at least 95 %, and finds large ones", () => {
    const plans: ReadonlyArray<readonly [plan: Plan, leastFound: number]> = [
      [{ written: 300, held: 60, ofWritten: 0.06, ofHeld: 0.03, sooner: 1 }, 0],
      [{ written: 400, held: 100, ofWritten: 0.3, ofHeld: 0.02, sooner: 0.5 }, 0.85],
      [{ written: 200, held: 200, ofWritten: 0.02, ofHeld: 0.3, sooner: 1 }, 0],
      [{ written: 300, held: 60, ofWritten: 0.5, ofHeld: 0.4, sooner: 0.7 }, 0]
    ]
    for (const [index, [plan, leastFound]] of plans.entries()) {
      const { found, misses } = simulate(plan, 2_000, 100 + index)
      assert.isAtMost(misses, 2_000 * 0.05, JSON.stringify(plan))
      assert.isAtLeast(found, 2_000 * leastFound, JSON.stringify(plan))
    }
  })

  it("narrows as people join, contains the estimate, stays within what shares can be, and mirrors when the groups change places", () => {
    let before = 2
    for (const people of [10, 100, 1_000, 10_000]) {
      const first = { people, outcomes: people / 10 }
      const second = { people, outcomes: people / 5 }
      const found = anytimeDifference(first, second) as Difference
      const mirrored = anytimeDifference(second, first) as Difference
      assert.closeTo(found.estimate, -0.1, 1e-12)
      assert.isTrue(found.low >= -1 && found.low <= found.estimate && found.estimate <= found.high && found.high <= 1)
      assert.closeTo(found.low, -mirrored.high, 1e-9)
      assert.isBelow(found.high - found.low, before)
      before = found.high - found.low
    }
    // Of two groups that all had it, or nobody had, the truth may be anything near.
    const all = anytimeDifference({ people: 50, outcomes: 50 }, { people: 50, outcomes: 50 }) as Difference
    assert.isTrue(all.low < 0 && all.high > 0)
    assert.isNull(anytimeDifference({ people: 0, outcomes: 0 }, { people: 5, outcomes: 1 }))
  })
})
