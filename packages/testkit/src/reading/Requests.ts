/**
 * What the model of requests to stop learns from: all that the model of intents does, the patterns of `docs/corpora/replies/requests`
 * and `docs/corpora/replies/frames`, and the odd halves of all published sets. Its file is
 * `packages/domain/src/outreach/meaning/model/requestWeights.ts`.
 */
import { REQUEST_BUCKETS, requestBucketsOf } from "@outbound/domain/outreach/meaning/model/requestFeatures.js"
import { ownText } from "@outbound/domain/outreach/meaning/ownText.js"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isHeldOut, type LabelledText } from "./Corpus.js"
import { answersOf, mayLearn, published, quantised } from "./Learning.js"
import { breadthOf, type Example, expand, pick, randomFrom, readPatterns } from "./Patterns.js"
import { varied } from "./Training.js"

interface RequestPattern {
  readonly language: string
  readonly asks: boolean
  readonly line: string
}

const MACRO = /^@(\w+) = (.*)$/

/** Macros may name macros, this deep. */
const DEPTH_MAX = 4

/** `frames`: in these what is asked for, in all its forms, meets all that people put around it. */
type RequestFolder = "requests" | "frames"

/** The patterns of requests, with the short names that a file gives to parts of them written out. */
export const readRequests = (docs: string, of: RequestFolder = "requests"): ReadonlyArray<RequestPattern> => {
  const folder = join(docs, "corpora/replies", of)
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const macros = new Map<string, string>()
      const patterns: Array<RequestPattern> = []
      let asks: boolean | null = null
      for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
        const macro = MACRO.exec(line)
        if (macro !== null) macros.set(macro[1] ?? "", macro[2] ?? "")
        else if (line.startsWith("# ")) {
          if (line !== "# asks" && line !== "# does not") throw new Error(`${name} has an unknown heading: ${line}`)
          asks = line === "# asks"
        } else if (line.trim() !== "") {
          if (asks === null) throw new Error(`${name} has a text above its first heading`)
          let whole = line
          for (let depth = 0; depth < DEPTH_MAX; depth++)
            whole = whole.replace(/@(\w+)/g, (all, word: string) => macros.get(word) ?? all)
          patterns.push({ language: name.replace(".txt", ""), asks, line: whole })
        }
      }
      return patterns
    })
}

/** Texts of a pattern that are learnt, and of a frame, which says thousands of things. */
const TEXTS_MAX = 12
const FRAME_TEXTS_MAX = 120

const textOf = (line: string, random: () => number): string => {
  let text = line
  for (let depth = 0; depth <= DEPTH_MAX; depth++)
    text = text.replace(/\{([^{}]*)\}/g, (_, inner: string) => pick(inner.split("|"), random))
  return text
    .replace(/ {2,}/g, " ")
    .replace(/ ([.,;!])/g, "$1")
    .trim()
}

const expandRequests = (patterns: ReadonlyArray<RequestPattern>, max: number, seed: number): ReadonlyArray<Example> => {
  const random = randomFrom(seed)
  return patterns.flatMap(({ asks, language, line }, pattern) => {
    const texts = new Set<string>()
    for (let tries = 0; tries < 2 * max && texts.size < max; tries++) texts.add(textOf(line, random))
    return Array.from(texts, (text): Example => ({
      pattern,
      language,
      text,
      ...(asks ? { intent: "unsubscribe" } : { intent: "other", isOnlyNoRequest: true })
    }))
  })
}

/** How many texts are also learnt beside another one that asks for nothing: a request wins over what stands beside it. */
const BESIDE_SHARE = 0.15

const beside = (examples: ReadonlyArray<Example>, seed: number): ReadonlyArray<Example> => {
  const random = randomFrom(seed)
  const others = new Map<string, Array<Example>>()
  for (const example of examples) {
    if (example.intent === "unsubscribe") continue
    const of = others.get(example.language)
    if (of === undefined) others.set(example.language, [example])
    else of.push(example)
  }
  return examples.flatMap((example) => {
    if (random() >= BESIDE_SHARE) return []
    const { text } = pick(others.get(example.language) ?? [example], random)
    return [{ ...example, text: random() < 0.5 ? `${example.text} ${text}` : `${text} ${example.text}` }]
  })
}

/** Whether a published text is learnt; for cross-validation some are left out. */
export type IsLearnt = (text: LabelledText) => boolean

