import { PaymentMachine, type PaymentState } from "@outbound/domain/control/payments/PaymentMachine.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import type { Reply } from "../../http/Reply.js"
import { creditWords, Moment } from "../../web/Words.js"
import { Csrf, Note } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"
import { centWords, PaymentBadge } from "./TopUp.js"

const MEANING: Readonly<Record<PaymentState, string>> = {
  created: "It is begun, and nothing more is known yet.",
  action_required: "Nothing is paid yet. Go on to the payment provider’s page, and come back here from there.",
  unknown: "The payment provider’s answer is uncertain. It is asked again until it is known; nothing is booked twice.",
  paid: "It is paid, and the credits are there.",
  failed: "It was not paid, and nothing was booked. Should the money come after all, the credits do too."
}

const TONES: Readonly<Partial<Record<PaymentState, "good" | "bad">>> = { paid: "good", failed: "bad" }

/** A provider's page, wherever it stands; anything else is no link. */
const payableAt = (url: string | null): string | null =>
  url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : null

export const paymentPage = (options: { readonly viewer: Viewer; readonly payment: Payment }): Reply => {
  const { cents, createdAtMillis, credits, paymentId, reference, state, url } = options.payment
  const payable = PaymentMachine.is.payable(state) ? payableAt(url) : null
  return consolePage({
    title: "Payment",
    viewer: options.viewer,
    at: "credits",
    isNarrow: true,
    children: (
      <>
        <div class="title">
          <h1>Payment</h1>
          <PaymentBadge state={state} />
        </div>
        <Note tone={TONES[state]} role="status">
          <p>{MEANING[state]}</p>
        </Note>
        <dl class="facts card">
          <dt>Buys</dt>
          <dd class="big">{creditWords(credits)}</dd>
          <dt>For</dt>
          <dd>{centWords(cents)}</dd>
          <dt>Begun</dt>
          <dd>
            <Moment atMillis={createdAtMillis} />
          </dd>
          <dt>The provider’s name for it</dt>
          <dd>{reference === null ? "–" : <code>{reference}</code>}</dd>
        </dl>
        {PaymentMachine.is.over(state) ? null : (
          <div class="actions">
            {payable === null ? null : (
              <a class="button go" href={payable} rel="noreferrer">
                Pay {centWords(cents)}
              </a>
            )}
            <form method="post" action={`/console/payments/${paymentId}/look`}>
              <Csrf viewer={options.viewer} />
              <button type="submit">Ask how it stands</button>
            </form>
          </div>
        )}
        <p>
          <a href="/console/credits">Back to credits</a>
        </p>
      </>
    )
  })
}
