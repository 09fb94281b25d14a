import { assert, describe, it } from "@effect/vitest"
import { type Exchange, lateSurface } from "../src/http/Exchange.js"

/** What an exchange was answered, and what its surface threw. */
const exchange = () => {
  const seen: Array<string> = []
  const given = {
    seen,
    guarded: (work: () => void) => {
      try {
        work()
      } catch (error) {
        seen.push(String(error))
      }
    }
  }
  return { given: given as unknown as Exchange, seen }
}

const turn = () => new Promise(setImmediate)

describe("a surface that is made at its first request", () => {
  it("is made once, however many ask meanwhile, and answers each", async () => {
    let made = 0
    const surface = lateSurface({
      name: "late",
      owns: () => true,
      make: async () => {
        made += 1
        await turn()
        return { handle: (one) => (one as unknown as { seen: Array<string> }).seen.push("answered") }
      }
    })
    assert.strictEqual(made, 0, "nobody asked yet")
    const all = [exchange(), exchange(), exchange()]
    for (const { given } of all) surface.handle(given)
    await turn()
    await turn()
    const last = exchange()
    surface.handle(last.given)
    assert.deepStrictEqual(
      [...all, last].map(({ seen }) => seen),
      Array(4).fill(["answered"])
    )
    assert.strictEqual(made, 1)
  })

  it("answers a failure to make it as a defect, and tries again at the next request", async () => {
    let tries = 0
    const surface = lateSurface({
      name: "late",
      owns: () => true,
      make: async () => {
        tries += 1
        if (tries === 1) throw new Error("not now")
        return { handle: (one) => (one as unknown as { seen: Array<string> }).seen.push("answered") }
      }
    })
    const first = exchange()
    surface.handle(first.given)
    await turn()
    const second = exchange()
    surface.handle(second.given)
    await turn()
    assert.deepStrictEqual(first.seen, ["Error: not now"])
    assert.deepStrictEqual(second.seen, ["answered"])
  })
})
