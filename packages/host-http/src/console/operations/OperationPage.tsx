import type { OperationLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { ListRow } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import type { RowState } from "@outbound/domain/outreach/operations/lists/RowMachine.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, grouped, Moment } from "../../web/Words.js"
import { Facts, fitted, MomentOr, Pager, type Row, Section, StateBadge, type StateWords, Table } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"
import { kindWords, OPERATION_WORDS, Progress } from "./OperationCard.js"
import { askedWords, outcomeWords } from "./rowWords.js"
import { titledPage } from "../titledPage.js"

/** The most bytes of what was asked and of what came out that a row shows. */
const TEXT_BYTES_MAX = 300

const ROW_WORDS: Readonly<Record<RowState, StateWords>> = {
  pending: ["Waiting", "wait"],
  running: ["Under way", "wait"],
  done: ["Done", "good"],
  failed: ["Failed", "bad"],
  cancelled: ["Cancelled", undefined]
}

const rowOf = (of: ListRow): Row => [
  grouped(of.index + 1),
  fitted(askedWords(of), TEXT_BYTES_MAX).text,
  <StateBadge of={ROW_WORDS[of.state]} />,
  fitted(outcomeWords(of), TEXT_BYTES_MAX).text,
  amountWords(of.charged)
]

/** An operation: how far it is, and the rows of a list. */
export const operationPage = (options: {
  readonly viewer: Viewer
  readonly of: OperationLine
  readonly rows: Listing<ListRow>
}): Reply => {
  const { of, rows, viewer } = options
  const path = `/console/operations/${of.operationId}`
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
          <p class="export">
            Export: <a href={`${path}/csv`}>CSV</a> · <a href={`${path}/jsonl`}>JSON Lines</a>
          </p>
          <Table
            label="Rows"
            head={["Row", "Asked", "State", "Outcome", "Credits"]}
            numbers={[0, 4]}
            rows={rows.shown.map(rowOf)}
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
