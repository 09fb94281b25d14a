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
  netShareOf,
  passOf
} from "@outbound/domain/outreach/meaning/model/requestNet.js"
import { quantised } from "./Learning.js"
import { type Example, randomFrom } from "./Patterns.js"

const HOW = {
  rounds: 2,
  rate: 0.002,
  /** Texts between two changes of the weights. */
  together: 16,
  /** How many words are hidden, so that what they do is learnt as well. */
  hides: 0.1,
  /** How many hidden numbers don't count, so that none of them decides alone. */
  drops: 0.2,
  decay: 1e-5,
  seeds: [1, 2, 3]
} as const

/** How large each part's first numbers are. */
const SPREAD: ReadonlyArray<number> = [0.3, 0.2, 0.15, 0, 0.15, 0, 0.3, 0]

const LOOKS = NET_SPANS.length * NET_LOOKS
const LEAK = 0.01
const SLOPE_MIN = 1e-4

/** How long slopes, and their squares, are remembered (Adam). */
const SLOPES_KEEP = 0.9
const SQUARES_KEEP = 0.999

interface Lesson {
  readonly row: ReadonlyArray<ReadonlyArray<number>>
  readonly truth: number
  readonly weight: number
}

/** A part's numbers, the slopes of the texts since the last change, and what slopes were before. */
interface Part {
  readonly values: Float32Array
  readonly slopes: Float32Array
  readonly means: Float32Array
  readonly squares: Float32Array
}

const add = (into: Float32Array, at: number, value: number): void => {
  into[at] = (into[at] ?? 0) + value
}

/** Changes numbers against their slopes, the more the steadier these are (Adam). */
const change = ({ means, slopes, squares, values }: Part, from: number, to: number, rate: number): void => {
  for (let at = from; at < to; at++) {
    const value = values[at] ?? 0
    const slope = (slopes[at] ?? 0) / HOW.together + HOW.decay * value
    const mean = SLOPES_KEEP * (means[at] ?? 0) + (1 - SLOPES_KEEP) * slope
    const square = SQUARES_KEEP * (squares[at] ?? 0) + (1 - SQUARES_KEEP) * slope * slope
    means[at] = mean
    squares[at] = square
    values[at] = value - (rate * mean) / (Math.sqrt(square) + 1e-7)
    slopes[at] = 0
  }
}

const shuffle = (order: Array<number>, random: () => number): void => {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const kept = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = kept
  }
}

const learnNet = (lessons: ReadonlyArray<Lesson>, seed: number): ReadonlyArray<Float32Array> => {
  const random = randomFrom(seed)
  const parts = NET_SIZES.map((size, index): Part => {
    const values = Float32Array.from({ length: size }, () => (2 * random() - 1) * (SPREAD[index] ?? 0))
    const [slopes, means, squares] = [new Float32Array(size), new Float32Array(size), new Float32Array(size)]
    return { values, slopes, means, squares }
  })
  const [entries, three, five, looksFrom, hidden, hiddenFrom, last, lastFrom] = parts
  if (!entries || !three || !five || !looksFrom || !hidden || !hiddenFrom || !last || !lastFrom)
    throw new Error("A part of the net is missing")
  const dense = parts.slice(1)
  const net = netOf(
    entries.values,
    1,
    dense.map(({ values }) => values)
  )
  const order = lessons.map((_, at) => at)
  const touched = new Set<number>()
  let changes = 0
  const apply = (rate: number): void => {
    changes += 1
    const evened = (rate * Math.sqrt(1 - SQUARES_KEEP ** changes)) / (1 - SLOPES_KEEP ** changes)
    for (const entry of touched) change(entries, entry * NET_WIDTH, (entry + 1) * NET_WIDTH, evened)
    for (const part of dense) change(part, 0, part.values.length, evened)
    touched.clear()
  }
  const counts = new Float64Array(NET_HIDDEN)
  const slopesFound = new Float64Array(LOOKS)

  const learnFrom = ({ row: whole, truth, weight }: Lesson): void => {
    const row = whole.map((said) => (random() < HOW.hides ? said.filter((entry) => entry < NET_WORDS_FROM) : said))
    for (let unit = 0; unit < NET_HIDDEN; unit++) counts[unit] = random() < HOW.drops ? 0 : 1 / (1 - HOW.drops)
    const pass = passOf(net, row, counts)
    const wrong = weight * (1 / (1 + Math.exp(-pass.answer)) - truth)
    if (Math.abs(wrong) < SLOPE_MIN) return
    add(lastFrom.slopes, 0, wrong)
    slopesFound.fill(0)
    for (let unit = 0; unit < NET_HIDDEN; unit++) {
      const count = counts[unit] ?? 0
      if (count === 0) continue
      const made = pass.made[unit] ?? 0
      add(last.slopes, unit, wrong * made * count)
      const slope = wrong * (last.values[unit] ?? 0) * count * (made > 0 ? 1 : LEAK)
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
      const share = netShareOf(said)
      for (const entry of said) {
        touched.add(entry)
        for (let at = 0; at < NET_WIDTH; at++)
          add(entries.slopes, entry * NET_WIDTH + at, share * (slopesOfWords[from + at] ?? 0))
      }
    })
  }

  const all = HOW.rounds * order.length
  for (let round = 0; round < HOW.rounds; round++) {
    shuffle(order, random)
    order.forEach((index, at) => {
      const lesson = lessons[index]
      if (lesson !== undefined) learnFrom(lesson)
      const done = round * order.length + at + 1
      if (done % HOW.together === 0 || done === all) apply(HOW.rate * (1.02 - done / all))
    })
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
