import type { TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { wireEvent } from "@outbound/domain/kernel/trail/wireEvent.js"

/** A form in which the trail is taken away. */
export interface ExportForm {
  readonly type: string
  readonly extension: string
  readonly head: string
  readonly line: (event: TrailEvent) => string
}

/** What a spreadsheet takes for a formula at the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r]/

/** A cell of RFC 4180. One that would be a formula is told to be text: it may hold what a stranger wrote. */
const cell = (value: string | null): string => {
  const text = value === null ? "" : FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const COLUMNS = [
  "id",
  "kind",
  "observed_at",
  "source",
  "campaign_id",
  "campaign_lead_id",
  "reply_id",
  "request_id",
  "operation_id",
  "email",
  "detail"
] as const

export const CSV: ExportForm = {
  type: "text/csv; charset=utf-8",
  extension: "csv",
  head: `${COLUMNS.join(",")}\r\n`,
  line: (event) => {
    const wire = { email: null, ...wireEvent(event), detail: JSON.stringify(event.detail) }
    return `${COLUMNS.map((column) => cell(wire[column])).join(",")}\r\n`
  }
}

export const JSON_LINES: ExportForm = {
  type: "application/jsonl; charset=utf-8",
  extension: "jsonl",
  head: "",
  line: (event) => `${JSON.stringify(wireEvent(event))}\n`
}
