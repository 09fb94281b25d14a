import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { BUCKETS, bucketsOf } from "./features.js"
import { MODEL_INTENTS, type ModelIntent } from "./intents.js"
import { SCALE, WEIGHTS } from "./weights.js"

/** One signed byte a bucket and intent. Decoded when the first text is read, and kept. */
let weights: Int8Array | null = null

const decoded = (): Int8Array => {
  if (weights === null) {
    const bytes = Result.getOrThrow(Base64.decode(WEIGHTS))
    if (bytes.length !== BUCKETS * MODEL_INTENTS.length) throw new Error("The model's weights don't fit its features")
    weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return weights
}

/** How much of a text tells its script. */
const CHARS_MAX = 2_000

/** Whether at least half of its letters are Latin: of other scripts the model knows nothing. */
const isLatin = (text: string): boolean => {
  const beginning = text.slice(0, CHARS_MAX)
  const latin = beginning.match(/\p{Script=Latin}/gu)?.length ?? 0
  return latin > 0 && 2 * latin >= (beginning.match(/\p{L}/gu)?.length ?? 0)
}

/** How much the model is for each intent: higher is likelier. Null: a text of which it knows nothing. */
export const scoresOf = (text: string): ReadonlyArray<number> | null => {
  if (!isLatin(text)) return null
  const size = MODEL_INTENTS.length
  const sums = new Array<number>(size).fill(0)
  const buckets = bucketsOf(text)
  const of = decoded()
  for (const bucket of buckets) {
    for (let intent = 0; intent < size; intent++) sums[intent] = (sums[intent] ?? 0) + (of[bucket * size + intent] ?? 0)
  }
  const by = SCALE / Math.sqrt(Math.max(1, buckets.length))
  return sums.map((sum) => sum * by)
}

/** How much of all intents this one is, from 0 to 1, by the model alone. 0: a text of which it knows nothing. */
export const intentShare = (text: string, intent: ModelIntent): number => {
  const scores = scoresOf(text)
  if (scores === null) return 0
  const most = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - most))
  return (powers[MODEL_INTENTS.indexOf(intent)] ?? 0) / powers.reduce((sum, one) => sum + one, 0)
}
