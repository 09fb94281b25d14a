import { assert, describe, it } from "@effect/vitest"
import {
  leadOfLink,
  leadsLinkedIn,
  leadUnsubscribedBy,
  linkMac,
  unsubscribeMailto
} from "@outbound/domain/outreach/suppression/links.js"
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
    ["inside a link of a scanner", `https://safe.test/?url=${encodeURIComponent(link(LEAD))}&data=x`],
    [
      "inside a link that encodes the dots too",
      `https://safe.test/?u=${link(LEAD).replaceAll("/", "%2f").replaceAll(".", "%2E")}`
    ],
    ["directly above another line, which goes on with letters", `${link(LEAD)}\nRegards`],
    ["and nobody else's, at the very beginning", new URL(link(LEAD)).pathname]
  ])("is known by its link %s", (_, text) => {
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, text), [LEAD])
  })

  it("is found in what gateways make of it", () => {
    const own = link(LEAD)
    const proofpoint = own.replace(/[-_:]/g, (sign) => `-${sign.charCodeAt(0).toString(16)}`).replaceAll("/", "_")
    for (const text of [
      `https://safe.test/?url=${encodeURIComponent(own)}&data=1`,
      `https://safe.test/?url=${encodeURIComponent(`https://safe.test/?url=${encodeURIComponent(own)}`)}`,
      `https://defense.test/v2/url?u=${proofpoint}&d=1`,
      `https://defense.test/v3/__${own}__;!!a!b$`,
      `https://protection.test?d=acme.test&u=${Buffer.from(own).toString("base64")}&i=1`
    ]) {
      assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, text), [LEAD], text)
    }
  })

  it("is nobody, if the link is of another workspace, or nobody made it", () => {
    assert.deepStrictEqual(leadsLinkedIn(crypto, OTHER, link(LEAD)), [])
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, link(LEAD).replace(LEAD, OTHER)), [])
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, `/u/${WORKSPACE}/${LEAD}.`), [])
    // The proof is good, but the path names another workspace.
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, link(LEAD).replace(WORKSPACE, OTHER)), [])
  })

  it("is one of the first twenty links, within the first 300,000 characters", () => {
    const forged = `${link(OTHER).slice(0, -1)}! `
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, `${forged.repeat(19)} ${link(LEAD)}`), [LEAD])
    const other = link(OTHER).replace(/.{43}$/, "x".repeat(43))
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, `${`${other} `.repeat(19)}${link(LEAD)}`), [LEAD])
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, `${`${other} `.repeat(20)}${link(LEAD)}`), [])
    const before = " ".repeat(300_000)
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, before.slice(link(LEAD).length) + link(LEAD)), [LEAD])
    assert.deepStrictEqual(leadsLinkedIn(crypto, WORKSPACE, before + link(LEAD)), [])
  })

  it("is looked for in bounded time", () => {
    const before = performance.now()
    for (const unit of ["/u/", "?u=", "&u=aa", "/v2/url?u=-", "\n> ", "> ", "=\n", `/u/${WORKSPACE}/${LEAD}.`, " "]) {
      leadsLinkedIn(crypto, WORKSPACE, unit.repeat(300_000 / unit.length) + "/u/")
    }
    assert.isBelow(performance.now() - before, 4_000)
  })
})

describe("the way out by mail", () => {
  const subjectOf = (mailto: string) => new URL(mailto).searchParams.get("subject") ?? ""

  it("leads back to the lead, however the program writes the subject, and in no other workspace", () => {
    const mailto = unsubscribeMailto("a+b@acme.test", link(LEAD))
    assert.match(mailto, /^mailto:a%2Bb@acme\.test\?subject=/)
    const subject = subjectOf(mailto)
    for (const text of [subject, ` ${subject}`, subject.replace("unsubscribe", "Unsubscribe")]) {
      assert.strictEqual(leadUnsubscribedBy(crypto, WORKSPACE, text), LEAD)
    }
    assert.isNull(leadUnsubscribedBy(crypto, OTHER, subject))
    assert.isNull(leadUnsubscribedBy(crypto, WORKSPACE, "unsubscribe me"))
  })

  it("is not a subject that only holds the link: an answer quotes it, and asks for nothing", () => {
    assert.isNull(leadUnsubscribedBy(crypto, WORKSPACE, `Re: ${new URL(link(LEAD)).pathname}`))
  })
})

describe("a link", () => {
  const path = `${LEAD}.${linkMac(crypto, WORKSPACE, LEAD)}`

  it("names its lead, and only with the proof that was made for it", () => {
    const of = (workspaceId: string, token: string) => leadOfLink(crypto, { workspaceId, token })
    assert.strictEqual(of(WORKSPACE, path), LEAD)
    for (const token of [`${path}.x`, `${path}.`, path.replace(LEAD, OTHER), path.slice(0, -1), LEAD, "", "."]) {
      assert.isNull(of(WORKSPACE, token), token)
    }
    assert.isNull(of(OTHER, path))
  })

  it("names nobody if it is none, even with a proof that fits: ids go to the database as they are", () => {
    const made = (workspaceId: string, lead: string) =>
      leadOfLink(crypto, { workspaceId, token: `${lead}.${linkMac(crypto, workspaceId, lead)}` })
    assert.isNull(made("no-workspace", LEAD))
    assert.isNull(made(WORKSPACE, "no-lead"))
    assert.isNull(made(WORKSPACE.toUpperCase(), LEAD))
  })
})
