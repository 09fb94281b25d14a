import { assert, describe, it } from "@effect/vitest"
import { countryNamed, countryOfCode, readCountry } from "../../../src/kernel/people/Countries.js"

describe("countries", () => {
  it("go by their names, by others in use, and by codes of three capitals", () => {
    for (const [text, code] of [
      ["Germany", "DE"],
      [" germany ", "DE"],
      ["Deutschland", "DE"],
      ["USA", "US"],
      ["United States of America", "US"],
      ["U.K.", "GB"],
      ["Turkey", "TR"],
      ["Türkiye", "TR"],
      ["Czech Republic", "CZ"],
      ["Korea, Republic of", "KR"],
      ["Côte d'Ivoire", "CI"],
      ["Bosnia & Herzegovina", "BA"],
      ["DEU", "DE"]
    ] as const) {
      assert.strictEqual(countryNamed(text)?.code, code, text)
    }
  })

  it("are not taken from what may be a state, a word or a city", () => {
    for (const text of ["CA", "DE", "in", "deu", "Berlin", "", "Bay Area"]) assert.isNull(countryNamed(text), text)
  })

  it("are read from a record by whichever form it has", () => {
    assert.strictEqual(readCountry("de")?.name, "Germany")
    assert.strictEqual(readCountry("GBR")?.code, "GB")
    assert.strictEqual(readCountry("France")?.code3, "FRA")
    assert.isNull(readCountry("Atlantis"))
    assert.isNull(readCountry(null))
  })

  it("are all of ISO 3166-1, each code once", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    const all = letters.flatMap((a) => letters.flatMap((b) => countryOfCode(`${a}${b}`) ?? []))
    assert.strictEqual(all.length, 249)
    assert.strictEqual(new Set(all.map(({ code3 }) => code3)).size, 249)
    for (const country of all) {
      assert.notStrictEqual(country.name, country.code)
      assert.deepStrictEqual(countryNamed(country.name), country, country.name)
      assert.deepStrictEqual(countryOfCode(country.code3), country)
    }
  })
})
