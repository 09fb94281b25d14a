import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { roleFits, roleOf } from "../../../src/data/matching/Roles.js"

const fits = (role: string, title: string): boolean => roleFits(roleOf(role), title)

describe("a role by meaning", () => {
  it.each([
    ["VP Sales", "Vice President of Sales"],
    ["vp of sales", "VP, Sales (EMEA)"],
    ["sales", "Head of Sales Operations"],
    ["software developer", "Senior Software Engineer"],
    ["engineering manager", "Manager, Engineering"],
    ["account executives", "Enterprise Account Executive"],
    ["AE", "Account Executive - DACH"],
    ["SDR", "Business Development Representative"],
    ["HR manager", "Human Resources Manager"],
    ["marketer", "Marketing Specialist"],
    ["CTO", "Chief Technical Officer"],
    ["c++ developer", "Senior Engineer (C++)"],
    ["RÉGIONAL", "régional manager"],
    ["of the", "Keeper of the Keys"]
  ])("%s fits %s", (role, title) => assert.isTrue(fits(role, title)))

  it.each([
    ["sales manager", "Sales Engineer"],
    ["accountant", "Account Executive"],
    ["accounting", "Account Manager"],
    ["VP Sales", "Vice President of Marketing"],
    ["c++ developer", "C# Engineer"],
    ["???", "???"]
  ])("%s does not fit %s", (role, title) => assert.isFalse(fits(role, title)))
})

describe("a role in double quotes", () => {
  it.each([
    ['"Account Executive"', "Senior ACCOUNT EXECUTIVE, Berlin", true],
    ['"account  executive"', "Account Executive", true],
    ['"Executive Account"', "Account Executive", false],
    ['"sales"', "Salesforce Administrator", false],
    ['"VP Sales"', "Vice President of Sales", false],
    ['"engineer"', "Engineering Lead", false],
    ['""', "anything", false]
  ])("%s against %s: %s", (role, title, expected) => {
    assert.strictEqual(fits(role, title), expected)
  })

  it("says how it is searched for", () => {
    assert.deepStrictEqual(
      ['"Account  Executive"', "VP of Sales", 'one "quoted" word'].map((role) => roleOf(role).searched),
      ['"account executive"', "vice president sales", "one quoted word"]
    )
  })
})

describe("any role", () => {
  it("fits a title that is the role itself, word for word or not", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zA-Z]{1,12}$/), { minLength: 1, maxLength: 6 }), (words) => {
        const text = words.join(" ")
        assert.isTrue(fits(text, text))
        assert.isTrue(fits(`"${text}"`, text.toUpperCase()))
      })
    )
  })

  it("never throws, whatever is written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (role, title) => {
        assert.isBoolean(fits(role, title))
      })
    )
  })
})
