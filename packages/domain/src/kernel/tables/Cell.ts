/** What spreadsheets do to a cell, and what we do to cells for their sake: both undone by the reader. */

/** A cell that a spreadsheet takes for a formula, in every width that these signs are written in. */
const FORMULA = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

/** Numbers, dates and phone numbers begin with a sign too, and no formula consists of digits and spaces. */
const NUMBER = /^[+-]?\d[\d ]*(?:[.,]\d+)*%?$/

/** What a mark stands before: a formula, a number that somebody keeps as text, or such a mark that was there already. */
const MARKABLE = /^'+(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[+\d][\d\s()./-]*$)/

/** Marks a would-be formula as text, because a stranger may have written it. */
export const marked = (text: string): string => {
  const value = trimmed(text)
  if (value === "") return text
  return (FORMULA.test(value) && !NUMBER.test(value)) || MARKABLE.test(value) ? `'${value}` : text
}

/** `="0049151"`: how spreadsheets are made to keep a text. */
const KEPT = /^="((?:[^"]|"")*)"$/

const ZERO_WIDTH = /[\u200B\u2060\uFEFF]/

const isEdge = (sign: string | undefined): boolean =>
  sign !== undefined && (sign.trim() === "" || ZERO_WIDTH.test(sign))

/** Without white space and zero-width signs at its edges, in time linear in the text. */
export const trimmed = (text: string): string => {
  let from = 0
  let to = text.length
  while (from < to && isEdge(text[from])) from += 1
  while (to > from && isEdge(text[to - 1])) to -= 1
  return text.slice(from, to)
}

/** How workbooks write control characters (ECMA-376 §22.4.2.4), as programs leave it in tables: `_x000D_`. */
const ESCAPED = /_x00([01][\da-f]|7f)_/gi

const unescaped = (cell: string): string =>
  cell.includes("_x00") || cell.includes("_X00")
    ? cell.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : cell

/** The value of a cell, without the marks of spreadsheets and white space at its edges. */
export const valueOf = (cell: string): string => {
  const text = trimmed(unescaped(cell))
  const first = text[0]
  if (first !== "'" && first !== "=") return text
  if (MARKABLE.test(text)) return text.slice(1).trim()
  const kept = KEPT.exec(text)?.[1]
  return kept === undefined ? text : kept.replaceAll('""', '"').trim()
}

/** Characters that nobody sees: zero-width signs, marks of direction, soft hyphens, control characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** The text without them. Line ends stay. */
export const withoutInvisible = (text: string): string =>
  text.replace(INVISIBLE, (sign) => (/[\t\n\r]/.test(sign) ? sign : ""))

/** A cell as RFC 4180 writes it. */
export const csvCell = (value: string | null): string => {
  const text = marked(value ?? "")
  return /[",\r\n;\t|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of RFC 4180. Its values are read back as they were. */
export const csvLine = (values: ReadonlyArray<string | null>): string => `${values.map(csvCell).join(",")}\r\n`
