import { assert, describe, it } from "@effect/vitest"
import { classify, classifyByRules } from "@outbound/domain/outreach/meaning/classify.js"
import { BUCKETS, bucketsOf, featuresOf } from "@outbound/domain/outreach/meaning/model/features.js"
import { MODEL_INTENTS } from "@outbound/domain/outreach/meaning/model/intents.js"
import { scoresOf } from "@outbound/domain/outreach/meaning/model/scores.js"
import {
  clausesOf,
  REQUEST_BUCKETS,
  requestBucketsOf
} from "@outbound/domain/outreach/meaning/model/requestFeatures.js"
import { requestShare } from "@outbound/domain/outreach/meaning/model/requests.js"
import { NET_SCALES, NET_WEIGHTS } from "@outbound/domain/outreach/meaning/model/netWeights.js"
import {
  NET_LEAK,
  NET_LOOKS,
  NET_SIZES,
  NET_SPANS,
  NET_WIDTH,
  netAnswer,
  netRowOf
} from "@outbound/domain/outreach/meaning/model/nets.js"
import { CONCEPTS } from "@outbound/domain/outreach/meaning/model/concepts.js"
import { fold } from "@outbound/domain/outreach/meaning/phrases.js"
import { languagesOf } from "@outbound/domain/outreach/meaning/languages.js"
import { REQUEST_WEIGHTS } from "@outbound/domain/outreach/meaning/model/requestWeights.js"
import { WEIGHTS } from "@outbound/domain/outreach/meaning/model/weights.js"
import { understand } from "@outbound/domain/outreach/meaning/understood.js"
import { weigh } from "@outbound/domain/outreach/meaning/weigh.js"
import * as fc from "fast-check"

const intentOf = (bodyText: string) =>
  understand({
    classification: classify(bodyText)?.classification ?? null,
    fromEmail: "pat@b.test",
    bodyText,
    receivedAtMillis: Date.UTC(2026, 2, 3)
  }).intent

/** How many features a text may have, however long it is: the time to read it is in proportion. */
const FEATURES_MAX = 25_000

