import { assert, describe, it } from "@effect/vitest"
import { reportedBounce } from "@outbound/domain/outreach/replies/notifications.js"
import { recognise } from "@outbound/domain/outreach/replies/recognise.js"
import type { MailContent } from "@outbound/domain/outreach/mail/mail.js"

const group = (status: string, diagnostic: string): string =>
  `Reporting-MTA: dns; mx.b.test\n\nFinal-Recipient: rfc822; pat@b.test\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${diagnostic}`

const read = (status: string, diagnostic: string, notice = ""): string => {
  const { bounce } = reportedBounce(group(status, diagnostic), notice) ?? assert.fail("no bounce")
  return `${bounce.type} ${bounce.reason} ${bounce.status}`
}

const plain = (subject: string, text: string, from = "MAILER-DAEMON@mx.b.test"): MailContent => ({
  headers: [
    { name: "return-path", value: "<>" },
    { name: "from", value: from }
  ],
  fromEmail: from,
  subject,
  text,
  html: null,
  truncated: false,
  parts: []
})

const ofPlain = (mail: MailContent): string => {
  const found = recognise(mail)
  return found.kind === "bounce" ? `${found.bounce.type} ${found.bounce.reason}` : found.kind
}

describe("a bounce", () => {
  it("is named by the innermost, most specific evidence", () => {
    for (const [status, diagnostic, expected] of [
      ["5.1.1", "552 5.2.2 Over quota", "soft full 5.2.2"],
      ["5.4.316", "550 5.4.316 Message expired, connection refused", "soft expired 5.4.316"],
      ["5.0.0", "550 5.7.1 Service unavailable; client host blocked using Spamhaus", "soft reputation 5.7.1"],
      ["5.1.1", "550 5.1.1 mail from 192.0.2.1 refused: see our block list", "soft reputation 5.7.1"],
      ["5.0.0", "550 message contains a virus", "soft content 5.7.1"],
      ["5.0.0", "550 5.7.26 unauthenticated mail is prohibited", "soft authentication 5.7.26"],
      ["4.2.2", "452 4.2.2 mailbox full", "soft full 4.2.2"],
      ["5.0.0", "450 4.1.1 user unknown", "soft user_unknown 4.1.1"],
      ["5.0.0", "421 4.7.28 unusual rate of mail", "soft rate 4.7.28"],
      ["5.1.1", "550 5.1.1 no such user", "hard user_unknown 5.1.1"],
      ["5.0.0", "550 Recipient rejected: utilisateur inconnu", "hard user_unknown 5.1.1"],
      ["5.0.0", "550 Empfänger unbekannt", "hard user_unknown 5.1.1"],
      ["5.1.2", "550 Host or domain name not found", "hard host_unknown 5.1.2"],
      ["5.1.8", "553 5.1.8 sender's domain does not exist", "soft policy 5.1.8"],
      ["5.7.133", "550 5.7.133 sender not authenticated for this group", "soft restricted 5.7.133"],
      ["5.2.1", "550 5.2.1 account is disabled", "soft suspended 5.2.1"],
      ["5.3.4", "552 message size exceeds the limit", "soft too_large 5.3.4"]
    ] as const) {
      assert.strictEqual(read(status, diagnostic), expected, diagnostic)
    }
  })

  it("quotes the server's own words, without anybody's address", () => {
    for (const [status, diagnostic, notice, says] of [
      ["5.0.0", "550 5.7.1 <pat@b.test>: blocked, see our list", "", "550 5.7.1 <(address)>: blocked, see our list"],
      [
        "5.7.1",
        "",
        "This is the mail system.\n\nmx.b.test said: 554 5.7.1 policy of b.test",
        "554 5.7.1 policy of b.test"
      ],
      ["5.7.133", "550 5.7.133", "Only members may write.", "Only members may write."],
      ["5.1.1", "", "It could not be delivered.", "It could not be delivered."]
    ] as const) {
      const { bounce } = reportedBounce(group(status, diagnostic), notice) ?? assert.fail("no bounce")
      assert.strictEqual(bounce.says, says)
    }
  })

  it("that is not understood never suppresses", () => {
    for (const [status, diagnostic] of [
      ["5.0.0", ""],
      ["", "554 no"],
      ["5.9.9", "550 the stars are wrong"],
      ["nonsense", "nonsense"]
    ] as const) {
      assert.match(read(status, diagnostic), /^soft /)
    }
  })

  it("proves nothing where the report also says that the mailbox is full, or took the recipient", () => {
    assert.strictEqual(read("5.1.1", "550 5.1.1 user unknown", "maildrop: maildir over quota."), "soft full 5.2.2")
    const late = "mx.b.test said: 550 5.1.1 user unknown (in reply to end of DATA command)"
    assert.match(read("5.1.1", "550 5.1.1 user unknown", late), /^soft /)
  })

  it("is read from the words of servers that know no RFC 3464, in their languages", () => {
    for (const [subject, text, expected] of [
      ["failure notice", "<pat@b.test>:\nSorry, no mailbox here by that name. (#5.1.1)", "hard user_unknown"],
      ["Mail delivery failed", "  pat@b.test\n    mailbox is full: retry timeout exceeded", "soft full"],
      ["Unzustellbar: Hallo", "pat@b.test\nDas Postfach ist voll", "soft full"],
      ["Unzustellbar: Hallo", "pat@b.test\nEmpfänger existiert nicht", "hard user_unknown"],
      ["Non remis : Bonjour", "pat@b.test\nL'adresse n'existe pas", "hard user_unknown"],
      ["メールエラー通知", "pat@b.test\nメールボックスが一杯のため、送信できませんでした。", "soft full"],
      ["Onbestelbaar: Hallo", "pat@b.test\ngebruiker onbekend", "hard user_unknown"],
      ["Undelivered Mail", "<pat@b.test>: host mx.b.test said: 554 blocked for spam", "soft content"],
      ["Undelivered Mail", "It was not delivered.", "soft unknown"]
    ] as const) {
      assert.strictEqual(ofPlain(plain(subject, text)), expected, text)
    }
  })

  it("that a person forwards is no proof", () => {
    const forwarded = plain("Fwd: Undelivered Mail", "> <pat@b.test>: 550 5.1.1 user unknown", "jo@b.test")
    assert.strictEqual(ofPlain({ ...forwarded, headers: [] }), "soft user_unknown")
  })

  it("is none where a person answers about one", () => {
    const answer = plain("Re: Undelivered Mail", "I got this: 550 5.1.1 user unknown", "jo@b.test")
    assert.strictEqual(ofPlain({ ...answer, headers: [] }), "reply")
  })
})

describe("a complaint", () => {
  const report = (type: string): MailContent => ({
    ...plain("FW: Hello", "", "feedback@isp.test"),
    headers: [{ name: "content-type", value: "multipart/report; report-type=feedback-report" }],
    parts: [{ type: "message/feedback-report", text: `Feedback-Type: ${type}\nOriginal-Rcpt-To: pat@b.test` }]
  })

  it("tells an objection from a failed check", () => {
    for (const [type, expected] of [
      ["abuse", "abuse"],
      ["opt-out", "opt_out"],
      ["auth-failure", "failed_check"]
    ] as const) {
      assert.deepStrictEqual(recognise(report(type)), {
        kind: "complaint",
        feedback: expected,
        recipient: "pat@b.test"
      })
    }
    assert.strictEqual(recognise(report("not-spam")).kind, "automatic")
  })
})
