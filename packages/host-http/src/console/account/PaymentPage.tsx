import { PaymentMachine, type PaymentState } from "@outbound/domain/control/payments/PaymentMachine.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import type { Reply } from "../../http/Reply.js"
import { owedBy } from "@outbound/domain/control/payments/Booking.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { creditWords, Moment } from "../../web/Words.js"
import { Form } from "../Fields.js"
import { Facts, LinkLine, Note } from "../Parts.js"
import type { Viewer } from "../Shell.js"
import { centWords, PaymentBadge } from "./TopUp.js"
import { titledPage } from "../titledPage.js"

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
