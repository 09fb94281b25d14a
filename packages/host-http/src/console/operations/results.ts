import { format } from "@outbound/domain/kernel/money/Credits.js"
import { csvLine } from "@outbound/domain/kernel/tables/Cell.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { ExportForm } from "../exporting.js"
import { askedWords, FOUND, foundCells, outcomeWords } from "./rowWords.js"

/** What the results of a list are written as. `headings`: of the uploaded columns; null: there are none. */
export type ResultsFormat = (headings: ReadonlyArray<string> | null) => ExportForm<ListRow>

const RESULT_COLUMNS = ["index", "state", "credits_charged", "asked", "summary", ...FOUND, "body"] as const

const resultCells = (row: ListRow): ReadonlyArray<string | null> => [
  String(row.index),
  row.state,
  format(row.charged),
  askedWords(row),
  outcomeWords(row),
  ...foundCells(row),
  row.body
]

const keyOf = (heading: string): string => heading.trim().toLowerCase()

/** Our columns keep clear of the uploaded ones: each name stands once. */
const ownColumns = (headings: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const taken = new Set([...headings, ...names].map(keyOf))
  const theirs = new Set(headings.map(keyOf))
  return names.map((name) => {
    let own = name
    if (theirs.has(name)) while (taken.has(own)) own = `result_${own}`
    taken.add(own)
    return own
  })
}

/** The uploaded columns as they were, the line, and what came of the row. */
export const resultsCsv: ResultsFormat = (headings) => {
  const own = headings === null ? RESULT_COLUMNS : ownColumns(headings, ["line", ...RESULT_COLUMNS])
  return {
    type: "text/csv; charset=utf-8",
    extension: "csv",
    head: csvLine([...(headings ?? []), ...own]),
    line: (row) => {
      if (headings === null) return csvLine(resultCells(row))
      const { uploaded } = row
      const cells = headings.map((_, column) => uploaded?.cells?.[column] ?? "")
      return csvLine([...cells, uploaded === null ? "" : String(uploaded.line), ...resultCells(row)])
    }
  }
}

export const resultsLines: ResultsFormat = (headings) => ({
  type: "application/jsonl; charset=utf-8",
  extension: "jsonl",
  head: "",
  line: ({ body, charged, index, input, state, uploaded }) => {
    const outcome: unknown = body === null ? null : JSON.parse(body)
    const from = headings === null ? {} : { line: uploaded?.line ?? null, uploaded: uploaded?.cells ?? null }
    return `${JSON.stringify({ index, status: state, credits_charged: format(charged), asked: input, ...from, outcome })}\n`
  }
})
