/** Reads the values of a person as files and programs give them: what stands for no value is none. */
import { foreignTagsIn } from "../sequences/foreignTags.js"
import { mergeFieldOf } from "../sequences/mergeFields.js"
import { withoutEntities } from "../text/entities.js"

/** A value as it was read. */
export interface GivenValue {
  /** Null: there is none. */
  readonly value: string | null
  /** What stood in its place and is no value, as given; null: nothing did. */
  readonly placeholder: string | null
}

/** No letters, digits or signs of their own: dashes, dots and the like. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}_.,;:?!*~#/\\|'"`´^=+<>()[\]{}\p{Pd}…·•]*$/u

/** What spreadsheets write for a formula that failed, in any language: `#N/A`, `#REF!`, `#NAME?`, `#¡VALOR!`. */
const SHEET_ERROR = /^#(?:[¡¿]?[\p{Lu}\d_/ ]{2,20}[!?]|N\/?[AVD]|N\/DISP|GETTING_DATA|ERROR)$/u

/** What programs and people write for "nothing", without the brackets and dots around it. */
const NOTHING = new Set(
  [
    "null, undefined, nan, nil, none, na, n/a, n / a, n.a, n/d, n/v, k.a, k. a, keine angabe, nv, tbd, tba, tbc, todo, to do",
    "unknown, not available, not applicable, not provided, not specified, not set, no data, no value, no name, noname",
    "missing, empty, blank, unbekannt, inconnu, desconocido, desconhecido, sconosciuto, onbekend, nieznany, okand",
    "to be determined, to be announced, to be confirmed, placeholder, invalid date, object object, #ref, #value, \\n"
  ].flatMap((line) => line.split(",").map((word) => word.trim()))
)

/** Of them, those that are somebody's name where they are written as names are: Christopher Null, Nan Goldin. */
const NAMES_TOO = new Set(["Null", "Nan", "Nil", "Na", "Nv", "Tba", "Blank", "Todo"])

const MONTH =
  "(?:jan|feb|f[eé]v|mar|m[aä]r|mrt|a[pv]r|ma[iyj]|jun|jui|jul|aug|ago|ao[uû]|sep|o[ck]t|out|nov|d[eé][cz]|dic)"

/** What a spreadsheet makes of a name, or holds in a column that is taken for one: nobody is called so. */
const NO_NAME: ReadonlyArray<RegExp> = [
  // Numbers, dates, times and telephone numbers.
  /^\P{L}*\d\P{L}*$/u,
  /^[+-]?\d{1,20}(?:[.,]\d{1,20})?E[+-]?\d{1,4}$/iu,
  /^\d{4}-\d{2}-\d{2}T[\d:.+Z-]*$/u,
  new RegExp(`^\\d{1,2}[-./ ]{1,2}${MONTH}\\p{L}{0,8}\\.?(?:[-./ ]\\d{2,4})?$`, "iu"),
  new RegExp(`^${MONTH}\\p{L}{0,8}[-./ ]\\d{2,4}$`, "iu"),
  /^(?:TRUE|FALSE|WAHR|FALSCH|VRAI|FAUX|VERDADERO|VERO|FALSO)$/u,
  /^=\s?[\p{L}("'+-]/u,
  /^[^\s@]{1,64}@[^\s@]{1,255}\.[^\s@.]{2,63}$/u,
  /^(?:https?:\/\/|www\.)\S/iu
]

/** "NA" in such a custom value is North America, or Namibia. */
const OF_PLACES = /region|country|state|market|territory|code|land|area|zone/iu

/** What is at an end begins where its run does, so that each run is read once. */
const AROUND = /^[\s<([{"'`]+|(?<![\s>)\]}"'`.!])[\s>)\]}"'`.!]+$/gu

/** What is around a value, nobody means: white space, controls, and characters without width. */
const EDGES =
  /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+|(?<![\s\p{Cc}\p{Default_Ignorable_Code_Point}])[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+$/gu

const isName = (variable: string): boolean => variable === "first_name" || variable === "last_name"

const standsForNothing = (variable: string, text: string): boolean => {
  if (BLANK.test(text) || SHEET_ERROR.test(text)) return true
  if (isName(variable) && NAMES_TOO.has(text)) return false
  if (isName(variable) && NO_NAME.some((pattern) => pattern.test(text))) return true
  const word = text.replace(AROUND, "").toLowerCase()
  if (word === "na" && variable.startsWith("custom.") && OF_PLACES.test(variable)) return false
  return NOTHING.has(word)
}

/** A heading in a cell of its column, as a file whose first line was read twice has it. */
const isItsHeading = (variable: string, text: string): boolean => {
  const field = mergeFieldOf(text)
  return !variable.startsWith("custom.") && field !== null && field.isSure && field.variable === variable
}

/**
 * A tag that another program should have filled in: one of another system's, or the value's own name in braces. Other
 * names of ours in a value are text, as values are.
 */
const isUnfilledTag = (variable: string, text: string): boolean =>
  foreignTagsIn(text).length > 0 ||
  [...text.matchAll(/\{\{([^{}|]{1,100})[^{}]*\}\}/g)].some(
    ([, name = ""]) => mergeFieldOf(name)?.variable === variable
  )

/**
 * A person's value under the name of its variable. HTML entities are the characters they stand for; edges are trimmed,
 * and a name or company stands on one line with single spaces.
 */
export const givenValue = (variable: string, given: string | null | undefined): GivenValue => {
  if (given === null || given === undefined) return { value: null, placeholder: null }
  const decoded = withoutEntities(given)
  const trimmed = decoded.replace(EDGES, "")
  const text = variable.startsWith("custom.") ? trimmed : trimmed.replace(/[\s\p{Cc}]+/gu, " ")
  if (text === "") return { value: null, placeholder: null }
  return standsForNothing(variable, text) || isItsHeading(variable, text) || isUnfilledTag(variable, text)
    ? { value: null, placeholder: given.trim() }
    : { value: text, placeholder: null }
}
