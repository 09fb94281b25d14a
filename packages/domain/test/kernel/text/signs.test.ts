import { assert, describe, it } from "@effect/vitest"
import { codePointOf, partsOf, signKindsIn } from "@outbound/domain/kernel/text/signs.js"
import * as FastCheck from "fast-check"

const signs = (text: string) => partsOf(text).flatMap(({ kind, text: sign }) => (kind === null ? [] : [[kind, sign]]))

describe("characters that can't be seen for what they are", () => {
  it.each([
    ["a right-to-left override", "\u202E"],
    ["an isolate", "\u2066"],
    ["a zero-width space", "\u200B"],
    ["a zero-width joiner between letters", "\u200D"],
    ["a soft hyphen", "\u00AD"],
    ["a byte order mark", "\uFEFF"],
    ["a tag", "\u{E0041}"],
    ["a Hangul filler", "\u3164"],
    ["a braille blank", "\u2800"],
    ["a variation selector of the supplement", "\u{E0100}"],
    ["a control", "\u0008"],
    ["a carriage return alone", "\r"],
    ["a private character", "\uE000"],
    ["an unpaired surrogate", "\uD800"],
    ["a line separator", "\u2028"]
  ])("%s is pointed out", (_name, sign) => {
    assert.deepStrictEqual(signs(`ab${sign}cd`), [["invisible", sign]])
  })

  it.each([
    ["plain text", "Hello, Ann!\n\tSee you\r\nsoon"],
    ["letters of one script", "Привет, Ёлка. Ωμέγα. Ünïcode naïve Łódź"],
    ["words of different scripts", "Компания Acme из Λάρισα"],
    ["an emoji of several", "👩‍💻 ❤️ 👍🏽 1️⃣"],
    ["a trade mark, a power and ordinals", "Acme™ m² 1º ª µm"]
  ])("%s has none", (_name, text) => {
    assert.deepStrictEqual(signs(text), [])
  })

  it("letters of another script in a word are pointed out, those of its most frequent script are not", () => {
    assert.deepStrictEqual(signs("see раypal.com"), [
      ["look_alike", "р"],
      ["look_alike", "а"]
    ])
    assert.deepStrictEqual(
      signs("Аcme αlpha").map(([, sign]) => sign),
      ["А", "α"]
    )
    assert.deepStrictEqual(
      signs("𝗽aypal ｐaypal").map(([, sign]) => sign),
      ["𝗽", "ｐ"]
    )
  })

  it.each([
    ["Cyrillic", "аррӏе.com", 5],
    ["Cyrillic below another name", "https://login.раураӏ.com/x", 6],
    ["capitals", "САСЕ.com", 4],
    ["Greek", "see ον.io", 2],
    ["two scripts", "аο.com", 2],
    ["with an ideographic dot", "аррӏе\u3002com", 5]
  ])(
    "a host in %s letters that look like Latin ones is pointed out, though each of its words has one script",
    (_, text, count) => {
      const found = signs(text)
      assert.lengthOf(found, count)
      assert.isTrue(found.every(([kind]) => kind === "look_alike"))
    }
  )

  it.each([
    ["a host with letters of its own", "пример.com и кафе.ru"],
    ["a host of one script", "сахар.рф"],
    ["words before a full stop", "Это сахар. Ok"],
    ["digits and marks", "1.2.com é.com"]
  ])("%s isn't", (_name, text) => {
    assert.deepStrictEqual(signs(text), [])
  })

  it("the parts of any text are the text, and its kinds are those of its parts", () => {
    const odd = FastCheck.constantFrom(
      "a",
      "р",
      ".",
      "ο",
      "\u202E",
      "\u200B",
      "𝗽",
      "❤️",
      "\r\n",
      "\r",
      " ",
      "\uD800",
      "é"
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.oneof(FastCheck.string({ unit: "binary" }), FastCheck.string({ unit: odd })),
        (text) => {
          const parts = partsOf(text)
          assert.strictEqual(parts.map((part) => part.text).join(""), text)
          assert.deepStrictEqual(
            [...signKindsIn(text)].sort(),
            [...new Set(parts.flatMap(({ kind }) => kind ?? []))].sort()
          )
        }
      )
    )
  })

  it("a code point is written with at least four digits", () => {
    assert.deepStrictEqual(["\u0008", "\u202E", "\u{E0041}"].map(codePointOf), ["U+0008", "U+202E", "U+E0041"])
  })
})
