import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { type Language, languagesOf } from "../languages.js"
import { plainText } from "../plainText.js"
import { CONCEPTS } from "./concepts.js"
import { REQUEST_BUCKETS, requestBucketsOf } from "./requestFeatures.js"
import { netAnswer } from "./nets.js"
import { REQUEST_SCALE, REQUEST_WEIGHTS } from "./requestWeights.js"
import { intentShare } from "./scores.js"

/** One signed byte a bucket. Decoded when the first text is read, and kept. */
let weights: Int8Array | null = null

const decoded = (): Int8Array => {
  if (weights === null) {
    const bytes = Result.getOrThrow(Base64.decode(REQUEST_WEIGHTS))
    if (bytes.length !== REQUEST_BUCKETS) throw new Error("The weights of requests don't fit their features")
    weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return weights
}

/** What these weights answer, as log-odds. */
const answerOf = (buckets: Uint32Array, of: ArrayLike<number>, scale: number): number => {
  let sum = 0
  for (const bucket of buckets) sum += of[bucket] ?? 0
  return (sum * scale) / Math.sqrt(Math.max(1, buckets.length))
}

/** How much the other two models' answers count beside that of the words: they are louder. */
const NETS_COUNT = 1
const INTENTS_COUNT = 0.5

/** No model is surer than so many to one. */
const ODDS_MAX = 1e9

const logOddsOf = (share: number): number => Math.log(Math.min(ODDS_MAX, Math.max(1 / ODDS_MAX, share / (1 - share))))

const isLearnt = (language: Language): boolean => CONCEPTS[language] !== undefined

/**
 * How sure three models are together, from 0 to 1, that the writer asks not to be written to again: that of requests, the nets, and
 * that of intents. They see a text in different ways, so they err apart. Null: it is in a language that the
 * model didn't learn, or has no word.
 */
export const requestShare = (own: string): number | null => {
  if (!/\p{Script=Latin}/u.test(own)) return null
  const { likeliest } = languagesOf(plainText(own), own)
  if (likeliest !== null && !isLearnt(likeliest)) return null
  const answer =
    answerOf(requestBucketsOf(own), decoded(), REQUEST_SCALE) +
    NETS_COUNT * netAnswer(own).asks +
    INTENTS_COUNT * logOddsOf(intentShare(own, "unsubscribe"))
  return 1 / (1 + Math.exp(-answer))
}
