import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { endOf, SEND_CHECKS } from "../../../src/outreach/sending/sendRule.js"

describe("the contract's table of what forbids a message", () => {
  it("has the rules that decide, in their order, with what ends each", () => {
    const page = readFileSync(new URL("../../../../../docs/contract/campaigns.md", import.meta.url), "utf8")
    const [, table = ""] = page.split(/\| rule +\| the message is not sent, because/)
    const lines = [...table.split("\n\n")[0]!.matchAll(/^\| `(\w+)` +\| .+? +\| (\w+) +\|$/gm)]
    assert.deepStrictEqual(
      lines.map(([, rule, end]) => [rule, end]),
      SEND_CHECKS.map((rule) => [rule, endOf(rule)])
    )
  })
})
