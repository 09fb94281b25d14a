import { assert, describe, it } from "@effect/vitest"
import type { ValueEvidence } from "../../../src/kernel/sequences/evidence.js"
import { saidAt } from "../../../src/outreach/evidence/age.js"
import { markOf } from "../../../src/outreach/evidence/marks.js"

const NOW = Date.parse("2026-11-28T12:00:00Z")
const at = (excerpt: string, seenAt: string, datedAt: string | null = null, value = "x") =>
  new Date(saidAt(value, { excerpt, seenAt }, datedAt, NOW)).toISOString().slice(0, 10)

describe("how old a statement is", () => {
  it("the earliest counts of when it was seen, the source's date, and the newest date in the words", () => {
    assert.strictEqual(at("They grew", "2026-05-01"), "2026-05-01")
    assert.strictEqual(at("They grew", "2026-05-01", "2024-03-02T10:00:00Z"), "2024-03-02")
    assert.strictEqual(at("In March 2024 they grew", "2026-05-01"), "2024-03-31")
    assert.strictEqual(at("Twice as many as in 2023, in May 2026 it was ten", "2026-11-01"), "2026-05-31")
  })

  it("what holds since a date, a year in a name, and a time ahead say nothing of the age", () => {
    assert.strictEqual(at("Founded in 1998, and since 2014 in Linz", "2026-05-01"), "2026-05-01")
    assert.strictEqual(at("The Riesling Alte Reben 2019 won gold", "2026-05-01"), "2026-05-01")
    assert.strictEqual(at("They open in May 2027", "2030-01-01"), "2026-11-28")
  })

  it("a year makes a proven value old, to the day", () => {
    const evidence = (datedAt: string): ValueEvidence => ({
      variable: "custom.x",
      requestId: null,
      url: "https://acme.example/",
      excerpt: "x",
      seenAt: "2026-11-28",
      finding: { kind: "found", reason: null, datedAt, readFrom: null }
    })
    assert.strictEqual(markOf(evidence("2025-11-28T12:00:00.001Z"), NOW), "proven")
    assert.strictEqual(markOf(evidence("2025-11-28T12:00:00.000Z"), NOW), "old")
  })
})