describe("the model that reads replies", () => {
  it("is well under 1 MB, with a byte for each bucket and intent", () => {
    assert.isBelow(WEIGHTS.length, 1_000_000)
    assert.strictEqual(Buffer.from(WEIGHTS, "base64").length, BUCKETS * MODEL_INTENTS.length)
  })

  it("has a model of requests under 200 KB, with a byte for each bucket", () => {
    assert.isBelow(REQUEST_WEIGHTS.length, 200_000)
    assert.strictEqual(Buffer.from(REQUEST_WEIGHTS, "base64").length, REQUEST_BUCKETS)
  })

  it("has two nets under 2.3 MB together, with a byte for each of their numbers", () => {
    assert.isBelow(NET_WEIGHTS.length, 2_300_000)
    const size = NET_SIZES.reduce((sum, one) => sum + one, 0)
    assert.strictEqual(Buffer.from(NET_WEIGHTS, "base64").length, NET_SCALES.length * size)
  })

  it("finds each thing at every place of a text and nowhere behind it, as its weights say", () => {
    const bytes = Buffer.from(NET_WEIGHTS, "base64")
    let from = 0
    const nets = NET_SCALES.map((scales) =>
      NET_SIZES.map((size, part) => Array.from({ length: size }, () => bytes.readInt8(from++) * (scales[part] ?? 0)))
    )
    // Nets are not sure of them, so that each number shows.
    for (const text of ["maybe", "not us", "the list", "no more of it", "once more then"]) {
      const row = netRowOf(text)
      const asks = nets.map(
        ([
          entries = [],
          three = [],
          five = [],
          looksFrom = [],
          hidden = [],
          hiddenFrom = [],
          last = [],
          lastFrom = []
        ]) => {
          const numbers = (place: number, part: number): number => {
            const said = row[place] ?? []
            return (
              said.reduce((sum, entry) => sum + (entries[entry * NET_WIDTH + part] ?? 0), 0) *
              (2 / Math.sqrt(said.length || 1))
            )
          }
          const words = new Map(
            Array.from({ length: row.length + 4 }, (_, at) => [
              at - 2,
              Array.from({ length: NET_WIDTH }, (__, part) => numbers(at - 2, part))
            ])
          )
          const found = [three, five]
            .flatMap((looks, kind) => {
              const span = NET_SPANS[kind] ?? 0
              return Array.from({ length: NET_LOOKS }, (_, look) =>
                Math.max(
                  ...row.map((__, place) =>
                    Array.from({ length: span }, (___, at) => words.get(place + at - (span - 1) / 2) ?? [])
                      .flat()
                      .reduce((sum, number, at) => sum + number * (looks[look * span * NET_WIDTH + at] ?? 0), 0)
                  )
                )
              )
            })
            .map((best, look) => Math.tanh(best + (looksFrom[look] ?? 0)))
          return hiddenFrom.reduce((answer, first, unit) => {
            const sum = found.reduce((all, one, look) => all + one * (hidden[unit * found.length + look] ?? 0), first)
            return answer + (last[unit] ?? 0) * (sum > 0 ? sum : NET_LEAK * sum)
          }, lastFrom[0] ?? 0)
        }
      )
      const mean = asks.reduce((sum, one) => sum + Math.max(-5, Math.min(5, one)), 0) / asks.length
      assert.closeTo(netAnswer(text).asks, mean, 1e-6, text)
    }
  })

  it("reads a text by its nets in one way, looks at 120 words, and finds a request beside whatever stands there", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const answer = netAnswer(text)
        // Another one between the two, as the last answer is kept.
        netAnswer("Please stop")
        assert.deepStrictEqual(netAnswer(text), answer)
        assert.isTrue(Number.isFinite(answer.asks))
        assert.lengthOf(answer.intents, MODEL_INTENTS.length)
        for (const likely of answer.intents) assert.isTrue(likely <= 0 && Number.isFinite(likely))
      })
    )
    assert.lengthOf(netRowOf("no me mail stop you list ".repeat(40_000)), 120)
    const asks = "Please take me off your list."
    const besides = "We met at the fair in Lyon, the weather was fine and the coffee was not."
    assert.isAbove(netAnswer(asks).asks, 1)
    assert.isAbove(netAnswer(`${besides} ${asks}`).asks, 1)
    assert.isBelow(netAnswer(besides).asks, -1)
  })

  it("has a lexicon in 11 groups of languages, folded, each word of a thing once", () => {
    const all = Object.entries(CONCEPTS)
    assert.lengthOf(all, 11)
    for (const [language, concepts] of all)
      for (const [concept, words] of Object.entries(concepts)) {
        assert.strictEqual(fold(words), words, `${language} ${concept}`)
        const each = words.split(" ")
        assert.deepStrictEqual(each, [...new Set(each)], `${language} ${concept}`)
      }
    assert.isBelow(JSON.stringify(CONCEPTS).length, 60_000)
  })

  it("takes short Nordic texts for Nordic ones, with and without their letters", () => {
    for (const text of [
      "Slutt å sende meg reklame.",
      "Igjen? La meg være i fred.",
      "Slet mig fra listen, tak",
      "Lad være med at skrive til mig",
      "Ta bort mig från er lista",
      "Jeg vil ikke ha flere e-poster"
    ]) {
      assert.strictEqual(languagesOf(text).likeliest, "nordic", text)
      assert.isTrue(languagesOf(fold(text)).has("nordic"), text)
      assert.isNotNull(requestShare(text), text)
    }
    assert.strictEqual(languagesOf("Nem vagyok a megfelelő személy").likeliest, "hu")
    assert.strictEqual(languagesOf("Les envío un saludo, mañana lo vemos").likeliest, "es")
  })

  it("reads requests of a text in one way, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const share = requestShare(text)
        assert.deepStrictEqual(requestShare(text), share)
        assert.isTrue(share === null || (share >= 0 && share <= 1))
        const buckets = [...requestBucketsOf(text)]
        assert.deepStrictEqual(
          buckets,
          [...new Set(buckets)].toSorted((a, b) => a - b)
        )
        assert.isTrue(buckets.every((bucket) => bucket < REQUEST_BUCKETS))
      })
    )
  })

  it("knows by what words do that languages ask alike", () => {
    const [english] = clausesOf("Please remove me from your list")
    const [german] = clausesOf("Bitte entfernen Sie mich aus Ihrer Liste")
    const of = (clause: ReadonlyArray<ReadonlyArray<number>> | undefined) => new Set(clause?.flat())
    const both = [...of(english)].filter((concept) => of(german).has(concept))
    assert.isAtLeast(both.length, 4)
  })

  it("guesses no request in a language that it didn't learn", () => {
    assert.isNull(requestShare("Пожалуйста, больше не пишите"))
    assert.isNull(requestShare("Nem vagyok a megfelelő személy, és nem is tudom, hogy ki az"))
  })

  it("says the same of the same text each time, in numbers", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const scores = scoresOf(text)
        assert.deepStrictEqual(scoresOf(text), scores)
        assert.isTrue(scores === null || scores.every(Number.isFinite))
        const { shares } = weigh(text, "other", true)
        assert.closeTo(
          Object.values(shares).reduce((sum, share) => sum + share, 0),
          1,
          1e-9
        )
      })
    )
  })

  it("looks at a bounded part of a text, however long it is and whatever is in it", () => {
    for (const piece of ["word ", "wörd? 12:30 a@b.example ", "\uD800", "a", "𝕤", " ", "\n", "😀 ", "İ", "ﷺ"]) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      assert.isBelow(featuresOf(text).size, FEATURES_MAX, JSON.stringify(piece))
      assert.isBelow(requestBucketsOf(text).length, FEATURES_MAX, JSON.stringify(piece))
      scoresOf(text)
      intentOf(text)
    }
    const words = Array.from({ length: 200_000 }, (_, at) => `w${at.toString(36)}x`).join(" ")
    assert.isBelow(bucketsOf(words).length, FEATURES_MAX)
    assert.isBelow(requestBucketsOf("no me mail stop you list ".repeat(40_000)).length, FEATURES_MAX)
  })

  it("names each bucket once, in order, below their number", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const buckets = [...bucketsOf(text)]
        assert.deepStrictEqual(
          buckets,
          [...new Set(buckets)].toSorted((a, b) => a - b)
        )
        assert.isTrue(buckets.every((bucket) => bucket < BUCKETS))
      })
    )
  })

  it("reads what a person sees: hidden characters, look-alikes and spaces change nothing", () => {
    for (const text of [
      "Please stop emailing me",
      "Pl\u200Bease s\u00ADtop em\u2060ailing me",
      "Рlеаsе stоp еmаiling mе",
      "PLEASE   STOP\u00A0EMAILING\tME",
      "please s t o p emailing me",
      "Ｐｌｅａｓｅ ｓｔｏｐ ｅｍａｉｌｉｎｇ ｍｅ"
    ]) {
      assert.strictEqual(classify(text)?.classification, "unsubscribe", text)
      assert.strictEqual(intentOf(text), "unsubscribe", text)
    }
  })

  it("guesses nothing of other scripts and languages", () => {
    for (const text of [
      "Спасибо за ваше письмо",
      "谢谢您的来信",
      "ありがとうございます",
      "شكرا لرسالتك",
      "Ευχαριστώ για το μήνυμα",
      "Köszönöm szépen a levelét",
      "Çok teşekkür ederim"
    ]) {
      assert.strictEqual(intentOf(text), "other", text)
      assert.isNull(classify(text), text)
    }
  })

  it("reads requests to stop that no phrase was written for", () => {
    const asked = [
      "I would be glad never to see your name in my inbox again",
      "Verschonen Sie mich künftig mit solchen Schreiben",
      "Épargnez-moi désormais ce genre de courrier",
      "Ahórreme en adelante este tipo de mensajes",
      "Risparmiatemi d'ora in poi questi messaggi",
      "Bespaar me voortaan dit soort berichten",
      "Poupe-me de agora em diante a estas mensagens",
      "Oszczędźcie mi na przyszłość takich wiadomości",
      "Bespara mig sådana här meddelanden i fortsättningen"
    ]
    const unknown = asked.filter((text) => classifyByRules(text)?.classification !== "unsubscribe")
    assert.isAtLeast(unknown.length, 4)
    const read = unknown.filter((text) => classify(text)?.classification === "unsubscribe")
    assert.isAtLeast(read.length, Math.ceil(unknown.length / 2))
  })

  it("doubts no phrase that is nearly all of a text, and reads none where the phrase is denied", () => {
    for (const text of ["Don’t contact me again.", "don't email me", "Never contact me again"])
      assert.strictEqual(classify(text)?.classification, "unsubscribe", text)
    assert.notStrictEqual(classify("Never stop emailing me!")?.classification, "unsubscribe")
  })

  it("makes nobody an opt-out by itself in a long text, in which such words are as likely about something else", () => {
    const asks = "Bespaar me voortaan dit soort berichten."
    assert.strictEqual(classify(asks)?.classification, "unsubscribe")
    const long = `${asks} ${"De tweede partij planken ligt klaar en wordt morgen gebracht. ".repeat(20)}`
    assert.notStrictEqual(classify(long)?.classification, "unsubscribe")
  })

  it("does not take those for one who only speak of unsubscribing", () => {
    for (const text of [
      "Don't take me off the list, I'd like to read more.",
      "How do recipients unsubscribe in your tool?",
      "Wie melden sich Empfänger bei Ihnen ab?",
      "Your mail was in my spam folder, but I am interested. What does it cost?"
    ]) {
      assert.notStrictEqual(classify(text)?.classification, "unsubscribe", text)
    }
  })

  it("leaves yes, no and absence to the rules: it suppresses, but never resumes", () => {
    fc.assert(
      fc.property(fc.constantFrom("Lovely weather here", "The parcel is downstairs", "We moved the desk"), (text) => {
        assert.isNull(classify(text))
      })
    )
  })

  it("refers to somebody only if an address is named", () => {
    assert.strictEqual(intentOf("Please write to Sam in purchasing, sam@c.test."), "referral")
    assert.notStrictEqual(intentOf("Please write to Sam in purchasing."), "referral")
  })
})
