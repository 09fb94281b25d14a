/**
 * The training set of replies (`docs/corpora/replies/training`). A file is a language; a heading (`# meeting`) is an
 * intent; a line is a pattern of many texts, where `{a|b|c}` is one of its alternatives.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { INTENTS, type LabelledText, type ReadIntent } from "./Corpus.js"

export interface Pattern {
  readonly language: string
  readonly intent: ReadIntent
  readonly line: string
}

export interface Example {
  /** The number of its pattern: texts of one pattern are alike, so they are learnt from together or not at all. */
  readonly pattern: number
  readonly language: string
  readonly intent: ReadIntent
  /** The intent says only that this is no request to stop, not what else it is. */
  readonly isOnlyNoRequest?: true
  readonly text: string
}

/** A generator of numbers from 0 to 1 (mulberry32), the same for the same seed. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <A>(from: ReadonlyArray<A>, random: () => number): A => {
  const found = from[Math.floor(random() * from.length)]
  if (found === undefined) throw new Error("There is nothing to pick from")
  return found
}

const isIntent = (name: string): name is ReadIntent => INTENTS.some((intent) => intent === name)

/** The lines of a folder's files, below their headings, in the order of the files' names. */
const linesOf = (folder: string): ReadonlyArray<Pattern> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .toSorted()
    .flatMap((name) => {
      const language = name.replace(".txt", "")
      const patterns: Array<Pattern> = []
      let intent: ReadIntent | null = null
      for (const line of readFileSync(join(folder, name), "utf8").split("\n")) {
        if (line.startsWith("# ")) {
          const heading = line.slice(2).trim()
          if (!isIntent(heading)) throw new Error(`${name} names an unknown intent: ${heading}`)
          intent = heading
        } else if (line.trim() !== "") {
          if (intent === null) throw new Error(`${name} has a text above its first heading`)
          patterns.push({ language, intent, line })
        }
      }
      return patterns
    })

export const readPatterns = (docs: string): ReadonlyArray<Pattern> => linesOf(join(docs, "corpora/replies/training"))

/** The whole answers (`docs/corpora/replies/answers`): the same form, and no line has an alternative. */
export const readAnswers = (docs: string): ReadonlyArray<Pattern> => linesOf(join(docs, "corpora/replies/answers"))

/** Later answers (`docs/corpora/replies/later`), of the same form. Nothing learns from them. */
export const readLater = (docs: string): ReadonlyArray<LabelledText> =>
  linesOf(join(docs, "corpora/replies/later")).map(({ intent, language, line }, at) => ({
    id: `later-${at + 1}`,
    language,
    from_email: "pat@reader.example",
    text: line.replace(/\\n/g, "\n"),
    intent,
    part: "later-held-out"
  }))

const CHOICE = /\{([^{}]*)\}/g

/** How many texts a pattern can give. */
export const breadthOf = ({ line }: Pattern): number =>
  [...line.matchAll(CHOICE)].reduce((product, [, inner = ""]) => product * inner.split("|").length, 1)

const textOf = (line: string, random: () => number): string =>
  line
    .replace(CHOICE, (_, inner: string) => pick(inner.split("|"), random))
    .replace(/\\n/g, "\n")
    .replace(/ {2,}/g, " ")
    .replace(/ ([.,;!])/g, "$1")
    .trim()

/** Up to `max` different texts of each pattern. */
export const expand = (patterns: ReadonlyArray<Pattern>, max: number, seed: number): ReadonlyArray<Example> => {
  const random = randomFrom(seed)
  return patterns.flatMap(({ intent, language, line }, pattern) => {
    const texts = new Set<string>()
    for (let tries = 0; tries < 2 * max && texts.size < max; tries++) {
      const text = textOf(line, random)
      if (text !== "") texts.add(text)
    }
    return Array.from(texts, (text) => ({ pattern, language, intent, text }))
  })
}
