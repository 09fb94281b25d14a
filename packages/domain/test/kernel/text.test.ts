import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { type Json, unkeepable } from "../../src/kernel/canonical.js"
import { usableEmail } from "../../src/kernel/people/EmailAddress.js"
import { parseRepaired, repaired, textFlaw } from "../../src/kernel/text.js"

const HALVES = ["\ud800", "\udfff", "a\ud800b", "\udc00\ud800"]

describe("text that can be stored", () => {
  it("is every well-formed text without U+0000, and stays as it is", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary" }), (text) => {
        const isGood = Buffer.from(text, "utf8").toString("utf8") === text && !text.includes("\0")
        assert.strictEqual(textFlaw(text) === null, isGood)
        if (isGood) assert.strictEqual(repaired(text), text)
      })
    )
    assert.isNull(textFlaw("😀"))
  })

  it("is not half of a surrogate pair, nor U+0000, wherever it stands", () => {
    for (const text of [...HALVES, "\0", "a\0"]) {
      assert.isNotNull(textFlaw(text))
      assert.isNull(textFlaw(repaired(text)))
      assert.strictEqual(unkeepable({ custom: { list: ["ok", text] } })?.path, "custom.list.1")
      assert.strictEqual(unkeepable({ custom: { [text]: "v" } })?.path, "custom")
    }
    assert.isNull(usableEmail("a\ud800@acme.test"))
  })

  it("is what others' JSON becomes, in strings and keys", () => {
    assert.deepStrictEqual(parseRepaired(String.raw`{"a\ud800":["\u0000b",{"c":"\udfff"}],"d":"\ud83d\ude00"}`), {
      "a\ufffd": ["\ufffdb", { c: "\ufffd" }],
      d: "😀"
    })
  })

  it("is in 64 levels at most below a field, which the mistake names", () => {
    const nested = (levels: number): Json => {
      let value: Json = "x"
      for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
      return value
    }
    assert.isNull(unkeepable({ deep: nested(64) }))
    assert.deepStrictEqual(unkeepable({ flat: [], deep: nested(65) }), {
      path: "deep",
      message: "must not be nested deeper than 64 levels"
    })
  })
})
