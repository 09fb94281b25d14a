import { assert, describe, it } from "@effect/vitest"
import { refuses } from "@outbound/domain/outreach/replies/inboundEvent.js"
import { recognise } from "@outbound/domain/outreach/replies/recognise.js"
import { kindOf, mail, OURS } from "./letters.js"

/** What servers, lists and helpdesks write above people's mail. */
const AROUND: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ["nothing", {}],
  ["a provider's Feedback-ID", { "feedback-id": "i1234:provider" }],
  ["a wish for no automatic answers", { "x-auto-response-suppress": "All" }],
  ["a null return path", { "return-path": "<>" }],
  ["a helpdesk's Precedence", { precedence: "bulk" }],
  ["a list", { precedence: "list", "list-id": "<sales.b.test>", "list-post": "<mailto:sales@b.test>" }],
  ["a list's way out", { "list-unsubscribe": "<mailto:out@b.test>", "list-id": "<sales.b.test>" }],
  ["Auto-Submitted: no", { "auto-submitted": "no" }],
  ["Auto-Submitted: no, with a remark", { "auto-submitted": "no (typed by hand)" }],
  ["a helpdesk", { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All", precedence: "bulk" }],
  [
    "a helpdesk with an empty return path",
    { "return-path": "<>", "auto-submitted": "auto-generated", "x-loop": "desk" }
  ]
]

/** What people answer. The first are no request to stop, and no absence. */
const SAID = [
  "Yes, Thursday at ten suits me.",
  "No thanks, we are not interested.",
  "Nein danke, kein Interesse.",
  "Wie viel kostet das?",
  "Who gave you my address?",
  "We received your e-mail. Please send the price list to my colleague.",
  "Our driver could not deliver your sample, please send it again on Friday.",
  "I was out of the office last week. What do you charge?",
  "I'm on leave until Monday, call me after that.",
  "Ticket 4711 is ours, but we need nothing. No, thanks.",
  "ok"
]

describe("a person", () => {
  for (const [around, headers] of AROUND) {
    it(`is one in a conversation, below ${around}`, () => {
      for (const text of SAID) assert.strictEqual(kindOf({ text, headers }), "reply", text)
    })
  }

  it("is one without any reference, below what proves nothing", () => {
    for (const headers of [
      {},
      { "feedback-id": "i1:p" },
      { "x-auto-response-suppress": "OOF" },
      { "return-path": "<>" }
    ]) {
      for (const text of SAID)
        assert.strictEqual(kindOf({ text, headers, isNew: true, subject: "Your mail" }), "reply", text)
    }
  })

  it("is one who says no through a helpdesk that keeps no reference, or marks it as its own answer", () => {
    const text = "No thanks, we are not interested."
    for (const headers of [{ precedence: "bulk" }, { "auto-submitted": "auto-generated" }]) {
      assert.strictEqual(kindOf({ text, headers, isNew: true }), "reply")
    }
    for (const said of [text, "Sounds interesting, send me a quote.", "Oui, envoyez-moi un devis."]) {
      assert.strictEqual(kindOf({ text: said, headers: { "auto-submitted": "auto-replied" } }), "reply")
    }
  })

  it("who asks to be left alone is heard through all of them", () => {
    for (const [around, headers] of AROUND) {
      const content = mail({ text: "Please remove me from your list.", headers })
      const found = recognise(content)
      assert.isTrue(found.kind === "reply" || refuses(found, content), around)
    }
  })

  it("is one who answers about an absence, a report or a ticket, and who quotes one", () => {
    const quoted = "\n\n> I am out of the office until 4 May. Your request was received, ticket #12345."
    for (const subject of [
      "Re: Automatic reply: Hello",
      "AW: Automatische Antwort: Hallo",
      "Re: [#4711] Ticket received"
    ]) {
      for (const text of SAID) assert.strictEqual(kindOf({ text: text + quoted, subject }), "reply", text)
    }
  })

  it("is one whose subject is a word of programs, and whose text is not", () => {
    for (const [subject, text] of [
      ["Urlaub", "We have received your message. Our answer is no."],
      ["Vacation", "Ferien gibt es bei uns im August, danke."],
      ["Read: your proposal", "Your message was received by my boss, who asked me to answer. We have no budget."],
      ["Gelesen: Ihre Mail", "Die Mail wurde von unserem Chef gelesen, wir brauchen nichts."],
      ["Undelivered parcels", "Delivery failed last week, so please don't send us samples again."],
      [
        "Failure notice",
        "Your message could not be delivered to Bob because he left us. I took over, what is it about"
      ],
      [
        "A question",
        "Thank you for reaching out. I have opened a ticket with our finance team, #4711, they will decide."
      ]
    ] as const) {
      for (const isNew of [true, false]) assert.strictEqual(kindOf({ subject, text, isNew }), "reply", text)
    }
  })

  it("is one who received our mail and says more, through a helpdesk or not", () => {
    for (const headers of [{}, { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All" }]) {
      for (const text of [
        "Thanks for contacting us. We received your email and we are not the right company for this.",
        "Hi Max, we received your request. Please note we only work with listed vendors (vendor number 4711).",
        "We have received your message. Our answer is no.",
        "Nous avons bien reçu votre message, mais nous ne sommes pas concernés.",
        "Wir haben Ihre Nachricht erhalten. Leider passt das Angebot nicht.",
        "We got your message; our supplier contract runs until 2028."
      ]) {
        assert.strictEqual(kindOf({ text, headers }), "reply", text)
      }
    }
  })

  it("is one who forwards or attaches a receipt", () => {
    const parts = [{ type: "message/disposition-notification", text: "Disposition: manual-action/x; displayed" }]
    assert.strictEqual(kindOf({ text: "Yes, see what your mail made here.", parts }), "reply")
  })
})

describe("a program's receipt", () => {
  it("answers nothing: what a helpdesk acknowledges, in its languages", () => {
    for (const [subject, text] of [
      [
        "[#4711] Ticket Received - Hello",
        "We have received your request and a support ticket has been created. The ticket number is 4711."
      ],
      [
        "Your request (88123) has been received",
        "An agent will be with you within 24 hours. To add comments, reply to this email."
      ],
      [
        "[Case 00123456] Hello",
        "Thank you for contacting us. Your case has been created. Do not reply to this message."
      ],
      [
        "Re: Hello [Ticket#2026030310]",
        "Ihre Anfrage ist bei uns eingegangen und wird unter der Ticketnummer 2026030310 bearbeitet."
      ],
      ["Demande n° 55123", "Nous avons bien reçu votre message. Merci de ne pas répondre à ce message automatique."],
      ["Caso 55123", "Hemos recibido su solicitud, con el número de caso 55123. No responda a este mensaje."],
      ["Richiesta ricevuta", "Abbiamo ricevuto la tua richiesta. Il numero del ticket è 99812."],
      ["Ticket #5512", "We hebben uw bericht ontvangen. Uw ticketnummer is 5512."],
      [
        "Zgłoszenie 5512",
        "Otrzymaliśmy Twoją wiadomość. Numer zgłoszenia: 5512. Prosimy nie odpowiadać na tę wiadomość."
      ],
      ["Demande", "Nous accusons réception de votre demande n° 55123. Ceci est un message automatique."],
      ["Sag 5512", "Vi har modtaget din mail. Sagsnummeret er 5512. Dette er en automatisk meddelelse."],
      ["Sak 5512", "Vi har mottatt meldingen din. Dette er en automatisk melding."],
      ["Tiketti 5512", "Olemme vastaanottaneet viestisi. Tikettinumero on 5512. Tämä on automaattinen viesti."],
      ["Dotaz 5512", "Váš dotaz jsme přijali pod číslem 5512. Toto je automatická odpověď."],
      ["[Ärende 5512]", "Vi har mottagit ditt meddelande. Ditt ärendenummer är #55123."]
    ] as const) {
      assert.strictEqual(kindOf({ subject, text }), "automatic", subject)
    }
  })

  it("answers nothing: a challenge, which our sender would have to pass", () => {
    for (const [subject, text, from] of [
      [
        "Re: Hello (Action Required)",
        "Your message to pat@b.test is being held. To have it delivered, click this link once to confirm that you are a person: https://g.test/c/1",
        "noreply@g.test"
      ],
      [
        "Re: Hello",
        "Your message is on hold because you are not on my list of approved senders. Please click the link below to verify yourself: https://g.test/v?1 This stops spam.",
        "pat@b.test"
      ],
      [
        "Authentification de votre message",
        "Votre message est en attente. Cliquez ici pour confirmer que vous n'êtes pas un robot anti-spam : https://m.test/x",
        "pat@b.test"
      ]
    ] as const) {
      assert.strictEqual(kindOf({ subject, text, from }), "automatic", text)
    }
  })

  it("answers nothing: that our mail was read or delivered, with the part of RFC 8098 or without", () => {
    const report = { "content-type": "multipart/report; report-type=disposition-notification" }
    const displayed = {
      type: "message/disposition-notification",
      text: "Disposition: manual-action/MDN-sent-manually; displayed"
    }
    assert.strictEqual(
      kindOf({ subject: "Read: Hello", text: "Your message was read.", headers: report, parts: [displayed] }),
      "automatic"
    )
    for (const [subject, text] of [
      [
        "Read: Hello",
        "Your message\n\n   To: Pat Doe\n   Subject: Hello\n   Sent: Tuesday\n\nwas read on Tuesday, March 3, 2026 10:00:00 AM."
      ],
      ["Gelesen: Hallo", "Ihre Nachricht\n\nAn: Pat\nBetreff: Hallo\n\nwurde am Dienstag, 3. März 2026 gelesen."],
      ["Lu : Bonjour", "Votre message\nÀ : Pat\nObjet : Bonjour\na été lu le mardi 3 mars 2026."],
      ["Leído: Hola", "Su mensaje\nPara: Pat\nAsunto: Hola\nfue leído el martes 3 de marzo de 2026."],
      ["Přečteno: Ahoj", "Vaše zpráva\nKomu: Pat\nPředmět: Ahoj\nbyla přečtena 3. 3. 2026."],
      ["開封済み: こんにちは", "宛先: Pat\n件名: こんにちは\nは 2026/03/03 に開封されました。"],
      ["Delivered: Hello", "Your message has been delivered to the following recipients: pat@b.test"]
    ] as const) {
      assert.strictEqual(kindOf({ subject, text }), "automatic", subject)
    }
  })

  it("of a newsletter answers nothing either", () => {
    const headers = { "list-unsubscribe": "<https://b.test/u>", precedence: "bulk" }
    assert.strictEqual(
      kindOf({ subject: "Our news", text: "Not interested? Click here to unsubscribe.", headers, isNew: true }),
      "automatic"
    )
  })
})

describe("a program's offer of a way out", () => {
  it("is no request of its user", () => {
    const refused = (text: string) => {
      const content = mail({ text, headers: { "auto-submitted": "auto-replied" } })
      return refuses(recognise(content), content)
    }
    for (const offer of [
      "To stop receiving these emails, change your calendar settings.",
      "If you no longer wish to receive these emails, update your preferences.",
      "Wenn Sie keine E-Mails mehr erhalten möchten, ändern Sie Ihre Einstellungen.",
      "Pour ne plus recevoir ces messages, modifiez vos préférences.",
      "Si no desea recibir más correos, responda BAJA.",
      "Per non ricevere più queste email, modifica le preferenze.",
      "Reply STOP to unsubscribe."
    ]) {
      assert.isFalse(refused(`I am away until Monday.\n\n${offer}`), offer)
    }
    assert.isTrue(refused("I am away.\n\nPlease remove me from your list."))
  })
})

describe("a filter's rejection", () => {
  const rejected = (words: string, disposition = "automatic-action/MDN-sent-automatically; deleted") =>
    recognise(
      mail({
        from: "postmaster@b.test",
        subject: "Automatically rejected mail",
        text: `Your message to <pat@b.test> was automatically rejected:\n${words}`,
        headers: { "return-path": "<>", "content-type": "multipart/report; report-type=disposition-notification" },
        parts: [
          {
            type: "message/disposition-notification",
            text: `Final-Recipient: rfc822; pat@b.test\nDisposition: ${disposition}`
          }
        ]
      })
    )

  it("stops the mail to its user, and suppresses nobody", () => {
    const found = rejected("I accept no mail from strangers.")
    if (found.kind !== "bounce") return assert.fail(found.kind)
    assert.deepStrictEqual(
      [found.bounce.type, found.bounce.reason, found.recipient],
      ["soft", "restricted", "pat@b.test"]
    )
  })

  it("is a request to stop where its user's words are one", () => {
    const found = rejected("Please remove me from your list.")
    assert.deepStrictEqual(found, { kind: "complaint", feedback: "opt_out", recipient: "pat@b.test" })
  })

  it("is none where a mail was deleted unread", () => {
    const report = { "content-type": "multipart/report; report-type=disposition-notification" }
    const parts = [
      { type: "message/disposition-notification", text: "Disposition: manual-action/MDN-sent-automatically; deleted" }
    ]
    assert.strictEqual(
      kindOf({
        subject: "Not read: Hello",
        text: "Your message was deleted without being read.",
        headers: report,
        parts
      }),
      "automatic"
    )
  })
})

describe("a mail program that unsubscribes for its user", () => {
  it("is heard, in the forms of those in use", () => {
    for (const given of [
      { subject: "unsubscribe", text: "", isNew: true },
      {
        subject: "Unsubscribe",
        text: "Apple Mail sent this email to unsubscribe from the message “Hello”.",
        headers: { "auto-submitted": "auto-replied", "x-apple-unsubscribe": "true" }
      },
      { subject: "unsubscribe", text: "This message was automatically generated by Gmail.", isNew: true },
      { subject: "Unsubscribe", text: "Please unsubscribe me from this list.", isNew: true },
      { subject: "unsubscribe:0a1b2c", text: "unsubscribe", isNew: true },
      { subject: "Abmelden", text: "", isNew: true },
      { subject: "STOP", text: "unsubscribe", isNew: true }
    ]) {
      assert.strictEqual(kindOf(given), "opt_out", given.subject)
    }
  })

  it("is one whose subject asks in any words, above a program's line or a signature alone", () => {
    for (const [subject, text] of [
      ["Unsubscribe from this list", ""],
      ["unsubscribe me from all lists", ""],
      ["Désinscription", "Ce message a été envoyé automatiquement par Orange."],
      ["Abmelden", "Diese Nachricht wurde automatisch von GMX erstellt."],
      ["Отписаться", "Это письмо создано автоматически"],
      ["unsubscribe", "--\nAnn Lee\nAcme Ltd, 1 Road\nThis email is confidential."]
    ] as const) {
      assert.strictEqual(kindOf({ subject, text, isNew: true }), "opt_out", subject)
    }
    assert.strictEqual(
      kindOf({
        subject: "Unsubscribe",
        text: "How do I unsubscribe my customers? We are looking for a tool like yours."
      }),
      "reply"
    )
  })

  it("is none where a person writes about unsubscribing", () => {
    assert.strictEqual(
      kindOf({ subject: "Unsubscribe page of your product", text: "Yes, we would like to see it." }),
      "reply"
    )
    assert.strictEqual(
      kindOf({
        subject: "unsubscribe",
        text: "Do your customers find it easily? Call me on Monday, I'd like to know more."
      }),
      "reply"
    )
  })
})

describe("a complaint", () => {
  const part = (type: string) => ({
    type: "message/feedback-report",
    text: `Feedback-Type: ${type}\nOriginal-Rcpt-To: <pat@b.test>`
  })
  const returned = { type: "message/rfc822", text: `Message-ID: ${OURS}\nTo: pat@b.test` }

  it("is one in multipart/mixed, and in a provider's own form", () => {
    const mixed = { "content-type": "multipart/mixed; boundary=x" }
    assert.strictEqual(
      kindOf({
        subject: "FW: Hello",
        text: "This is an abuse report.",
        headers: mixed,
        parts: [part("abuse"), returned]
      }),
      "complaint"
    )
    for (const subject of ["complaint about message from 192.0.2.1", "Spam complaint", "Abuse Report"]) {
      assert.strictEqual(kindOf({ subject, text: "", parts: [returned] }), "complaint", subject)
    }
  })

  it("is none that a person attaches to an answer", () => {
    assert.strictEqual(kindOf({ text: "I'm interested. See what I got.", parts: [part("abuse")] }), "reply")
  })
})
