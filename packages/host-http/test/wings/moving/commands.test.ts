import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { only, running } from "../../support/Program.js"

describe("outbound export and import", () => {
  it.effect("says what of a workspace goes on where it was, and what stopped where it arrived", () =>
    Effect.gen(function* () {
      const run = yield* running()
      const id = "018f0000-0000-7000-8000-000000000001"
      const [made = ""] = (yield* run(`export --workspace ${id} acme.gz`)).out
      assert.match(made, /12 rows, 1 person who must never be emailed\.\n2 campaigns go on sending here/)
      assert.deepInclude(only(yield* run(`export --workspace ${id} acme.gz --json`)), { file: "acme.gz", rows: 12 })
      assert.match((yield* run("export acme.gz")).complaint ?? "", /--workspace is required/)
      const [taken = ""] = (yield* run("import acme.gz")).out
      assert.match(taken, /2 campaigns were active and paused, and 1 open approval cancelled: nothing is sent/)
      assert.deepInclude(only(yield* run("import acme.gz --json")), { campaigns_paused: 2, people_known: 0 })
      assert.match((yield* run("import")).complaint ?? "", /FILE is missing/)
    })
  )
})
