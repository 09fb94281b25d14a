import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { sayingsOf } from "./requestFeatures.js"
import { NET_SCALES, NET_WEIGHTS } from "./netWeights.js"

/**
 * A second reader of requests to stop, of another kind: small nets that look at three and at five words at a time. A word is
 * what it does (`concepts.ts`), besides itself and its beginnings, so one that they never saw still says something. Of each
 * thing looked for only the strongest place counts, so what stands beside a request takes little away from it.
 */

/** Numbers below it are concepts and signs; from it on words and beginnings of words, hashed. */
export const NET_WORDS_FROM = 64
const WORDS = 1 << 13
export const NET_ENTRIES = NET_WORDS_FROM + WORDS

/** Numbers that stand for a word; things looked for, of each width; what is made of them. */
export const NET_WIDTH = 16
export const NET_LOOKS = 32
export const NET_HIDDEN = 24
export const NET_SPANS = [3, 5] as const
const LOOKS = NET_SPANS.length * NET_LOOKS

/** Most words of a text that are looked at. */
const ROW_MAX = 120

/** How much of a negative value is kept, so that learning goes on. */
const LEAK = 0.01

/** FNV-1a with a last mixing, so that a word has the same number everywhere. */
const hashed = (word: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) {
    hash ^= word.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return NET_WORDS_FROM + (((hash ^ (hash >>> 13)) >>> 0) % WORDS)
}

/** What stands for each word of a text, in their order. */
export const netRowOf = (text: string): ReadonlyArray<ReadonlyArray<number>> =>
  sayingsOf(text)
    .slice(0, ROW_MAX)
    .map(({ meanings, word }) => [
      ...meanings,
      hashed(`w${word}`),
      ...(word.length > 4 && !word.startsWith("0") ? [hashed(`p${word.slice(0, 4)}`)] : []),
      ...(word.length > 6 && !word.startsWith("0") ? [hashed(`p${word.slice(0, 6)}`)] : [])
    ])

/** The parts of a net. */
export interface Net {
  /** What stands for each entry. */
  readonly entries: ArrayLike<number>
  /** What is looked for in so many words: of `NET_LOOKS` each, span by span. */
  readonly looks: ReadonlyArray<ArrayLike<number>>
  readonly looksFrom: ArrayLike<number>
  readonly hidden: ArrayLike<number>
  readonly hiddenFrom: ArrayLike<number>
  readonly last: ArrayLike<number>
  readonly lastFrom: ArrayLike<number>
}

/** How many numbers each part of a net has, in the order in which they are written. */
export const NET_SIZES: ReadonlyArray<number> = [
  NET_ENTRIES * NET_WIDTH,
  ...NET_SPANS.map((span) => NET_LOOKS * span * NET_WIDTH),
  LOOKS,
  NET_HIDDEN * LOOKS,
  NET_HIDDEN,
  NET_HIDDEN,
  1
]

export const netOf = (parts: ReadonlyArray<ArrayLike<number>>): Net => {
  const [entries = [], three = [], five = [], looksFrom = [], hidden = [], hiddenFrom = [], last = [], lastFrom = []] =
    parts
  return { entries, looks: [three, five], looksFrom, hidden, hiddenFrom, last, lastFrom }
}

/** What a net made of a text, as far as learning needs it. */
export interface Pass {
  /** The words as numbers, with nothing before and after them. */
  readonly words: Float32Array
  /** How strongly each thing was found, and from which word on. */
  readonly found: Float64Array
  readonly where: Int32Array
  readonly made: Float64Array
  /** The net's answer: above 0 it is rather a request. */
  readonly answer: number
}

const at = (from: ArrayLike<number>, index: number): number => from[index] ?? 0

/** Words before the first that a span may begin with. */
export const NET_EDGE = 2

export const passOf = (net: Net, row: ReadonlyArray<ReadonlyArray<number>>): Pass => {
  const places = Math.max(1, row.length)
  const words = new Float32Array((places + 2 * NET_EDGE) * NET_WIDTH)
  row.forEach((entries, place) => {
    const into = (place + NET_EDGE) * NET_WIDTH
    for (const entry of entries)
      for (let part = 0; part < NET_WIDTH; part++)
        words[into + part] = at(words, into + part) + at(net.entries, entry * NET_WIDTH + part)
  })
  const found = new Float64Array(LOOKS).fill(-Infinity)
  const where = new Int32Array(LOOKS)
  NET_SPANS.forEach((span, kind) => {
    const looks = net.looks[kind] ?? []
    const size = span * NET_WIDTH
    for (let place = 0; place < places; place++) {
      const from = (place + NET_EDGE - (span - 1) / 2) * NET_WIDTH
      for (let look = 0; look < NET_LOOKS; look++) {
        let sum = 0
        for (let part = 0; part < size; part++) sum += at(looks, look * size + part) * at(words, from + part)
        const index = kind * NET_LOOKS + look
        if (sum > at(found, index)) {
          found[index] = sum
          where[index] = from
        }
      }
    }
  })
  for (let look = 0; look < LOOKS; look++) found[look] = Math.tanh(at(found, look) + at(net.looksFrom, look))
  const made = new Float64Array(NET_HIDDEN)
  let answer = at(net.lastFrom, 0)
  for (let unit = 0; unit < NET_HIDDEN; unit++) {
    let sum = at(net.hiddenFrom, unit)
    for (let look = 0; look < LOOKS; look++) sum += at(net.hidden, unit * LOOKS + look) * at(found, look)
    made[unit] = sum > 0 ? sum : LEAK * sum
    answer += at(net.last, unit) * at(made, unit)
  }
  return { words, found, where, made, answer }
}

/** Decoded when the first text is read, and kept. */
let nets: ReadonlyArray<Net> | null = null

const decoded = (): ReadonlyArray<Net> => {
  if (nets !== null) return nets
  const bytes = Result.getOrThrow(Base64.decode(NET_WEIGHTS))
  if (bytes.length !== NET_SCALES.length * NET_SIZES.reduce((sum, size) => sum + size, 0))
    throw new Error("The weights of the nets don't fit them")
  let from = 0
  nets = NET_SCALES.map((scales) =>
    netOf(
      NET_SIZES.map((size, part) => {
        const raw = new Int8Array(bytes.buffer, bytes.byteOffset + from, size)
        from += size
        return Float32Array.from(raw, (byte) => byte * (scales[part] ?? 0))
      })
    )
  )
  return nets
}

/** No net alone is surer than this. */
const ANSWER_MAX = 5

/** What the nets answer in the mean, as log-odds: above 0 the writer rather asks not to be written to again. */
export const netAnswer = (own: string): number => {
  const row = netRowOf(own)
  const answers = decoded().map((net) => Math.max(-ANSWER_MAX, Math.min(ANSWER_MAX, passOf(net, row).answer)))
  return answers.reduce((sum, answer) => sum + answer, 0) / Math.max(1, answers.length)
}
