import { format } from "@outbound/domain/kernel/money/Credits.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { Effect, Option } from "effect"
import type { ConsoleServices } from "../ConsoleServices.js"
import { csvLine, type ExportForm, exportHeaders } from "../exporting.js"
import { pageOf, ROWS_MAX } from "../paging.js"
import { missingPage } from "../Shell.js"
import type { Inside, Page, Route } from "../Visit.js"
import { operationPage } from "./OperationPage.js"
import { askedWords, outcomeWords } from "./rowWords.js"

/** How many rows an export reads at once. */
const EXPORT_PAGE = 500

const CSV: ExportForm<ListRow> = {
  type: "text/csv; charset=utf-8",
  extension: "csv",
  head: csvLine(["index", "status", "credits_charged", "asked", "outcome", "body"]),
  line: (row) =>
    csvLine([String(row.index), row.state, format(row.charged), askedWords(row), outcomeWords(row), row.body])
}

const JSON_LINES: ExportForm<ListRow> = {
  type: "application/jsonl; charset=utf-8",
  extension: "jsonl",
  head: "",
  line: ({ body, charged, index, input, state }) => {
    const outcome: unknown = body === null ? null : JSON.parse(body)
    return `${JSON.stringify({ index, status: state, credits_charged: format(charged), asked: input, outcome })}\n`
  }
}

/** The place of the last row of the page before; -1: the beginning. */
const placeOf = (text: string | null): number => (text !== null && /^\d{1,5}$/.test(text) ? Number(text) : -1)

export const operationRoutes = ({ lists, reads }: ConsoleServices): ReadonlyArray<Route> => {
  const show = ({ id, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const of = yield* reads.operation(workspaceId, id)
      if (Option.isNone(of)) return missingPage(viewer)
      const after = placeOf(query.get("after"))
      const ref = { workspaceId, operationId: id }
      const found = of.value.rows === null ? [] : yield* lists.page(ref, after, ROWS_MAX + 1)
      const rows = pageOf(found, ROWS_MAX, ({ index }) => String(index), after < 0 ? null : after)
      return operationPage({ viewer, of: of.value, rows })
    })

  const take =
    (form: ExportForm<ListRow>) =>
    ({ id, viewer, workspaceId }: Inside): Page =>
      Effect.map(reads.operation(workspaceId, id), (of) => {
        if (Option.isNone(of)) return missingPage(viewer)
        const produce = (write: (piece: string) => Effect.Effect<boolean>) =>
          Effect.gen(function* () {
            let after = -1
            let isHere = yield* write(form.head)
            while (isHere) {
              const rows = yield* lists.page({ workspaceId, operationId: id }, after, EXPORT_PAGE)
              const last = rows.at(-1)
              if (last === undefined) return
              after = last.index
              isHere = yield* write(rows.map(form.line).join(""))
            }
          })
        return { headers: exportHeaders(form, `operation-${id}`), produce }
      })

  return [
    { access: "member", path: "/console/operations/:id", get: show },
    { access: "member", path: "/console/operations/:id/csv", get: take(CSV) },
    { access: "member", path: "/console/operations/:id/jsonl", get: take(JSON_LINES) }
  ]
}
