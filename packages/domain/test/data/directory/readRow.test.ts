import { assert, describe, it } from "@effect/vitest"
import { readCompany, readPerson } from "../../../src/data/directory/readRow.js"

const headcountOf = (headcount: string) => readCompany({ domain: "acme.com", headcount })

describe("a row of a list", () => {
  it("has a number of employees in every way of writing one, and in no other", () => {
    const written = {
      "250": 250,
      "250.0": 250,
      "1,200": 1_200,
      "1.200": 1_200,
      "1 200": 1_200,
      "12’000": 12_000,
      "1,200.00": 1_200,
      "51-200": 51,
      "1,001 – 5,000 employees": 1_001,
      "51.0 to 200.0": 51,
      "10,001+": 10_001
    }
    for (const [text, count] of Object.entries(written)) {
      assert.strictEqual(headcountOf(text).row?.headcount, count, text)
    }
    for (const text of ["250.5", "1,20", "1.5", "12 34", "many", "99999999999"]) {
      const { mistakes, row } = headcountOf(text)
      assert.strictEqual(row?.headcount, null, text)
      assert.deepStrictEqual(
        mistakes.map(({ column }) => column),
        ["headcount"],
        text
      )
    }
  })

  it("has no date where an export says that there is none", () => {
    for (const text of ["0000-00-00", "0000-01-01", "0001-01-01T00:00:00Z", "9999-12-31", "2026-02-30"]) {
      const { mistakes, row } = readCompany({ domain: "acme.com", observed_at: text, last_funding_round_date: text })
      assert.deepStrictEqual([row?.observedAtMillis, row?.lastFundingRoundDate], [null, null], text)
      assert.lengthOf(mistakes, 2, text)
    }
  })

  it("has a status that is one, not what a word means to the language we write in", () => {
    for (const word of ["constructor", "__proto__", "toString"]) {
      const { mistakes, row } = readPerson({ email: "ann@acme.com", email_status: word })
      assert.strictEqual(row?.emailStatus, null, word)
      assert.lengthOf(mistakes, 1)
    }
  })
})
