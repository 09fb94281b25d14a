/** Trains the nets that read requests to stop (`packages/domain/src/outreach/meaning/model/requestNet.ts`), and the file they become. */
import {
  NET_EDGE,
  NET_HIDDEN,
  NET_LOOKS,
  NET_SIZES,
  NET_SPANS,
  NET_WIDTH,
  NET_WORDS_FROM,
  netOf,
  netRowOf,
  passOf
} from "@outbound/domain/outreach/meaning/model/requestNet.js"
import { quantised } from "./Learning.js"
import { type Example, randomFrom } from "./Patterns.js"

const HOW = {
  rounds: 2,
  rate: 0.01,
  /** Texts between two changes of the weights. */
  together: 16,
  /** How many words are hidden, so that what they do is learnt as well. */
  hides: 0.1,
  decay: 1e-5,
  seeds: [1, 2]
} as const

/** How large each part's first numbers are. */
const SPREAD: ReadonlyArray<number> = [0.3, 0.2, 0.15, 0, 0.15, 0, 0.3, 0]

const LOOKS = NET_SPANS.length * NET_LOOKS
const LEAK = 0.01
const SLOPE_MIN = 1e-4

interface Lesson {
  readonly row: ReadonlyArray<ReadonlyArray<number>>
  readonly truth: number
  readonly weight: number
}

/** A part's numbers, the slopes of the texts since the last change, and how large slopes were. */
interface Part {
  readonly values: Float32Array
  readonly slopes: Float32Array
  readonly squares: Float32Array
}

const add = (into: Float32Array, at: number, value: number): void => {
  into[at] = (into[at] ?? 0) + value
}

/** Changes numbers against their slopes, the more the rarer large ones are (RMSProp). */
const change = (part: Part, from: number, to: number, rate: number, count: number, memory: number): void => {
  const { slopes, squares, values } = part
  for (let at = from; at < to; at++) {
    const slope = (slopes[at] ?? 0) / count + HOW.decay * (values[at] ?? 0)
    const square = (squares[at] ?? 0) * memory + (1 - memory) * slope * slope
    squares[at] = square
    values[at] = (values[at] ?? 0) - (rate * slope) / (Math.sqrt(square) + 1e-5)
    slopes[at] = 0
  }
}

