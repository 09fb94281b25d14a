import { assert, describe, it } from "@effect/vitest"
import { companyOf } from "../../../src/kernel/people/companyOf.js"

describe("the company of an address", () => {
  for (const [email, company] of [
    ["ann@acme.test", "acme.test"],
    ["ann@mail.eu.acme.co.uk", "acme.co.uk"],
    ["ann@gmail.company.test", "company.test"],
    ["ann@notgmail.com", "notgmail.com"]
  ] as const) {
    it(`${email} is of ${company}`, () => assert.strictEqual(companyOf(email), company))
  }

  for (const email of ["ann@gmail.com", "ann@mx.gmail.com", "ann@hotmail.co.uk", "ann@gmx.net", "ann@yahoo.fr", ""]) {
    it(`${email || "no address"} is of none`, () => assert.isNull(companyOf(email)))
  }
})
