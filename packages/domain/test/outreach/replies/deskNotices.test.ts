import { assert, describe, it } from "@effect/vitest"
import { type Given, kindOf } from "./letters.js"

const are = (kind: string, all: ReadonlyArray<Given>) => {
  for (const given of all) assert.strictEqual(kindOf(given), kind, `${given.subject}: ${given.text}`)
}

const given = (all: ReadonlyArray<readonly [subject: string, text: string]>): ReadonlyArray<Given> =>
  all.map(([subject, text]) => ({ subject, text, from: "desk@b.test" }))

const RATING = "How would you rate my reply?\nGreat https://b.test/r/1/great\nNot good https://b.test/r/1/bad"

/** A tracker's sheet below these lines. */
const sheet = (...title: ReadonlyArray<string>): string =>
  [
    ...title,
    "",
    "----------------------------------------",
    "Support #4711: Hello",
    "https://b.test/issues/4711",
    "",
    "* Autor: Anonymous",
    "* Status: Neu",
    "* Priorität: Normal"
  ].join("\n")

const RULE = "=".repeat(70)
const listed = (title: string, note = ""): string =>
  [
    title,
    RULE,
    "https://b.test/view.php?id=4711",
    RULE,
    "Ohlásil:                    pat",
    "Projekt:                    Desk",
    "ID:                         4711",
    "Kategorie:                  General",
    "Stav:                       new",
    RULE,
    note
  ].join("\n")

