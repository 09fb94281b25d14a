import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { PaymentMachine, type PaymentState } from "@outbound/domain/control/payments/PaymentMachine.js"
import { owedBy } from "@outbound/domain/wings/payments/Booking.js"
import { CENTS_PER_CREDIT, TOP_UP_CREDITS_MAX, TOP_UP_CREDITS_MIN } from "@outbound/domain/wings/payments/Payments.js"
import type { Payment } from "@outbound/domain/wings/payments/PaymentStore.js"
import { mayLoosen } from "../../console/control/acting.js"
import {
  Badge,
  Csrf,
  Facts,
  Field,
  Form,
  LinkLine,
  Note,
  type Problem,
  ProblemNote,
  Section,
  Table
} from "../../console/Parts.js"
import { titledPage } from "../../console/Shell.js"
import type { Viewer } from "../../console/Viewer.js"
import type { Reply } from "../../http/Reply.js"
import { creditWords, grouped, Moment } from "../../web/Words.js"

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })

const centWords = (cents: number): string => dollars.format(cents / 100)

const PAYMENT_WORDS: Readonly<
  Record<PaymentState, { readonly text: string; readonly tone?: "good" | "bad" | "wait" }>
> = {
  created: { text: "Started", tone: "wait" },
  action_required: { text: "Waiting for you", tone: "wait" },
  unknown: { text: "Uncertain", tone: "wait" },
  paid: { text: "Paid", tone: "good" },
  failed: { text: "Failed", tone: "bad" }
}

/** The state of a payment, and whether its money went back. */
const PaymentBadge = (props: { readonly of: Pick<Payment, "cents" | "returnedCents" | "state"> }) => {
  const { cents, returnedCents, state } = props.of
  if (returnedCents > 0) return <Badge tone="bad">{returnedCents < cents ? "Partly returned" : "Returned"}</Badge>
  const { text, tone } = PAYMENT_WORDS[state]
  return <Badge tone={tone}>{text}</Badge>
}

/** The form to buy credits, for owners of workspaces that can. */
export const TopUp = (props: {
  readonly viewer: Viewer
  /** Made with the form, so that resending it makes no second payment. */
  readonly paymentId: string
  readonly isOffered: boolean
  readonly problem: Problem | undefined
}) => (
  <Section id="top-up" title="Buy credits" isCard>
    {!props.isOffered ? (
      <p class="soft">
        You can’t buy credits here: no payment provider is configured. Ask the operator of this service for credits.
      </p>
    ) : !mayLoosen(props.viewer) ? (
      <p class="soft">Only an owner can buy credits.</p>
    ) : (
      <form method="post" action="/console/credits/top-up">
        <ProblemNote of={props.problem} />
        <Csrf />
        <input type="hidden" name="payment_id" value={props.paymentId} />
        <Field
          label="Credits"
          name="credits"
          inputMode="numeric"
          required
          maxLength={12}
          hint={`${grouped(TOP_UP_CREDITS_MIN)} to ${grouped(TOP_UP_CREDITS_MAX)}, whole credits. 100 credits cost ${centWords(100 * CENTS_PER_CREDIT)}.`}
        />
        <button class="go" type="submit">
          Continue to payment
        </button>
      </form>
    )}
  </Section>
)

export const PaymentTable = (props: { readonly payments: ReadonlyArray<Payment> }) =>
  props.payments.length === 0 ? null : (
    <Section id="payments" title="Payments">
      <Table
        label="Payments"
        head={["Time", "State", "Credits", "Price"]}
        numbers={[2, 3]}
        rows={props.payments.map((payment) => [
          <a href={`/console/payments/${payment.paymentId}`}>
            <Moment atMillis={payment.createdAtMillis} />
          </a>,
          <PaymentBadge of={payment} />,
          creditWords(payment.credits),
          centWords(payment.cents)
        ])}
      />
    </Section>
  )

const MEANING: Readonly<Record<PaymentState, string>> = {
  created: "The payment was started. The payment provider has not answered yet.",
  action_required: "You have not paid yet. Pay on the payment provider’s page; it brings you back here.",
  unknown: "We don’t know yet whether you paid. We keep asking the payment provider; you are never charged twice.",
  paid: "The payment succeeded. The credits are in your balance.",
  failed: "The payment failed and no credits were added. If the money still arrives, the credits will too."
}

const TONES: Readonly<Partial<Record<PaymentState, "good" | "bad">>> = { paid: "good", failed: "bad" }

/** The URL of the provider's page, if it is one over HTTP. */
const payableAt = (url: string | null): string | null =>
  url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : null

/** What went back to the payer, and what became of the credits; nothing if nothing did. */
const Returned = (props: { readonly payment: Payment }) => {
  const { returnedCents, takenBack } = props.payment
  if (returnedCents === 0) return null
  const owed = owedBy(props.payment)
  return (
    <Note tone="bad">
      {centWords(returnedCents)} went back to the payer, by a refund or a dispute. {creditWords(takenBack)} were taken
      from your balance for it.
      {owed > 0n
        ? ` ${creditWords(fromMicros(owed))} more are owed, because they were spent or are reserved; we take them as soon as they are available.`
        : ""}
    </Note>
  )
}

export const paymentPage = (options: { readonly viewer: Viewer; readonly payment: Payment }): Reply => {
  const { cents, createdAtMillis, credits, paymentId, reference, state, url } = options.payment
  const payable = PaymentMachine.is.payable(state) ? payableAt(url) : null
  return titledPage(
    {
      title: "Payment",
      viewer: options.viewer,
      at: "credits",
      isNarrow: true,
      beside: <PaymentBadge of={options.payment} />
    },
    <>
      <Note tone={TONES[state]} role="status">
        {MEANING[state]}
      </Note>
      <Returned payment={options.payment} />
      <Facts
        of={[
          ["Credits", creditWords(credits), "big"],
          ["Price", centWords(cents)],
          ["Started", <Moment atMillis={createdAtMillis} />],
          ["Payment provider’s reference", reference === null ? "–" : <code>{reference}</code>]
        ]}
      />
      {PaymentMachine.is.over(state) ? null : (
        <div class="actions">
          {payable === null ? null : (
            <a class="button go" href={payable} rel="noreferrer">
              Pay {centWords(cents)}
            </a>
          )}
          <Form action={`/console/payments/${paymentId}/look`} button="Check status" />
        </div>
      )}
      <LinkLine to="/console/credits" text="Back to credits" />
    </>
  )
}
