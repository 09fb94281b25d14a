import type { LedgerLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Balance, LedgerKind } from "@outbound/domain/calls/credits/CreditStore.js"
import { minusOrZero } from "@outbound/domain/kernel/money/Credits.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, creditWords, Moment } from "../../web/Words.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import type { Problem } from "../Fields.js"
import { Facts, Pager, Section, Table } from "../Parts.js"
import { runsOf } from "../runs.js"
import type { Viewer } from "../Shell.js"
import type { Listing } from "../paging.js"
import { PaymentTable, TopUp } from "./TopUp.js"
import { titledPage } from "../titledPage.js"

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
  last.kind === "charge" && next.kind === "charge" && last.verb === next.verb

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
        {requestId === null ? null : <div class="soft">{requestId}</div>}
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
                {requestId === null ? "" : ` · ${requestId}`}
              </li>
            ))}
          </ul>
        </details>
      </td>
      <Amount micros={props.of.reduce((sum, { micros }) => sum + micros, 0n)} />
    </tr>
  )
}

export const creditsPage = (
  options: Listing<LedgerLine> & {
    readonly viewer: Viewer
    readonly balance: Balance
    /** Null where the host has no payments. */
    readonly topUp: {
      readonly isOffered: boolean
      readonly payments: ReadonlyArray<Payment>
      readonly paymentId: string
    } | null
    readonly problem?: Problem | undefined
  }
): Reply => {
  const { balance, reserved } = options.balance
  const { problem, topUp, viewer } = options
  return titledPage(
    {
      status: problem === undefined ? 200 : 400,
      typed: problem?.form,
      title: "Credits",
      viewer: options.viewer,
      at: "credits",
      lead: (
        <>
          Your balance and every change to it. For spending by day, verb and key, see <a href="/console/usage">usage</a>
          .
        </>
      )
    },
    <>
      <Facts
        of={[
          ["Available", creditWords(minusOrZero(balance, reserved)), "big"],
          ["Reserved", creditWords(reserved)],
          ["Balance", creditWords(balance)]
        ]}
      />
      {topUp === null || options.isLater ? null : (
        <>
          <TopUp viewer={viewer} paymentId={topUp.paymentId} isOffered={topUp.isOffered} problem={problem} />
          <PaymentTable payments={topUp.payments} />
        </>
      )}
      <Section id="ledger" title="Ledger">
        {options.shown.length === 0 ? (
          <p class="card soft">{options.isLater ? "No more entries." : "No entries yet."}</p>
        ) : (
          <Table label="Ledger" head={["Time", "Entry", "Call", "Credits"]} numbers={[3]}>
            {runsOf(options.shown, areAlike).flatMap((run) =>
              run.length < RUN_MIN
                ? run.map((of) => <Entry key={`${of.entryId} ${of.kind}`} of={of} />)
                : [<Run key={`${run[0].entryId} ${run[0].kind}`} of={run} />]
            )}
          </Table>
        )}
        <Pager path="/console/credits" of={options} />
      </Section>
    </>
  )
}
