import { assert, describe, it } from "@effect/vitest"
import { ownText, separate } from "@outbound/domain/outreach/meaning/ownText.js"
import * as fc from "fast-check"
import { QUOTATIONS } from "./quotations.js"
import { NOTICES, QUOTED, SIGNATURES } from "./tails.js"

describe("own text", () => {
  for (const [name, quotation] of QUOTATIONS) {
    it(`is what stands above a quotation (${name})`, () => {
      assert.strictEqual(ownText(`Let us talk.\n\nOn Monday?\n\n${quotation}`), "Let us talk.\n\nOn Monday?")
      assert.strictEqual(ownText(`Let us talk.\r\n\r\n${quotation.replaceAll("\n", "\r\n")}`), "Let us talk.")
      assert.strictEqual(ownText(quotation), "")
    })
  }

  for (const [name, tail] of [...NOTICES, ...SIGNATURES, ...QUOTED]) {
    it(`stays the same above ${name}`, () => {
      for (const own of ["Yes, Thursday at ten suits me. Please call my desk.", "Donnerstag passt.\n\nBis dann"]) {
        for (const gap of ["\n\n", "\n\n\n________________________________\n", "\n\n--\n\n"]) {
          assert.strictEqual(ownText(`${own}${gap}${tail}`), own, JSON.stringify(gap))
        }
        const [, below] = QUOTED[0] ?? ["", ""]
        assert.strictEqual(ownText(`${own}\n\n${tail}\n\n${below}`), own)
      }
    })
  }

  for (const [name, notice] of NOTICES) {
    it(`is not ${name}, right below it or below the quotation`, () => {
      const [, quotation] = QUOTED[0] ?? ["", ""]
      assert.strictEqual(ownText(`Thursday is fine.\n${notice}`), "Thursday is fine.")
      assert.strictEqual(ownText(`Thursday is fine.\n\n${quotation}\n\n${notice}`), "Thursday is fine.")
      assert.strictEqual(
        separate(`Thursday is fine.\n\n${notice}`).notices.replace(/\s+/g, " "),
        notice.replace(/\s+/g, " ")
      )
    })
  }

  it("is kept where it touches the mark: on the line above it, and on the same line", () => {
    for (const [, quotation] of QUOTED) {
      for (const own of [
        "Take pat@b.test off your list.",
        "Am Montag um neun passt es.",
        "Am heutigen Tage",
        "On Friday at 10 we can talk"
      ]) {
        assert.strictEqual(ownText(`${own}\n${quotation}`), own, quotation.slice(0, 60))
      }
    }
    for (const mark of [
      "On Tue, Nov 24, 2026 at 9:00 AM Jo Doe <jo@acme.test> wrote:",
      "Am Di., 24. Nov. 2026 um 09:00 Uhr schrieb Jo Doe <jo@acme.test>:",
      "Le mar. 24 nov. 2026 à 09:00, Jo Doe <jo@acme.test> a écrit :"
    ]) {
      assert.strictEqual(ownText(`Please write no more. ${mark}\n> Hello`), "Please write no more.")
    }
  })

  it("is what stands below a mark that nothing stands above, unless that is a message of ours", () => {
    const mark = 'On 24 Nov 2026 09:00, "Jo Doe" <jo@acme.test> wrote:'
    assert.strictEqual(ownText(`${mark}\n\nPlease remove me.`), "Please remove me.")
    assert.strictEqual(ownText(`${mark}\n\nHi Pat,\n\n--\nAcme\nUnsubscribe: https://a.test/u/1`), "")
  })

  it("is a postscript below a signature too, and all of a text that is only a signature", () => {
    assert.strictEqual(ownText("Fine.\n\nRegards,\nPat\n\nPS: not before ten"), "Fine.\n\nPS: not before ten")
    assert.strictEqual(ownText("-- \nplease remove me"), "please remove me")
  })

  it("has a colon and stands right above a header, or with a gap, and is kept", () => {
    const header =
      "From: Jo Doe <jo@acme.test>\nSent: Tuesday, November 24, 2026 9:00 AM\nTo: Pat Roe\nSubject: Tours\n\nHi Pat"
    for (const own of [
      "My answer: yes, on Monday.",
      "Let me say it plainly: I want nothing more of this.",
      "To: the point. Delete my address.",
      "GDPR:n nojalla vaadin tietojeni poistamista."
    ]) {
      for (const gap of ["\n\n", "\n\n\n"]) assert.strictEqual(ownText(`${own}${gap}${header}`), own)
    }
    assert.strictEqual(ownText(`My answer: yes, on Monday.\n${header}`), "My answer: yes, on Monday.")
  })

  it("is a complaint about a way out, or a question for it, and no company's offer of one", () => {
    for (const own of [
      "Hi Jo,\n\nThe link to unsubscribe does not work.",
      "Hi Jo,\n\nWhere is the link to unsubscribe here?",
      "Hallo,\n\nDer Link zum Abmelden funktioniert hier nicht.",
      "Bonjour,\n\nOù est-ce qu'on clique pour se désabonner ? Comment faire ici ?",
      "Hi,\n\nTake us off: we do not want these mails, and their security can't be guaranteed either."
    ]) {
      assert.strictEqual(ownText(own), own)
    }
  })

  it("may speak of a register, and is no company's notice without a number in it", () => {
    for (const text of [
      "Vi er reklamebeskyttede i CVR, hvilket I kunne have slået op. Ingen flere mails.",
      "Nadużywacie adresu podanego w KRS. On nie służy do reklamy. Żądam usunięcia.",
      "Vennligst stryk Ekeberg Blikk, orgnr står i signaturen.",
      "Die Adresse aus dem Handelsregister ist keine Einladung. Bitte löschen.",
      "Spółka wykreślona z KRS 31.12. Proszę nic nie wysyłać.",
      "Vi er slettet i CVR pr. 1.3.2026. Stop venligst.",
      "Unser Eintrag im Handelsregister ist seit 2019 gelöscht. Bitte löschen Sie uns auch."
    ])
      assert.strictEqual(ownText(text), text)
    assert.strictEqual(ownText("Ja tak.\n\nNordlys ApS, Nygade 4, 8000 Aarhus, CVR 12 34 56 78"), "Ja tak.")
    assert.strictEqual(ownText("Ja.\n\nRoh GmbH, Bahnhofstr. 4, 40212 Düsseldorf, Amtsgericht Düsseldorf 1234"), "Ja.")
  })

  it("is kept where a notice goes on in the same line, and nothing else is said", () => {
    for (const [own, notice] of [
      ["Yes please.", "This message is confidential; if you received it in error please delete it."],
      [
        "Recibido por el departamento.",
        "Este correo y sus adjuntos son confidenciales: destrúyalos si no es su destinatario."
      ],
      [
        "Ja takk. Ring meg i morgen!",
        "Denne e-posten kan inneholde fortrolig informasjon. Er du ikke adressaten, slett den."
      ]
    ] as const) {
      assert.strictEqual(ownText(`${own} ${notice}`), own)
      assert.strictEqual(ownText(notice), "", notice)
    }
  })

  it("keeps what only looks like a header, a notice or a quotation", () => {
    for (const text of [
      "Name: Pat Roe\nE-mail: pat@b.test\nPhone: 020 7946 0000\nBest time: 24 Nov 2026 10:00",
      "From: Berlin\nTo: Munich\nDate: 24 Nov 2026 10:00",
      "Our meeting of 24.11.2026 10:00 with jo@acme.test went well.",
      "Is the data confidential in your tool, and who is the recipient of it?",
      "You wrote to me by mistake, please delete my address.",
      "We print this mail for our files.",
      "| a | b |\n| 1 | 2 |",
      "----\n1. price\n2. terms\n----\nBoth matter."
    ]) {
      assert.strictEqual(ownText(text), text)
    }
  })

  it("stands also below a header that is quoted with the words below it", () => {
    const quoted =
      "> From: Jo Doe <jo@acme.test>\n> Date: 03/03/2026 09:12\n> Subject: Hello\n> \n> Are you interested?"
    assert.strictEqual(ownText(`Hi Jo,\n\n${quoted}\n\nNo, thanks.`), "Hi Jo,\n\nNo, thanks.")
    // Where the header alone is marked, what is below it is quoted, unless nothing stands above and it is no message of ours.
    const header = "> From: Jo Doe <jo@acme.test>\n> Date: 03/03/2026 09:12\n> Subject: Hello"
    assert.strictEqual(ownText(`No, thanks.\n\n${header}\n\nAre you interested?`), "No, thanks.")
    assert.strictEqual(ownText(`${header}\n\nNo, thanks.`), "No, thanks.")
  })

  it("ends in a quoted line that was wrapped, and not in an answer between two", () => {
    const long = "> we help depots to plan their tours in the morning so that the drivers may"
    assert.strictEqual(ownText(`Fine.\n\n${long}\nleave early\n> Jo`), "Fine.")
    assert.strictEqual(ownText("> When?\nmonday\n> Where?\nin town"), "monday\nin town")
  })

  it("is also what stands below or between quoted lines", () => {
    const text = `On 3 Mar 2026 Jo <jo@acme.test> wrote:\n> When?\n\nOn Monday.\n\n> Where?\nIn town.`
    assert.strictEqual(ownText(text), "On Monday.\n\nIn town.")
  })

  it("ends where a signature begins", () => {
    for (const end of [
      "-- \nPat\nunsubscribe from our newsletter",
      "Best regards,\nPat\nNot interested? Tell us.",
      "Mit freundlichen Grüßen\nPat",
      "Cordialement,\nPat",
      "Sent from my iPhone",
      "Von meinem iPhone gesendet",
      "Get Outlook for iOS"
    ]) {
      const { own, signature } = separate(`Fine with me.\n\n${end}`)
      assert.strictEqual(own, "Fine with me.", end)
      assert.strictEqual(signature, end.trim())
    }
  })

  it("may stand below what a phone appends, below a signature, and below a closing that nothing precedes", () => {
    const [, quotation] = QUOTED[0] ?? ["", ""]
    for (const tail of ["", `\n\n${quotation}`]) {
      assert.strictEqual(ownText(`Sent from my iPhone\n\nNo thanks, remove me.${tail}`), "No thanks, remove me.")
      assert.include(ownText(`--\nAnn Lee\nAcme\n\nNo thanks, remove me.${tail}`), "No thanks, remove me.")
      assert.include(ownText(`Hi Max,\n\nBest regards\nAnn\n\nPlease remove me.${tail}`), "Please remove me.")
    }
    assert.strictEqual(ownText(`--\nAnn Lee\nAcme\n\n${quotation}`), "")
    assert.strictEqual(ownText("Yes.\n\nSent from my iPhone\nAnn Lee"), "Yes.")
    for (const goesOn of ["Sent from my phone: please stop", "Enviado desde mi iPhone: bórrame de la lista"]) {
      assert.strictEqual(ownText(goesOn), goesOn)
      assert.strictEqual(ownText(`Yes.\n\n${goesOn}`), "Yes.")
    }
    assert.strictEqual(ownText("Sent from Outlook for iOS: https://aka.example/o0ukef\n\nYes."), "Yes.")
  })

  it("stands above the line of a helpdesk, or below it where nothing does", () => {
    const line = "##- Bitte geben Sie Ihre Antwort über dieser Zeile ein -##"
    assert.strictEqual(ownText(`Yes.\n\n${line}\n\nJo Doe, 24.11.2026:\n\nHi Pat`), "Yes.")
    assert.strictEqual(ownText(`${line}\n\nNo thanks.`), "No thanks.")
    assert.strictEqual(ownText(`Yes.\n\n--- Please reply above this line ---\n\nHi Pat`), "Yes.")
  })

  it("keeps a sentence that only looks like a mark", () => {
    for (const said of [
      "On 24 November 2026 at 9:00 you wrote that invoices are late:\nthat is wrong.",
      "Max, on Tuesday 24 November 2026 at 09:00 I wrote to you:\nplease stop.\n\nSo stop.",
      "I quote Jo Doe <jo@acme.test>:\nnever again.",
      "Tuesday 24 November 2026 09:00, our office:\n- invoices\n- dunning"
    ]) {
      assert.strictEqual(ownText(said), said)
      assert.strictEqual(ownText(`Hello.\n\n${said}`), `Hello.\n\n${said}`)
    }

    for (const text of [
      "On Monday we talk about what you wrote: prices.",
      "From: what I hear, it works.",
      "To: be, or not to be",
      "Cheers to that, let us talk"
    ]) {
      assert.strictEqual(ownText(text), text)
    }
  })

  it("is never made of quoted lines, and any text has one, soon", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.array(fc.string({ maxLength: 60 })),
        (a, quoted) => {
          const lines = quoted.map((line) => `> ${line.replace(/[\r\n]/g, "")}QUOTED`)
          assert.notInclude(ownText(`${a.replaceAll("QUOTED", "")}\n${lines.join("\n")}`), "QUOTED")
        }
      ),
      { numRuns: 300 }
    )
    for (const hostile of [
      "On 1 ",
      "From:\n",
      ">".repeat(100) + "\n",
      "\n",
      "-- \n",
      "-".repeat(300) + "\n",
      "On a\n1 b"
    ]) {
      const started = performance.now()
      separate(hostile.repeat(Math.ceil(400_000 / hostile.length)))
      assert.isBelow(performance.now() - started, 20_000, JSON.stringify(hostile))
    }
  })
})
