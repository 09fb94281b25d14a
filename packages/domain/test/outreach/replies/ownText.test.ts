import { assert, describe, it } from "@effect/vitest"
import { ownText, separate } from "@outbound/domain/outreach/replies/ownText.js"
import * as fc from "effect/FastCheck"
import { QUOTATIONS } from "./quotations.js"

describe("own text", () => {
  for (const [name, quotation] of QUOTATIONS) {
    it(`is what stands above a quotation (${name})`, () => {
      assert.strictEqual(ownText(`Let us talk.\n\nOn Monday?\n\n${quotation}`), "Let us talk.\n\nOn Monday?")
      assert.strictEqual(ownText(`Let us talk.\r\n\r\n${quotation.replaceAll("\n", "\r\n")}`), "Let us talk.")
      assert.strictEqual(ownText(quotation), "")
    })
  }

  it("is also what stands below or between quoted lines", () => {
    const text = `On 3 Mar 2026 Jo <jo@acme.test> wrote:\n> When?\n\nOn Monday.\n\n> Where?\nIn town.`
    assert.strictEqual(ownText(text), "On Monday.\n\nIn town.")
  })

  it("ends where a signature begins", () => {
    for (const end of [
      "-- \nPat\nunsubscribe from our newsletter",
      "Best regards,\nPat\nNot interested? Tell us.",
      "Mit freundlichen Grüßen\nPat",
      "Cordialement,\nPat",
      "Sent from my iPhone",
      "Von meinem iPhone gesendet",
      "Get Outlook for iOS"
    ]) {
      const { own, signature } = separate(`Fine with me.\n\n${end}`)
      assert.strictEqual(own, "Fine with me.", end)
      assert.strictEqual(signature, end.trim())
    }
  })

  it("keeps a sentence that only looks like a mark", () => {
    for (const text of [
      "On Monday we talk about what you wrote: prices.",
      "From: what I hear, it works.",
      "To: be, or not to be",
      "Cheers to that, let us talk"
    ]) {
      assert.strictEqual(ownText(text), text)
    }
  })

  it("is never made of quoted lines, and any text has one, soon", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.array(fc.string({ maxLength: 60 })),
        (a, quoted) => {
          const lines = quoted.map((line) => `> ${line.replace(/[\r\n]/g, "")}QUOTED`)
          assert.notInclude(ownText(`${a.replaceAll("QUOTED", "")}\n${lines.join("\n")}`), "QUOTED")
        }
      ),
      { numRuns: 300 }
    )
    for (const hostile of [
      "On 1 ",
      "From:\n",
      ">".repeat(100) + "\n",
      "\n",
      "-- \n",
      "-".repeat(300) + "\n",
      "On a\n1 b"
    ]) {
      const started = performance.now()
      separate(hostile.repeat(Math.ceil(400_000 / hostile.length)))
      assert.isBelow(performance.now() - started, 20_000, JSON.stringify(hostile))
    }
  })
})
