import { Schema } from "effect"
import { repaired } from "../text.js"
import { cut } from "../text/cut.js"
import type { TableHead, TableRow } from "./Table.js"

/** A row of a list, as it stood in the table that a person uploaded. */
export const UploadedRow = Schema.Struct({
  /** The line on which it begins, from 1. */
  line: Schema.Int,
  /** As written. Null: erased with the person whom the row is about. */
  cells: Schema.NullOr(Schema.Array(Schema.String)),
  /** What the file is called; null: the rows were pasted. Absent: it was not kept. */
  file: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** What the table's columns are called; only the list's first row has them. */
  headings: Schema.NullOr(Schema.Array(Schema.String))
})
export type UploadedRow = typeof UploadedRow.Type

/** Longest name of a file that is kept, in characters. */
const FILE_CHARS_MAX = 200

/** A file's name as it is kept: without folders and what can't be seen. Null: it has none. */
export const fileNameOf = (given: string | null): string | null => {
  const [name = ""] = (given ?? "").split(/[/\\]/).slice(-1)
  const seen = name.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]+/gu, "").trim()
  return cut(seen, FILE_CHARS_MAX) || null
}

/** What is kept of these rows. A row of more cells than the heading adds columns without a name. */
export const uploadedRows = (
  { columns }: Pick<TableHead, "columns">,
  rows: ReadonlyArray<Pick<TableRow, "line" | "width" | "written">>,
  file: string | null
): ReadonlyArray<UploadedRow> => {
  const widest = rows.reduce((most, { width }) => Math.max(most, width), columns.length)
  const headings = Array.from({ length: widest }, (_, at) => repaired(columns[at] ?? `Column ${at + 1}`))
  return rows.map(({ line, width, written }, index) => ({
    line,
    file,
    cells: written.slice(0, Math.max(width, columns.length)).map(repaired),
    headings: index === 0 ? headings : null
  }))
}