describe("a notice of a helpdesk that no field marks", () => {
  it("is a program's: what became of a request, in the words of its language, with its number or an offer", () => {
    are(
      "automatic",
      given([
        ["[#4711] Hello", "We haven't heard back from you, so this ticket will be closed automatically in 48 hours."],
        ["[#4711] Hello", "We are closing this case because there was no response. Your case number is 4711."],
        ["Re: Hello (Ticket: 4711)", "This ticket has been marked as resolved. It will close within 3 days."],
        ["[#4711] Hello", "Your ticket #4711 has been merged into ticket #4700."],
        [
          "[#4711] Hallo",
          "Guten Tag Jo,\n\nIhr Vorgang wurde geschlossen. Wenn Sie weiterhin Fragen haben, antworten Sie.\n\nIhr Support"
        ],
        ["[#4711] Bonjour", "Sans réponse de votre part, cette demande sera fermée automatiquement dans 3 jours."]
      ])
    )
  })

  it("is a program's in the forms of the desks that are used most", () => {
    are(
      "automatic",
      given([
        [
          "Ticket closed - [#4711] Hello",
          "Hi Jo,\n\nYour ticket - Hello - has been closed.\n\nWe hope that it was resolved. If you feel that it should not be closed, please reply to this email."
        ],
        [
          "[B] Re: Hello",
          "##- Please type your reply above this line -##\n\nYour request (4711) has been deemed solved.\n\nTo comment and reopen it, follow the link below:\nhttps://b.test/4711"
        ],
        [
          "HELP-4711 Hello",
          "—-—-—-—\nReply above this line.\n\nYour request status has changed to Resolved.\n\nView request https://b.test/HELP-4711"
        ],
        [
          "HELP-4711 Hello",
          "How was our service for this request?\n\nPoor https://b.test/f?s=1\nGood https://b.test/f?s=2"
        ],
        [
          "[#4711] Hello",
          "Please tell us what you think of your support experience.\n\nSatisfied https://b.test/s?r=1\nNeutral https://b.test/s?r=0"
        ],
        [
          "[Ticket#4711] Hallo",
          "Ihr Ticket (Ticket#4711) wurde geschlossen.\n\nSie können das Ticket wieder öffnen, indem Sie antworten."
        ],
        [
          "[Desk #4711] Bonjour",
          "Votre ticket 4711 est clos. Si vous n'êtes pas satisfait, vous pouvez rouvrir le ticket."
        ]
      ])
    )
    are(
      "reply",
      given([
        [
          "HELP-4711 Hello",
          "—-—-—-—\nReply above this line.\n\nPat Doe commented:\n\nWe use Excel.\n\nView request https://b.test/HELP-4711"
        ],
        ["ISO-9001 for you", "We hope that this request is resolved in May."],
        ["[B] Re: Hello", "We have 4711 (4711) people and we hope that you reply."]
      ])
    )
  })

  it("is a person's where anything else is said, where a hand closed it, and where nothing names a request", () => {
    are(
      "reply",
      given([
        ["[#4711] Hello", "We have closed this request."],
        ["[#4711] Hello", "We closed this ticket. We will contact you again."],
        ["[#4711] Hello", "Solved. We bought another one."],
        [
          "[#4711] Hello",
          "Hello,\n\nthis ticket will be closed automatically in 48 hours. We decided for another tool."
        ],
        ["[#4711] Hello", "We will close this request in 48 hours unless you send the price list."],
        ["[#4711] Hello", "If you don't reply, this ticket will be closed in 48 hours. Send me the offer."],
        ["[#4711] Hello", "Ticket 4711 is closed, please don't open another."],
        ["[#4711] Hello", "Ticket 4711 was closed, but we would open a new request in May."],
        ["[#4711] Hello", "Your ticket 4711 was merged into our review of tools."],
        ["[#4711] Hello", "The status of your ticket 4711 has changed: our boss said no."],
        ["[#4711] Hello", "My ticket 4711 will be closed automatically in 48 hours."],
        ["[#4711] Hello", "Will this ticket be closed automatically in 48 hours?"],
        ["Hello", "This ticket will be closed automatically in 48 hours."],
        ["Hello 2027", "This ticket will be closed automatically in 48 hours."],
        ["[#4711] Hallo", "KEIN BEDARF\n\nIhr Ticket 4711 wurde geschlossen."],
        ["[#4711] Hallo", "Ihr Ticket 4711 wurde geschlossen.\n\nZu Teuer"],
        ["[#4711] Hallo", "Ihr Ticket 4711 wurde geschlossen.\n\nNein"],
        ["[#4711] Bonjour", "Cette demande sera fermée. Nous avons déjà un outil."],
        ["[#4711] Ciao", "Il ticket 4711 è stato chiuso. Costa troppo."],
        ["[#4711] Hola", "El ticket 4711 fue cerrado. Muy caro."],
        ["[#4711] Hoi", "Ticket 4711 is gesloten. Te duur."],
        ["[#4711] Cześć", "Zgłoszenie 4711 zostało zamknięte. Za drogo."],
        ["[#4711] Olá", "O chamado 4711 foi fechado. Muito caro."],
        ["[#4711] Hej", "Ärende 4711 är avslutat. För dyrt."],
        ["[#4711] Ahoj", "Požadavek 4711 byl uzavřen. Je to drahé."],
        ["[#4711] Привет", "Заявка 4711 закрыта. Дорого."]
      ])
    )
  })
})

describe("what people write of a request that is closed", () => {
  it("asks for it, tells for whom, or is no whole sentence: it stops their mail", () => {
    are(
      "reply",
      given([
        ["Re: Hello [#4711]", "Please close ticket 4711."],
        ["Re: Hello [#4711]", "Please close our open ticket 4711."],
        ["Re: Hello [#4711]", "Close this ticket with number 4711"],
        ["Re: Hello [#4711]", "Closing this ticket 4711."],
        ["Re: Hello [#4711]", "Case closed. Thanks. #4711"],
        ["Re: Hello [#4711]", "This case is closed for us. Thank you. 4711"],
        ["Re: Hello [#4711]", "This request has been closed by us. 4711"],
        ["Re: Hello [#4711]", "Anfrage 4711 ist erledigt, danke"],
        ["Re: Hello [#4711]", "Die Anfrage 4711 ist für uns abgeschlossen."],
        ["Re: Hello [#4711]", "Het verzoek 4711 is gesloten voor ons."],
        ["Re: 4711", "Issue resolved, thanks! 4711"]
      ])
    )
  })
})

