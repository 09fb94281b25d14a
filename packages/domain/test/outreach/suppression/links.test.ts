import { assert, describe, it } from "@effect/vitest"
import { leadsLinkedIn, linkMac } from "@outbound/domain/outreach/suppression/links.js"
import { createHash } from "node:crypto"

const crypto = {
  mac: (purpose: string, text: string) => createHash("sha256").update(`${purpose} ${text}`).digest("base64url"),
  sha256Hex: (text: string) => createHash("sha256").update(text).digest("hex")
}
const WORKSPACE = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
const [LEAD, OTHER] = ["018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f71", "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f72"] as const
const link = (lead: string) => `https://mail.acme.test/u/${WORKSPACE}/${lead}.${linkMac(crypto, WORKSPACE, lead)}`

describe("the lead whose message an answer quotes", () => {
  it.each<[string, string]>([
    ["as it was sent", `No.\n\n> Unsubscribe: ${link(LEAD)}\n`],
    ["in HTML", `<p>No.</p><a href="${link(LEAD)}">Unsubscribe</a>`],
    ["wrapped by the client", `> Unsubscribe: ${link(LEAD).slice(0, 60)}\n> ${link(LEAD).slice(60)}\n> Regards`],
    [
      "wrapped twice, in a deeper quotation",
      `>> ${link(LEAD).slice(0, 40)}=\r\n>> ${link(LEAD).slice(40, 90)}\r\n>> ${link(LEAD).slice(90)}`
    ],
    ["inside a link of a scanner", `https://safe.test/?url=${encodeURIComponent(link(LEAD))}&data=x`]
  ])("is known by its link %s", (_, text) => {
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, text), [LEAD])
  })

  it("is nobody, if the link is of another workspace, or nobody made it", () => {
    assert.deepStrictEqual(leadsLinkedIn(crypto, OTHER, link(LEAD)), [])
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, link(LEAD).replace(LEAD, OTHER)), [])
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, `/u/${WORKSPACE}/${LEAD}.`), [])
  })

  it("is looked for in bounded time", () => {
    const before = performance.now()
    for (const unit of ["/u/", "\n> ", "> ", "=\n", `/u/${WORKSPACE}/${LEAD}.`, " "]) {
      leadsLinkedIn(crypto, WORKSPACE, unit.repeat(300_000 / unit.length) + "/u/")
    }
    assert.isBelow(performance.now() - before, 4_000)
  })
})
