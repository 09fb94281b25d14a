import { pages } from "../pages.js"
import { type OperationLine, ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { type ListRow, ListStore, type RowOutcome } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { RowMachine, type RowState } from "@outbound/domain/outreach/operations/lists/RowMachine.js"
import { Effect, Option } from "effect"
import type { OperationStatus } from "@outbound/domain/outreach/operations/OperationMachine.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, count, grouped, Moment } from "../../web/Words.js"
import {
  Facts,
  fitted,
  Meter,
  MomentOr,
  Pager,
  type Row,
  Section,
  StateBadge,
  type StateWords,
  Table
} from "../Parts.js"
import { missingPage, titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { type Listing, pageOf, ROWS_MAX } from "../paging.js"
import { type ResultsFormat, resultsCsv, resultsLines } from "./results.js"
import { askedWords, outcomeWords } from "./rowWords.js"
import { exportHeaders } from "../exporting.js"
import { type Inside, member, type Page } from "../Visit.js"

const OPERATION_WORDS: Readonly<Record<OperationStatus, StateWords>> = {
  queued: ["Queued", "wait"],
  running: ["Running", "wait"],
  waiting_external: ["Waiting for the provider", "wait"],
  succeeded: ["Done", "good"],
  partially_succeeded: ["Partly done", "wait"],
  failed: ["Failed", "bad"]
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  setup_sending: "Sending capacity",
  reply: "Outgoing reply",
  verify_emails: "A list of emails to verify",
  enrich_people: "A list of people to enrich",
  find_intent_of_list: "A list of companies to find signals of"
}

const kindWords = ({ brand, kind }: OperationLine): string =>
  `${KIND_WORDS[kind] ?? kind}${brand === null ? "" : ` for “${brand}”`}`

/** The number of a list's rows that have ended. */
const Progress = (props: { readonly of: OperationLine["rows"] }) =>
  props.of === null ? null : (
    <Meter label={`rows ended, ${grouped(props.of.failed)} of them failed`} used={props.of.ended} of={props.of.total} />
  )

/** An operation in a list. */
export const OperationCard = (props: { readonly of: OperationLine }) => {
  const { createdAtMillis, error, finishedAtMillis, items, operationId, rows, status } = props.of
  const done = items.filter((item) => item.status === "active" || item.status === "done").length
  const failed = items.filter((item) => item.status === "failed").length
  return (
    <li class="card">
      <a href={`/console/operations/${operationId}`}>{kindWords(props.of)}</a>
      <StateBadge of={OPERATION_WORDS[status]} />
      <Progress of={rows} />
      {items.length === 0 ? null : (
        <p>
          {grouped(done)} of {count(items.length, "item")} done{failed === 0 ? "" : `, ${grouped(failed)} failed`}
        </p>
      )}
      {error === null ? null : <p>{error}</p>}
      <p class="soft">
        Requested <Moment atMillis={createdAtMillis} />
        {finishedAtMillis === null ? null : (
          <>
            {" "}
            · ended <Moment atMillis={finishedAtMillis} />
          </>
        )}{" "}
        · {operationId}
      </p>
    </li>
  )
}

/** The most bytes of what was asked and of what came out that a row shows. */
const TEXT_BYTES_MAX = 300

const ROW_WORDS: Readonly<Record<RowState, StateWords>> = {
  pending: ["Waiting", "wait"],
  running: ["Under way", "wait"],
  done: ["Done", "good"],
  failed: ["Failed", "bad"],
  cancelled: ["Cancelled", undefined]
}

/** What came out of a list, in a few lines: how many rows ended alike, their share of those that ended, and their cost. */
const Summary = (props: { readonly of: ReadonlyArray<RowOutcome> }) => {
  const ended = props.of.reduce((sum, { rows }) => sum + rows, 0)
  return ended === 0 ? null : (
    <Table
      label="What came out"
      head={["What came out", "Rows", "Share", "Credits"]}
      numbers={[1, 2, 3]}
      rows={props.of.map(({ charged, outcome, rows, state }) => [
        `${RowMachine.is.failed(state) ? "failed: " : ""}${outcome?.replaceAll("_", " ") ?? "no longer kept"}`,
        grouped(rows),
        `${((100 * rows) / ended).toFixed(1)} %`,
        amountWords(charged)
      ])}
    />
  )
}

/** `isUploaded`: whether the list is from a table, whose lines are shown. */
const rowOf = (of: ListRow, isUploaded: boolean): Row => [
  grouped(of.index + 1),
  ...(isUploaded ? [of.uploaded === null ? "–" : grouped(of.uploaded.line)] : []),
  fitted(askedWords(of), TEXT_BYTES_MAX).text,
  <StateBadge of={ROW_WORDS[of.state]} />,
  fitted(outcomeWords(of), TEXT_BYTES_MAX).text,
  amountWords(of.charged)
]

/** An operation: how far it is, and the rows of a list. */
const operationPage = (options: {
  readonly viewer: Viewer
  readonly of: OperationLine
  readonly rows: Listing<ListRow>
  readonly outcomes: ReadonlyArray<RowOutcome>
}): Reply => {
  const { of, outcomes, rows, viewer } = options
  const path = `/console/operations/${of.operationId}`
  const isUploaded = rows.shown.some(({ uploaded }) => uploaded !== null)
  return titledPage(
    { title: kindWords(of), viewer, at: "sending", beside: <StateBadge of={OPERATION_WORDS[of.status]} /> },
    <>
      <Facts
        of={[
          ["Requested", <Moment atMillis={of.createdAtMillis} />],
          ["Ended", <MomentOr atMillis={of.finishedAtMillis} none="Not yet" />],
          ["Operation", <code>{of.operationId}</code>],
          of.error === null ? null : ["Error", of.error]
        ]}
      />
      {of.rows === null ? null : (
        <Section id="rows" title="Rows">
          <Progress of={of.rows} />
          <Summary of={outcomes} />
          <p class="export">
            Export: <a href={`${path}/csv`}>CSV</a> · <a href={`${path}/jsonl`}>JSON Lines</a>
          </p>
          <Table
            label="Rows"
            head={["Row", ...(isUploaded ? ["Line"] : []), "Asked", "State", "Outcome", "Credits"]}
            numbers={isUploaded ? [0, 1, 5] : [0, 4]}
            rows={rows.shown.map((row) => rowOf(row, isUploaded))}
          />
          <Pager path={path} of={rows} first="First" more="Next" />
        </Section>
      )}
      {of.items.length === 0 ? null : (
        <Section id="items" title="Items">
          <Table
            label="Items"
            head={["What", "State", "Detail"]}
            rows={of.items.map(({ detail, id, status }) => [id, status, detail ?? "–"])}
          />
        </Section>
      )}
    </>
  )
}

/** How many rows an export reads at once. */
const EXPORT_PAGE = 500

/** The place of the last row of the page before; -1: the beginning. */
const placeOf = (text: string | null): number => (text !== null && /^\d{1,5}$/.test(text) ? Number(text) : -1)

export const operationPages = pages({ lists: ListStore, reads: ConsoleReads }, ({ lists, reads }) => {
  const show = ({ id, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const of = yield* reads.operation(workspaceId, id)
      if (Option.isNone(of)) return missingPage(viewer)
      const after = placeOf(query.get("after"))
      const ref = { workspaceId, operationId: id }
      const found = of.value.rows === null ? [] : yield* lists.page(ref, after, ROWS_MAX + 1)
      const rows = pageOf(found, ROWS_MAX, ({ index }) => String(index), after < 0 ? null : after)
      const outcomes = of.value.rows === null ? [] : yield* lists.outcomes(ref)
      return operationPage({ viewer, of: of.value, rows, outcomes })
    })

  const take =
    (format: ResultsFormat) =>
    ({ id, viewer, workspaceId }: Inside): Page =>
      Effect.gen(function* () {
        const of = yield* reads.operation(workspaceId, id)
        if (Option.isNone(of)) return missingPage(viewer)
        const ref = { workspaceId, operationId: id }
        // The first row knows what the uploaded columns are called.
        const [first] = yield* lists.page(ref, -1, 1)
        const form = format(first?.uploaded?.headings ?? null)
        const produce = (write: (piece: string) => Effect.Effect<boolean>) =>
          Effect.gen(function* () {
            let after = -1
            let isHere = yield* write(form.head)
            while (isHere) {
              const rows = yield* lists.page(ref, after, EXPORT_PAGE)
              const last = rows.at(-1)
              if (last === undefined) return
              after = last.index
              isHere = yield* write(rows.map(form.line).join(""))
            }
          })
        return { headers: exportHeaders(form, `operation-${id}`), produce }
      })

  return [
    member("/console/operations/:id", { get: show }),
    member("/console/operations/:id/csv", { get: take(resultsCsv) }),
    member("/console/operations/:id/jsonl", { get: take(resultsLines) })
  ]
})
