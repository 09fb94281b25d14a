/** Reads the values of a person as files and programs give them: what stands for no value is none. */
import { foreignTagsIn } from "../sequences/foreignTags.js"
import { mergeFieldOf } from "../sequences/mergeFields.js"
import { withoutEntities } from "../text/entities.js"
import { isFailedFormula } from "../text/sheetErrors.js"
import { isPlace, isWordForNothing } from "../text/nothing.js"
import { isRole } from "./roles.js"

/** A value as it was read. */
export interface GivenValue {
  /** Null: there is none. */
  readonly value: string | null
  /** What stood in its place and is no value, as given; null: nothing did. */
  readonly placeholder: string | null
}

/** No letters, digits or signs of their own: dashes, dots and the like. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}_.,;:?!*~#/\\|'"`´^=+<>()[\]{}\p{Pd}…·•]*$/u

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
  /^=\s?[\p{L}("'+?-]/u,
  /^[^\s@]{1,64}@[^\s@]{1,255}\.[^\s@.]{2,63}$/u,
  /^(?:https?:\/\/|www\.|[@/\\])\S/iu,
  /^[a-z\d-]+(?:\.[a-z\d-]+)+$/,
  // What a program made of it: codes for letters, a list's or a text's form, an id.
  /%[\da-f]{2}|\\(?:u[\da-f]{4}|x[\da-f]{2}|[nrt]+$)|&#?\w+;/iu,
  /^[bu]?(['"]).*\1$|^[[(<].*[\])>]$|^\{[^{].*\}$|^\[?["']/su,
  /^#|^[^{}]*[\\=_^]/u,
  // An id, or the name of a profile. "Ann 150" is a name: people who try the service number those whom they invent.
  /\d{6}|^(?=.*\d)[\da-f-]{12,}$/iu,
  /^\p{Ll}+(?:-\p{Ll}+)+-\d+$/u,
  // A letter that was lost, somebody's doubt, a mask, words that go on.
  /[?*\uFFFD]|(?:\.{3}|…)$|^x{2,8}$/iu
]

/** What is around a value, nobody means: white space, controls, and characters without width. */
const EDGES =
  /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+|(?<![\s\p{Cc}\p{Default_Ignorable_Code_Point}])[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+$/gu

const isName = (variable: string): boolean => variable === "first_name" || variable === "last_name"

/** Quotation marks around a name, or left at one end of it. */
const QUOTED = /^"([^"]*)"?$|^([^"]*)"$|^'([^']*)'$|^[“„«]([^“„”«»]*)[”“»]$/u

const unquoted = (text: string): string => {
  const [, ...inner] = QUOTED.exec(text) ?? []
  return inner.find((one) => one !== undefined)?.trim() ?? text
}

/** How people are addressed, and what a mailbox is for: before a name or instead of one, never a first name. */
const ADDRESSED = new Set(
  "mr mrs ms miss mx dr prof sir madam herr frau monsieur mme mlle madame sr sra srta señor señora sig signor signora dott dhr mevr meneer mevrouw fru hr sir/madam mr/mrs customer user guest owner manager".split(
    " "
  )
)

/** What is a mailbox's work and somebody's first name too. */
const NAMES_TOO = new Set(["Dev", "dev", "Test"])

const isAddress = (text: string): boolean => {
  const word = text.toLowerCase().replace(/\.$/, "")
  return ADDRESSED.has(word) || (!NAMES_TOO.has(text) && isRole(word))
}

/** A remark in brackets alone, as exports write it in any language: "(leer)", "[deleted]". */
const REMARK = /^(?:\([^()]*\)|\[[^[\]]*\]|<[^<>]*>)$/u

const standsForNothing = (variable: string, text: string): boolean => {
  if (BLANK.test(text) || isFailedFormula(text)) return true
  const isCustom = variable.startsWith("custom.")
  if (isCustom && isPlace(variable, text)) return false
  if (isWordForNothing(text, !isCustom)) return true
  if (variable === "first_name" && isAddress(text)) return true
  return (isName(variable) && NO_NAME.some((pattern) => pattern.test(text))) || (!isCustom && REMARK.test(text))
}

/** A heading in a cell of its column, as a file whose first line was read twice has it. */
const isItsHeading = (variable: string, text: string): boolean => {
  const field = mergeFieldOf(text)
  if (variable.startsWith("custom.") || field === null) return false
  if (field.variable !== variable) return isName(variable) && field.variable === null
  return field.isSure || field.isForeign || variable === "first_name"
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
  const text = variable.startsWith("custom.") ? trimmed : unquoted(trimmed.replace(/[\s\p{Cc}]+/gu, " "))
  if (text === "") return { value: null, placeholder: null }
  return standsForNothing(variable, text) || isItsHeading(variable, text) || isUnfilledTag(variable, text)
    ? { value: null, placeholder: given.trim() }
    : { value: text, placeholder: null }
}
