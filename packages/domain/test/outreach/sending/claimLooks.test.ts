import { assert, describe, it } from "@effect/vitest"
import { claimLooks } from "../../../src/outreach/sending/claimLooks.js"

const looks = (limit: number, workspaces: number) =>
  claimLooks(limit, workspaces).map(({ ofCampaign, size }) => [size, ofCampaign])

const TIMES = [1, 4, 16, 64, 256, 1024]

describe("how far a claim looks", () => {
  it("for one workspace six times, each time four times as far, at each campaign as at all together", () => {
    for (const limit of [1, 20, 100])
      assert.deepStrictEqual(
        looks(limit, 1),
        TIMES.map((times) => [limit * times, limit * times])
      )
  })

  it("for many first at four times the even share of each, and then at as many as if there was one", () => {
    const after = (limit: number) => TIMES.slice(0, 5).map((times) => [limit * times, limit * times])
    assert.deepStrictEqual(looks(100, 10), [[100, 40], ...after(100)])
    assert.deepStrictEqual(looks(100, 64), [[100, 8], ...after(100)])
    assert.deepStrictEqual(looks(20, 6), [[20, 16], ...after(20)])
  })

  it("at the whole where the shares are as large as that", () => {
    assert.deepStrictEqual(
      looks(100, 4),
      TIMES.map((times) => [100 * times, 100 * times])
    )
    assert.deepStrictEqual(looks(1, 64)[0], [1, 1])
  })
})
