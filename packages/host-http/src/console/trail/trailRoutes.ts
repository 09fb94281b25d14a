import { Control } from "@outbound/domain/control/Control.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { pages } from "../pages.js"
import { type TrailEvent, type TrailFilter, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { wireEvent } from "@outbound/domain/kernel/trail/wireEvent.js"
import { Effect } from "effect"
import { afterOf, afterWords, pageOf, ROWS_MAX } from "../paging.js"
import { CAMPAIGNS_OFFERED_MAX } from "../replies/replyRoutes.js"
import { csvLine } from "@outbound/domain/kernel/tables/Cell.js"
import { type ExportForm, exportHeaders } from "../exporting.js"
import { type Inside, member, type Page } from "../Visit.js"
import { trailPage } from "./TrailPage.js"
import { filterOf, trailQueryOf } from "./trailQuery.js"

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

export const CSV: ExportForm<TrailEvent> = {
  type: "text/csv; charset=utf-8",
  extension: "csv",
  head: csvLine(COLUMNS),
  line: (event) => {
    const wire = { email: null, ...wireEvent(event), detail: JSON.stringify(event.detail) }
    return csvLine(COLUMNS.map((column) => wire[column]))
  }
}

const JSON_LINES: ExportForm<TrailEvent> = {
  type: "application/jsonl; charset=utf-8",
  extension: "jsonl",
  head: "",
  line: (event) => `${JSON.stringify(wireEvent(event))}\n`
}

/** How many events an export reads at once, and how often at most: a million events. */
const EXPORT_PAGE = 1_000
const EXPORT_PAGES_MAX = 1_000

const cursorOf = ({ eventId, observedAtMillis }: TrailEvent): string =>
  afterWords({ atMillis: observedAtMillis, id: eventId })

const present = <A>(values: ReadonlyArray<A | null>): ReadonlyArray<A> => values.filter((value) => value !== null)

const NEEDS = { control: Control, reads: ConsoleReads, trail: TrailStore, workspaces: WorkspaceStore }

export const trailPages = pages(NEEDS, ({ control, reads, trail, workspaces }) => {
  const show = ({ by, query: given, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const query = trailQueryOf(given)
      const place = afterOf(given.get("after"))
      const after = place === null ? null : { observedAtMillis: place.atMillis, eventId: place.id }
      const events = yield* trail.page({ ...filterOf(query, workspaceId, viewer.zone), limit: ROWS_MAX + 1, after })
      const listing = pageOf(events, ROWS_MAX, cursorOf, place)
      const named = [...new Set(present([query.campaignId, ...listing.shown.map(({ campaignId }) => campaignId)]))]
      const campaigns = yield* reads.campaignNames(workspaceId, named, CAMPAIGNS_OFFERED_MAX)
      const archivedUntilMillis = listing.next === null ? yield* trail.archivedUntil(workspaceId) : null
      const { trailMonths } = yield* workspaces.retention(workspaceId)
      const keys = new Map((yield* control.listKeys(by)).map(({ key }) => [key.keyId, key.name]))
      const calls = yield* reads.keysOfCalls(workspaceId, present(listing.shown.map(({ requestId }) => requestId)))
      return trailPage({ viewer, query, keys, calls, ...listing, campaigns, archivedUntilMillis, trailMonths })
    })

  const take =
    (form: ExportForm<TrailEvent>) =>
    ({ nowMillis, query: given, viewer, workspaceId }: Inside): Page => {
      const filter = filterOf(trailQueryOf(given), workspaceId, viewer.zone)
      // Leave out events that happen during the export, so that it ends.
      const untilMillis = Math.min(filter.untilMillis ?? Infinity, nowMillis + 1)
      const name = `trail-${new Date(nowMillis).toISOString().slice(0, 10)}`
      const produce = (write: (piece: string) => Effect.Effect<boolean>) =>
        Effect.gen(function* () {
          let after: TrailFilter["after"] = null
          for (let page = 0; page < EXPORT_PAGES_MAX; page++) {
            const events: ReadonlyArray<TrailEvent> = yield* trail.page({
              ...filter,
              untilMillis,
              limit: EXPORT_PAGE,
              after
            })
            const isHere = yield* write(`${page === 0 ? form.head : ""}${events.map(form.line).join("")}`)
            const last = events.at(-1)
            if (!isHere || last === undefined || events.length < EXPORT_PAGE) return
            after = { observedAtMillis: last.observedAtMillis, eventId: last.eventId }
          }
        })
      return Effect.succeed({ headers: exportHeaders(form, name), produce })
    }

  return [
    member("/console/trail", { get: show }),
    member("/console/trail/csv", { get: take(CSV) }),
    member("/console/trail/jsonl", { get: take(JSON_LINES) })
  ]
})
