import type { LedgerLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { Balance, LedgerKind } from "@outbound/domain/calls/credits/CreditStore.js"
import { minusOrZero } from "@outbound/domain/kernel/money/Credits.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, creditWords, Moment } from "../../web/Words.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import { Pager, type Problem, Table } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { PaymentTable, TopUp } from "./TopUp.js"

const LEDGER_WORDS: Readonly<Record<LedgerKind, string>> = {
  grant: "Granted",
  top_up: "Topped up",
  charge: "Charged",
  refund: "Refunded",
  upkeep: "Mailbox upkeep"
}

export const creditsPage = (options: {
  readonly viewer: Viewer
  readonly balance: Balance
  readonly shown: ReadonlyArray<LedgerLine>
  readonly next: string | null
  readonly isLater: boolean
  /** Null where the host has no payments. */
  readonly topUp: {
    readonly isOffered: boolean
    readonly payments: ReadonlyArray<Payment>
    readonly paymentId: string
  } | null
  readonly problem?: Problem | undefined
}): Reply => {
  const { balance, reserved } = options.balance
  const { problem, topUp, viewer } = options
  return consolePage({
    status: problem === undefined ? 200 : 400,
    title: "Credits",
    viewer: options.viewer,
    at: "credits",
    children: (
      <>
        <h1>Credits</h1>
        <p class="lead">
          Your balance and every change to it. For spending by day, verb and key, see <a href="/console/usage">usage</a>
          .
        </p>
        <dl class="facts card">
          <dt>Available</dt>
          <dd class="big">{creditWords(minusOrZero(balance, reserved))}</dd>
          <dt>Reserved</dt>
          <dd>{creditWords(reserved)}</dd>
          <dt>Balance</dt>
          <dd>{creditWords(balance)}</dd>
        </dl>
        {topUp === null || options.isLater ? null : (
          <>
            <TopUp viewer={viewer} paymentId={topUp.paymentId} isOffered={topUp.isOffered} problem={problem} />
            <PaymentTable payments={topUp.payments} />
          </>
        )}
        <section aria-labelledby="ledger">
          <h2 id="ledger">Ledger</h2>
          {options.shown.length === 0 ? (
            <p class="card soft">{options.isLater ? "No more entries." : "No entries yet."}</p>
          ) : (
            <Table label="Ledger" head={["Time", "Entry", "Call", "Credits"]} numbers={[3]}>
              {options.shown.map(({ atMillis, entryId, kind, micros, requestId, verb }) => (
                <tr key={`${entryId} ${kind}`}>
                  <td>
                    <Moment atMillis={atMillis} />
                  </td>
                  <td>{LEDGER_WORDS[kind]}</td>
                  <td>
                    {verb === null ? "–" : <code>{verb}</code>}
                    {requestId === null ? null : <div class="soft">{requestId}</div>}
                  </td>
                  <td class={`number ${micros < 0n ? "" : "plus"}`}>
                    {micros < 0n ? "" : "+"}
                    {amountWords(micros)}
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <Pager path="/console/credits" isLater={options.isLater} next={options.next} />
        </section>
      </>
    )
  })
}
