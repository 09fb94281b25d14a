import { Result } from "effect"
import { Base64 } from "effect/encoding"
import { hashOf } from "./hash.js"
import { sayingsOf } from "./requestFeatures.js"
import { MODEL_INTENTS } from "./intents.js"
import { NET_SCALES, NET_WEIGHTS } from "./netWeights.js"

/**
 * A second reader of answers, of another kind: small nets that look at three and at five words at a time. A word is
 * what it does (`concepts.ts`), besides itself and its parts, so one that they never saw still says something. Of each
 * thing looked for only the strongest place counts, so what stands beside a request takes little away from it. They say
 * whether a text asks not to be written to again, and how likely each intent is.
 */

/** Numbers below it are concepts and signs; from it on words and parts of words, hashed. */
export const NET_WORDS_FROM = 64
const WORDS = 1 << 14

/** How many letters a part of a word has, its edges (`<`, `>`) included. */
const PARTS = [3, 4, 5] as const
const WORD_CHARS_MAX = 24
export const NET_ENTRIES = NET_WORDS_FROM + WORDS

/** Numbers that stand for a word; things looked for, of each width; what is made of them. */
export const NET_WIDTH = 48
export const NET_LOOKS = 96
export const NET_HIDDEN = 48
export const NET_SPANS = [3, 5] as const
const LOOKS = NET_SPANS.length * NET_LOOKS

/** Most words of a text that are looked at. */
const ROW_MAX = 120

/** How much of a negative value counts. */
export const NET_LEAK = 0.01

const hashed = (word: string): number => NET_WORDS_FROM + (hashOf(word) % WORDS)

const partsOf = (word: string): ReadonlyArray<number> => {
  if (word.startsWith("0") && word.length > 1) return []
  const padded = `<${word.slice(0, WORD_CHARS_MAX)}>`
  return PARTS.flatMap((length) =>
    Array.from({ length: Math.max(0, padded.length - length + 1) }, (_, from) =>
      hashed(`~${padded.slice(from, from + length)}`)
    )
  )
}

/** What stands for each word of a text, in their order. */
export const netRowOf = (text: string): ReadonlyArray<ReadonlyArray<number>> =>
  sayingsOf(text)
    .slice(0, ROW_MAX)
    .map(({ meanings, word }) => [...meanings, hashed(`w${word}`), ...partsOf(word)])

/** The parts of a net. */
interface Net {
  /** What stands for each entry, and what a 1 of it is worth. */
  readonly entries: Int8Array
  readonly entriesScale: number
  /** What is looked for in so many words: of `NET_LOOKS` each, span by span. */
  readonly looks: ReadonlyArray<Float64Array>
  readonly looksFrom: Float64Array
  readonly hidden: Float64Array
  readonly hiddenFrom: Float64Array
  readonly last: Float64Array
  readonly lastFrom: Float64Array
  /** Of each intent what speaks for it. */
  readonly intents: Float64Array
  readonly intentsFrom: Float64Array
}

/** What a net, or all of them together, says of a text. */
export interface NetAnswer {
  /** Log-odds that it asks not to be written to again: above 0 it rather does. */
  readonly asks: number
  /** How likely each of `MODEL_INTENTS` is, as natural logarithms. */
  readonly intents: ReadonlyArray<number>
}

/** How many numbers each part of a net has, in the order in which they are written. */
export const NET_SIZES: ReadonlyArray<number> = [
  NET_ENTRIES * NET_WIDTH,
  ...NET_SPANS.map((span) => NET_LOOKS * span * NET_WIDTH),
  LOOKS,
  NET_HIDDEN * LOOKS,
  NET_HIDDEN,
  NET_HIDDEN,
  1,
  MODEL_INTENTS.length * NET_HIDDEN,
  MODEL_INTENTS.length
]

/** Words before the first that a span may begin with. */
export const NET_EDGE = 2

/** How much each of a word's entries counts: a long word has more, and says as much. */
const shareOf = (entries: ReadonlyArray<number>): number => 2 / Math.sqrt(Math.max(1, entries.length))

/**
 * How strongly something is found where it is strongest: the largest product of a look, and of as many numbers from each place on.
 * Four places are looked at together, so that each number of the look is read once for them; most of a net's time goes here.
 */
const strongest = (
  looks: Float64Array,
  look: number,
  words: Float64Array,
  { from, places, size }: { readonly from: number; readonly places: number; readonly size: number }
): number => {
  let best = -Infinity
  // Behind the last place it is looked at again.
  const fromOf = (place: number): number => from + Math.min(place, places - 1) * NET_WIDTH
  for (let place = 0; place < places; place += 4) {
    const [one, two, three, four] = [fromOf(place), fromOf(place + 1), fromOf(place + 2), fromOf(place + 3)]
    let [first, second, third, fourth] = [0, 0, 0, 0]
    for (let at = 0; at < size; at++) {
      const number = looks[look * size + at] ?? 0
      first += number * (words[one + at] ?? 0)
      second += number * (words[two + at] ?? 0)
      third += number * (words[three + at] ?? 0)
      fourth += number * (words[four + at] ?? 0)
    }
    best = Math.max(best, first, second, third, fourth)
  }
  return best
}

