import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { running } from "../../support/Program.js"

describe("outbound archive", () => {
  it.effect("says what it archived, and how to check it", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const [made = ""] = (yield* run("archive cold --keep-months 24")).out
      assert.strictEqual(made, "cold/2024_10 holds 12 rows.\nCheck it at any time: outbound check --archive cold")
      assert.match((yield* run("archive cold --keep-months 25")).out[0] ?? "", /^Nothing is that old/)
      const trails = (yield* run("archive cold --keep-months 25 --keep-trail-months 24")).out[0] ?? ""
      assert.match(trails, /^cold\/trails\/1\.jsonl\.gz holds 7 events\./)
      const short = (yield* run("archive cold --keep-months 24 --keep-trail-months 23")).complaint ?? ""
      assert.match(short, /a number of months from 24 to 1200/)
      assert.match((yield* run("archive cold --keep-months 1")).complaint ?? "", /a number of months from 2 to 1200/)
      assert.match((yield* run("archive cold")).complaint ?? "", /--keep-months is required/)
    })
  )
})
