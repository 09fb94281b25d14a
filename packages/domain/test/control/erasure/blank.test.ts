import { assert, describe, it } from "@effect/vitest"
import { blankJson, blankRowJson, strikeJson } from "../../../src/control/erasure/blank.js"
import { namedIn } from "../../../src/kernel/people/subjects.js"

const ADA = "ada@acme.test"
const person = { email: ADA, fingerprints: new Set(["f-ada"]) }

const blank = (value: unknown): unknown => {
  const text = blankJson(person)(JSON.stringify(value))
  return text === null ? "unchanged" : JSON.parse(text)
}

const contact = (fingerprint: string, work_email: string | null) => ({
  fingerprint,
  full_name: "Ada Lovelace",
  work_email,
  mobile_phone: "+44 1"
})
const NOBODY = { fingerprint: "erased", full_name: null, work_email: null, mobile_phone: null }

describe("what is left of a list's row", () => {
  const left = (row: unknown): unknown => JSON.parse(blankRowJson(person)(JSON.stringify(row)) ?? '"unchanged"')
  const uploaded = {
    line: 3,
    file: "fair.csv",
    cells: ["Ada Lovelace", ADA, "+44 1"],
    headings: ["Name", "Mail", "Phone"]
  }

  it("about them keeps its line, and loses every cell that was uploaded with it, however we know whom it is about", () => {
    const without = { ...uploaded, file: null, cells: null }
    const asked = { input: { person: { email: "ADA@acme.test" } }, body: null, uploaded }
    assert.deepInclude(left(asked), { uploaded: without })
    const named = { input: { person: { full_name: "Ada Lovelace" } }, uploaded }
    assert.deepInclude(left({ ...named, body: { contact: contact("f-x", ADA) } }), { uploaded: without })
    assert.deepInclude(left({ ...named, body: { contact: contact("f-ada", null) } }), { uploaded: without })
  })

  it("that came without an upload gets none", () => {
    const asked = { input: { email: ADA }, body: null }
    assert.deepStrictEqual(left({ ...asked, uploaded: null }), { input: { email: "" }, body: null, uploaded: null })
    assert.deepStrictEqual(left(asked), { input: { email: "" }, body: null })
  })

  it("about somebody else loses their address alone", () => {
    const row = {
      input: { email: "bob@acme.test" },
      body: null,
      uploaded: { ...uploaded, cells: ["Bob", `by ${ADA}`] }
    }
    assert.deepStrictEqual(left(row), { ...row, uploaded: { ...uploaded, cells: ["Bob", "by [erased]"] } })
    assert.strictEqual(left({ ...row, uploaded: null }), "unchanged")
  })
})

describe("what is left of stored things", () => {
  it("contacts lose every member, by their address or their fingerprint; others keep all", () => {
    const other = contact("f-bob", "bob@acme.test")
    assert.deepStrictEqual(blank({ leads: [contact("f-ada", null), contact("f-x", "Ada@acme.test"), other] }), {
      leads: [NOBODY, NOBODY, other]
    })
    assert.strictEqual(blank({ leads: [other] }), "unchanged")
  })

  it("what is written to them or by them loses its words, and keeps who of ours wrote it", () => {
    const preview = { to_email: ADA, from_email: "jo@ours.test", subject: "Re: x", body_text: "Dear Ada" }
    const answers = { from_email: "ADA@acme.test", subject: "x", text: "Hi", truncated: false }
    assert.deepStrictEqual(blank({ kind: "reply", ...preview, answers }), {
      kind: "reply",
      to_email: "",
      from_email: "jo@ours.test",
      subject: "",
      body_text: "",
      answers: { from_email: "", subject: "", text: "", truncated: false }
    })
  })

  it("elsewhere their address is struck out, and what it stands in keeps its other words", () => {
    const bob = { email: "bob@b.test", name: "Bob", note: `ask ${ADA}` }
    assert.deepStrictEqual(blank({ recipients: [{ email: ADA, name: "Ada" }, bob] }), {
      recipients: [
        { email: "", name: null },
        { ...bob, note: "ask [erased]" }
      ]
    })
  })

  it("what a message to them did not have stays absent, and a fingerprint alone is no contact", () => {
    assert.deepStrictEqual(blank({ to_email: ADA, subject: null, body_text: "Hi" }), {
      to_email: "",
      subject: null,
      body_text: ""
    })
    assert.strictEqual(blank({ fingerprint: "f-ada", seen: 3 }), "unchanged")
  })

  it("what a caller has named freely stays text", () => {
    const text = strikeJson(person)(JSON.stringify({ custom: { email: ADA, name: "Ada" } }))
    assert.deepStrictEqual(JSON.parse(text ?? ""), { custom: { email: "", name: "Ada" } })
  })

  it("whom a result names is told by addresses and by fingerprints", () => {
    const named = namedIn({ leads: [contact("f-ada", null)], text: `x <${ADA}>`, none: [null, 1, true] })
    assert.deepStrictEqual([...named.emails], [ADA])
    assert.deepStrictEqual([...named.fingerprints], ["f-ada"])
  })
})
