import { monthOf } from "../meaning/months.js"
import { sentencesOf, wordsOf } from "./words.js"

/** Verbs and nouns of what one company does to another; turned round, they say something else. */
const DEEDS =
  /^(?:acquir(?:e|es|ed|ing)|acquisition|b(?:uy|uys|ought|uying)|takeover|merg(?:e|es|ed)|invest(?:s|ed|ing|ment)?|su(?:es|ed|ing)|beat(?:s|en)?|replac(?:e|es|ed|ing)|us(?:es|ed|ing)|hir(?:es|ed)|selects?|selected|chooses?|chose|ubernimmt|ubernahme|ubernommen|kauft|gekauft|rachete|rachat|compra|adquiere)$/
const BY = new Set("by durch par por da door".split(" "))
/** "Die Übernahme von Acme" names whom, as "the acquisition of Acme" does. */
const OF = new Set("of von de van".split(" "))

interface Deed {
  readonly doer: ReadonlySet<string>
  readonly other: ReadonlySet<string>
}

/** A name's words: those with a capital, on one side of a word. */
const namesOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*/gu)]
      .flatMap((match) => wordsOf(match[0]).words.map((word) => word.text))
      .filter((word) => monthOf(word, false) === null)
  )

const NOBODY: ReadonlySet<string> = new Set()

/** Who did it to whom, as far as the words around the deed tell. */
const deedOf = (text: string): Deed | null => {
  const tokens = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)]
  const form = (at: number): string => wordsOf(tokens[at]?.[0] ?? "").words[0]?.text ?? ""
  const at = tokens.findIndex((_token, index) => DEEDS.test(form(index)))
  const token = tokens[at]
  if (token === undefined) return null
  const left = namesOf(text.slice(0, token.index))
  const right = text.slice(token.index + token[0].length)
  const next = [form(at + 1), form(at + 2)]
  if (next.some((word) => BY.has(word))) {
    const by = tokens.slice(at + 1, at + 3).find((one) => BY.has(wordsOf(one[0]).words[0]?.text ?? ""))
    return { doer: namesOf(by === undefined ? right : text.slice(by.index)), other: left }
  }
  // "The acquisition of Acme by Umbrella"
  if (OF.has(next[0] ?? "")) {
    const [whom = "", doer = ""] = right.split(/\s(?:by|durch|par|por|door)\s/iu)
    return { doer: doer === "" ? NOBODY : namesOf(doer), other: namesOf(whom) }
  }
  const isPassive = /\b(?:was|were|been|being|got|wurde|wurden|est|fue)\s+$/iu.test(text.slice(0, token.index))
  return isPassive ? { doer: NOBODY, other: left } : { doer: left, other: namesOf(right) }
}

/** "Takes over" is one deed. */
const oneWord = (text: string): string => text.replace(/\b(?:tak(?:e|es|ing|en)|took)\s+over\b/giu, "acquires")

const isOnly = (names: ReadonlySet<string>, side: ReadonlySet<string>, opposite: ReadonlySet<string>): boolean =>
  [...names].some((name) => opposite.has(name) && !side.has(name))

/** Whether the value says that the one did it to the other, and its excerpt the other way round. */
export const isTurnedRound = (value: string, excerpt: string): boolean => {
  const said = deedOf(oneWord(value))
  if (said === null) return false
  return sentencesOf(oneWord(excerpt)).some((sentence) => {
    const was = deedOf(sentence)
    return was !== null && (isOnly(said.doer, was.doer, was.other) || isOnly(said.other, was.other, was.doer))
  })
}
