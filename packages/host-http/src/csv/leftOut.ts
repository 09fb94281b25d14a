import { LEFT_OUT, type TableHead } from "@outbound/domain/kernel/tables/Table.js"
import { csvLine } from "@outbound/domain/kernel/tables/Cell.js"

/** What is wrong with a row that was left out. */
export interface LeftOutMistake {
  readonly column: string | null
  readonly reason: string
  readonly remedy: string
}

/**
 * A list of what was left out: each row as it was written, its line, and what is wrong with it. Mended, it can be
 * imported as it is: the reader passes over the columns that we add.
 */
export const leftOutHead = ({ columns, headingLine }: TableHead): string =>
  csvLine([
    ...(headingLine === null ? columns.map(() => "") : columns),
    ...["line", "column", "mistake", "remedy"].map((name) => LEFT_OUT + name)
  ])

export const leftOutLine = (
  { columns }: TableHead,
  row: { readonly line: number; readonly written: ReadonlyArray<string> },
  mistakes: ReadonlyArray<LeftOutMistake>
): string => {
  const cells = columns.map((_, index) => row.written[index] ?? "")
  // A row of more cells than the heading keeps them, in its last one.
  if (row.written.length > columns.length) {
    cells[columns.length - 1] = row.written.slice(Math.max(0, columns.length - 1)).join(" ")
  }
  const of = (text: (mistake: LeftOutMistake) => string) =>
    [...new Set(mistakes.map(text))].filter((one) => one !== "").join("; ")
  return csvLine([
    ...cells,
    String(row.line),
    of(({ column }) => column ?? ""),
    of(({ reason }) => reason),
    of(({ remedy }) => remedy)
  ])
}