describe("a survey about a request", () => {
  const scale = Array.from({ length: 11 }, (_, step) => `${step} https://nps.b.test/a?s=${step}`).join("\n")

  it("is a program's: a question, with links that differ in their answer, or one to a survey of a numbered request", () => {
    are("automatic", [
      ...given([
        ["Hello", `Hi Jo,\n\n${RATING.replace("my reply", "our support")}`],
        [
          "Ticket 4711",
          "Your ticket 4711 was closed today. Please rate our service:\n\n1 https://b.test/s?v=1\n2 https://b.test/s?v=2"
        ],
        ["Hello", `How likely is it that you would recommend Ridge to a colleague?\n\n${scale}`],
        ["[#4711] Hello", "Please rate your conversation with us.\n\nhttps://b.test/survey/responses/7f0a"]
      ])
    ])
  })

  it("is a person's below an answer, however short, and without such links", () => {
    const words = ["No.", "No thanks.", "Not likely.", "We are very satisfied.", "Nem kell.", "We use Excel."]
    are("reply", given(words.map((said) => ["Re: [#4711] Hello", `${said}\n\n${RATING}`] as const)))
    are(
      "reply",
      given([
        ["Hello", "How would you rate your own tool?"],
        ["Hello", "Before we talk, please fill in our supplier survey: https://b.test/survey/suppliers"],
        ["Hello", "Please rate this yourself: https://b.test/5 and https://b.test/1 are what we'd want changed."],
        ["Hello", "Good: https://b.test/a\nBad: https://b.test/b\n\nThat's how our plan looks today and yesterday."]
      ])
    )
  })
})

describe("a tracker's sheet", () => {
  const subject = "[Desk - Support #4711] Hello"

  it("is a program's in any language: one line with the number, or above a rule, and the fields below", () => {
    are(
      "automatic",
      given([
        [subject, sheet("Çështja #4711 është raportuar nga Anonymous.")],
        [subject, sheet("チケット #4711 を Anonymous さんが作成しました。")],
        ["[Desk 0004711]: Hello", listed("Následující úkol byl VYŘEŠEN.")]
      ])
    )
  })

  it("is a person's with a second line, a note, too few fields, or no number", () => {
    are(
      "reply",
      given([
        [subject, sheet("Ticket #4711 wurde aktualisiert von Pat Doe.", "", "Zu teuer")],
        [subject, sheet("Zu teuer")],
        ["Hello", sheet("Ticket #4711 wurde aktualisiert von Pat Doe.")],
        ["[Desk 0004711]: Hello", listed("K úkolu byla přidána poznámka.", "Je to drahé.")],
        ["[#4711] Hello", "Ticket 4711\nStatus: rejected\nReason: no budget\nOwner: Kim"],
        ["[#4711] Hello", "Our order 4711\n\nName: Robin Rye\nSeats: 40\nStart: May\nhttps://b.test/plans"]
      ])
    )
  })
})

describe("an address that nobody reads", () => {
  it("is called so by a program that says what it is: its person is away from there", () => {
    are(
      "absence",
      given([
        [
          "Re: Hello",
          "This is an automated message. The address pat@b.test is no longer in use. Please write to pat@c.test."
        ],
        [
          "Re: Hello",
          "This mailbox is not monitored.\n\nThis is an automatically generated e-mail, please do not reply."
        ],
        ["Re: Hallo", "Dies ist eine automatische Nachricht. Diese E-Mail-Adresse wird nicht mehr verwendet."],
        [
          "Re: Bonjour",
          "Ceci est un message automatique. Cette adresse n'est plus utilisée. Merci d'écrire à pat@c.test."
        ]
      ])
    )
  })

  it("is a person's where nothing says that it is a program, or anything else is said", () => {
    are(
      "reply",
      given([
        ["Re: Hello", "My e-mail address has changed. Please use pat@c.test from now on."],
        ["Re: Hello", "This address is no longer in use, please write to pat@c.test."],
        ["Re: Hello", "This mailbox is not monitored by sales. Write to Kim, kim@c.test, she decides."],
        ["Re: Hello", "This is an automated message. The address is no longer in use. Just kidding. Call me."],
        [
          "Re: Hallo",
          "Automatische Nachricht: diese Adresse wird nicht mehr verwendet, und wir haben schon ein Werkzeug."
        ]
      ])
    )
  })
})
