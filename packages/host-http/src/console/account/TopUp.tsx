import type { PaymentState } from "@outbound/domain/control/payments/PaymentMachine.js"
import { CENTS_PER_CREDIT, TOP_UP_CREDITS_MAX, TOP_UP_CREDITS_MIN } from "@outbound/domain/control/payments/Payments.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import { creditWords, grouped, Moment } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Csrf, Field, type Problem, ProblemNote } from "../Fields.js"
import { Badge, Section, Table } from "../Parts.js"
import type { Viewer } from "../Shell.js"

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" })

export const centWords = (cents: number): string => dollars.format(cents / 100)

export const PAYMENT_WORDS: Readonly<
  Record<PaymentState, { readonly text: string; readonly tone?: "good" | "bad" | "wait" }>
> = {
  created: { text: "Started", tone: "wait" },
  action_required: { text: "Waiting for you", tone: "wait" },
  unknown: { text: "Uncertain", tone: "wait" },
  paid: { text: "Paid", tone: "good" },
  failed: { text: "Failed", tone: "bad" }
}

/** The state of a payment, and whether its money went back. */
export const PaymentBadge = (props: { readonly of: Pick<Payment, "cents" | "returnedCents" | "state"> }) => {
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
