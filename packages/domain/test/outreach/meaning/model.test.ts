import { assert, describe, it } from "@effect/vitest"
import { hasParts } from "@outbound/domain/outreach/meaning/asked.js"
import { classify, classifyByRules } from "@outbound/domain/outreach/meaning/classify.js"
import { BUCKETS, bucketsOf, featuresOf } from "@outbound/domain/outreach/meaning/model/features.js"
import { MODEL_INTENTS, scoresOf } from "@outbound/domain/outreach/meaning/model/scores.js"
import { WEIGHTS } from "@outbound/domain/outreach/meaning/model/weights.js"
import { plainText } from "@outbound/domain/outreach/meaning/plainText.js"
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
      scoresOf(text)
      intentOf(text)
    }
    const words = Array.from({ length: 200_000 }, (_, at) => `w${at.toString(36)}x`).join(" ")
    assert.isBelow(bucketsOf(words).length, FEATURES_MAX)
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
      "Kiitos sähköpostistasi, palaan asiaan",
      "Köszönöm szépen a levelét",
      "Çok teşekkür ederim"
    ]) {
      assert.strictEqual(intentOf(text), "other", text)
      assert.isNull(classify(text), text)
    }
  })

  it("suspects requests to stop that no phrase was written for, and makes nobody an opt-out of that alone", () => {
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
    const suspected = asked.filter((text) => weigh(text, "other", false).shares.unsubscribe >= 0.5)
    assert.isAtLeast(suspected.length, 7)
    const unasked = suspected.filter(
      (text) => classifyByRules(text)?.classification !== "unsubscribe" && !hasParts(plainText(text))
    )
    assert.isAtLeast(unasked.length, 3)
    for (const text of unasked) assert.notStrictEqual(classify(text)?.classification, "unsubscribe", text)
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
