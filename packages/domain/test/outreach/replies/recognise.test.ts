import { assert, describe, it } from "@effect/vitest"
import type { MailContent, MailHeader } from "@outbound/domain/outreach/mail/mail.js"
import { isDenied, namedMessages, recognise } from "@outbound/domain/outreach/replies/recognise.js"
import * as fc from "fast-check"

const OURS = ["018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70", "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f71"] as const

/** The header under which the workspace marks its mail. */
const MARKS = "X-Lunedaki"

const mail = (headers: ReadonlyArray<readonly [string, string]>, given: Partial<MailContent> = {}): MailContent => ({
  headers: headers.map(([name, value]): MailHeader => ({ name, value })),
  fromEmail: "pat@b.test",
  subject: "Re: Hello",
  text: "",
  html: null,
  truncated: false,
  parts: [],
  ...given
})

const SYSTEM = ["return-path", "<>"] as const
const REPORT = ["content-type", "multipart/report; report-type=delivery-status"] as const

const status = (code: string, diagnostic = ""): MailContent =>
  mail([SYSTEM, REPORT], {
    parts: [
      {
        type: "message/delivery-status",
        text: `Final-Recipient: rfc822; pat@b.test\nAction: failed\nStatus: ${code}\nDiagnostic-Code: smtp; ${diagnostic}`
      }
    ]
  })

const bounceOf = (content: MailContent) => {
  const recognised = recognise(content)
  return recognised.kind === "bounce" ? `${recognised.bounce.type} ${recognised.bounce.status}` : recognised.kind
}

describe("recognition", () => {
  it("what is answered tells before the thread, and the thread from its newest", () => {
    const [first, second] = OURS
    const thread = mail([
      ["references", `<${first}@acme.test> <x@b.test> <${second}@acme.test>`],
      ["in-reply-to", "<x@b.test>"]
    ])
    assert.deepStrictEqual(namedMessages(thread, MARKS), [second, first])
    const answered = mail([
      ...thread.headers.map(({ name, value }) => [name, value] as const),
      ["in-reply-to", `<${first}@acme.test>`]
    ])
    assert.deepStrictEqual(namedMessages(answered, MARKS), [first, second])
  })

  it("a person's text names no message, whatever headers it quotes", () => {
    const text = `Message-ID: <${OURS[0]}@acme.test>`
    assert.deepStrictEqual(namedMessages(mail([], { text }), MARKS), [])
    assert.deepStrictEqual(namedMessages(mail([SYSTEM], { text }), MARKS), [OURS[0]])
  })

  it("each status is what it says, and one that says nothing is what the words say", () => {
    for (const [code, diagnostic, expected] of [
      ["5.1.1", "", "hard 5.1.1"],
      ["5.1.2", "", "hard 5.1.2"],
      ["5.2.1", "", "soft 5.2.1"],
      ["5.2.2", "", "soft 5.2.2"],
      ["5.3.4", "", "soft 5.3.4"],
      ["5.4.4", "", "soft 5.4.4"],
      ["5.6.0", "", "soft 5.6.0"],
      ["5.7.1", "", "soft 5.7.1"],
      ["4.2.2", "", "soft 4.2.2"],
      ["4.7.0", "", "soft 4.7.0"],
      ["5.0.0", "550 5.1.1 unknown", "hard 5.1.1"],
      ["5.0.0", "550 no such user here", "hard 5.1.1"],
      ["5.0.0", "552 mailbox full", "soft 5.2.2"],
      ["5.5.0", "554 blocked by spamhaus", "soft 5.7.1"],
      ["5.0.0", "554 computer says no", "soft 5.0.0"],
      ["5.0.0", "retry timeout exceeded", "soft 4.4.7"],
      ["5.5.2", "syntax error", "soft 5.5.2"],
      ["4.0.0", "451 later", "soft 4.0.0"]
    ] as const) {
      assert.strictEqual(bounceOf(status(code, diagnostic)), expected, `${code} ${diagnostic}`)
    }
  })

  it("nothing makes it throw, and nothing takes long", () => {
    const name = fc.constantFrom(
      "from",
      "return-path",
      "content-type",
      "auto-submitted",
      "precedence",
      "references",
      "list-id",
      "x-failed-recipients"
    )
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom("<>", "multipart/report", "auto-replied", "list", "mailer-daemon")
    )
    const part = fc.record({
      type: fc.constantFrom("message/delivery-status", "message/feedback-report", "message/rfc822"),
      text: fc.string()
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), fc.string(), fc.array(part), (headers, text, parts) => {
        const content = mail(headers, { text, subject: text, parts })
        recognise(content)
        namedMessages(content, MARKS)
      }),
      { numRuns: 300 }
    )
    for (const hostile of ["-", "<a@", "<", "mailbox ", "a:", "\n ", "a: b\n", "5.1.1 ", "user "]) {
      const long = hostile.repeat(200_000 / hostile.length)
      const started = performance.now()
      const content = mail([SYSTEM, REPORT, ["references", long], ["content-type", long]], {
        text: long,
        subject: long,
        parts: [
          {
            type: "message/delivery-status",
            text: `Final-Recipient: ${long}\nAction: failed\nDiagnostic-Code: ${long}`
          },
          { type: "message/rfc822", text: long }
        ]
      })
      recognise(content)
      namedMessages(content, MARKS)
      assert.isBelow(performance.now() - started, 20_000, hostile)
    }
  })
})

describe("a sender whom the receiving server denies", () => {
  it.each<[boolean, string, string]>([
    [false, "nobody checked", "mx.acme.test; none"],
    [false, "all passed", "mx.acme.test; spf=pass; dkim=pass; dmarc=pass"],
    [true, "DMARC failed", "mx.acme.test; dmarc=fail header.from=b.test"],
    [true, "DMARC failed, in capitals and with spaces", "mx.acme.test; DMARC = FAIL"],
    [
      true,
      "DMARC failed, although another domain signed",
      "mx.acme.test; spf=pass; dkim=pass header.d=c.test; dmarc=fail"
    ],
    [true, "SPF failed, and nothing else was checked", "mx.acme.test; spf=fail smtp.mailfrom=b.test"],
    [true, "SPF failed softly", "mx.acme.test; spf=softfail"],
    [true, "SPF failed, and the signature too", "mx.acme.test; spf=fail; dkim=fail"],
    [false, "SPF failed on a forwarder's way, and the signature holds", "mx.acme.test; spf=fail; dkim=pass"],
    [false, "SPF failed on a forwarder's way, and DMARC passed", "mx.acme.test; spf=fail; dmarc=pass"],
    [false, "SPF says nothing", "mx.acme.test; spf=neutral"],
    [false, "DMARC failed for a while", "mx.acme.test; dmarc=temperror"]
  ])("%s: %s", (denied, _, results) => {
    assert.strictEqual(isDenied(mail([["authentication-results", results]])), denied)
  })

  it("is denied by the newest field alone, whatever the mail brought along", () => {
    const [passed, failed] = ["mx.acme.test; dmarc=pass", "elsewhere.test; dmarc=fail"]
    const both = (one: string, other: string) =>
      isDenied(
        mail([
          ["authentication-results", one],
          ["authentication-results", other]
        ])
      )
    assert.isFalse(both(passed, failed))
    assert.isTrue(both(failed, passed))
    assert.isFalse(isDenied(mail([])))
  })
})
