import { assert, describe, it } from "@effect/vitest"
import { readContent, readHead } from "@outbound/adapters/mail/received.js"
import { displayHtml, textOfHtml } from "@outbound/adapters/mail/readable.js"
import { classify } from "@outbound/domain/outreach/meaning/classify.js"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import { automatic } from "@outbound/domain/outreach/replies/programs.js"
import { mayBeReport, namedMessages, recognise } from "@outbound/domain/outreach/replies/recognise.js"
import * as fc from "fast-check"
import { ANSWERS, AUTOMATIC, OURS, REPORTS } from "./shapes.js"

const read = (raw: string | Uint8Array) => readContent(typeof raw === "string" ? Buffer.from(raw) : raw, false)

describe("received mail", () => {
  for (const shape of [...REPORTS, ...AUTOMATIC, ...ANSWERS]) {
    it(`is understood: ${shape.name}`, async () => {
      const content = await read(shape.raw)
      const recognised = recognise(content)
      assert.strictEqual(recognised.kind, shape.kind)
      if (recognised.kind === "bounce") {
        const { status, type } = recognised.bounce
        assert.deepStrictEqual({ type, status }, shape.bounce)
        assert.strictEqual(recognised.isDelay, shape.isDelay ?? false)
      }
      if (recognised.kind === "automatic") assert.strictEqual(recognised.answers, shape.answers)
      if ("recipient" in recognised) assert.strictEqual(recognised.recipient, shape.recipient)
      assert.deepStrictEqual(namedMessages(content, "X-Lunedaki"), shape.names ? [OURS] : [])
      if (shape.says !== undefined) {
        assert.strictEqual(classify(ownText(content.text))?.classification ?? null, shape.says)
      }
    })
  }

  it("its head tells what has to be read whole, and what a program wrote", async () => {
    for (const { kind, name, raw } of [...REPORTS, ...AUTOMATIC, ...ANSWERS]) {
      const head = await readHead(Buffer.from(raw.slice(0, raw.indexOf("\r\n\r\n") + 4)))
      if (kind === "bounce" || kind === "complaint") assert.isTrue(mayBeReport(head), name)
      if (kind === "reply") assert.isNull(automatic(head), name)
      if (kind === "reply") assert.isFalse(mayBeReport(head), name)
    }
  })

  it("cut anywhere it can be read, and an answer stays one", async () => {
    for (const { raw } of [...REPORTS, ...AUTOMATIC, ...ANSWERS]) {
      for (let cut = 0; cut < raw.length; cut += 97) recognise(await readContent(Buffer.from(raw.slice(0, cut)), true))
    }
  })

  it("no octets make it fail", async () => {
    const header = fc.constantFrom(
      "Content-Type: multipart/report; boundary=x",
      "Content-Type: multipart/mixed; boundary=x",
      "Content-Type: message/rfc822",
      "Content-Transfer-Encoding: base64",
      "References: <<>> <a@b> <",
      "From: =?utf-8?q?=FF?= <a@b",
      "--x",
      "--x--",
      ""
    )
    await fc.assert(
      fc.asyncProperty(fc.array(header, { maxLength: 30 }), fc.uint8Array({ maxLength: 300 }), async (head, octets) => {
        const content = await read(Buffer.concat([Buffer.from(head.join("\r\n")), octets]))
        recognise(content)
        namedMessages(content, "X-Lunedaki")
        classify(ownText(content.text))
      }),
      { numRuns: 200 }
    )
  })

  it("of an HTML message nothing runs, loads or is styled, and links say where they lead", () => {
    const html = displayHtml(
      '<p style="color:red" onclick="x()">Hi <b>you</b><script>alert(1)</script><img src="https://t.test/p.gif">' +
        '<a href="javascript:alert(1)">a</a><a href="https://b.test" target="_top">b</a><a href="//c.test">c</a>' +
        '<svg><a xlink:href="javascript:x"/></svg><iframe src="https://d.test"></iframe><form action="/x"><input></form></p>'
    )
    const link = '<a rel="noopener noreferrer nofollow">'
    const shown = `<a href="https://b.test" rel="noopener noreferrer nofollow">b</a>`
    assert.strictEqual(html, `<p>Hi <b>you</b>${link}a</a>${shown}${link}c</a>${link}</a></p><p></p>`)
  })

  it("of an HTML message the person's own words are told from what it quotes, and none is lost", () => {
    const quoted = "Hello Pat, we help depots. Unsubscribe: https://out.acme.test/u/1"
    const mark = "On Tue, 24 Nov 2026 at 09:00, Jo Doe &lt;jo@acme.test&gt; wrote:"
    for (const [name, html, own] of [
      ["mark in the writer's block", `<div>Yes.<br>${mark}</div><blockquote>${quoted}</blockquote>`, "Yes."],
      [
        "Gmail",
        `<div>Yes.</div><div class="gmail_quote"><div class="gmail_attr">${mark}<br></div><blockquote>${quoted}</blockquote></div>`,
        "Yes."
      ],
      [
        "Gmail, answered inside",
        `<div class="gmail_quote"><div class="gmail_attr">${mark}</div><blockquote>${quoted}</blockquote><div>Below it: yes.</div></div>`,
        "Below it: yes."
      ],
      ["Yahoo", `<div>Yes.</div><div class="yahoo_quoted"><div>${mark}</div><div>${quoted}</div></div>`, "Yes."],
      [
        "Roundcube, answered below",
        `<p id="reply-intro">${mark}</p><blockquote>${quoted}</blockquote><p>Yes.</p>`,
        "Yes."
      ],
      [
        "Outlook",
        `<div>Yes.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Jo<br><b>Sent:</b> 1.1.2026</div><div>${quoted}</div>`,
        "Yes."
      ],
      ["Outlook on a phone", `<div id="appendonsend"></div><div>Yes.</div>`, "Yes."],
      [
        "Outlook for desktops",
        `<p>Yes.</p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>Von:</b> Jo Doe &lt;jo@acme.test&gt;<br><b>Gesendet:</b> Dienstag, 24. November 2026 09:00<br><b>An:</b> Pat<br><b>Betreff:</b> Touren</p></div><p>${quoted}</p>`,
        "Yes."
      ],
      [
        "Hotmail",
        `<div>Yes.<hr id="stopSpelling">Date: Tue, 24 Nov 2026 09:00:00 +0000<br>Subject: Tours<br>From: jo@acme.test<br>To: pat@b.test<br><br>${quoted}</div>`,
        "Yes."
      ],
      [
        "Proton",
        `<div>Yes.</div><div class="protonmail_quote">${mark}<br><blockquote class="protonmail_quote">${quoted}</blockquote></div>`,
        "Yes."
      ],
      [
        "between two quotations",
        `<blockquote>When?</blockquote><p>At ten.</p><blockquote>Where?</blockquote><p>In town.</p>`,
        "At ten.\n\nIn town."
      ],
      [
        "indented by its writer",
        `<div>Hello,</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>Yes.</div></blockquote><blockquote type="cite">${quoted}</blockquote>`,
        "Hello,\nYes."
      ],
      ["in the box of a quotation, alone", `<div class="gmail_quote"><div>Yes.</div></div>`, "Yes."],
      [
        "GMX",
        `<div>Yes.<div name="quote" style="border-left:2px solid #C3D9E5"><div><b>Von:</b> Jo</div><div name="quoted-content">${quoted}</div></div></div>`,
        "Yes."
      ],
      [
        "Outlook on a phone, without a header",
        `<div>Yes.</div><div id="mail-editor-reference-message-container"><div>Hello Pat</div></div>`,
        "Yes."
      ],
      ["preformatted", `<pre>Yes.\n\nPat\n\nOn 24 Nov 2026, Jo wrote:\n&gt; Hello Pat</pre>`, "Yes.\n\nPat"]
    ] as const) {
      assert.strictEqual(ownText(textOfHtml(html)), own, name)
    }
  })

  it("HTML of any depth and size is read in bounded time", () => {
    for (const hostile of ["<div>", "<blockquote>", "<p>a", "<a href=x>", "&amp;", "<!--", "<br>"]) {
      const html = hostile.repeat(400_000 / hostile.length)
      // Of the processor: a machine that has other things to do takes longer.
      const before = process.cpuUsage()
      textOfHtml(html)
      displayHtml(html)
      assert.isBelow(process.cpuUsage(before).user, 15_000_000, hostile)
    }
  })
})
