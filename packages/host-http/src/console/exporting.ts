/** A format for exporting rows. */
export interface ExportForm<Row> {
  readonly type: string
  readonly extension: string
  readonly head: string
  readonly line: (row: Row) => string
}

/** The beginning of a cell that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A cell of RFC 4180. A would-be formula is marked as text, because a stranger may have written it. */
const cell = (value: string | null): string => {
  const text = value === null ? "" : FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of RFC 4180. */
export const csvLine = (values: ReadonlyArray<string | null>): string => `${values.map(cell).join(",")}\r\n`

/** `name`: of the file, without its extension. */
export const exportHeaders = ({ extension, type }: ExportForm<never>, name: string) => ({
  "content-type": type,
  "content-disposition": `attachment; filename="${name}.${extension}"`
})
