import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { addressesAmong, addressesIn, withoutAddress } from "../../../src/kernel/people/addresses.js"
import { usableEmail } from "../../../src/kernel/people/EmailAddress.js"

const ADA = "ada.lovelace@acme.test"

const AROUND: ReadonlyArray<readonly [string, string]> = [
  ["", ""],
  ["write to ", " please"],
  ["<", ">"],
  ["mailto:", "?subject=x"],
  ['{"email":"', '"}'],
  ["https://a.test/?to=", "&x=1"],
  ["(", ")."],
  ["“", "”, or not"],
  ["a\n", "\nb"],
  ["'", "'"]
]

describe("addresses in texts", () => {
  it("are found wherever they stand, and struck out there", () => {
    for (const [before, after] of AROUND) {
      for (const written of [ADA, "Ada.Lovelace@ACME.test"]) {
        const text = `${before}${written}${after}`
        assert.isTrue(addressesIn(text).has(ADA), text)
        const struck = withoutAddress(ADA)(text)
        assert.notInclude(struck.toLowerCase(), ADA, text)
        if (before !== "" && before !== "<") assert.strictEqual(struck, `${before}[erased]${after}`)
      }
    }
    assert.strictEqual(withoutAddress(ADA)(` ${ADA.toUpperCase()} `), "")
  })

  it("are found and struck out in their other spellings", () => {
    for (const local of ['"ada.lovelace"', '"ada\\.love\\lace"', "ada.love\u200Blace", "\uFF41da.lovelace"]) {
      const text = `write to ${local}@acme.test, or "somebody"@acme.test`
      assert.deepStrictEqual([...addressesIn(text)], [ADA, "somebody@acme.test"], text)
      assert.strictEqual(withoutAddress(ADA)(text), 'write to [erased], or "somebody"@acme.test')
    }
  })

  it("among words have the apostrophes of names, and not those of quotations and elisions", () => {
    for (const [text, ...found] of [
      ["Ask pat.o'brien@acme.test or O\u2019Brien@acme.test.", "pat.o'brien@acme.test", "o'brien@acme.test"],
      [
        "'ada@acme.test', \u2018bea@acme.test\u2019 and `cid@acme.test`",
        "ada@acme.test",
        "bea@acme.test",
        "cid@acme.test"
      ],
      ["l'adresse d'ada@acme.test, scrivi all\u2019ufficio@acme.test", "ada@acme.test", "ufficio@acme.test"],
      ["patrick.d'angelo@acme.test!", "patrick.d'angelo@acme.test"]
    ] as const) {
      assert.deepStrictEqual([...addressesAmong(text)], found, text)
    }
    assert.strictEqual(withoutAddress("o'brien@acme.test")("to O\u2019Brien@acme.test, today"), "to [erased], today")
  })

  it("of others stay, however alike", () => {
    for (const other of [`x${ADA}`, `x.${ADA}`, `x+${ADA}`, `${ADA}.example`, `${ADA}x`, `${ADA}-2.test`]) {
      assert.strictEqual(withoutAddress(ADA)(`to ${other}, today`), `to ${other}, today`)
    }
    assert.strictEqual(withoutAddress("a+b@c.test")("aab@c.test aaab@c.test"), "aab@c.test aaab@c.test")
  })

  it("that a person can have are found in any text that names them, and nothing is left of them", () => {
    const word = fc.stringMatching(/^[a-z0-9](?:[a-z0-9._+-]{0,12}[a-z0-9])?$/)
    const address = fc
      .tuple(word, fc.stringMatching(/^[a-z]{1,10}$/))
      .map(([local, host]) => usableEmail(`${local}@${host}.test`))
    fc.assert(
      fc.property(address, fc.lorem(), fc.lorem(), (email, before, after) => {
        fc.pre(email !== null)
        const text = `${before} <${email.toUpperCase()}> ${after}`
        assert.isTrue(addressesIn(text).has(email))
        assert.notInclude(withoutAddress(email)(text).toLowerCase(), `<${email}>`)
      })
    )
  })

  it("are looked for in bounded time, whatever the text", () => {
    const before = performance.now()
    for (const text of ["@".repeat(200_000), "a".repeat(200_000), "a@".repeat(100_000), `${"a.".repeat(100_000)}@x`]) {
      addressesIn(text)
      withoutAddress(ADA)(text)
    }
    assert.isBelow(performance.now() - before, 20_000)
  })
})
