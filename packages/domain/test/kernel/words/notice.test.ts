import { assert, describe, it } from "@effect/vitest"
import { COUNTRY_CODES } from "../../../src/kernel/people/Countries.js"
import { ORIGIN_KINDS } from "../../../src/kernel/people/origins.js"
import { FOOTER_WORDS, languageOfCountry, RECIPIENT_LANGUAGES } from "../../../src/kernel/words/languages.js"
import {
  defaultParts,
  footerWordsOf,
  missingParts,
  NO_WORDS,
  noticeFor,
  PLAIN_FOOTER,
  type WordsSettings
} from "../../../src/kernel/words/notice.js"
import { recipientPlace, UNKNOWN_PLACE } from "../../../src/kernel/words/recipientPlace.js"
import { NOTICE_PARTS, REGION_NAMES, regionOf, REGIONS, REST, STRICTEST } from "../../../src/kernel/words/regions.js"
import { ownText, separate } from "../../../src/outreach/meaning/ownText.js"
import { footer } from "../../../src/outreach/sending/compose.js"

const SENDER = { name: "Acme & Sons", postalAddress: "1 Main Street\nSpringfield" }
const URL = "https://outbound.test/u/workspace/lead.mac"
const at = (country: string | null) => ({ country, knownBy: country === null ? null : ("person" as const) })
const of = (origin: (typeof ORIGIN_KINDS)[number]) => ({ origin, sender: SENDER })
const MESSAGE: WordsSettings = { ...NO_WORDS, place: "message" }

const own = (
  where: string,
  parts: Partial<Record<(typeof NOTICE_PARTS)[number], string>>,
  language = "en" as const
) => ({
  where,
  language,
  parts: { purpose: "", basis: "", source: "", rights: "", contact: "", ...parts }
})

describe("the words of a country", () => {
  it("every region's own words say all that has to be said there, in each language, and leave nothing to fill in", () => {
    for (const region of REGION_NAMES) {
      for (const language of RECIPIENT_LANGUAGES) {
        assert.isEmpty(missingParts(region, defaultParts(region, language)), `${region} ${language}`)
      }
      for (const country of REGIONS[region].countries) {
        assert.strictEqual(regionOf(country), region)
        for (const origin of ORIGIN_KINDS) {
          const notice = noticeFor(MESSAGE, at(country), of(origin))
          assert.strictEqual(notice?.where, region)
          assert.strictEqual(notice?.language, languageOfCountry(country))
          assert.include(notice?.text, "Acme & Sons")
          assert.include(notice?.text, "1 Main Street, Springfield")
          assert.notMatch(notice?.text ?? "", /\{\{|\}\}|\n/)
        }
      }
    }
  })

  it("every country has the words of one region, or none; whoever is nowhere known gets the strictest", () => {
    for (const country of COUNTRY_CODES) {
      const notice = noticeFor(MESSAGE, at(country), of("given"))
      assert.strictEqual(notice?.where ?? null, regionOf(country), country)
    }
    assert.strictEqual(noticeFor(MESSAGE, UNKNOWN_PLACE, of("given"))?.where, STRICTEST)
    assert.isNull(noticeFor(MESSAGE, at("BR"), of("given")))
  })

  it("says where the address came from, and names the law as the reader knows it", () => {
    const said = (country: string, origin: (typeof ORIGIN_KINDS)[number]) =>
      noticeFor(MESSAGE, at(country), of(origin))?.text ?? ""
    assert.include(said("DE", "searched"), "aus einer Suche in Geschäftsdaten")
    assert.include(said("DE", "listed"), "DSGVO")
    assert.include(said("GB", "given"), "UK GDPR")
    assert.notInclude(said("US", "given"), "GDPR")
  })

  it("the workspace's own words take the place of ours: of a country before its region, of the rest where there is none", () => {
    const settings: WordsSettings = {
      place: "message",
      own: [
        own("eea", { purpose: "Ours for {{sender}}" }),
        own("AT", { purpose: "Austria" }),
        own(REST, { purpose: "Rest", contact: "c" })
      ]
    }
    // Only the English text was written: a German reads ours.
    assert.isFalse(noticeFor(settings, at("DE"), of("given"))?.isOwn)
    assert.deepInclude(noticeFor(settings, at("IE"), of("given")), {
      text: "Ours for Acme & Sons",
      isOwn: true,
      missing: ["basis", "source", "rights", "contact"]
    })
    assert.deepInclude(noticeFor(settings, at("AT"), of("given")), { where: "AT", text: "Austria" })
    assert.deepInclude(noticeFor(settings, at("BR"), of("given")), {
      where: REST,
      missing: ["basis", "source", "rights"]
    })
  })

  it("the country is the person's, else the company's, else their domain's, unless everybody buys domains there", () => {
    const place = (email: string, custom: Readonly<Record<string, string>>, listed: string | null = null) =>
      recipientPlace({ email, custom }, { country: listed })
    assert.deepStrictEqual(place("a@b.de", { country: "France", company_country: "IT" }), at("FR"))
    assert.deepStrictEqual(place("a@b.de", {}, "PL"), at("PL"))
    assert.deepStrictEqual(place("a@b.de", { "Company Country": "Italy" }), { country: "IT", knownBy: "company" })
    assert.deepStrictEqual(place("a@b.co.uk", {}), { country: "GB", knownBy: "domain" })
    for (const domain of ["b.io", "b.ai", "b.co", "b.eu", "b.com", "b.test"]) {
      assert.deepStrictEqual(place(`a@${domain}`, {}), UNKNOWN_PLACE, domain)
    }
  })
})

describe("the footer", () => {
  it("in each language names the sender's address and the way out, once, and is known again as ours", () => {
    for (const language of RECIPIENT_LANGUAGES) {
      const text = footer(SENDER.postalAddress, URL, { language, notice: null })
      assert.include(text, "\n--\n1 Main Street\nSpringfield\n")
      assert.include(text, `\n${FOOTER_WORDS[language].unsubscribe}: ${URL}\n`)
      assert.strictEqual(text.split(URL).length, 2, language)
      // Quoted below an answer without a mark, it is not taken for the answer.
      const answer = `Yes, on Friday.\n\nAm 1. 2. 2026 schrieb Jo <jo@acme.test>:\nHello Ann\n${text}`
      assert.strictEqual(ownText(answer), "Yes, on Friday.", language)
      assert.include(separate(answer).quoted, URL)
    }
    assert.strictEqual(new Set(Object.values(FOOTER_WORDS).map(({ unsubscribe }) => unsubscribe)).size, 13)
  })

  it("only the first message says why they are written to: the approved text, or a link to it", () => {
    const words = { language: "de", notice: "n", isLinked: false } as const
    const texts = { n: "Der Text." }
    assert.deepStrictEqual(footerWordsOf(words, 0, texts), { language: "de", notice: "Der Text." })
    assert.deepStrictEqual(footerWordsOf(words, 1, texts), { language: "de", notice: null })
    assert.deepStrictEqual(footerWordsOf({ ...words, isLinked: true }, 0, {}), { language: "de", notice: "link" })
    assert.deepStrictEqual(footerWordsOf(null, 0, texts), PLAIN_FOOTER)
    assert.isNull(footerWordsOf(words, 0, {}))
    assert.include(footer("A", URL, { language: "de", notice: "Der Text." }), `Abmelden: ${URL}\n\nDer Text.\n`)
    assert.include(footer("A", URL, { language: "de", notice: "link" }), `Ihre Rechte: ${URL}/why\n`)
  })
})
