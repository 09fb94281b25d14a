import { assert, describe, it } from "@effect/vitest"
import { Chance } from "../../src/simulation/Chance.js"

const first = (seed: number) => {
  const chance = new Chance(seed)
  return [chance.integer(1_000_000), chance.nextDoubleUnsafe(), chance.integer(10), chance.nextIntUnsafe()]
}

describe("chance that a seed settles", () => {
  it("is the same wherever it is asked, so that a seed that once found a fault finds it again", () => {
    assert.deepStrictEqual(first(1), [324_022, 0.8524066905232036, 6, 3_129_550_076_321_078])
    assert.deepStrictEqual(first(60_262), [811_480, 0.7911385679038201, 1, 776_779_369_980_412])
  })

  it("reaches each number below the bound about as often, and never the bound", () => {
    const chance = new Chance(7)
    const counts = Array.from({ length: 6 }, () => 0)
    for (let times = 0; times < 6_000; times += 1) {
      const at = chance.integer(6)
      counts[at] = (counts[at] ?? 0) + 1
    }
    assert.lengthOf(counts, 6)
    assert.isTrue(
      counts.every((count) => count > 900 && count < 1_100),
      String(counts)
    )
  })
})
