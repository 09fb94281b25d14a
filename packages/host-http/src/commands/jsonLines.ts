import { columnNamed, recogniseColumns } from "@outbound/domain/data/directory/columns.js"
import type { ListedRow } from "@outbound/domain/data/directory/DirectoryImport.js"
import { type JsonObject, unkeepable } from "@outbound/domain/kernel/canonical.js"
import type { DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import { Either } from "effect"
import { type ListOptions, type Opened, ROW_CHARS_MAX, UnusableFile } from "./listForm.js"

/** How many invalid lines may precede the first object. */
const UNREAD_FIRST_MAX = 100

const NO_OBJECT = {
  what: "the line is not a JSON object",
  mend: 'Write one object per line, such as {"email": "ann@acme.com"}.'
}

/** Splits lines; a line that is too long is cut and becomes invalid. */
export async function* linesOf(texts: AsyncIterable<string>, charsMax = ROW_CHARS_MAX): AsyncGenerator<string> {
  let rest = ""
  for await (const text of texts) {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
    if (rest.length > 2 * charsMax) rest = rest.slice(0, charsMax + 1)
  }
  if (rest !== "") yield rest
}

const NOT_TEXT = {
  what: "the line holds U+0000 or half of a surrogate pair, which is no text",
  mend: "Export it again as UTF-8."
}

const objectOf = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** A value as a cell; null if it can't be one. */
const cellOf = (value: unknown): string | null => {
  if (value === null) return ""
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(";") : null
}

interface Reading extends ListOptions {
  readonly kind: DirectoryKind
}

/** How many members an error lists. */
const NAMES_MAX = 5
const NAME_CHARS_MAX = 60

const told = (names: ReadonlyArray<string>, what: string, mend: string) => {
  const some = names.slice(0, NAMES_MAX).map((name) => `"${name.slice(0, NAME_CHARS_MAX)}"`)
  const more = names.length > some.length ? ` and ${names.length - some.length} more` : ""
  return names.length === 0 ? [] : [{ what: `${some.join(", ")}${more} ${what}`, mend }]
}

const rowOf = (line: number, text: string, { ignoreUnknown, kind }: Reading): ListedRow => {
  if (text.length > ROW_CHARS_MAX) {
    return { line, what: `the line is longer than ${ROW_CHARS_MAX} characters`, mend: "Shorten its longest member." }
  }
  const object = objectOf(text)
  if (object === null) return { line, ...NO_OBJECT }
  if (unkeepable(object as JsonObject) !== null) return { line, ...NOT_TEXT }
  const cells: Record<string, string> = {}
  const unknown: Array<string> = []
  const unreadable: Array<string> = []
  for (const [name, value] of Object.entries(object)) {
    const column = columnNamed(kind, name)
    if (column === null) {
      if (!ignoreUnknown) unknown.push(name)
      continue
    }
    const cell = cellOf(value)
    if (cell === null) unreadable.push(name)
    else if (cell !== "" || !(column in cells)) cells[column] = cell
  }
  if (unknown.length + unreadable.length === 0) return { line, cells }
  const mistakes = [
    ...told(
      unknown,
      `is not a column of a list of ${kind}`,
      "Rename it, or skip unknown members with --ignore-unknown."
    ),
    ...told(unreadable, "is not text or a number", "Use text, a number or a list of texts.")
  ]
  return { line, what: mistakes.map(({ what }) => what).join("; "), mend: mistakes.map(({ mend }) => mend).join(" ") }
}

/** Detects the kind of the list from the first object. */
export const openJsonLines = async (all: AsyncGenerator<string>, options: ListOptions): Promise<Opened> => {
  const lines = linesOf(all)
  const before: Array<ListedRow> = []
  for (let line = 1; ; line += 1) {
    const next = await lines.next()
    if (next.done === true || before.length === UNREAD_FIRST_MAX) {
      throw new UnusableFile({ message: "the file contains no JSON objects. Write one per line." })
    }
    const text = next.value.replace(/^\uFEFF/, "").trim()
    if (text === "") continue
    const object = objectOf(text)
    if (object === null) {
      before.push({ line, ...NO_OBJECT })
      continue
    }
    const recognised = Either.getOrThrowWith(recogniseColumns(Object.keys(object), options), (mistakes) => mistakes)
    const reading = { ...options, kind: recognised.kind }
    async function* rows(): AsyncGenerator<ListedRow> {
      yield* before
      yield rowOf(line, text, reading)
      let at = line
      for await (const later of lines) {
        at += 1
        if (later.trim() !== "") yield rowOf(at, later.trim(), reading)
      }
    }
    return { ...recognised, rows: rows() }
  }
}
