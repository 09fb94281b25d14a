/** Messages as they come: written for these tests, in the shapes of the programs that are in use. */

export const OURS = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
export const OURS_ID = `<${OURS}@acme.test>`
const OTHER_ID = "<CAF0x1y2z3@mail.b.test>"

/** How a message is expected to be understood. */
export interface Shape {
  readonly name: string
  readonly raw: string
  readonly kind: "bounce" | "complaint" | "automatic" | "reply"
  /** Of a bounce. */
  readonly bounce?: { readonly type: "hard" | "soft"; readonly status: string }
  /** Of a bounce: nothing has failed yet. */
  readonly isDelay?: boolean
  /** Of automatic mail. */
  readonly answers?: boolean
  readonly recipient?: string | null
  /** Whether it names our message. */
  readonly names: boolean
  /** What the writer says, where rules know; null where they do not. */
  readonly says?: string | null
}

const lines = (...all: ReadonlyArray<string>): string => all.join("\r\n") + "\r\n"

const SENT = [
  "From: Jo <jo@acme.test>",
  "To: pat@b.test",
  "Subject: Hello",
  `Message-ID: ${OURS_ID}`,
  "Date: Tue, 3 Mar 2026 09:12:00 +0000"
]

interface Report {
  readonly from: string
  readonly subject: string
  readonly words: string
  readonly status: ReadonlyArray<string>
  readonly returned?: "message/rfc822" | "text/rfc822-headers"
  readonly head?: ReadonlyArray<string>
}

const report = ({ from, head = [], returned = "message/rfc822", status, subject, words }: Report): string =>
  lines(
    "Return-Path: <>",
    `From: ${from}`,
    "To: jo@acme.test",
    `Subject: ${subject}`,
    "Message-ID: <dsn-1@mx.b.test>",
    "Date: Tue, 3 Mar 2026 09:13:00 +0000",
    "MIME-Version: 1.0",
    ...head,
    'Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary="AAA/mx.b.test"',
    "",
    "This is a MIME-encapsulated message.",
    "",
    "--AAA/mx.b.test",
    "Content-Description: Notification",
    "Content-Type: text/plain; charset=utf-8",
    "",
    words,
    "",
    "--AAA/mx.b.test",
    "Content-Description: Delivery report",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.b.test",
    "Arrival-Date: Tue, 3 Mar 2026 09:12:30 +0000",
    "",
    ...status,
    "",
    "--AAA/mx.b.test",
    "Content-Description: Undelivered Message",
    `Content-Type: ${returned}`,
    "",
    ...SENT,
    ...(returned === "message/rfc822" ? ["", "Hi, are you interested? Unsubscribe here."] : []),
    "",
    "--AAA/mx.b.test--"
  )

const failed = (recipient: string, status: string, diagnostic: string): ReadonlyArray<string> => [
  `Final-Recipient: rfc822; ${recipient}`,
  `Original-Recipient: rfc822;${recipient}`,
  "Action: failed",
  `Status: ${status}`,
  `Diagnostic-Code: smtp; ${diagnostic}`
]

