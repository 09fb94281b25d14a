import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bad, good, warning } from "../../src/commands/Finding.js"
import { good as rule, only, running } from "../support/Program.js"

const FINE = good("database", "PostgreSQL at db.test, version 18.1")
const LOW = warning("certificate", "ends in 3 days", "Renew it.")
const GONE = bad("mail", "mail.test:587 fails: no such user", "Correct OUTBOUND_SMTP_URL.")

describe("outbound doctor", () => {
  it.effect("says of each finding what was found and how to mend it, and fails only if something is bad", () =>
    Effect.gen(function* () {
      const well = yield* (yield* running([rule], { findings: [FINE, LOW] }))("doctor")
      assert.isTrue(well.isGood)
      assert.include(well.out[0], "WARNING  certificate       ends in 3 days\n")
      assert.include(well.out[0], "Renew it.")
      assert.include(well.out[0], "0 to mend, 1 to look at.")
      const ill = yield* (yield* running([rule], { findings: [FINE, LOW, GONE] }))("doctor --json")
      assert.isFalse(ill.isGood)
      const { findings, ok } = JSON.parse(ill.out[0] ?? "")
      assert.isFalse(ok)
      assert.deepStrictEqual(findings, [good("configuration", "valid"), FINE, LOW, GONE])
    })
  )

  it.effect("names every mistake in the configuration, and looks at nothing else", () =>
    Effect.gen(function* () {
      const environment = { OUTBOUND_PORT: "x", OUTBOUND_PROT: "1", OUTBOUND_BASE_URL: "ftp://a" }
      const { isGood, out } = yield* (yield* running([rule], { environment, findings: [FINE] }))("doctor --json")
      assert.isFalse(isGood)
      const { findings } = JSON.parse(out[0] ?? "")
      assert.deepStrictEqual(
        findings.map(({ found, state }: Record<string, string>) => [state, found?.split(/[ :]/, 1)[0]]),
        [
          ["warning", "OUTBOUND_PROT"],
          ["bad", "OUTBOUND_PORT"],
          ["bad", "OUTBOUND_BASE_URL"]
        ]
      )
    })
  )

  it.effect("has a command that needs no argument", () =>
    Effect.gen(function* () {
      assert.isTrue(only(yield* (yield* running())("doctor --json"))["ok"])
    })
  )
})
