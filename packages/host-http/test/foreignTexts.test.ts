import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { Marked } from "../src/console/approvals/Marked.js"
import { fitted } from "../src/console/Parts.js"
import { ReplyItem } from "../src/console/replies/ReplyItem.js"

const shown = (text: string): string => renderToString(h(Marked, { text }))

describe("a stranger's text in the console", () => {
  it("takes no more of a page than it may, with the marks of what nobody sees", () => {
    for (const unit of ["\u202E", "\u200Ba", "\u0430p\u0440l\u0435 ", "a", "<", "\u{1F600}", "\u{E0041}"]) {
      for (const bytesMax of [300, 30_000]) {
        const { isCut, text } = fitted(unit.repeat(100_000), bytesMax)
        assert.isTrue(isCut)
        assert.isAtMost(Buffer.byteLength(shown(text)), bytesMax, JSON.stringify(unit))
        assert.isAbove(text.length, 0)
      }
    }
    assert.deepStrictEqual(fitted("Ann \u202E writes", 300), { text: "Ann \u202E writes", isCut: false })
  })

  it("shows its overrides of direction in the list of replies", () => {
    const of = {
      replyId: "r",
      campaignId: "c",
      fromEmail: "ann@\u202Ecom.test",
      subject: "Invoice \u202Efdp.exe",
      snippet: "See \u2066below\u2069",
      bodyText: "See below",
      bodyHtml: null,
      classification: null,
      receivedAtMillis: 0
    } as never
    const html = renderToString(h(ReplyItem, { of, campaignName: "Spring" }))
    assert.notMatch(html, /[\u202E\u2066\u2069]/)
    for (const sign of ["U+202E", "U+2066", "U+2069"]) assert.include(html, sign)
  })
})
