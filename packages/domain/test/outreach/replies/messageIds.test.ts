import { assert, describe, it } from "@effect/vitest"
import { idsIn } from "@outbound/domain/outreach/replies/messageIds.js"
import { namedMessages } from "@outbound/domain/outreach/replies/recognise.js"

const OURS = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
const ID = `${OURS}@mail.corp.test`

const named = (name: string, value: string) =>
  namedMessages(
    {
      headers: [{ name, value }],
      fromEmail: "pat@b.test",
      subject: "Re: Hello",
      text: "",
      html: null,
      truncated: false,
      parts: []
    },
    "X-Lunedaki"
  )

const asQ = (text: string) =>
  `=?us-ascii?Q?${text.replaceAll("<", "=3C").replaceAll(">", "=3E").replaceAll("@", "=40")}?=`

describe("the ids of a thread", () => {
  it.each<[string, string]>([
    ["as the standard has it", `<${ID}>`],
    ["without brackets", ID],
    ["with a bracket that nothing closes", `<${ID}`],
    ["glued to others", `<a@b.test><${ID}><c@d.test>`],
    ["glued to another field", `<${ID}>MIME-Version: 1.0`],
    ["between commas", `<a@b.test>, <${ID}>,<c@d.test>`],
    ["bare between commas", `a@b.test,${ID},c@d.test`],
    ["after a phrase", `Your message of "Tue, 24 Nov 2026 09:00:00 GMT." <${ID}>`],
    ["folded within", `<${OURS}\r\n @mail.corp.test>`],
    ["in capitals", `<${ID.toUpperCase()}>`],
    ["as an encoded word", asQ(`<${ID}>`)],
    ["cut into two encoded words", `${asQ(`<${ID.slice(0, 20)}`)} ${asQ(`${ID.slice(20)}>`)}`],
    ["as an encoded word in base64", `=?utf-8?B?${btoa(`<${ID}>`)}?=`],
    [
      "before hundreds of others",
      `<${ID}> ${Array.from({ length: 900 }, (_, n) => `<m${n}.${"a".repeat(40)}@b.test>`).join(" ")}`
    ]
  ])("are read %s", (_, value) => {
    assert.deepStrictEqual(named("references", value), [OURS])
    assert.deepStrictEqual(named("in-reply-to", value), [OURS])
  })

  it("are read in bounded time, and only so many", () => {
    const before = performance.now()
    for (const unit of ["<", ">", "<a@b>", "@", "a@", "=?a?q?", "=?a?b?", "=?u?q?=3C?= ", ",", "< "])
      idsIn(unit.repeat(20_000))
    assert.isBelow(performance.now() - before, 4_000)
    assert.isAtMost(idsIn("<a@b> ".repeat(100_000)).length, 5_000)
  })
})
