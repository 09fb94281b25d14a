import type { OperationLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { OperationStatus } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { count, grouped, Moment } from "../../web/Words.js"
import { Meter, StateBadge, type StateWords } from "../Parts.js"

export const OPERATION_WORDS: Readonly<Record<OperationStatus, StateWords>> = {
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

export const kindWords = ({ brand, kind }: OperationLine): string =>
  `${KIND_WORDS[kind] ?? kind}${brand === null ? "" : ` for “${brand}”`}`

/** The number of a list's rows that have ended. */
export const Progress = (props: { readonly of: OperationLine["rows"] }) =>
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
