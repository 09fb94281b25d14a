import { afterAll, assert, describe, it } from "@effect/vitest"
import { NETS_LEARNT_FROM } from "@outbound/domain/outreach/meaning/model/netWeights.js"
import { REQUESTS_LEARNT_FROM } from "@outbound/domain/outreach/meaning/model/requestWeights.js"
import { LEARNT_FROM } from "@outbound/domain/outreach/meaning/model/weights.js"
import { NET_SIZES, netRowOf } from "@outbound/domain/outreach/meaning/model/nets.js"
import { MODEL_INTENTS } from "@outbound/domain/outreach/meaning/model/intents.js"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { INTENTS, isHeldOut, readBlind, readCorpus } from "../../src/reading/Corpus.js"
import { digestOf, examplesOf, learntWhole, published, quantised } from "../../src/reading/Learning.js"
import { breadthOf, type Example, expand, readAnswers, readLater, readPatterns } from "../../src/reading/Patterns.js"
import { readNet, writeLessons } from "../../src/reading/Nets.js"
import { learnRequests, readRequests, requestExamplesOf } from "../../src/reading/Requests.js"
import { lessonsOf, train } from "../../src/reading/Training.js"

const docs = fileURLToPath(new URL("../../../../docs", import.meta.url))
const corpus = readCorpus(docs)
const patterns = readPatterns(docs)
const learnt = examplesOf(docs)
const heldOut = new Set(
  [...corpus.texts, ...corpus.third].filter(({ part }) => isHeldOut(part)).map(({ text }) => text.trim().toLowerCase())
)

/** Everybody writes "stop" or "no thanks": a text as short as that proves nothing. */
const WORDS_CHARS = 25

describe("the training set of replies", () => {
  it("gives at least 6,000 different texts, in nine languages with ten intents each", () => {
    const texts = expand(patterns, 8, 1).filter(({ language }) => language !== "xx")
    assert.isAtLeast(new Set(texts.map(({ text }) => text)).size, 6_000)
    const languages = [...new Set(corpus.texts.map(({ language }) => language))]
    assert.lengthOf(languages, 9)
    for (const language of languages) {
      for (const intent of INTENTS) {
        const of = texts.filter((text) => text.language === language && text.intent === intent)
        assert.isAtLeast(of.length, 30, `${language} ${intent}`)
      }
    }
  })

  it("has no pattern twice, none that is open, and none without a text", () => {
    assert.lengthOf(
      [...new Set(patterns.map(({ intent, language, line }) => `${language} ${intent} ${line}`))],
      patterns.length
    )
    for (const pattern of patterns) {
      assert.isAtLeast(breadthOf(pattern), 1)
      assert.notMatch(pattern.line.replace(/\{[^{}]*\}/g, ""), /[{}|]/, pattern.line)
    }
  })

  it("gives the same texts for the same seed", () => {
    assert.deepStrictEqual(expand(patterns.slice(0, 50), 8, 3), expand(patterns.slice(0, 50), 8, 3))
  })

  it("names nobody who exists: every address is of an example domain", () => {
    for (const { line } of patterns) {
      for (const [address] of line
        .replaceAll("\\n", " ")
        .matchAll(/[^\s<>()[\],;:{}|]+@[\p{L}\d][^\s<>()[\],;:{}|]+/gu)) {
        assert.match(address, /\.example[.?!]?$/, line)
      }
    }
  })

  it("is what the model's weights were learnt from", () => {
    assert.strictEqual(digestOf(learnt), LEARNT_FROM, "run `npm run bench -- train`")
  })
})

describe("the whole answers", () => {
  const answers = readAnswers(docs)

  it("are at least 1,500 in each of 13 languages, with every intent, and nearly half of them requests to stop", () => {
    const languages = [...new Set(answers.map(({ language }) => language))]
    assert.lengthOf(languages, 13)
    for (const language of languages) {
      const of = answers.filter((answer) => answer.language === language)
      assert.isAtLeast(of.length, 1_500, language)
      const asking = of.filter(({ intent }) => intent === "unsubscribe").length
      assert.isTrue(asking > 0.4 * of.length && asking < 0.5 * of.length, language)
      for (const intent of INTENTS)
        assert.isAtLeast(of.filter((answer) => answer.intent === intent).length, 30, `${language} ${intent}`)
    }
  })

  it("are each one text, written once in its language, and name nobody who exists", () => {
    assert.lengthOf([...new Set(answers.map(({ language, line }) => `${language} ${line}`))], answers.length)
    for (const { line } of answers) {
      assert.notMatch(line, /[{}|]/, line)
      for (const [address] of line.replaceAll("\\n", " ").matchAll(/[^\s<>()[\],;:]+@[\p{L}\d][^\s<>()[\],;:]+/gu))
        assert.match(address, /\.example\P{L}*$/u, line)
    }
  })
})

describe("the model's learning", () => {
  it("never sees a held-out half", () => {
    assert.isFalse(learntWhole(docs).some(({ part }) => isHeldOut(part)))
    const seen = [...learntWhole(docs).map(({ text }) => text), ...patterns.map(({ line }) => line)]
    assert.deepStrictEqual(
      seen.filter((text) => text.length > WORDS_CHARS && heldOut.has(text.trim().toLowerCase())),
      []
    )
  })

  it("gives the same weights for the same texts and seed, and others for another", () => {
    const lessons = lessonsOf(expand(patterns.slice(0, 120), 2, 1))
    const how = { rounds: 2, rate: 0.3, decay: 1e-4, seed: 7 }
    const first = quantised(train(lessons, how))
    assert.deepStrictEqual(quantised(train(lessons, how)), first)
    assert.notDeepEqual(quantised(train(lessons, { ...how, seed: 8 })), first)
  })

  it("has its intents in the order of the weights", () => {
    assert.deepStrictEqual([...MODEL_INTENTS], [...INTENTS])
  })
})