/** Everything that the model of requests learns from: never a held-out text, nor one that has the same letters. */
export const requestExamplesOf = (docs: string, isLearnt: IsLearnt = () => true): ReadonlyArray<Example> => {
  const patterns = readPatterns(docs)
  const may = mayLearn(docs)
  const odd = published(docs)
    .filter((text) => !isHeldOut(text.part) && isLearnt(text))
    .map(({ intent, language, text }, pattern): Example => ({ pattern, language, intent, text: ownText(text) }))
  const whole = expand(
    patterns.filter((pattern) => breadthOf(pattern) === 1),
    1,
    1
  )
  const many = expand(
    patterns.filter((pattern) => breadthOf(pattern) > 1),
    4,
    1
  )
  const requests = expandRequests(readRequests(docs), TEXTS_MAX, 5)
  const frames = expandRequests(readRequests(docs, "frames"), FRAME_TEXTS_MAX, 77)
  return [
    ...varied(many, 1),
    ...[1, 2].flatMap((seed) => varied(whole, seed)),
    ...varied(requests, 9),
    ...beside(requests, 11),
    ...varied(frames, 51),
    ...[31, 32, 33].flatMap((seed) => varied(odd, seed)),
    ...[41, 42].flatMap((seed) => varied(answersOf(docs, 1), seed))
  ].filter(({ text }) => may(text))
}

export interface HowToLearn {
  readonly rounds: number
  readonly rate: number
  readonly decay: number
  readonly seed: number
}

const HOW: HowToLearn = { rounds: 8, rate: 0.3, decay: 1.5e-3, seed: 7 }

/** Learns a weight for each bucket: logistic regression (AdaGrad), in which both answers weigh the same. An even number of rounds. */
export const learnRequests = (examples: ReadonlyArray<Example>, how: HowToLearn = HOW): Float64Array => {
  const asking = examples.filter(({ intent }) => intent === "unsubscribe").length
  const lessons = examples.map(({ intent, text }) => {
    const asks = intent === "unsubscribe"
    return {
      buckets: requestBucketsOf(text),
      truth: asks ? 1 : 0,
      weight: examples.length / 2 / (asks ? asking : examples.length - asking)
    }
  })
  const weights = new Float64Array(REQUEST_BUCKETS)
  const means = new Float64Array(REQUEST_BUCKETS)
  const squares = new Float64Array(REQUEST_BUCKETS).fill(1e-6)
  const random = randomFrom(how.seed)
  for (let round = 0; round < how.rounds; round++) {
    for (let at = lessons.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      const [one, two] = [lessons[at], lessons[other]]
      if (one === undefined || two === undefined) continue
      lessons[at] = two
      lessons[other] = one
    }
    for (const { buckets, truth, weight } of lessons) {
      const value = 1 / Math.sqrt(Math.max(1, buckets.length))
      let sum = 0
      for (const bucket of buckets) sum += weights[bucket] ?? 0
      const wrong = weight * (1 / (1 + Math.exp(-sum * value)) - truth) * value
      if (Math.abs(wrong) < 1e-7) continue
      for (const bucket of buckets) {
        const old = weights[bucket] ?? 0
        const slope = wrong + how.decay * old
        const square = (squares[bucket] ?? 0) + slope * slope
        squares[bucket] = square
        weights[bucket] = old - (how.rate * slope) / Math.sqrt(square)
      }
    }
    // The mean of the later rounds depends less on the order of the last texts.
    if (round >= how.rounds / 2)
      for (let bucket = 0; bucket < REQUEST_BUCKETS; bucket++)
        means[bucket] = (means[bucket] ?? 0) + (weights[bucket] ?? 0) / Math.floor(how.rounds / 2)
  }
  return means
}

export const requestFileOf = (weights: Float64Array, digest: string): string => {
  const { bytes, scale } = quantised(weights)
  return `/**
 * The weights of the model that reads requests to stop. Generated by \`npm run bench -- train\` from
 * \`docs/corpora/replies\`; don't edit them. One signed byte a bucket, as base64.
 */

/** A digest of what they were learnt from. */
export const REQUESTS_LEARNT_FROM = "${digest}"

/** What a byte of 1 is worth. */
export const REQUEST_SCALE = ${scale.toPrecision(6)}

export const REQUEST_WEIGHTS: string =
  "${Buffer.from(bytes.buffer).toString("base64")}"
`
}
