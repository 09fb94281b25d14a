import { assert, describe, it } from "@effect/vitest"
import { sourceOf, standsIn } from "../../../src/outreach/evidence/standsIn.js"

const standing = (text: string, excerpt: string) => standsIn(sourceOf(text), excerpt)

const filler = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(" ")

describe("an excerpt stands in its source", () => {
  it("at its beginning, in its middle and at its end, word for word, whatever lies between the words", () => {
    const text = "Acme hired ten people. <b>It</b> opened,\nan office"
    for (const excerpt of ["Acme hired", "ten people", "an office", "opened an office", text, "ACME  hired"]) {
      assert.strictEqual(standing(text, excerpt), "stands", excerpt)
    }
    for (const excerpt of ["", "…", "hired Acme", "Acme hire", "cme hired", "office an", `${text} more`]) {
      assert.strictEqual(standing(text, excerpt), "absent", excerpt)
    }
    assert.strictEqual(standing("", "a"), "absent")
  })

  it("in parts, where it says that words were left out: in their order, each after the one before, and near it", () => {
    assert.strictEqual(standing("one two three four five", "one … three … five"), "stands")
    assert.strictEqual(standing("one two three", "one … two"), "stands")
    assert.strictEqual(standing("one two three", "three … one"), "absent")
    assert.strictEqual(standing("one two three", "one … three … two"), "absent")
    assert.strictEqual(standing("one two three", "one … one"), "absent")
    assert.strictEqual(standing("one two three", "one … four"), "absent")
    assert.strictEqual(standing("one two", "two … two"), "absent")
    assert.strictEqual(standing(`one ${filler(300)} two`, "one … two"), "stands")
    assert.strictEqual(standing(`one ${filler(301)} two`, "one … two"), "absent")
    // Another place of the first part may fit where the first one does not.
    assert.strictEqual(standing(`one ${filler(301)} one two`, "one … two"), "stands")
  })

  it("and each place is looked at, up to fifty", () => {
    const denied = (count: number) => Array.from({ length: count }, () => "It did not hire.").join(" ")
    assert.strictEqual(standing(`${denied(49)} They hire.`, "hire"), "stands")
    assert.strictEqual(standing(`${denied(50)} They hire.`, "hire"), "out_of_context")
  })
})

describe("an excerpt is out of its context", () => {
  it("where the same clause denies or doubts it before, up to eight words away", () => {
    assert.strictEqual(standing("Acme did not open an office", "open an office"), "out_of_context")
    assert.strictEqual(standing("not a b c d e f g open", "open"), "out_of_context")
    assert.strictEqual(standing("not a b c d e f g h open", "open"), "stands")
    assert.strictEqual(standing("not", "not"), "stands")
    assert.strictEqual(standing("not open", "open"), "out_of_context")
    assert.strictEqual(standing("So. Not open", "open"), "out_of_context")
  })

  it("and not where a sentence, a clause or a quotation ends between, nor where it stands elsewhere without that", () => {
    for (const end of [".", "!", "?", ";", ":", ",", "\n", " (", " [", " “", " |", " •"]) {
      assert.strictEqual(standing(`They did not${end} open an office`, "open an office"), "stands", end)
    }
    assert.strictEqual(standing("They did not open. Later they open", "open"), "stands")
    assert.strictEqual(standing("Later they open. They did not open", "open"), "stands")
    // What follows denies nothing of what was said before.
    assert.strictEqual(standing("They open, and not late", "They open"), "stands")
    assert.strictEqual(standing("not one two three", "one … three"), "out_of_context")
  })
})
