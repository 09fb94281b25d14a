import type { Recipient, SequenceStep } from "./Sequence.js"
import { wordingsOf } from "./variants.js"

const VARIABLE = /\{\{([^{}]*)\}\}/g

const NAMES = new Set(["first_name", "last_name", "company_name", "email"])
const CUSTOM = /^custom\.[^|{}]{1,60}$/

export interface Variable {
  readonly name: string
  readonly fallback: string | null
}

const parse = (inside: string): Variable => {
  const bar = inside.indexOf("|")
  return bar < 0
    ? { name: inside.trim(), fallback: null }
    : { name: inside.slice(0, bar).trim(), fallback: inside.slice(bar + 1) }
}

const isKnown = (name: string): boolean => NAMES.has(name) || CUSTOM.test(name)

const variablesOf = (text: string): ReadonlyArray<Variable> =>
  [...text.matchAll(VARIABLE)].map((match) => parse(match[1] ?? ""))

/** The template texts of a sequence: of each step, the subjects and bodies of all its wordings. */
export const textsOf = (sequence: ReadonlyArray<SequenceStep>): ReadonlyArray<string> =>
  sequence.flatMap(wordingsOf).flatMap(({ body, subject }) => (subject === null ? [body] : [subject, body]))

/** Mistakes in a template: variables that no recipient can have, and unclosed ones. */
export const templateMistakes = (text: string): ReadonlyArray<string> => {
  const unknown = variablesOf(text).filter((variable) => !isKnown(variable.name))
  const isUnfinished = text.replace(VARIABLE, "").includes("{{")
  return [
    ...unknown.map(
      ({ name }) =>
        `contains the unknown variable {{${name}}}; use first_name, last_name, company_name, email or custom.<name>`
    ),
    ...(isUnfinished ? ["contains a {{ without a variable; write {{name}} or {{name|fallback}}"] : [])
  ]
}

const valueOf = (recipient: Recipient, name: string): string => {
  switch (name) {
    case "first_name":
      return recipient.firstName ?? ""
    case "last_name":
      return recipient.lastName ?? ""
    case "company_name":
      return recipient.companyName ?? ""
    case "email":
      return recipient.email
    default: {
      const field = name.slice("custom.".length)
      // The record comes from a caller's JSON and inherits members such as `constructor`.
      return Object.hasOwn(recipient.custom, field) ? (recipient.custom[field] ?? "") : ""
    }
  }
}

/** The variables without a fallback, which need a value. Computed once per campaign. */
export const requiredVariables = (sequence: ReadonlyArray<SequenceStep>): ReadonlyArray<string> => [
  ...new Set(
    textsOf(sequence).flatMap((text) =>
      variablesOf(text).flatMap((variable) => (variable.fallback === null ? [variable.name] : []))
    )
  )
]

/** The sequence's variables with their fallbacks, each pair once, in order. */
export const variablesIn = (sequence: ReadonlyArray<SequenceStep>): ReadonlyArray<Variable> => {
  const found = textsOf(sequence).flatMap(variablesOf)
  return [...new Map(found.map((variable) => [JSON.stringify([variable.name, variable.fallback]), variable])).values()]
}

/** The recipient's own value; null: the fallback stands in its place. */
export const ownValue = (recipient: Recipient, name: string): string | null => {
  const value = valueOf(recipient, name)
  return value.trim() === "" ? null : value
}

/** Whether the recipient has a value for each variable. */
export const hasValues = (recipient: Recipient, required: ReadonlyArray<string>): boolean =>
  required.every((name) => valueOf(recipient, name).trim() !== "")

/** Literal text or a variable. */
export type TemplatePiece = string | Variable

/** Splits the text into pieces, none of them empty. */
export const piecesOf = (text: string): ReadonlyArray<TemplatePiece> => {
  const pieces: Array<TemplatePiece> = []
  let at = 0
  for (const match of text.matchAll(VARIABLE)) {
    if (match.index > at) pieces.push(text.slice(at, match.index))
    pieces.push(parse(match[1] ?? ""))
    at = match.index + match[0].length
  }
  return at < text.length ? [...pieces, text.slice(at)] : pieces
}

/** The recipient's value, else the fallback. */
export const filledIn = (variable: Variable, recipient: Recipient): string =>
  ownValue(recipient, variable.name) ?? variable.fallback ?? ""

/** A piece of a merged text, and the variable that it comes from; null: it is the template's own. */
export interface MergedPiece {
  readonly text: string
  readonly variable: Variable | null
}

/** The merged text in pieces. Values are plain text: variables in them are not expanded. */
export const mergedPieces = (text: string, recipient: Recipient): ReadonlyArray<MergedPiece> =>
  piecesOf(text).map((piece) =>
    typeof piece === "string" ? { text: piece, variable: null } : { text: filledIn(piece, recipient), variable: piece }
  )

/** Fills in the variables. */
export const render = (text: string, recipient: Recipient): string =>
  mergedPieces(text, recipient)
    .map((piece) => piece.text)
    .join("")

/** The text on one line, as a message header needs it. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()

/** Fills in the subject's variables, on one line whatever the values hold. */
export const renderSubject = (subject: string, recipient: Recipient): string => oneLine(render(subject, recipient))