export const REPORTS: ReadonlyArray<Shape> = [
  {
    name: "Postfix: no such user",
    kind: "bounce",
    bounce: { type: "hard", status: "5.1.1" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "MAILER-DAEMON@mx.b.test (Mail Delivery System)",
      subject: "Undelivered Mail Returned to Sender",
      head: ["Auto-Submitted: auto-replied"],
      words: "<pat@b.test>: host mx.b.test said: 550 5.1.1 <pat@b.test>: Recipient address rejected: User unknown",
      status: failed("pat@b.test", "5.1.1", "550 5.1.1 <pat@b.test>: Recipient address rejected: User unknown")
    })
  },
  {
    name: "Gmail: address not found, headers only",
    kind: "bounce",
    bounce: { type: "hard", status: "5.1.1" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
      subject: "Delivery Status Notification (Failure)",
      head: [
        "Auto-Submitted: auto-replied",
        `In-Reply-To: ${OURS_ID}`,
        `References: ${OURS_ID}`,
        "X-Failed-Recipients: pat@b.test"
      ],
      words:
        "** Address not found **\r\n\r\nYour message wasn't delivered to pat@b.test because the address couldn't be found.",
      returned: "text/rfc822-headers",
      status: failed("pat@b.test", "5.1.1", "550-5.1.1 The email account that you tried to reach does not exist.")
    })
  },
  {
    name: "Exchange: recipient not found",
    kind: "bounce",
    bounce: { type: "hard", status: "5.1.10" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "postmaster@b.test",
      subject: "Undeliverable: Hello",
      head: ["Auto-Submitted: auto-replied", "X-MS-Exchange-Message-Is-Ndr:"],
      words: "Your message to pat@b.test couldn't be delivered.",
      status: failed(
        "pat@b.test",
        "5.1.10",
        "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup"
      )
    })
  },
  {
    name: "Exchange Online: the edge knows no such recipient",
    kind: "bounce",
    bounce: { type: "hard", status: "5.1.1" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "postmaster@b.test",
      subject: "Undeliverable: Hello",
      words: "Delivery has failed to these recipients or groups",
      status: failed("pat@b.test", "5.4.1", "550 5.4.1 Recipient address rejected: Access denied.")
    })
  },
  {
    name: "a full mailbox",
    kind: "bounce",
    bounce: { type: "soft", status: "5.2.2" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "MAILER-DAEMON@mx.b.test",
      subject: "Undelivered Mail Returned to Sender",
      words: "The recipient's inbox is out of storage space.",
      status: failed("pat@b.test", "5.2.2", "552 5.2.2 The email account that you tried to reach is over quota")
    })
  },
  {
    name: "a full mailbox under a code that says nothing",
    kind: "bounce",
    bounce: { type: "soft", status: "5.2.2" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "MAILER-DAEMON@mx.b.test",
      subject: "failure notice",
      words: "failed",
      status: failed("pat@b.test", "5.0.0", "552 Mailbox quota exceeded")
    })
  },
  {
    name: "tried for days in vain",
    kind: "bounce",
    bounce: { type: "soft", status: "4.4.7" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "MAILER-DAEMON@mx.b.test",
      subject: "Undelivered Mail Returned to Sender",
      words: "message expired",
      status: failed("pat@b.test", "4.4.7", "delivery temporarily suspended: connect to b.test: Connection timed out")
    })
  },
  {
    name: "refused for policy",
    kind: "bounce",
    bounce: { type: "soft", status: "5.7.26" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "mailer-daemon@googlemail.com",
      subject: "Delivery Status Notification (Failure)",
      words: "Message blocked",
      status: failed(
        "pat@b.test",
        "5.7.26",
        "550-5.7.26 This mail has been blocked because the sender is unauthenticated."
      )
    })
  },
  {
    name: "refused as spam under a code that says nothing",
    kind: "bounce",
    bounce: { type: "soft", status: "5.7.1" },
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "MAILER-DAEMON@mx.b.test",
      subject: "Undelivered Mail Returned to Sender",
      words: "refused",
      status: failed("pat@b.test", "5.0.0", "554 Message rejected as spam, see blocklist")
    })
  },
  {
    name: "a warning that it is late",
    kind: "bounce",
    bounce: { type: "soft", status: "4.4.1" },
    isDelay: true,
    recipient: "pat@b.test",
    names: true,
    raw: report({
      from: "MAILER-DAEMON@mx.b.test",
      subject: "Delayed Mail (still being retried)",
      words: "Your message could not be delivered yet. It will be retried until it is 5 days old.",
      status: [
        "Final-Recipient: rfc822; pat@b.test",
        "Action: delayed",
        "Status: 4.4.1",
        "Will-Retry-Until: Sun, 8 Mar 2026 09:12:00 +0000"
      ]
    })
  },
  {
    name: "a receipt is no bounce",
    kind: "automatic",
    answers: false,
    names: true,
    raw: report({
      from: "MAILER-DAEMON@mx.b.test",
      subject: "Successful Mail Delivery Report",
      words: "Your message was successfully delivered",
      status: ["Final-Recipient: rfc822; pat@b.test", "Action: delivered", "Status: 2.0.0"]
    })
  },
  {
    name: "qmail",
    kind: "bounce",
    bounce: { type: "hard", status: "5.1.1" },
    recipient: "pat@b.test",
    names: true,
    raw: lines(
      "Return-Path: <>",
      "From: MAILER-DAEMON@mx.b.test",
      "To: jo@acme.test",
      "Subject: failure notice",
      "",
      "Hi. This is the qmail-send program at mx.b.test.",
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "This is a permanent error; I've given up. Sorry it didn't work out.",
      "",
      "<pat@b.test>:",
      "Sorry, no mailbox here by that name. (#5.1.1)",
      "",
      "--- Below this line is a copy of the message.",
      "",
      "Return-Path: <jo@acme.test>",
      ...SENT,
      "",
      "Hi, are you interested?"
    )
  },
  {
    name: "exim, without a code",
    kind: "bounce",
    bounce: { type: "hard", status: "5.1.1" },
    recipient: "pat@b.test",
    names: true,
    raw: lines(
      "Return-path: <>",
      "From: Mail Delivery System <Mailer-Daemon@mx.acme.test>",
      "To: jo@acme.test",
      "Auto-Submitted: auto-replied",
      "X-Failed-Recipients: pat@b.test",
      "Subject: Mail delivery failed: returning message to sender",
      "",
      "A message that you sent could not be delivered to one or more of its recipients.",
      "",
      "  pat@b.test",
      "    Unrouteable address",
      "",
      "------ This is a copy of the message, including all the headers. ------",
      "",
      ...SENT
    )
  },
  {
    name: "a complaint",
    kind: "complaint",
    recipient: "pat@b.test",
    names: true,
    raw: lines(
      "From: feedback@isp.test",
      "To: jo@acme.test",
      "Subject: FW: Hello",
      'Content-Type: multipart/report; report-type=feedback-report; boundary="BBB"',
      "",
      "--BBB",
      "Content-Type: text/plain",
      "",
      "This is an email abuse report for an email message received from 192.0.2.1.",
      "",
      "--BBB",
      "Content-Type: message/feedback-report",
      "",
      "Feedback-Type: abuse",
      "User-Agent: SomeGenerator/1.0",
      "Version: 1",
      "Original-Rcpt-To: <pat@b.test>",
      "",
      "--BBB",
      "Content-Type: message/rfc822",
      "",
      ...SENT,
      "",
      "Hi",
      "--BBB--"
    )
  },
  {
    name: "a report that it is no spam",
    kind: "automatic",
    answers: false,
    names: true,
    raw: lines(
      "From: feedback@isp.test",
      'Content-Type: multipart/report; report-type=feedback-report; boundary="BBB"',
      "",
      "--BBB",
      "Content-Type: message/feedback-report",
      "",
      "Feedback-Type: not-spam",
      "",
      "--BBB",
      "Content-Type: text/rfc822-headers",
      "",
      ...SENT,
      "--BBB--"
    )
  }
]

