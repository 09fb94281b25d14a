import { assert, describe, it } from "@effect/vitest"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { resultsCsv, resultsLines } from "../src/console/operations/results.js"
import { FOUND, foundCells, outcomeWords } from "../src/console/operations/rowWords.js"

const row = (body: object | null, state: ListRow["state"] = "done"): ListRow => ({
  workspaceId: "w",
  operationId: "o",
  index: 0,
  rowId: "r",
  listRequestId: "l",
  state,
  maximum: zero,
  charged: zero,
  input: null,
  uploaded: null,
  addressHash: null,
  body: body === null ? null : JSON.stringify(body),
  endedAtMillis: 1
})

const told = (one: ListRow) => Object.fromEntries(FOUND.map((name, at) => [name, foundCells(one)[at]]))

describe("what came out of a list's row", () => {
  it("of people is the contact that was found, or that none was", () => {
    const contact = { full_name: "Ada", work_email: "ada@acme.test", mobile_phone: "+4915112345678", title: null }
    const hit = row({ outcome: "hit", contact, from_cache: false })
    assert.strictEqual(outcomeWords(hit), "ada@acme.test, +4915112345678, Ada")
    assert.deepInclude(told(hit), {
      outcome: "hit",
      work_email: "ada@acme.test",
      mobile_phone: "+4915112345678",
      full_name: "Ada",
      title: ""
    })
    const miss = row({ outcome: "miss", contact: null, from_cache: false })
    assert.strictEqual(outcomeWords(miss), "miss")
    assert.deepInclude(told(miss), { outcome: "miss", work_email: "" })
  })

  it("of addresses is the verdict; of a refused row its error, and of a forgotten one nothing", () => {
    assert.strictEqual(outcomeWords(row({ verdict: "valid" })), "valid")
    const failed = row({ code: "insufficient_credits", message: "Not enough." }, "failed")
    assert.strictEqual(outcomeWords(failed), "insufficient_credits: Not enough.")
    assert.isTrue(foundCells(failed).every((cell) => cell === ""))
    assert.strictEqual(outcomeWords(row(null)), "No longer kept")
  })
})

describe("the results of a list", () => {
  const uploaded = { line: 7, cells: ['Ada, "Countess"', "@SUM(A1)"], headings: ["Name", "Status", "Line"] }
  const lines = (text: string) => text.split("\r\n")

  it("begin with the uploaded columns as they were, and the line; a name stands once, and no cell is a formula", () => {
    const form = resultsCsv(uploaded.headings)
    assert.match(form.head, /^Name,Status,Line,result_line,index,state,.*,outcome,result_status,verdict,/)
    const line = form.line({ ...row({ verdict: "valid", status: "valid" }), uploaded })
    assert.match(line, /^"Ada, ""Countess""",'@SUM\(A1\),,7,0,done,0,/)
    assert.lengthOf(lines(form.head)[0]!.split(","), 3 + 1 + lines(resultsCsv(null).head)[0]!.split(",").length)
    const again = resultsCsv(["index", "result_index"]).head
    assert.match(again, /^index,result_index,line,result_result_index,state,/)
    assert.match(form.line({ ...row(null), uploaded: { ...uploaded, cells: null } }), /^,,,7,0,done,0,/)
  })

  it("of a list that came by a verb are as they were", () => {
    assert.match(resultsCsv(null).head, /^index,state,credits_charged,asked,/)
    assert.match(resultsCsv(null).line(row({ verdict: "valid" })), /^0,done,0,/)
    assert.notInclude(resultsLines(null).line(row(null)), "uploaded")
    assert.deepInclude(JSON.parse(resultsLines(uploaded.headings).line({ ...row(null), uploaded })), {
      line: 7,
      uploaded: uploaded.cells
    })
  })
})
