import { assert, describe, it } from "@effect/vitest"
import type { Recipient } from "../../../src/kernel/sequences/Sequence.js"
import { sourceOf, standsIn } from "../../../src/outreach/evidence/standsIn.js"
import { supports } from "../../../src/outreach/evidence/supports.js"

const RECIPIENT: Recipient = {
  email: "ann@acme.example",
  firstName: "Ann",
  lastName: null,
  companyName: "Acme GmbH",
  custom: {}
}

const says = (value: string, excerpt: string, variable = "custom.claim") =>
  supports(variable, value, excerpt, RECIPIENT)

describe("whether words stand at a source", () => {
  const stands = (text: string, excerpt: string) => standsIn(sourceOf(text), excerpt)

  it("case, spaces, quotes, dashes, entities and markup of JSON don't count; every word does", () => {
    const text = 'Acme & Sons – “the best” –\n raised  $12 million. {"headcount":120}'
    for (const excerpt of [
      "acme &amp; sons - 'the best' - raised $12 million",
      "ACME & SONS “the best” raised\u00A0$12 million.",
      '"headcount": 120',
      "Acme & Sons … raised $12 million"
    ]) {
      assert.strictEqual(stands(text, excerpt), "stands", excerpt)
    }
    for (const excerpt of ["raised $13 million", "raised 12 million", "raised $12 million … Acme", "", "…"]) {
      assert.strictEqual(stands(text, excerpt), "absent", excerpt)
    }
  })

  it("words that their clause denies or doubts are out of context, unless they stand elsewhere without that", () => {
    assert.strictEqual(stands("Acme did not raise a Series B.", "raise a Series B"), "out_of_context")
    assert.strictEqual(stands("Acme plans to raise a Series B.", "raise a Series B"), "out_of_context")
    assert.strictEqual(stands("It did not. Acme will raise a Series B.", "raise a Series B"), "stands")
    assert.strictEqual(stands("They did not raise a Series B. We raise a Series B.", "raise a Series B"), "stands")
  })
})

describe("whether an excerpt says what a value says", () => {
  const EXCERPT = "On 5 March 2026 Acme raised a $12 million Series B led by Northgate Ventures"

  it("names, numbers and dates may take any form", () => {
    for (const value of [
      "your $12M Series B",
      "12,000,000 USD",
      "raising 12 million dollars",
      "March 2026",
      "2026-03-05"
    ]) {
      assert.strictEqual(says(value, EXCERPT), "supported", value)
    }
  })

  it("another number, name, date, unit or word is altered", () => {
    for (const value of ["$21M", "$12 billion", "your Series C", "led by Southgate Ventures", "6 March 2026", "€12M"]) {
      assert.strictEqual(says(value, EXCERPT), "altered", value)
    }
    assert.strictEqual(says("the office you closed", "Acme opened an office"), "altered")
  })

  it("a number stays with what it counts, and a deed with who did it", () => {
    const jobs = "Acme has 14 open roles in engineering and 3 in sales"
    assert.strictEqual(says("14 open roles in engineering", jobs), "supported")
    assert.strictEqual(says("3 roles in engineering", jobs), "altered")
    assert.strictEqual(says("Acme buying Umbra", "Umbra acquired Acme"), "altered")
    assert.strictEqual(says("the acquisition by Umbra", "Acme was acquired by Umbra"), "supported")
  })

  it("what the excerpt denies is no proof", () => {
    assert.strictEqual(says("your new plant in Ulm", "A new plant in Ulm is not planned"), "altered")
  })

  it("two languages can't be compared but by names and numbers", () => {
    assert.strictEqual(says("Ihre Runde mit den Investoren von Northgate", EXCERPT), "unclear")
    assert.strictEqual(says("Ihre Runde von 21 Millionen mit den Investoren", EXCERPT), "altered")
  })

  it("a name is exactly itself; a company's may lack its legal form", () => {
    assert.strictEqual(says("Maria", "Maria Oduya, head of sales", "first_name"), "supported")
    assert.strictEqual(says("Mario", "Maria Oduya, head of sales", "first_name"), "altered")
    assert.strictEqual(says("Acme GmbH", "Acme, makers of anvils", "company_name"), "supported")
  })
})