interface Answer {
  readonly subject?: string
  readonly head?: ReadonlyArray<string>
  readonly type?: string
  readonly body: ReadonlyArray<string>
  readonly isNew?: boolean
}

const answer = ({
  body,
  head = [],
  isNew = false,
  subject = "Re: Hello",
  type = "text/plain; charset=utf-8"
}: Answer): string =>
  lines(
    "Return-Path: <pat@b.test>",
    "From: Pat Doe <pat@b.test>",
    "To: Jo <jo@acme.test>",
    `Subject: ${subject}`,
    `Message-ID: ${OTHER_ID}`,
    "Date: Tue, 3 Mar 2026 10:00:00 +0000",
    ...(isNew ? [] : [`In-Reply-To: ${OURS_ID}`, `References: <older@acme.test>\r\n ${OURS_ID}`]),
    ...head,
    "MIME-Version: 1.0",
    `Content-Type: ${type}`,
    "",
    ...body
  )

const away = (name: string, given: Answer): Shape => ({
  name,
  kind: "automatic",
  answers: true,
  names: given.isNew !== true,
  raw: answer(given)
})

export const AUTOMATIC: ReadonlyArray<Shape> = [
  away("Exchange, away", {
    subject: "Automatic reply: Hello",
    head: [
      "Auto-Submitted: auto-generated",
      "X-Auto-Response-Suppress: All",
      "X-MS-Exchange-Inbox-Rules-Loop: pat@b.test"
    ],
    body: ["I am out of the office until Monday. I'm interested in everything, please call."]
  }),
  away("Gmail, away", {
    subject: "Out of Office Re: Hello",
    head: ["Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes"],
    body: ["On leave."]
  }),
  away("vacation(1)", {
    head: ["Auto-Submitted: auto-replied (vacation)", "Precedence: junk"],
    body: ["Gone fishing. Stop."]
  }),
  away("an old autoresponder", { head: ["X-Autorespond: Hello"], body: ["Not interested? Unsubscribe."] }),
  away("by Precedence alone", { head: ["Precedence: auto_reply"], body: ["Away."] }),
  away("by its subject alone, German", {
    subject: "=?utf-8?q?Automatische_Antwort:_Hello?=",
    body: ["Ich bin im Urlaub."]
  }),
  away("by its subject alone, German notice", { subject: "Abwesenheitsnotiz: Hello", body: ["Bis bald."] }),
  away("by its subject alone, French", { subject: "=?utf-8?q?R=C3=A9ponse_automatique_:_Hello?=", body: ["Absent."] }),
  away("by its subject alone, Spanish", {
    subject: "=?utf-8?b?UmVzcHVlc3RhIGF1dG9tw6F0aWNhOiBIZWxsbw==?=",
    body: ["Fuera."]
  }),
  away("by its subject alone, Italian", { subject: "Risposta automatica: Hello", body: ["In ferie."] }),
  away("by its subject alone, Dutch", { subject: "Automatisch antwoord: Hello", body: ["Afwezig."] }),
  away("by its subject alone, Portuguese", {
    subject: "=?utf-8?q?Resposta_autom=C3=A1tica:_Hello?=",
    body: ["De férias."]
  }),
  away("by its subject alone, Swedish", { subject: "Autosvar: Hello", body: ["Semester."] }),
  away("by its subject alone, Japanese", { subject: "=?utf-8?b?6Ieq5YuV5b+c562UOiBIZWxsbw==?=", body: ["不在です。"] }),
  away("with a null return path, as RFC 3834 wants it", {
    isNew: true,
    head: ["Auto-Submitted: auto-replied"],
    body: ["I am away."]
  }),
  {
    name: "a ticket system",
    kind: "automatic",
    answers: false,
    names: true,
    raw: answer({
      head: ["Auto-Submitted: auto-generated"],
      subject: "[#42] Hello",
      body: ["Your request was received."]
    })
  },
  {
    name: "a newsletter",
    kind: "automatic",
    answers: false,
    names: false,
    raw: answer({
      isNew: true,
      subject: "Our news",
      head: ["List-Id: <news.b.test>", "List-Unsubscribe: <https://b.test/u>", "Precedence: bulk"],
      body: ["Interested? Read on."]
    })
  },
  {
    name: "a mailing list",
    kind: "automatic",
    answers: false,
    names: false,
    raw: answer({
      isNew: true,
      subject: "[dev] Release",
      head: ["List-Id: <dev.lists.b.test>", "List-Post: <mailto:dev@lists.b.test>", "Precedence: list"],
      body: ["I'm interested."]
    })
  }
]

