import { mend, owner } from "@outbound/domain/control/access.js"
import { chooseListed, isKnownHeading } from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import { rowLister } from "@outbound/domain/control/suppressionImport/listedRows.js"
import type { ImportReport, SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { readTable } from "@outbound/domain/kernel/tables/Table.js"
import { Effect, Stream } from "effect"
import { leftOutHead, leftOutLine } from "../../csv/leftOut.js"
import { LIMITS } from "../../http/Limits.js"
import { acting } from "../control/acting.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { type ReadList, SUPPRESSION, suppressionPage } from "./SuppressionPage.js"

/** The list of the form: its file, or what was pasted. The columns that were shown and left checked count. */
const listOf = (form: URLSearchParams): ReadList => {
  const file = form.get("file") ?? ""
  // Each line end as the browser sends it back, so that the next page counts the same lines.
  const text = (file === "" ? (form.get("addresses") ?? "") : file).replace(/\r+\n|\r/g, "\n")
  const { head, rows } = readTable(text, { isHeading: isKnownHeading })
  const found = chooseListed(head, rows)
  const given = form
    .getAll("column")
    .flatMap((index) => (/^\d{1,4}$/.test(index) && Number(index) < head.columns.length ? [Number(index)] : []))
  const chosen = form.get("shown") === "yes" ? given : found.chosen
  return { text, encoding: file === "" ? null : form.get("file_encoding"), head, rows, found, chosen }
}

const flawsOf = (form: URLSearchParams, { chosen, rows }: ReadList) => {
  const fault = form.get("file_fault")
  if (fault !== null) return [{ path: "file", message: `can’t be read: ${fault}` }]
  if (rows.length === 0) return [{ path: "addresses", message: "must contain at least one address" }]
  if (form.get("shown") === "yes" && chosen.length === 0) {
    return [{ path: "column", message: "must be chosen: check at least one" }]
  }
  return []
}

/** What a list of those who must not be emailed changes is shown before it does. */
export const suppressionRoutes = (imports: SuppressionImport["Service"]): ReadonlyArray<Route> => {
  const take = (visit: Inside): Page => {
    const { by, form, viewer } = visit
    const list = listOf(form)
    const flaws = flawsOf(form, list)
    const isShown = form.get("shown") === "yes"
    const asks = !isShown && list.found.doubts.length > 0
    const dryRun = form.get("do") !== "import" || asks
    const left: Array<string> = []
    const rows = list.rows.map(rowLister(list.head, list.chosen))
    const taken = Effect.gen(function* () {
      yield* owner(by)
      yield* mend(flaws)
      return yield* imports.take(by, Stream.fromIterable(rows), {
        dryRun,
        leftOut: (found) =>
          Effect.sync(() => {
            for (const { mistakes, row } of found) left.push(leftOutLine(list.head, row, mistakes))
          })
      })
    })
    const done = (report: ImportReport) =>
      form.get("do") === "left_out"
        ? {
            status: 200,
            headers: {
              "content-type": "text/csv; charset=utf-8",
              "content-disposition": 'attachment; filename="left-out.csv"',
              "cache-control": "no-store",
              "x-content-type-options": "nosniff"
            },
            body: leftOutHead(list.head) + left.join("")
          }
        : suppressionPage({ viewer, report, list, asks })
    return acting(visit, SUPPRESSION, taken, {
      done,
      again: (problem) => Effect.succeed(suppressionPage({ viewer, problem }))
    })
  }
  return [
    member(SUPPRESSION, {
      get: ({ viewer }) => Effect.succeed(suppressionPage({ viewer })),
      post: take,
      formBytesMax: LIMITS.listFormBytesMax,
      takesFiles: true
    })
  ]
}
