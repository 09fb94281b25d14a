import { assert, describe, it } from "@effect/vitest"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import { HEADERS, MARKS } from "./marks.js"

const OURS =
  "Hi Pat,\n\nI saw that you count your stock by hand, each quarter, with six people.\n\nWould a call suit you?\n\nJo"
const quoted = (text: string): string => text.replace(/^/gmu, "> ")

/** Breaks lines as programs do that write plain text. */
const wrapped = (line: string, width: number): string =>
  line
    .split(" ")
    .reduce<ReadonlyArray<string>>((lines, word) => {
      const last = lines.at(-1)
      return last !== undefined && `${last} ${word}`.length <= width
        ? [...lines.slice(0, -1), `${last} ${word}`]
        : [...lines, word]
    }, [])
    .join("\n")

const OWN = [
  "Thanks, but we settled on another supplier.",
  "Ja gerne, am Dienstag.\n\nBitte vorher anrufen",
  "no thanks"
]
const GAPS = ["\n\n", "\n"]
const FOOTER =
  "\n\n--\nAcme, 1 Main St\nUnsubscribe: https://out.acme.test/u/0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b/0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c.AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-ABCDE\n"

describe("marks of mail programs", () => {
  for (const [program, lines] of Object.entries(MARKS)) {
    it(`${program}: nothing is left and no word of the writer's is lost, marked or not, wrapped or not`, () => {
      for (const line of lines) {
        for (const [at, mark] of [
          line,
          wrapped(line, 72),
          wrapped(line, 50),
          line.replaceAll(" ", "\u00a0")
        ].entries()) {
          const own = OWN[at % OWN.length] ?? ""
          for (const above of GAPS)
            for (const below of GAPS)
              for (const text of [OURS, quoted(OURS)])
                assert.strictEqual(ownText(`${own}${above}${mark}${below}${text}`), own, JSON.stringify(mark))
        }
      }
    })

    it(`${program}: words on the same line are kept if a sentence ends there`, () => {
      for (const line of lines) {
        const own = "Please talk to Mia in purchasing. I don't decide this."
        for (const text of [OURS, quoted(OURS)]) assert.strictEqual(ownText(`${own} ${line}\n\n${text}`), own, line)
      }
    })
  }

  it("Outlook: nothing is left below its header, however it is drawn", () => {
    for (const [from, sent, to, subject, date] of HEADERS) {
      const fields = [`${from} Jo Doe <jo@acme.test>`, `${sent} ${date}`, `${to} Pat Roe`, `${subject} Your stock`]
      const named = (change: (name: string) => string): string =>
        fields.map((field) => field.replace(/^.*?[:：]/u, change)).join("\n")
      const headers = [
        fields.join("\n"),
        fields.slice(0, 2).join("\n"),
        fields.join("\n\n"),
        [3, 0, 2, 1].map((at) => fields[at]).join("\n"),
        named((name) => `*${name}*`),
        named((name) => `${name.replaceAll(" ", "\u00a0")}\u00a0`),
        `________________________________\n${fields.join("\n")}`,
        // What a program draws around words that no list knows.
        `-----Lorem ipsum-----\n${fields.join("\n")}`
      ]
      for (const header of headers)
        for (const above of GAPS)
          for (const below of GAPS)
            assert.strictEqual(ownText(`${OWN[0]}${above}${header}${below}${OURS}`), OWN[0], JSON.stringify(header))
    }
  })

  it("words are kept that nothing ends on the line of a mark", () => {
    for (const own of [
      "Sounds good",
      "ok im curious. how do we get a trial account",
      "Ask Mia: mia@b.test",
      "Ja tack",
      "BASTA YA",
      "Ring 12 34 56"
    ])
      for (const mark of [
        "On Tue, Nov 24, 2026 at 9:00 AM Jo Doe <jo@acme.test> wrote:",
        "Am 24.11.26 um 09:14 schrieb Jo Doe:",
        "Le mar. 24 nov. 2026 à 09:00, Jo Doe <jo@acme.test> a écrit :"
      ])
        assert.strictEqual(ownText(`${own} ${mark}\n\n${OURS}`), own)
  })

  it("what somebody wrote is the writer's, if the writer tells it", () => {
    for (const own of [
      "Mme Roux m'a écrit le 12 mars à 09:14 :\n\nelle préfère attendre mai.",
      "Mia wrote to me on 12 March 2026 at 9:14:\n\nshe prefers May.",
      "Frau Wolf schrieb mir am 12.03.2026 um 9:14:\n\nlieber im Mai."
    ])
      for (const tail of ["", `\n\nOn Tue, Nov 24, 2026 at 9:00 AM Jo Doe <jo@acme.test> wrote:\n\n${quoted(OURS)}`])
        assert.strictEqual(ownText(`${own}${tail}`), own)
  })

  it("a sentence with a date is kept right above a mark", () => {
    for (const own of ["Do 20. 3. 2026 tu nejsem, pošta se nečte.", "Podatelna potvrzuje: písemnost došla 2. 3. 2026."])
      for (const mark of [
        "Jo Doe <jo@acme.test> ezt írta (időpont: 2026. márc. 12., Cs, 9:14):",
        "12.03.2026 09:14, Jo Doe пишет:"
      ])
        assert.strictEqual(ownText(`${own}\n${mark}\n\n${OURS}`), own)
    const mixed = "ict@b.test\ndie gaan hierover"
    assert.strictEqual(
      ownText(`${mixed}\nJo Doe <jo@acme.test> ezt írta (időpont: 2026. márc. 12., Cs, 9:14):\n\n${OURS}`),
      mixed
    )
  })

  it("quotes with initials are quotes, and answers between them are not", () => {
    const mark = "Thursday, March 12, 2026, 9:14:22 AM, you wrote:"
    const lines = OURS.replace(/^/gmu, "JD> ")
    assert.strictEqual(ownText(`${mark}\n\n${lines}\n\nNot for us.`), "Not for us.")
    assert.strictEqual(ownText(`>>>>> "JD" == Jo Doe <jo@acme.test> writes:\n\n${lines}\n\nNot for us.`), "Not for us.")
    assert.strictEqual(ownText("HQ> that is our menu, and we like it"), "HQ> that is our menu, and we like it")
  })

  it("Notes' headers are headers: in columns, and behind its line of dashes", () => {
    const columns = "Jo Doe <jo@acme.test> \n03/12/2026 09:14 AM\n\nTo\npat@b.test\ncc\n\nSubject\nYour stock\n\n\n"
    const dashes =
      "Jo Doe ---03/12/2026 09:14:22 AM---Hi Pat, I saw that you\n\nFrom:\tJo Doe <jo@acme.test>\nTo:\tpat@b.test\nDate:\t03/12/2026 09:14 AM\nSubject:\tYour stock\n\n"
    for (const header of [columns, dashes])
      assert.strictEqual(ownText(`Not for us.\n\n${header}${OURS}`), "Not for us.")
    const own = "Ask Mia <mia@b.test>\n03/12/2026 09:14 AM\n\nTo\nthe point: she decides."
    assert.strictEqual(ownText(own), own)
  })

  it("a verb that no list has is one between a name and a date above quoted lines", () => {
    for (const mark of ["Jo Doe píše v Čt 12. 03. 2026 v 09:14 +0100:", "Jo Doe lorem 12.03.2026 09:14:"])
      assert.strictEqual(ownText(`Nein.\n\n${mark}\n${quoted(OURS)}`), "Nein.")
    const own = "See your mail of 12.03.2026, 9:14:"
    assert.strictEqual(ownText(`${own}\n${quoted(OURS)}`), own)
  })

  it("a mark may lack its colon", () => {
    assert.strictEqual(ownText(`Nein.\n\nAm 12.03.26 um 09:14 schrieb Jo Doe\n\n${OURS}`), "Nein.")
    assert.strictEqual(ownText(`Nein.\n\nAm 12.03.26 um 09:14 schrieb jo@acme.test\n${quoted(OURS)}`), "Nein.")
    const sentence = "Am 12.03.26 um 09:14 schrieb Jo Doe\ndie Leitung an, ohne Erfolg."
    assert.strictEqual(ownText(`Nein.\n\n${sentence}`), `Nein.\n\n${sentence}`)
  })

  it("an answer below our footer is kept, where nothing marks our message and nothing stands above it", () => {
    const header = "From: Jo Doe <jo@acme.test>\nSent: Tuesday, March 3, 2026 9:12 AM\nTo: Pat\nSubject: Hello\n"
    const mark = "On 3 Mar 2026, at 09:12, Jo Doe <jo@acme.test> wrote:\n"
    const older = `\n\nOn 2 Mar 2026, at 09:12, Pat <pat@b.test> wrote:\n\nUnsubscribe me.`
    for (const above of [header, mark]) {
      assert.strictEqual(ownText(`${above}\n${OURS}${FOOTER}\n\nNot for us.`), "Not for us.")
      assert.strictEqual(ownText(`${above}\n${OURS}${FOOTER}${older}`), "")
      const notice = "\nThis is a commercial message from Acme. Contact: Acme, 1 Main St, or answer this message.\n"
      assert.strictEqual(ownText(`${above}\n${OURS}${FOOTER}${notice}\n\nNot for us.`), "Not for us.")
      assert.strictEqual(ownText(`${above}\n${OURS}${FOOTER}${notice}`), "")
      // A workspace's notice in its own words is longer than an answer there.
      const words = "We found your address on the page of your trade and keep it for a year."
      const long = `\n${Array.from({ length: 5 }, () => words).join(" ")}\n`
      assert.strictEqual(ownText(`${above}\n${OURS}${FOOTER}${long}\n\nNot for us.`), "Not for us.")
    }
  })

  it("our message is known by its footer where nothing at all marks it", () => {
    assert.strictEqual(ownText(`Not for us.\n\n${OURS}${FOOTER}`), "Not for us.")
    assert.include(ownText(`${OURS}${FOOTER}\n\nNot for us.`), "Not for us.")
    // Others end their mail with a way out too.
    const theirs = "Sorry for the delay!\n\nHi Jo,\n\nNot for us.\n\n--\nRoe Ltd\nUnsubscribe: https://roe.test/news/1"
    assert.strictEqual(ownText(theirs), "Sorry for the delay!\n\nHi Jo,\n\nNot for us.")
  })
})