const says = (name: string, classification: string | null, given: Answer): Shape => ({
  name,
  kind: "reply",
  names: given.isNew !== true,
  says: classification,
  raw: answer(given)
})

const QUOTED = [
  "On Tue, Mar 3, 2026 at 9:12 AM Jo <jo@acme.test> wrote:",
  "",
  "> Hi, are you interested? Unsubscribe here."
]

export const ANSWERS: ReadonlyArray<Shape> = [
  says("Gmail, yes", "interested", { body: ["Sounds good, let's talk on Thursday.", "", ...QUOTED] }),
  says("Gmail, no", "not_interested", { body: ["Not interested, thanks.", "", ...QUOTED] }),
  says("nothing but a quotation", null, { body: QUOTED }),
  says("a new message", "interested", {
    isNew: true,
    subject: "Your mail",
    body: ["Please send me more information."]
  }),
  says("with Auto-Submitted: no", "interested", { head: ["Auto-Submitted: no"], body: ["I'm interested."] }),
  says("through a list, in answer to us", "unsubscribe", {
    head: ["List-Id: <sales.b.test>", "Precedence: list"],
    body: ["Please unsubscribe me."]
  }),
  says("quoted-printable, in Latin 1", "not_interested", {
    type: "text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable",
    body: ["Das ist f=FCr uns nicht interess=", "ant.", "", "Mit freundlichen Gr=FC=DFen"]
  }),
  says("HTML alone, from Outlook", "unsubscribe", {
    type: "text/html; charset=utf-8",
    body: [
      "<html><head><style>p{margin:0}</style></head><body>",
      "<p>Please take me off your list.</p>",
      '<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Jo<br><b>Sent:</b> Tuesday<br></div>',
      "<div>Hi, are you interested? Sounds good, let's talk.</div></body></html>"
    ]
  }),
  says("HTML alone, from Gmail", "interested", {
    type: "text/html; charset=utf-8",
    body: [
      '<div dir="ltr">I&#39;m interested, tell me more.</div><br>',
      '<div class="gmail_quote"><div>On Tue Jo wrote:</div><blockquote>Unsubscribe me.</blockquote></div>'
    ]
  }),
  says("both parts", "interested", {
    type: 'multipart/alternative; boundary="CCC"',
    body: [
      "--CCC",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from("Gerne, schicken Sie mir mehr Informationen.\n").toString("base64"),
      "--CCC",
      "Content-Type: text/html; charset=utf-8",
      "",
      "<p>Gerne</p>",
      "--CCC--"
    ]
  }),
  says("a forwarded thread", null, {
    subject: "Fwd: Hello",
    body: [
      "For you, Kim.",
      "",
      "---------- Forwarded message ---------",
      "From: Jo <jo@acme.test>",
      "Date: Tue, Mar 3, 2026",
      "Subject: Hello",
      "To: pat@b.test",
      "",
      "Are you interested? Then let's talk. Else unsubscribe me."
    ]
  }),
  says("a report that someone attached", "interested", {
    type: 'multipart/mixed; boundary="DDD"',
    body: [
      "--DDD",
      "Content-Type: text/plain",
      "",
      "I'm interested. See what I got.",
      "--DDD",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; x.test",
      "",
      ...failed("pat@b.test", "5.1.1", "550 5.1.1 unknown"),
      "--DDD--"
    ]
  }),
  says("words of a mail server from a person", null, {
    subject: "Undeliverable: Hello",
    body: ["Delivery has failed, the address couldn't be found. Just joking, I am still here."]
  })
]
