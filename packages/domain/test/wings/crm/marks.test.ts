import { assert, describe, it } from "@effect/vitest"
import { marksOf } from "@outbound/domain/wings/crm/marks.js"

const RECORD = { ref: "1", emails: [], domains: [], isCustomer: true, hasOpenDeal: false, ownerRef: null }
const valuesOf = (record: Partial<typeof RECORD> | { readonly emails: ReadonlyArray<string> }) =>
  marksOf({ ...RECORD, ...record }, (email) => `#${email}`).map(({ value }) => value)

describe("whom a record of a CRM keeps out", () => {
  it("is everybody whom its fields name, however people typed it", () => {
    for (const written of [
      "ann@acme.test",
      "Ann North <Ann@acme.test>",
      "ann@acme.test.",
      "mailto:ann@acme.test",
      "'ann@acme.test",
      '"ann"@acme.test',
      "\u202Aann@acme.test\u202C",
      "ann@acme.test;"
    ]) {
      assert.deepStrictEqual(valuesOf({ emails: [written] }), ["#ann@acme.test", "acme.test"], written)
    }
    assert.deepStrictEqual(valuesOf({ emails: ["ann@acme.test; bob@mail.test"] }), [
      "#ann@acme.test",
      "#bob@mail.test",
      "acme.test",
      "mail.test"
    ])
  })

  it("is everybody at its company, however its website is written, and nobody at a provider of mail", () => {
    for (const written of [
      "acme.test",
      "https://www.Acme.test/en?x=1",
      " WWW.acme.test. ",
      "acme.test:443",
      "http://acme.test"
    ]) {
      assert.deepStrictEqual(
        marksOf({ ...RECORD, domains: [written] }, String).map(({ value }) => value),
        ["acme.test"]
      )
    }
    assert.deepStrictEqual(marksOf({ ...RECORD, domains: ["gmail.com"] }, String), [])
  })
})