const answerOf = (net: Net, row: ReadonlyArray<ReadonlyArray<number>>): NetAnswer => {
  const { entries, hidden, hiddenFrom, looksFrom } = net
  const places = Math.max(1, row.length)
  const words = new Float64Array((places + 2 * NET_EDGE) * NET_WIDTH)
  row.forEach((said, place) => {
    const into = (place + NET_EDGE) * NET_WIDTH
    const worth = net.entriesScale * shareOf(said)
    for (const entry of said)
      for (let part = 0; part < NET_WIDTH; part++)
        words[into + part] = (words[into + part] ?? 0) + worth * (entries[entry * NET_WIDTH + part] ?? 0)
  })
  const found = new Float64Array(LOOKS)
  NET_SPANS.forEach((span, kind) => {
    const looks = net.looks[kind] ?? new Float64Array()
    const all = { from: (NET_EDGE - (span - 1) / 2) * NET_WIDTH, places, size: span * NET_WIDTH }
    for (let look = 0; look < NET_LOOKS; look++) {
      const index = kind * NET_LOOKS + look
      found[index] = Math.tanh(strongest(looks, look, words, all) + (looksFrom[index] ?? 0))
    }
  })
  const made = Array.from({ length: NET_HIDDEN }, (_, unit) => {
    let sum = hiddenFrom[unit] ?? 0
    for (let look = 0; look < LOOKS; look++) sum += (hidden[unit * LOOKS + look] ?? 0) * (found[look] ?? 0)
    return sum > 0 ? sum : NET_LEAK * sum
  })
  const scoreOf = (weights: Float64Array, from: Float64Array, at: number): number =>
    made.reduce((sum, one, unit) => sum + one * (weights[at * NET_HIDDEN + unit] ?? 0), from[at] ?? 0)
  const scores = MODEL_INTENTS.map((_, intent) => scoreOf(net.intents, net.intentsFrom, intent))
  const most = Math.max(...scores)
  const all = most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0))
  return { asks: scoreOf(net.last, net.lastFrom, 0), intents: scores.map((score) => score - all) }
}

/** Decoded when the first text is read, and kept. */
let nets: ReadonlyArray<Net> | null = null

const decoded = (): ReadonlyArray<Net> => {
  if (nets !== null) return nets
  const bytes = Result.getOrThrow(Base64.decode(NET_WEIGHTS))
  if (bytes.length !== NET_SCALES.length * NET_SIZES.reduce((sum, size) => sum + size, 0))
    throw new Error("The weights of the nets don't fit them")
  let from = 0
  nets = NET_SCALES.map((scales) => {
    const [entries = new Int8Array(), ...rest] = NET_SIZES.map((size) => {
      from += size
      return new Int8Array(bytes.buffer, bytes.byteOffset + from - size, size)
    })
    const parts = rest.map((raw, part) => Float64Array.from(raw, (byte) => byte * (scales[part + 1] ?? 0)))
    const [three, five, looksFrom, hidden, hiddenFrom, last, lastFrom, intents, intentsFrom] = parts
    if (!three || !five || !looksFrom || !hidden || !hiddenFrom || !last || !lastFrom || !intents || !intentsFrom)
      throw new Error("A part of the net is missing")
    // The entries are nearly all of a net, and a text needs few of them.
    const found = { looks: [three, five], looksFrom, hidden, hiddenFrom }
    return { entries, entriesScale: scales[0] ?? 0, ...found, last, lastFrom, intents, intentsFrom }
  })
  return nets
}

/** No net alone is surer than this. */
const ASKS_MAX = 5

const read = (own: string): NetAnswer => {
  const row = netRowOf(own)
  const answers = decoded().map((net) => answerOf(net, row))
  const mean = (of: (answer: NetAnswer) => number): number =>
    answers.reduce((sum, answer) => sum + of(answer), 0) / Math.max(1, answers.length)
  return {
    asks: mean(({ asks }) => Math.max(-ASKS_MAX, Math.min(ASKS_MAX, asks))),
    intents: MODEL_INTENTS.map((_, intent) => mean(({ intents }) => intents[intent] ?? 0))
  }
}

/** The last text that was read: whether it asks and what else it says are two questions to the same nets. */
let latest: { readonly own: string; readonly answer: NetAnswer } | null = null

/** What the nets answer in the mean. */
export const netAnswer = (own: string): NetAnswer => {
  if (latest?.own !== own) latest = { own, answer: read(own) }
  return latest.answer
}
