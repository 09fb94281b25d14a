import { assert, describe, it } from "@effect/vitest"
import { leftoverIn } from "../../../src/kernel/people/leftovers.js"

describe("leftovers of other programs within values", () => {
  it("finds tags, spreadsheets' errors, programs' nothing and entities that were encoded twice", () => {
    for (const [value, found] of [
      ["Hi {{first_name}}, hello", "{{first_name}}"],
      ["the null team", "null"],
      ["#N/A in Berlin", "#N/A"],
      ["your undefined office", "undefined"],
      ["R&amp;D", "&amp;"],
      ["Dear [First Name]", "[First Name]"],
      ["[object Object] Ltd", "[object Object]"],
      ["BjÃ¶rn", "Ã¶"],
      ["Â©Acme", "Â©"],
      ["Annâ€™s", "â€™"],
      ["Bj\uFFFDrn", "\uFFFD"],
      ["Jos├®", "s├"],
      ["<b>Ann</b>", "<b>"],
      ["Ann<br/>", "<br/>"]
    ] as const) {
      assert.strictEqual(leftoverIn(value), found, value)
    }
  })

  it("leaves names, prices and code alone", () => {
    for (const value of [
      "Christopher Null",
      "Nan Goldin",
      "AT&T; and more",
      "R&D",
      "nullify",
      "N/Array",
      "from $5 [see 2]",
      "SÃO PAULO",
      "Âne Rouge",
      "Ann <3",
      "a < b > c"
    ]) {
      assert.isNull(leftoverIn(value), value)
    }
  })
})