describe("the model of requests", () => {
  const examples = requestExamplesOf(docs)

  it("is what its weights were learnt from", () => {
    assert.strictEqual(digestOf(examples), REQUESTS_LEARNT_FROM, "run `npm run bench -- train`")
    assert.strictEqual(digestOf(examples), NETS_LEARNT_FROM, "run `npm run bench -- train`")
  })

  it("never sees a held-out text, nor its letters, and neither does the model of intents", () => {
    const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")
    const unseen = new Set(
      [...published(docs).filter(({ part }) => isHeldOut(part)), ...readLater(docs), ...readBlind(docs)]
        .filter(({ text }) => text.length > WORDS_CHARS)
        .map(({ text }) => letters(text))
    )
    assert.isAbove(unseen.size, 2_500)
    assert.deepStrictEqual(
      [...examples, ...learnt].filter(({ text }) => unseen.has(letters(text))),
      []
    )
  })

  for (const [folder, least] of [
    ["requests", 30],
    ["frames", 8]
  ] as const)
    it(`has ${folder} in 13 languages that ask and that do not, none twice, each written out`, () => {
      const requests = readRequests(docs, folder)
      assert.lengthOf([...new Set(requests.map(({ language }) => language))], 13)
      for (const language of new Set(requests.map(({ language }) => language))) {
        const of = requests.filter((request) => request.language === language)
        assert.isAtLeast(of.filter(({ asks }) => asks).length, least, language)
        assert.isAtLeast(of.filter(({ asks }) => !asks).length, least, language)
      }
      assert.lengthOf([...new Set(requests.map(({ language, line }) => `${language} ${line}`))], requests.length)
      for (const { line } of requests) assert.notMatch(line, /(?<![\p{L}\p{N}.])@\w/u, line)
    })

  it("learns no text in which an alternative stands open", () => {
    for (const { text } of examples) assert.notMatch(text, /[{}|]/, text)
  })

  it("names nobody who exists: every address is of an example domain", () => {
    for (const { line } of [...readRequests(docs), ...readRequests(docs, "frames")])
      for (const [address] of line.matchAll(/[^\s<>()[\],;:{}|]+@[\p{L}\d][^\s<>()[\],;:{}|]+/gu))
        assert.match(address, /\.example[.?!]?$/, line)
  })

  it("gives the same weights for the same texts and seed", () => {
    const some = examples.slice(0, 400)
    const how = { rounds: 2, rate: 0.3, decay: 1e-4, seed: 7 }
    const first = learnRequests(some, how)
    assert.deepStrictEqual(learnRequests(some, how), first)
    assert.notDeepEqual(learnRequests(some, { ...how, seed: 8 }), first)
  })
})

describe("what the nets learn from", () => {
  const some: ReadonlyArray<Example> = [
    { pattern: 0, language: "en", intent: "unsubscribe", text: "Please stop writing to me" },
    { pattern: 1, language: "en", intent: "other", text: "" },
    { pattern: 2, language: "de", intent: "question", text: "Was kostet das?" },
    { pattern: 3, language: "en", intent: "other", isOnlyNoRequest: true, text: "Stop the delivery" }
  ]
  const folder = mkdtempSync(join(tmpdir(), "outbound-nets-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const numbers = (name: string) => new Int32Array(new Uint8Array(readFileSync(join(folder, `${name}.int32`))).buffer)

  it("is every text that has a word, as the reader sees it, and its intent", () => {
    writeLessons(some, folder)
    const [entries, words, texts] = [numbers("entries"), numbers("words"), numbers("texts")]
    const rows = Array.from({ length: texts.length - 1 }, (_, text) =>
      Array.from(words.subarray(texts[text], texts[text + 1]), (from, at) => [
        ...entries.subarray(from, words[(texts[text] ?? 0) + at + 1])
      ])
    )
    assert.deepStrictEqual(
      rows,
      [0, 2, 3].map((at) => netRowOf(some[at]?.text ?? ""))
    )
    assert.deepStrictEqual([...numbers("intents")], [INTENTS.indexOf("unsubscribe"), INTENTS.indexOf("question"), -1])
    assert.strictEqual(INTENTS.indexOf("unsubscribe"), 0, "nets.py takes the first intent for a request to stop")
  })

  it("becomes a net of the size that the reader expects, part by part", () => {
    const count = NET_SIZES.reduce((sum, size) => sum + size, 0)
    writeFileSync(
      join(folder, "7.parts"),
      Float32Array.from({ length: count }, (_, at) => at)
    )
    assert.deepStrictEqual(
      readNet(folder, 7).map((part) => [part.length, part[0]]),
      NET_SIZES.map((size, at) => [size, NET_SIZES.slice(0, at).reduce((sum, before) => sum + before, 0)])
    )
    writeFileSync(join(folder, "8.parts"), new Float32Array(count - 1))
    assert.throws(() => readNet(folder, 8), /instead of/)
  })
})
