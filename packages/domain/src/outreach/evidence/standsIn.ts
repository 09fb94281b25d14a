import { isDoubt } from "./doubts.js"
import { partsOf, type Worded, wordsOf } from "./words.js"

/** A text in which excerpts are looked for, prepared once. */
export interface Source {
  readonly worded: Worded
  /** Its words with a space around each, and where each begins in that. */
  readonly line: string
  readonly starts: ReadonlyArray<number>
}

export const sourceOf = (text: string): Source => {
  const worded = wordsOf(text)
  const starts: Array<number> = []
  let line = " "
  for (const { text: word } of worded.words) {
    starts.push(line.length - 1)
    line += `${word} `
  }
  return { worded, line, starts }
}

/** Whether the words stand in the source, and whether the sentence before them takes them back. */
export type Standing = "absent" | "stands" | "out_of_context"

/** Most words that may be left out between two parts of an excerpt. */
const LEFT_OUT_MAX = 300

/** How far before an excerpt a word can deny it. */
const REACH = 8

const indexOfWord = (starts: ReadonlyArray<number>, at: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** A sentence, or a clause of one, ends in the text between two words. */
const ENDS = /[.!?;:,\n\r"“”„()[\]{}|•]/u

/** The words of the same clause before a place of the source, the nearest last. */
const before = ({ worded: { text, words } }: Source, index: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = index - 1; at >= 0 && found.length < REACH; at--) {
    const word = words[at]
    const next = words[at + 1]
    if (word === undefined || next === undefined || ENDS.test(text.slice(word.at + word.text.length, next.at))) break
    found.unshift(word.text)
  }
  return found
}

interface Place {
  readonly from: number
  readonly to: number
}

/** The places of one part, at most some, from a place of the line on. */
const placesOf = ({ line, starts }: Source, part: Worded, from: number, most: number): ReadonlyArray<Place> => {
  const wanted = ` ${part.words.map(({ text }) => text).join(" ")} `
  const found: Array<Place> = []
  for (let at = line.indexOf(wanted, from); at >= 0 && found.length < most; at = line.indexOf(wanted, at + 1)) {
    const first = indexOfWord(starts, at)
    found.push({ from: first, to: first + part.words.length })
  }
  return found
}

const PLACES_MAX = 50

/**
 * Looks for an excerpt. Its words stand in the source one after the other; where it says that words were left out ("…"),
 * its parts stand near each other in their order. If a sentence of the source denies or doubts the words just before them
 * ("did not", "plans to"), they are out of context, unless they stand elsewhere without that.
 */
export const standsIn = (source: Source, excerpt: string): Standing => {
  const [first, ...others] = partsOf(excerpt)
  if (first === undefined) return "absent"
  let isDoubted = false
  for (const place of placesOf(source, first, 0, PLACES_MAX)) {
    let at = place
    const isWhole = others.every((part) => {
      const next = placesOf(source, part, source.starts[at.to] ?? source.line.length, 1)[0]
      if (next === undefined || next.from - at.to > LEFT_OUT_MAX) return false
      at = next
      return true
    })
    if (!isWhole) continue
    if (!before(source, place.from).some(isDoubt)) return "stands"
    isDoubted = true
  }
  return isDoubted ? "out_of_context" : "absent"
}
