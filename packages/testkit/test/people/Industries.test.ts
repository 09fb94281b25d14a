import { assert, describe, it } from "@effect/vitest"
import { INDUSTRIES, interpretIndustry } from "@outbound/domain/kernel/people/Industries.js"
import { INDUSTRY_ENTRIES } from "@outbound/domain/kernel/people/IndustryNames.js"

describe("an industry", () => {
  it("stands once in the taxonomy, which is about a hundred long", () => {
    assert.strictEqual(new Set(INDUSTRIES.map((name) => name.toLowerCase())).size, INDUSTRIES.length)
    assert.isAtLeast(INDUSTRIES.length, 90)
    assert.isAtMost(INDUSTRIES.length, 130)
  })

  it("is understood by its own name, whatever the case", () => {
    for (const name of INDUSTRIES) {
      for (const phrase of [name, name.toUpperCase(), `  ${name} `]) {
        assert.deepStrictEqual(interpretIndustry(phrase), { phrase, how: "exact", industries: [name] })
      }
    }
  })

  it("is what each of its aliases means, and nothing else", () => {
    for (const { aliases, name } of INDUSTRY_ENTRIES) {
      for (const phrase of aliases) {
        assert.deepStrictEqual(interpretIndustry(phrase), { phrase, how: "alias", industries: [name] }, phrase)
      }
    }
  })

  it("is what a niche of it is searched as, and the answer says that the niche was not applied", () => {
    for (const { name, niches } of INDUSTRY_ENTRIES) {
      for (const phrase of niches) {
        assert.deepStrictEqual(
          interpretIndustry(phrase),
          { phrase, how: "alias", industries: [name], coarse: "niche not applied" },
          phrase
        )
      }
    }
  })
})

describe("a phrase", () => {
  it.each([
    ["SaaS companies", "Software Development"],
    ["the insurance industry", "Insurance"],
    ["Law firm", "Legal Services"],
    ["Hospitals & Health Care", "Hospitals and Health Care"],
    ["e-commerce", "Online and Mail Order Retail"]
  ])("%s is understood in spite of filler, plurals and punctuation", (phrase, name) => {
    assert.deepStrictEqual(interpretIndustry(phrase).industries, [name])
  })

  it("may mean several industries, all of them canonical and at most 25", () => {
    for (const phrase of ["tech", "manufacturing", "education", "media", "energy", "FMCG"]) {
      const { how, industries } = interpretIndustry(phrase)
      assert.strictEqual(how, "alias")
      assert.isAbove(industries.length, 1)
      assert.isAtMost(industries.length, 25)
      assert.isTrue(industries.every((name) => INDUSTRIES.includes(name)))
    }
  })

  it("that is not understood names no industry, and comes with at most five that are near", () => {
    const near = interpretIndustry("software for dental labs")
    assert.strictEqual(near.how, "none")
    assert.deepStrictEqual(near.industries, [])
    assert.include(near.candidates ?? [], "Software Development")
    assert.isAtMost((near.candidates ?? []).length, 5)
    for (const phrase of ["", "  ", "zzz", "companies", "__proto__", "constructor", "的", "\u0000"]) {
      assert.deepStrictEqual(interpretIndustry(phrase), { phrase, how: "none", industries: [] })
    }
  })
})
