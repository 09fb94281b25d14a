import { assert, describe, it } from "@effect/vitest"
import { COUNTRY_CODES, countryNamed, countryOfCode, readCountry } from "../../../src/kernel/people/Countries.js"

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

  it("go by their names in their own and other languages, with and without what stands before them", () => {
    for (const [text, code] of [
      ["Brasil", "BR"],
      ["España", "ES"],
      ["Österreich", "AT"],
      ["Oesterreich", "AT"],
      ["ÖSTERREICH", "AT"],
      ["Schweiz", "CH"],
      ["Suisse", "CH"],
      ["Svizzera", "CH"],
      ["Magyarország", "HU"],
      ["Sverige", "SE"],
      ["Suomi", "FI"],
      ["Norge", "NO"],
      ["Danmark", "DK"],
      ["Polska", "PL"],
      ["Česko", "CZ"],
      ["Česká republika", "CZ"],
      ["Ελλάδα", "GR"],
      ["Россия", "RU"],
      ["Україна", "UA"],
      ["日本", "JP"],
      ["中国", "CN"],
      ["대한민국", "KR"],
      ["한국", "KR"],
      ["भारत", "IN"],
      ["Vereinigte Staaten", "US"],
      ["États-Unis", "US"],
      ["Estados Unidos", "US"],
      ["EE. UU.", "US"],
      ["EUA", "US"],
      ["Großbritannien", "GB"],
      ["Reino Unido", "GB"],
      ["Royaume-Uni", "GB"],
      ["Niederlande", "NL"],
      ["les Pays-Bas", "NL"],
      ["Federal Republic of Germany", "DE"],
      ["Bundesrepublik Deutschland", "DE"],
      ["Republic of Ireland", "IE"],
      ["Kingdom of Denmark", "DK"],
      ["the United Kingdom", "GB"],
      ["Republica de Chile", "CL"],
      ["Dominican Republic", "DO"],
      ["Germany (DE)", "DE"],
      ["DE - Germany", "DE"],
      ["Germany, DE", "DE"],
      ["Georgia, US", null],
      // As ISO 3166 and the lists made after it write them.
      ["China, People's Republic of", "CN"],
      ["Korea, Democratic People's Republic of", "KP"],
      ["Macedonia, the former Yugoslav Republic of", "MK"],
      ["Micronesia, Federated States of", "FM"],
      ["Palestine, State of", "PS"],
      ["Palestinian Territory, Occupied", "PS"],
      ["Moldova (the Republic of)", "MD"],
      ["Congo, The Democratic Republic of the", "CD"],
      ["Congo (Democratic Republic of the)", "CD"],
      ["Germany, Federal Republic of", "DE"],
      ["Bahamas, The", "BS"],
      ["Holy See (Vatican City State)", "VA"],
      ["Falkland Islands (Malvinas)", "FK"],
      ["Virgin Islands, U.S.", "VI"],
      ["Virgin Islands, British", "VG"],
      ["Saint Kitts and Nevis", "KN"],
      ["Saint Vincent and the Grenadines", "VC"],
      ["Sint Maarten (Dutch part)", "SX"],
      ["Bosnia-Herzegovina", "BA"],
      ["Libyan Arab Jamahiriya", "LY"],
      ["Lao PDR", "LA"],
      ["中國", "CN"],
      ["台灣", "TW"],
      ["Қазақстан", "KZ"],
      ["Suid-Afrika", "ZA"],
      ["Paris, France", null],
      ["Berlin, Germany", null]
    ] as const) {
      assert.strictEqual(readCountry(text)?.code ?? null, code, text)
    }
  })

  it("are not taken from what may be a state, a word or a city", () => {
    for (const text of ["CA", "DE", "in", "deu", "Berlin", "", "Bay Area"]) assert.isNull(countryNamed(text), text)
  })

  it("are read from a record by whichever form it has", () => {
    assert.strictEqual(readCountry("de")?.name, "Germany")
    assert.strictEqual(readCountry("GBR")?.code, "GB")
    assert.strictEqual(readCountry("France")?.code3, "FRA")
    assert.strictEqual(readCountry("UK")?.code, "GB")
    // The Vietnamese names of Austria, Belgium and the United States without their marks.
    for (const code of ["AO", "BI", "MY", "NA", ...COUNTRY_CODES]) {
      assert.strictEqual(readCountry(code)?.code, code)
      assert.strictEqual(readCountry(` ${code.toLowerCase()} `)?.code, code)
    }
    assert.strictEqual(readCountry("Áo")?.code, "AT")
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
