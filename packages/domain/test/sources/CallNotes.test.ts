import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { JsonObject } from "../../src/kernel/canonical.js"
import { CallNotes, EVIDENCE_CHARS_IN_ALL_MAX, EVIDENCE_CHARS_MAX } from "../../src/sources/CallNotes.js"

const UNSTORABLE = /[\0\p{Surrogate}]/u

const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
      : []

describe("what is noted of a call", () => {
  it("holds nothing that a store refuses and nobody's address, in members' names as in their texts", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\0", "\ud800", "x\udc00", "ada@corp.example", "550 <ada@corp.example>")
    )
    const facts = fc.dictionary(text, fc.oneof(text, fc.array(text), fc.dictionary(text, text)))
    fc.assert(
      fc.property(facts, (given) => {
        const notes = new CallNotes()
        notes.witness("source", given as JsonObject)
        for (const one of textsIn(JSON.parse(notes.kept()?.evidence ?? "[]"))) {
          assert.notMatch(one, UNSTORABLE)
          assert.notInclude(one, "ada@")
        }
      })
    )
  })

  it("names nobody whose address is quoted, literal or cut", () => {
    const notes = new CallNotes()
    const said = ['<"ada king"@corp.example>', "ada@[192.0.2.1]", "550 <ada@", "<o'ada@corp.example>"]
    notes.witness("source", { said })
    assert.notInclude(notes.kept()?.evidence ?? "", "ada")
  })

  it("is bounded, whatever a source tells, and read in no time", () => {
    const notes = new CallNotes()
    const before = performance.now()
    notes.witness("source", { said: "a".repeat(4 * 1024 * 1024) })
    assert.isBelow(performance.now() - before, 10_000)
    for (let count = 0; count < 100; count++) notes.witness("source", { said: "a".repeat(EVIDENCE_CHARS_MAX - 100) })
    const { evidence } = notes.kept() ?? assert.fail("there are notes")
    assert.include(evidence, "[too long]")
    assert.isBelow(evidence?.length ?? 0, EVIDENCE_CHARS_IN_ALL_MAX + 100)
  })
})
