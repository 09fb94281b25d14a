import type { Recipient, SequenceStep } from "./Sequence.js"
import { fallbackMistake, foreignTagsIn, markupIn, VARIABLE_MARK } from "./foreignTags.js"
import { mergeFieldOf } from "./mergeFields.js"
import { placeholdersIn } from "./placeholders.js"
import { wordingsOf } from "./variants.js"

const VARIABLE = /\{\{([^{}]*)\}\}/g

const NAMES = new Set(["first_name", "last_name", "company_name", "email"])
const CUSTOM = /^custom\.[^|{}]{1,60}$/

export interface Variable {
  readonly name: string
  readonly fallback: string | null
  /** A space that belongs to it: where its empty fallback stands, the space before or after it goes too. */
  readonly before?: " "
  readonly after?: " "
}

/** Pasted names bring characters along that nobody sees. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

/** Spaces around a name and a fallback are layout. An empty fallback is one: nothing stands in the value's place. */
const parse = (inside: string): Variable => {
  const bar = inside.indexOf("|")
  const name = (bar < 0 ? inside : inside.slice(0, bar)).replace(UNSEEN, "").trim()
  return { name, fallback: bar < 0 ? null : inside.slice(bar + 1).trim() }
}

const isKnown = (name: string): boolean => NAMES.has(name) || CUSTOM.test(name)

const variablesOf = (text: string): ReadonlyArray<Variable> =>
  [...text.matchAll(VARIABLE)].map((match) => parse(match[1] ?? ""))

/** The template texts of a sequence: of each step, the subjects and bodies of all its wordings. */
export const textsOf = (sequence: ReadonlyArray<SequenceStep>): ReadonlyArray<string> =>
  sequence.flatMap(wordingsOf).flatMap(({ body, subject }) => (subject === null ? [body] : [subject, body]))

const CHOICES = "use first_name, last_name, company_name, email or custom.<name>"

const unknownMistake = (name: string): string => {
  const meant = mergeFieldOf(name)?.variable ?? null
  return `contains the unknown variable {{${name}}}; ${meant === null || meant === name ? CHOICES : `write {{${meant}}}`}`
}

const tagMistakes = (text: string): ReadonlyArray<string> => {
  const markup = markupIn(text)
  return [
    ...(markup === null ? [] : [`contains ${markup}, which would be read as it stands; messages are plain text`]),
    ...foreignTagsIn(text).map(({ remedy, tag }) => `contains ${tag}, which would be sent as it stands; ${remedy}`)
  ]
}

/**
 * Mistakes in a template: variables that no recipient can have, unclosed ones, fallbacks that hold more than their text,
 * and tags of other systems, which nobody would fill in.
 */
export const templateMistakes = (text: string): ReadonlyArray<string> => {
  const variables = variablesOf(text)
  const unknown = variables.filter((variable) => !isKnown(variable.name))
  const rest = text.replace(VARIABLE, VARIABLE_MARK)
  return [
    ...unknown.map(({ name }) => unknownMistake(name)),
    ...variables.flatMap(({ fallback, name }) => {
      if (fallback === null || !isKnown(name)) return []
      const mistake = fallbackMistake(name, fallback)
      return mistake === null ? tagMistakes(fallback) : [`contains {{${name}|${fallback}}}: ${mistake}`]
    }),
    ...(/\{\uFFFC|\uFFFC\}/u.test(rest) ? ["contains a variable in more than two braces; write {{name}}"] : []),
    ...(rest.includes("{{") ? ["contains a {{ without a variable; write {{name}} or {{name|fallback}}"] : []),
    ...tagMistakes(rest),
    ...placeholdersIn(rest).map(
      (found) => `contains "${found}", which would be sent as it stands; write what belongs there`
    )
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

/** Literal text or a variable. */
export type TemplatePiece = string | Variable

const ENDS = /^(?:[\s,.;:!?)]|$)/u

/** Whether the space before or after a place would stand alone if nothing stood there. `before`: "\n" at the start. */
const strayOf = (before: string, after: string): Pick<Variable, "before" | "after"> =>
  before === " " && ENDS.test(after) ? { before: " " } : before === "\n" && after === " " ? { after: " " } : {}

/** Splits the text into pieces, none of them empty. */
export const piecesOf = (text: string): ReadonlyArray<TemplatePiece> => {
  const pieces: Array<TemplatePiece> = []
  let at = 0
  for (const match of text.matchAll(VARIABLE)) {
    const variable = parse(match[1] ?? "")
    const end = match.index + match[0].length
    const before = match.index === 0 ? "\n" : text.slice(Math.max(at, match.index - 1), match.index)
    const stray = variable.fallback === "" ? strayOf(before, text.slice(end, end + 1)) : {}
    const until = match.index - (stray.before ?? "").length
    if (until > at) pieces.push(text.slice(at, until))
    pieces.push({ ...variable, ...stray })
    at = end + (stray.after ?? "").length
  }
  return at < text.length ? [...pieces, text.slice(at)] : pieces
}

/** The recipient's value, else the fallback. */
export const filledIn = (variable: Variable, recipient: Recipient): string => {
  const own = ownValue(recipient, variable.name)
  return own === null ? (variable.fallback ?? "") : `${variable.before ?? ""}${own}${variable.after ?? ""}`
}

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