const learnNet = (lessons: ReadonlyArray<Lesson>, seed: number): ReadonlyArray<Float32Array> => {
  const random = randomFrom(seed)
  const parts = NET_SIZES.map((size, index): Part => {
    const values = Float32Array.from({ length: size }, () => (2 * random() - 1) * (SPREAD[index] ?? 0))
    return { values, slopes: new Float32Array(size), squares: new Float32Array(size).fill(1e-4) }
  })
  const net = netOf(parts.map(({ values }) => values))
  const [entries, three, five, looksFrom, hidden, hiddenFrom, last, lastFrom] = parts
  if (!entries || !three || !five || !looksFrom || !hidden || !hiddenFrom || !last || !lastFrom)
    throw new Error("A part of the net is missing")
  const order = lessons.map((_, at) => at)
  const touched = new Set<number>()
  let count = 0
  const apply = (rate: number): void => {
    for (const entry of touched) change(entries, entry * NET_WIDTH, (entry + 1) * NET_WIDTH, rate, count, 0.99)
    for (const part of parts.slice(1)) change(part, 0, part.values.length, rate, count, 0.999)
    touched.clear()
    count = 0
  }
  const slopesFound = new Float64Array(LOOKS)
  for (let round = 0; round < HOW.rounds; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      const kept = order[at] ?? 0
      order[at] = order[other] ?? 0
      order[other] = kept
    }
    const rate = HOW.rate * (1 - round / HOW.rounds + 0.05)
    for (const index of order) {
      const lesson = lessons[index]
      if (lesson === undefined) continue
      const row = lesson.row.map((said) => said.filter((entry) => entry < NET_WORDS_FROM || random() >= HOW.hides))
      const pass = passOf(net, row)
      const wrong = lesson.weight * (1 / (1 + Math.exp(-pass.answer)) - lesson.truth)
      if (Math.abs(wrong) > SLOPE_MIN) {
        add(lastFrom.slopes, 0, wrong)
        slopesFound.fill(0)
        for (let unit = 0; unit < NET_HIDDEN; unit++) {
          const made = pass.made[unit] ?? 0
          add(last.slopes, unit, wrong * made)
          const slope = wrong * (last.values[unit] ?? 0) * (made > 0 ? 1 : LEAK)
          add(hiddenFrom.slopes, unit, slope)
          for (let look = 0; look < LOOKS; look++) {
            add(hidden.slopes, unit * LOOKS + look, slope * (pass.found[look] ?? 0))
            slopesFound[look] = (slopesFound[look] ?? 0) + slope * (hidden.values[unit * LOOKS + look] ?? 0)
          }
        }
        const slopesOfWords = new Float32Array(pass.words.length)
        for (let look = 0; look < LOOKS; look++) {
          const found = pass.found[look] ?? 0
          const slope = (slopesFound[look] ?? 0) * (1 - found * found)
          add(looksFrom.slopes, look, slope)
          const kind = Math.floor(look / NET_LOOKS)
          const of = kind === 0 ? three : five
          const size = (NET_SPANS[kind] ?? 0) * NET_WIDTH
          const begins = (look % NET_LOOKS) * size
          const from = pass.where[look] ?? 0
          for (let at = 0; at < size; at++) {
            add(of.slopes, begins + at, slope * (pass.words[from + at] ?? 0))
            add(slopesOfWords, from + at, slope * (of.values[begins + at] ?? 0))
          }
        }
        row.forEach((said, place) => {
          const from = (place + NET_EDGE) * NET_WIDTH
          for (const entry of said) {
            touched.add(entry)
            for (let at = 0; at < NET_WIDTH; at++)
              add(entries.slopes, entry * NET_WIDTH + at, slopesOfWords[from + at] ?? 0)
          }
        })
      }
      count += 1
      if (count === HOW.together) apply(rate)
    }
    if (count > 0) apply(rate)
  }
  return parts.map(({ values }) => values)
}

/** Learns the nets, which begin with other numbers each: what one mistakes the other seldom does. */
export const learnNets = (
  examples: ReadonlyArray<Example>,
  seeds: ReadonlyArray<number> = HOW.seeds
): ReadonlyArray<ReadonlyArray<Float32Array>> => {
  const asking = examples.filter(({ intent }) => intent === "unsubscribe").length
  const lessons = examples.map(({ intent, text }): Lesson => {
    const asks = intent === "unsubscribe"
    return {
      row: netRowOf(text),
      truth: asks ? 1 : 0,
      weight: examples.length / 2 / (asks ? asking : examples.length - asking)
    }
  })
  return seeds.map((seed) => learnNet(lessons, seed))
}

export const netFileOf = (nets: ReadonlyArray<ReadonlyArray<Float32Array>>, digest: string): string => {
  const parts = nets.map((of) => of.map((part) => quantised(Float64Array.from(part))))
  const scales = parts.map((of) => of.map(({ scale }) => Number(scale.toPrecision(6))))
  const bytes = parts.flatMap((of) => of.map((part) => part.bytes))
  return `/**
 * The weights of the nets that read requests to stop. Generated by \`npm run bench -- train\` from \`docs/corpora/replies\`;
 * don't edit them. One signed byte a number, part by part, as base64.
 */

/** A digest of what they were learnt from. */
export const NETS_LEARNT_FROM = "${digest}"

/** What a byte of 1 is worth, in each part of each net. */
export const NET_SCALES: ReadonlyArray<ReadonlyArray<number>> = ${JSON.stringify(scales)}

export const NET_WEIGHTS: string =
  "${Buffer.concat(bytes.map((of) => Buffer.from(of.buffer))).toString("base64")}"
`
}
