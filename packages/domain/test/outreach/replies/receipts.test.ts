import { assert, describe, it } from "@effect/vitest"
import { isColleague } from "@outbound/domain/outreach/replies/learnedIds.js"
import { type Given, kindOf } from "./letters.js"

const DESK = { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All" }

const are = (kind: string, all: ReadonlyArray<Given>) => {
  for (const given of all) assert.strictEqual(kindOf(given), kind, `${given.subject}: ${given.text}`)
}

/** A mail from a helpdesk, with its fields and without. */
const fromDesk = (subject: string, text: string): ReadonlyArray<Given> =>
  [{}, DESK].map((headers) => ({ subject, text, headers, from: "support@b.test" }))

describe("a tracker's mail about our message", () => {
  it("is a program's, whichever fields it lists", () => {
    for (const [subject, text] of [
      [
        "[GLPI #0004711] New ticket: Hello",
        "URL : https://desk.b.test/4711\n\nTicket: Description\n\nTitle: Hello\nRequesters: jo@acme.test\nOpening date: 2026-03-03 10:12\nCategory: Not defined"
      ],
      [
        "[B - Support #4711] (New) Hello",
        "Issue #4711 has been reported by Anonymous.\n\nSupport #4711: Hello\n\n* Author: Anonymous\n* Status: New\n* Priority: Normal"
      ],
      [
        "[JIRA] (HELP-4711) Hello",
        "Jo Field created an issue\n\nHelp / HELP-4711\nHello\n\nIssue Type: Task\nAssignee: Unassigned\nReporter: Jo Field"
      ],
      [
        "[Ticket#2026030310000471] Ihre Anfrage",
        "Guten Tag,\n\nIhre Anfrage wurde unter der Ticketnummer 4711 aufgenommen."
      ],
      ["[#4711] Ticket closed", "Your ticket #4711 has been closed."],
      [
        "INC0012345 has been opened on your behalf",
        "Incident INC0012345 has been opened on your behalf.\n\nShort description: Night shifts\n\nYou can view it here: https://desk.b.test/inc"
      ],
      ["Re: Hello", "Thank you for getting in touch with B. A member of our team will be in touch shortly."]
    ] as const) {
      are("automatic", fromDesk(subject, text))
    }
  })

  it("is a person's as soon as somebody has written into it", () => {
    for (const [subject, text] of [
      [
        "[B - Support #4711] Hello",
        "Issue #4711 has been updated by Pat Doe.\n\nWe looked at it and would like a demo. Thursday?\n\nSupport #4711: Hello\n\n* Status: New"
      ],
      [
        "Re: [#4711] Hello",
        "Thanks for contacting us. Your ticket #4711 has been assigned to me. We use Excel and it works for us."
      ],
      ["[Ticket#4711] Hello", "Your request (4711) has been closed. We have no budget for tools."],
      ["[Ticket#4711] Hello", "Your request has been received. Our planner would like a demo in May."],
      ["[#4711] Bonjour", "Votre demande a bien été enregistrée sous le numéro 4711. Nous avons déjà un outil."],
      ["[#4711] Hallo", "Ihre Anfrage ist bei uns eingegangen (Ticket 4711). Wir nutzen schon ein anderes Werkzeug."],
      ["[#4711] Hola", "Hemos recibido su solicitud (caso 4711). Ya tenemos otra herramienta."],
      ["[#4711] Hello", "Your case 4711 was created. Do you have an API?"],
      ["[Ticket#4711] Hello", "Status: we are not taking on vendors this year.\nReason: budget."],
      ["[#4711] Ahoj", "Zpráva byla předána příslušnému odboru."],
      ["[#4711] Hej", "Den er modtaget i god behold."],
      ["[#4711] Hej", "Afbestilling af frokost til 12 er modtaget. Kantinen"]
    ] as const) {
      are("reply", fromDesk(subject, text))
    }
  })
})

describe("a manager of a list", () => {
  const from = "office-bounces@b.test"

  it("is a program, by its field, its sender or its own name", () => {
    are("automatic", [
      { text: "It waits.", headers: { "x-list-administrivia": "yes" } },
      { text: "Hi! This is the ezmlm program. I'm managing the office list." },
      { from, text: 'Posting of your message titled "Hello" has been rejected by the list moderator.' },
      { from, text: "Is being held until the list moderator can review it for approval." },
      { from, text: "You are not allowed to post to this mailing list." },
      { from: "LISTSERV@b.test", text: "You are not authorized to send mail to the OFFICE list." }
    ])
  })

  it("is none where a person writes of lists", () => {
    are("reply", [
      { text: "You are not allowed to post to this list, but tell me about it." },
      { from: "office-owner@b.test", text: "Your message was rejected by the moderator before me. What is it about?" },
      { from: "office-owner@b.test", text: "I moderate this list and let your mail through." }
    ])
  })
})

describe("a notice of a mail program", () => {
  it("is a program's: that a mail is called back, was shown or deleted", () => {
    are("automatic", [
      { subject: "Recall: Hello", text: 'Doe, Pat would like to recall the message, "Hello".' },
      { subject: "Zurückrufen: Hallo", text: 'Doe, Pat möchte die Nachricht "Hallo" zurückrufen.' },
      { subject: "Rappel : Bonjour", text: "Pat Doe souhaite rappeler le message « Bonjour »." },
      {
        subject: "Message Disposition Notification",
        text: 'The message to Pat with subject "Hello" has been displayed.'
      },
      { subject: "Message Disposition Notification", text: "The message to Pat has been deleted unseen." },
      { subject: "Read-Receipt: Hello", text: "The message to pat@b.test has been displayed." },
      { subject: "Displayed - Hello", text: "The message to pat@b.test has been displayed." },
      { subject: "Delivery Notification for: Hello", text: "Your message to Pat Doe has been read." },
      { subject: "Opened: Hello", text: "Your message to Pat Doe was opened on 3 March." }
    ])
    are("reply", [
      { subject: "Recall: Hello", text: "Do you recall the message I sent in May? We had the same question." },
      { subject: "Recall: Hello", text: "Please ignore my last mail. But yes, we're open to talk." },
      { subject: "Opened: Hello", text: "I opened your mail only now. Call me." }
    ])
  })

  it("is a program's: that our message waits until its sender is confirmed, without any field", () => {
    are("automatic", [
      {
        text: "Pat does not know you. To deliver your message, click here: https://v.test/1. You only need to do this once."
      },
      { text: "Your message to Pat is waiting. Verify that you are a person: https://v.test/2" },
      {
        text: "Your email is awaiting approval. Sender verification is required. Click here to verify: https://v.test/3"
      },
      {
        text: "I'm protecting myself from receiving junk mail. Please click the link below to complete the verification process. You have to do this only once.\n\nhttps://v.test/5"
      },
      { text: "Ihre Nachricht wartet auf Freigabe. Bitte bestätigen Sie Ihre Adresse: https://v.test/4" }
    ])
    are("reply", [
      {
        text: "Your message is waiting in my list. Please confirm your phone number so that I can call: https://b.test/me"
      },
      { text: "Your message waits for our board. Please confirm your address: https://b.test/form" },
      {
        text: "Remove me from your list. I had to click the link and confirm my address before your junk mail was released: https://b.test/q"
      },
      { text: "Please verify the link in your mail, it was broken: https://acme.test/x" }
    ])
  })
})

describe("a colleague of the sender", () => {
  it("has an address of the same company, which a mail provider is not", () => {
    assert.isTrue(isColleague("kim@acme.test", "jo@acme.test"))
    assert.isFalse(isColleague("kim@b.test", "jo@acme.test"))
    assert.isFalse(isColleague("pat@gmail.com", "jo@gmail.com"))
    assert.isFalse(isColleague("", "jo@acme.test"))
  })
})
