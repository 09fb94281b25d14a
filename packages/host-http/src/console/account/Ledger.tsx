import type { LedgerKind } from "@outbound/domain/calls/credits/CreditStore.js"
import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import type { LedgerLine } from "@outbound/domain/control/console/ConsoleReads.js"
import { amountWords, Moment, shortDayWords } from "../../web/Words.js"
import { Pager, Section, Select, Table } from "../Parts.js"
import type { Listing } from "../paging.js"
import { runsOf } from "../runs.js"
import { dayText, isFiltered, ledgerPath, type LedgerQuery } from "./ledgerQuery.js"

const LEDGER_WORDS: Readonly<Record<LedgerKind, string>> = {
  grant: "Granted",
  top_up: "Topped up",
  charge: "Charged",
  refund: "Refunded",
  upkeep: "Mailbox upkeep",
  reversal: "Payment returned"
}

/** From this many, charges for calls of one verb are one row. */
const RUN_MIN = 3

const areAlike = (last: LedgerLine, next: LedgerLine): boolean =>
  last.kind === "charge" &&
  next.kind === "charge" &&
  last.verb === next.verb &&
  last.key?.keyId === next.key?.keyId &&
  last.person === next.person

/** The key that a call was made with, and who approved or started it. */
const Who = (props: { readonly of: LedgerLine }) => {
  const { key, person } = props.of
  return (
    <>
      {key === null ? "–" : <a href={ledgerPath({ keyId: key.keyId })}>{key.name}</a>}
      {person === null ? null : <div class="soft">{person}</div>}
    </>
  )
}

const Request = (props: { readonly id: string }) => (
  <a class="soft" href={ledgerPath({ requestId: props.id })}>
    <code>{props.id}</code>
  </a>
)

const Amount = (props: { readonly micros: bigint }) => (
  <td class={`number ${props.micros < 0n ? "" : "plus"}`}>
    {props.micros < 0n ? "" : "+"}
    {amountWords(props.micros)}
  </td>
)

const Entry = (props: { readonly of: LedgerLine }) => {
  const { atMillis, kind, micros, requestId, verb } = props.of
  return (
    <tr>
      <td>
        <Moment atMillis={atMillis} />
      </td>
      <td>{LEDGER_WORDS[kind]}</td>
      <td>
        {verb === null ? "–" : <code>{verb}</code>}
        {requestId === null ? null : (
          <div>
            <Request id={requestId} />
          </div>
        )}
      </td>
      <td>
        <Who of={props.of} />
      </td>
      <Amount micros={micros} />
    </tr>
  )
}

/** Charges for one verb that follow each other: their sum, and each on request. */
const Run = (props: { readonly of: readonly [LedgerLine, ...ReadonlyArray<LedgerLine>] }) => {
  const [newest] = props.of
  const oldest = props.of.at(-1) ?? newest
  return (
    <tr>
      <td>
        <Moment atMillis={oldest.atMillis} /> to <Moment atMillis={newest.atMillis} />
      </td>
      <td>Charged {props.of.length} times</td>
      <td>
        <details>
          <summary>{newest.verb === null ? "Each" : <code>{newest.verb}</code>}</summary>
          <ul>
            {props.of.map(({ atMillis, entryId, micros, requestId }) => (
              <li key={entryId} class="soft">
                {amountWords(micros)} · <Moment atMillis={atMillis} />
                {requestId === null ? null : (
                  <>
                    {" "}
                    · <Request id={requestId} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </details>
      </td>
      <td>
        <Who of={newest} />
      </td>
      <Amount micros={props.of.reduce((sum, { micros }) => sum + micros, 0n)} />
    </tr>
  )
}

/** What the entries are of, in words. */
const filterWords = ({ dayMillis, requestId, verb }: LedgerQuery, keyName: string | null): string =>
  [
    dayMillis === null ? null : `on ${shortDayWords(dayMillis)} (UTC)`,
    keyName === null ? null : `by the key “${keyName}”`,
    verb === null ? null : `for ${verb}`,
    requestId === null ? null : `of the call ${requestId}`
  ]
    .filter((part) => part !== null)
    .join(", ")

/** The entries, newest first, of a day, a key or a call where the address names one. */
export const Ledger = (props: {
  readonly of: Listing<LedgerLine>
  readonly query: LedgerQuery
  readonly keys: ReadonlyArray<Pick<ApiKey, "keyId" | "name">>
}) => {
  const { of, query } = props
  const keyName = props.keys.find(({ keyId }) => keyId === query.keyId)?.name ?? query.keyId
  const isWithinDays =
    query.dayMillis === null &&
    query.requestId === null &&
    query.campaignId === null &&
    (query.keyId ?? query.verb) !== null
  return (
    <Section id="ledger" title="Ledger">
      {query.requestId === null ? (
        <form method="get" action="/console/credits" class="filters">
          <p class="field short">
            <label for="day">Day (UTC)</label>
            <input id="day" name="day" type="date" value={query.dayMillis === null ? "" : dayText(query.dayMillis)} />
          </p>
          <Select
            label="Key"
            name="key"
            value={query.keyId ?? ""}
            options={[["", "All"], ...props.keys.map(({ keyId, name }) => [keyId, name] as const)]}
          />
          {query.verb === null ? null : <input type="hidden" name="verb" value={query.verb} />}
          {query.campaignId === null ? null : <input type="hidden" name="campaign" value={query.campaignId} />}
          <button type="submit">Show</button>
        </form>
      ) : null}
      {isFiltered(query) ? (
        <p>
          Entries {filterWords(query, keyName)}
          {query.campaignId === null ? null : (
            <>
              {" "}
              of calls about the people of <a href={`/console/campaigns/${query.campaignId}`}>this campaign</a>
            </>
          )}
          {isWithinDays ? " in the last 40 days" : ""}. <a href="/console/credits#ledger">All entries</a>
        </p>
      ) : null}
      {of.shown.length === 0 ? (
        <p class="card soft">{of.isLater ? "No more entries." : "No entries."}</p>
      ) : (
        <Table label="Ledger" head={["Time", "Entry", "Call", "Key and person", "Credits"]} numbers={[4]}>
          {runsOf(of.shown, areAlike).flatMap((run) =>
            run.length < RUN_MIN
              ? run.map((one) => <Entry key={`${one.entryId} ${one.kind}`} of={one} />)
              : [<Run key={`${run[0].entryId} ${run[0].kind}`} of={run} />]
          )}
        </Table>
      )}
      <Pager path="/console/credits" filters={query.params} of={of} />
    </Section>
  )
}
