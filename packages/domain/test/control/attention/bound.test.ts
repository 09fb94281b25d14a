import { assert, describe, it } from "@effect/vitest"
import { chanceOfAtMost, enoughFor, wrongAtMost } from "../../../src/control/attention/bound.js"

/** Numbers from 0 to 1, always the same. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe("the bound of what can be wrong", () => {
  it("of 95 of 2,000 with none wrong is 60, which is 3.0 %", () => {
    assert.strictEqual(wrongAtMost({ population: 2_000, looked: 95, wrong: 0 }), 60)
  })

  it("is the largest number that isn't very unlikely: one more would be", () => {
    for (const drawn of [
      { population: 10, looked: 0, wrong: 0 },
      { population: 10, looked: 10, wrong: 3 },
      { population: 300, looked: 40, wrong: 0 },
      { population: 300, looked: 40, wrong: 2 },
      { population: 5_000, looked: 97, wrong: 5 }
    ]) {
      const most = wrongAtMost(drawn)
      assert.isAtLeast(chanceOfAtMost(drawn, most), 0.05 - 1e-9)
      if (most < drawn.population - drawn.looked + drawn.wrong) assert.isBelow(chanceOfAtMost(drawn, most + 1), 0.05)
      assert.isAtLeast(most, drawn.wrong)
    }
    assert.strictEqual(wrongAtMost({ population: 10, looked: 10, wrong: 3 }), 3)
    assert.strictEqual(wrongAtMost({ population: 10, looked: 0, wrong: 0 }), 10)
  })

  it("is reached with the fewest that are enough, and not with one fewer", () => {
    for (const [population, share] of [
      [201, 0.1],
      [2_000, 0.1],
      [2_000, 0.05],
      [5_000, 0.03]
    ] as const) {
      const enough = enoughFor(population, share)
      const most = (looked: number) => wrongAtMost({ population, looked, wrong: 0 })
      assert.isAtMost(most(enough), share * population)
      assert.isAbove(most(enough - 1), share * population)
    }
    assert.strictEqual(enoughFor(0, 0.1), 0)
  })

  it("holds for at least 95 % of 10,000 simulated approvers, whatever is wrong in how many messages", () => {
    const random = randomFrom(42)
    const below = (n: number): number => Math.floor(random() * n)
    let held = 0
    const rounds = 10_000
    for (let round = 0; round < rounds; round += 1) {
      const population = 200 + below(4_800)
      const looked = 20 + below(100)
      // Where the bound is tight: few wrong ones, of which none, one or two are found.
      const wrongInAll = below(Math.ceil(population * 0.15))
      let left = population
      let wrongLeft = wrongInAll
      let wrong = 0
      for (let look = 0; look < looked; look += 1) {
        if (below(left) < wrongLeft) {
          wrong += 1
          wrongLeft -= 1
        }
        left -= 1
      }
      if (wrongInAll <= wrongAtMost({ population, looked, wrong })) held += 1
    }
    assert.isAtLeast(held / rounds, 0.95)
    // The bound is no bound of everything.
    assert.isBelow(held / rounds, 1)
  })
})
