import { assert, describe, it } from "@effect/vitest"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
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
