import { assert, describe, it } from "@effect/vitest"
import { reportedBounce } from "@outbound/domain/outreach/replies/notifications.js"
import { recognise } from "@outbound/domain/outreach/replies/recognise.js"
import { addressIn, type MailContent } from "@outbound/domain/outreach/mail/mail.js"

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
  it("is known where an old server names itself in its own way", () => {
    const unknown = "kim@b.test - no such user here.\n\nThere is no user by that name at this server."
    const warned = { ...plain("Warning: kim@b.test - User unknown!", unknown, "MDaemon@b.test") }
    const bulk = { ...warned, headers: [...warned.headers, { name: "precedence", value: "bulk" }] }
    assert.strictEqual(ofPlain(bulk), "hard user_unknown")
    const named = { ...plain("RE: Your stairs : non remis (delivery failed)", "", "filter.seven@b.test"), headers: [] }
    const text =
      "Votre message n'a pas pu etre delivre a\nkim@b.test\n\nYour message could not be delivered to\nkim@b.test"
    assert.strictEqual(ofPlain({ ...named, text }), "soft unknown")
    // A person who forwards the same words in an answer is a person.
    assert.strictEqual(ofPlain({ ...named, subject: "RE: Your stairs", text }), "reply")
  })

  it("is none while a server only says that it still tries", () => {
    const from = "Postmaster <Postmaster\\@b.test@mx.b.test>"
    const text =
      'Delivery of email to this address\n"kim@b.test"\nhas been postponed due to a full mailbox.\nWe will continue to try over the next days.'
    const mail = { ...plain("Mail Delivery Warning", text), headers: [{ name: "from", value: from }] }
    const found = recognise({ ...mail, fromEmail: "postmaster\\@b.test@mx.b.test" })
    assert.isTrue(found.kind === "bounce" && found.isDelay && found.bounce.type === "soft")
  })

  it("names its recipient whole, with apostrophes and quotation marks", () => {
    for (const [written, email] of [
      ["rfc822; o'brien@b.test", "o'brien@b.test"],
      ["rfc822; \u2018pat@b.test\u2019", "pat@b.test"],
      ["rfc822; 'pat@b.test'", "pat@b.test"],
      ['rfc822; "pat"@b.test', "pat@b.test"],
      ["<PAT@b.test>.", "pat@b.test"]
    ] as const) {
      assert.strictEqual(addressIn(written), email, written)
    }
    const found = recognise(plain("Undelivered Mail", "o'brien@b.test\n550 5.1.1 user unknown"))
    assert.strictEqual(found.kind === "bounce" ? found.recipient : null, "o'brien@b.test")
  })

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
      ["5.2.1", "550 5.2.1 account is disabled", "hard user_unknown 5.1.1"],
      ["5.2.1", "550 5.2.1 account is suspended", "soft suspended 5.2.1"],
      ["4.2.1", "450 4.2.1 account is disabled", "soft user_unknown 4.1.1"],
      ["5.4.1", "550 5.4.1 Recipient address rejected: Access denied. AS(1)", "hard user_unknown 5.1.1"],
      ["5.7.1", "554 5.7.1 <pat@b.test>: Recipient address rejected: Access denied", "soft policy 5.7.1"],
      ["5.0.0", "550 Message was not accepted -- invalid mailbox. User not found", "hard user_unknown 5.1.1"],
      ["5.0.0", "550 Requested action not taken: mailbox unavailable", "hard user_unknown 5.1.1"],
      ["4.0.0", "450 Requested mail action not taken: mailbox unavailable", "soft user_unknown 4.1.1"],
      ["5.0.0", "550 No mail box available for this user", "hard user_unknown 5.1.1"],
      ["5.7.17", "550 sorry, no mailbox here by that name (#5.7.17)", "hard user_unknown 5.1.1"],
      ["5.1.1", "550 5.1.1 User unknown (Barracuda Email Security Gateway)", "hard user_unknown 5.1.1"],
      ["5.0.0", "550 User unknown; blocked by local policy 7", "hard user_unknown 5.1.1"],
      ["5.0.0", "550 User unknown; or your IP is on our blacklist", "soft reputation 5.7.1"],
      ["5.0.0", "553 5.1.8 Domain of sender address jo@acme.test does not exist", "soft policy 5.1.8"],
      ["5.1.10", "556 5.1.10 Recipient domain does not accept mail (nullMX)", "hard host_unknown 5.1.2"],
      ["5.0.0", "an MX or SRV record indicated no SMTP service", "hard host_unknown 5.1.2"],
      ["5.0.0", "554 message rejected", "soft unknown 5.0.0"],
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

  it("is not excused by what a scanner, a company or a notice says of itself", () => {
    for (const footer of [
      "__________\nThis mail was checked for viruses and unwanted content by Gatekeeper.",
      "*****\nDieses E-Mail wurde auf Viren und Spam geprüft.",
      "-----\nScanned by MailGuard for spam, phishing and malware. Blocked content is kept for 30 days.",
      "The original message was rejected at Tue, 24 Nov 2026 10:00:00",
      "We tried to deliver your message, but it was rejected by the server for the recipient domain.",
      "This message and any attachments are confidential. If you are not the intended recipient, its use is prohibited.",
      "Protected by a spam firewall."
    ]) {
      assert.strictEqual(
        read("5.1.1", "", `It failed.\n\n  pat@b.test\n\n${footer}`),
        "hard user_unknown 5.1.1",
        footer
      )
    }
  })

  it("is excused by a sentence that says why, beside a code alone", () => {
    for (const [sentence, reason] of [
      ["It was rejected because it looks like spam.", "content"],
      ["Your IP address is blocked by our blacklist.", "reputation"],
      ["The recipient's mailbox is full.", "full"],
      ["The message exceeds the size limit.", "too_large"]
    ] as const) {
      assert.match(read("5.1.1", "", `It failed.\n\n${sentence}`), new RegExp(`^soft ${reason}`), sentence)
    }
  })

  it("is read from a second part with fields, where the first holds a notice", () => {
    const fields = group("5.1.1", "550 no such user")
    const found = reportedBounce(`This message was undeliverable.\n\n<pat@b.test> is not known here.\n\n${fields}`, "")
    assert.strictEqual(found?.bounce.type, "hard")
  })

  it("after the content counts only where a server says that there is no account", () => {
    const late = (words: string) =>
      read("5.0.0", `554 ${words}`, `mx.b.test said: 554 ${words} (in reply to end of DATA command)`)
    assert.match(
      late("delivery error: dd This user doesn't have a b.test account (pat@b.test) [-20]"),
      /^hard user_unknown/
    )
    assert.match(late("Unknown user pat@b.test"), /^soft user_unknown/)
  })

  it("quoted by a notice is found wherever a line holds it", () => {
    for (const text of [
      "<pat@b.test>\n   send: RCPT TO:<pat@b.test>\n   recv: 550 User unknown",
      "  pat@b.test\n    SMTP error from remote mail server after RCPT TO:<pat@b.test>:\n    host mx.b.test [192.0.2.1]: 550 Requested action not taken:\n    mailbox unavailable",
      "Failed Recipient: pat@b.test\nReason: Remote host said: 550 5.1.1 The email account does not exist. Please\n5.1.1 try again",
      "The error that the other server returned was:\n550 5.1.1 <pat@b.test>: Recipient address rejected: User unknown"
    ]) {
      assert.strictEqual(ofPlain(plain("Mail delivery failed", text)), "hard user_unknown", text)
    }
  })

  it("is none where a server only asks that a person prove to be one", () => {
    const challenge: MailContent = {
      ...plain(
        "Re: Hello (Action Required)",
        "Your message to pat@b.test is being held. To have it delivered, click this link once to confirm that you are a person: https://g.test/c"
      ),
      headers: [{ name: "content-type", value: "multipart/report; report-type=delivery-status" }],
      parts: [
        { type: "message/delivery-status", text: "Final-Recipient: rfc822; pat@b.test\nAction: failed\nStatus: 5.7.0" }
      ]
    }
    assert.strictEqual(recognise(challenge).kind, "automatic")
  })

  it("of a robot without any header of a report is one, and a person's words about failure are none", () => {
    const text =
      "Votre message n'a pas pu etre delivre a\npat@b.test\n\nYour message could not be delivered to\npat@b.test"
    const robot = { ...plain("RE: Hello : non remis (delivery failed)", text, "robot-internet@b.test"), headers: [] }
    assert.match(ofPlain(robot), /^soft/)
    const driver = "Our driver could not deliver your sample, please send it again."
    assert.strictEqual(ofPlain({ ...plain("Re: Hello", driver, "pat@b.test") }), "reply")
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

  it("is known in the languages of its servers, whose words say whether anybody is there", () => {
    for (const [text, expected] of [
      [
        "Vaše zpráva nemohla být doručena na adresu pat@b.test:\n\nSchránka pat@b.test neexistuje.",
        "hard user_unknown"
      ],
      ["Zprávu nebylo možné doručit na adresu pat@b.test.", "soft unknown"],
      ["Správu sa nepodarilo doručiť na adresu pat@b.test. Používateľ neexistuje.", "hard user_unknown"],
      ["A levelet nem sikerült kézbesíteni: pat@b.test\n\nA felhasználó nem létezik.", "hard user_unknown"],
      ["Mesajul nu a putut fi livrat către pat@b.test\n\nUtilizatorul nu există.", "hard user_unknown"],
      ["Poruka nije isporučena na adresu pat@b.test. Korisnik ne postoji.", "hard user_unknown"],
      ["Sporočila ni bilo mogoče dostaviti na naslov pat@b.test. Uporabnik ne obstaja.", "hard user_unknown"],
      ["Вашето съобщение не можа да бъде доставено до pat@b.test. Няма такъв потребител.", "hard user_unknown"],
      ["Ваш лист не вдалося доставити на адресу pat@b.test. Користувача не існує.", "hard user_unknown"],
      ["Jūsų laiško nepavyko pristatyti adresu pat@b.test. Tokio vartotojo nėra.", "hard user_unknown"],
      ["Jūsu vēstuli neizdevās piegādāt adresātam pat@b.test.", "soft unknown"],
      ["Teie kirja ei õnnestunud kohale toimetada aadressile pat@b.test.", "soft unknown"],
      ["İletiniz pat@b.test adresine teslim edilemedi. Kullanıcı bulunamadı.", "hard user_unknown"],
      ["Το μήνυμά σας δεν παραδόθηκε στο pat@b.test\n\nΆγνωστος χρήστης.", "hard user_unknown"],
      ["Viestiä ei voitu toimittaa osoitteeseen pat@b.test\n\nKäyttäjää ei löydy.", "hard user_unknown"],
      ["تعذر تسليم رسالتك إلى pat@b.test", "soft unknown"],
      ["ไม่สามารถส่งอีเมลของคุณถึง pat@b.test", "soft unknown"],
      ["Thư của bạn không thể gửi đến pat@b.test", "soft unknown"],
      ["Pesan Anda tidak dapat dikirim ke pat@b.test", "soft unknown"],
      ["Ekki tókst að afhenda póstinn til pat@b.test", "soft unknown"]
    ] as const) {
      assert.strictEqual(ofPlain(plain("Mail", text)), expected, text)
    }
  })

  it("is one in any words, where a mail system returns our message; what else a system says is nobody's answer", () => {
    const words = "Seu khong duoc pat@b.test"
    const returned = `${words}\n\n----- Original message -----\n\nMessage-ID: <1@acme.test>`
    assert.strictEqual(ofPlain(plain("Mail", returned)), "soft unknown")
    assert.strictEqual(ofPlain(plain("Mail", words)), "automatic")
    for (const text of [
      "Your message to Pat is on hold.",
      "A virus was taken out of your message.",
      "Mailbox almost full"
    ])
      assert.strictEqual(ofPlain(plain("Notice", text, "postmaster@b.test")), "automatic", text)
    // An administrator answers from there too.
    for (const text of ["I look after mail here. Tell me more.", "What does it cost?", "We are not interested."]) {
      assert.strictEqual(ofPlain(plain("Re: Hello", text, "postmaster@b.test")), "reply", text)
      assert.strictEqual(ofPlain({ ...plain("Notice", "We saw it.", "postmaster@b.test"), headers: [] }), "reply")
    }
  })

  it("of a scanner says that a message has not been delivered", () => {
    const text = "Your message was blocked by our firewall. It has NOT BEEN DELIVERED:\n\nSubject: Hello"
    const mail = plain("**Message you sent blocked by our bulk email filter**", text, "no-reply@scanner.b.test")
    assert.match(ofPlain({ ...mail, headers: [{ name: "references", value: "<1@acme.test>" }] }), /^soft /)
  })

  it("proves nothing where a server names two reasons, speaks of the sender or can't look up a name", () => {
    for (const words of [
      "550 5.1.1 unknown user or mailbox full",
      "550 5.1.1 Destinatario desconocido o mailbox lleno",
      "550 5.1.1 onbekende gebruiker of mailbox vol",
      "550 5.1.1 Benutzer unbekannt oder Postfach voll",
      "550 5.1.1 No such user or user is blocking you",
      "550 5.1.1 <pat@b.test>: unauthorized sender",
      "550 5.1.1 mail from acme.test rejected",
      "550 5.1.1 pat@b.test is not accepting mail from jo@acme.test",
      "550 5.1.1 not on recipient's whitelist",
      "550 5.1.1 This domain is suspended for non-payment",
      "550 Host or domain name not found. Name service error for name=b.test type=MX: Host not found, try again"
    ]) {
      assert.match(read("5.0.0", words), /^soft /, words)
    }
    for (const words of [
      "550 5.1.1 unknown user or alias",
      "550 5.1.1 The account does not exist. Check it for typos or unnecessary spaces.",
      "550 Delivery to one or more recipients was blocked: user unknown",
      "550 Host or domain name not found. Name service error for name=b.test type=A: Host not found"
    ]) {
      assert.match(read("5.0.0", words), /^hard /, words)
    }
  })

  it("is of whom the server heads its words with, and not of whom to ask for help", () => {
    const help = "For further assistance, please contact <help@isp.test>\n\n"
    for (const [named, recipient] of [
      ["<pat@b.test>:", "pat@b.test"],
      ["<box@mx.b.test> (expanded from <pat@b.test>):", "pat@b.test"]
    ] as const) {
      const found = recognise(plain("Undelivered Mail", `${help}${named} host mx.b.test said: 550 5.1.1 User unknown`))
      assert.deepInclude(found, { kind: "bounce", recipient })
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
