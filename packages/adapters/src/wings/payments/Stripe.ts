import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import {
  NoticeRefused,
  type PaymentAsk,
  type PaymentNotice,
  type PaymentProvider,
  type PaymentStanding
} from "@outbound/domain/wings/payments/PaymentProvider.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Redacted } from "effect"
import Stripe from "stripe"

const STRIPE = "stripe"

/** The time limit per request, and how often to resend a lost one with the same key. */
const REQUEST_MILLIS_MAX = 20_000
const RETRIES_MAX = 1

/** The oldest notice to accept: an older one may be a replay. */
const NOTICE_SECONDS_MAX = 300

export interface StripeOptions {
  readonly secretKey: Redacted.Redacted
  /** The endpoint's signing secret. Null: payments are only polled. */
  readonly webhookSecret: Redacted.Redacted | null
  /** The API's address; Stripe's own by default. */
  readonly api?: { readonly host: string; readonly port: number; readonly protocol: "http" | "https" }
}

/** Whether others arrived is unknown. */
const REASONS = new Map<string, ProviderFailureReason>([
  ["StripeRateLimitError", "rate_limited"],
  ["StripeInvalidRequestError", "invalid"],
  ["StripeIdempotencyError", "invalid"],
  ["StripeCardError", "invalid"],
  ["StripeAuthenticationError", "account"],
  ["StripePermissionError", "account"]
])

const reasonOf = (error: unknown): ProviderFailureReason => {
  const known = error instanceof Stripe.errors.StripeError ? REASONS.get(error.type) : undefined
  return known ?? "unknown_outcome"
}

/** Stripe's error text, without the key it may echo. */
const failureOf = (error: unknown): ProviderFailure =>
  new ProviderFailure({
    provider: STRIPE,
    reason: reasonOf(error),
    cause:
      error instanceof Stripe.errors.StripeError
        ? { type: error.type, code: error.code, status: error.statusCode, requestId: error.requestId }
        : undefined
  })

const callStripe = <A>(request: () => Promise<A>): Effect.Effect<A, ProviderFailure> =>
  Effect.tryPromise({ try: request, catch: failureOf })

const WORKSPACE = "outbound_workspace_id"
const PAYMENT = "outbound_payment_id"

/** `no_payment_required` is a free session, which ours never are. */
const stateOf = ({ payment_status: paid, status }: Stripe.Checkout.Session): PaymentStanding["state"] => {
  if (paid === "paid") return "paid"
  return status === "expired" ? "failed" : "open"
}

const standingOf = (session: Stripe.Checkout.Session, returnedCents: number | null = null): PaymentStanding => ({
  reference: session.id,
  state: stateOf(session),
  url: session.status === "open" ? session.url : null,
  cents: session.currency === "usd" ? session.amount_total : null,
  returnedCents
})

/** What Stripe is to send along with a session, so that it says whether money went back. */
const WITH_CHARGE = "payment_intent.latest_charge"

/** The charge that was expanded; null: the session has none yet. */
const chargeOf = ({ payment_intent: intent }: Stripe.Checkout.Session): Stripe.Charge | null => {
  const charge = typeof intent === "string" ? null : intent?.latest_charge
  return typeof charge === "string" ? null : (charge ?? null)
}

/** States of disputes in which the bank has not taken the money, or has given it back. */
const KEPT: ReadonlySet<Stripe.Dispute.Status> = new Set([
  "won",
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "prevented"
])

/** Notices that money goes back to the payer, or comes again. What they hold is not the whole: we ask. */
const RETURN_KINDS: ReadonlySet<string> = new Set([
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "refund.updated",
  "refund.failed"
])

/** Notices about a session. For the last kind, the session itself shows that the bank refused. */
const KINDS: ReadonlySet<string> = new Set([
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.expired",
  "checkout.session.async_payment_failed"
])

const noticeOf = (
  event: Stripe.Event,
  session: Stripe.Checkout.Session,
  returnedCents: number | null = null
): PaymentNotice | null => {
  const workspaceId = session.metadata?.[WORKSPACE] ?? ""
  const paymentId = session.metadata?.[PAYMENT] ?? ""
  if (!isUuid(workspaceId) || !isUuid(paymentId)) return null
  const standing = standingOf(session, returnedCents)
  const isRefused = event.type === "checkout.session.async_payment_failed" && stateOf(session) === "open"
  return {
    eventId: event.id,
    kind: event.type,
    workspaceId,
    paymentId,
    standing: isRefused ? { ...standing, state: "failed" } : standing
  }
}

/** Stripe Checkout: Stripe's page takes the payment, so we never see a card. */
export const makeStripe = ({ api, secretKey, webhookSecret }: StripeOptions): PaymentProvider => {
  const stripe = new Stripe(Redacted.value(secretKey), {
    ...api,
    timeout: REQUEST_MILLIS_MAX,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false
  })

  const begin = ({ cents, email, paymentId, returnUrl, title, workspaceId }: PaymentAsk) => {
    const metadata = { [WORKSPACE]: workspaceId, [PAYMENT]: paymentId }
    return callStripe(() =>
      stripe.checkout.sessions.create(
        {
          mode: "payment",
          line_items: [
            { quantity: 1, price_data: { currency: "usd", unit_amount: cents, product_data: { name: title } } }
          ],
          customer_email: email,
          client_reference_id: paymentId,
          metadata,
          payment_intent_data: { metadata },
          success_url: returnUrl,
          cancel_url: returnUrl
        },
        { idempotencyKey: `${workspaceId}.${paymentId}` }
      )
    ).pipe(Effect.map((session) => standingOf(session)))
  }

  /** US cents that went back by refunds and disputes. */
  const returnedOf = (session: Stripe.Checkout.Session) => {
    const charge = chargeOf(session)
    if (charge === null) return Effect.succeed(null)
    if (!charge.disputed) return Effect.succeed(charge.amount_refunded)
    return Effect.map(
      callStripe(() => stripe.disputes.list({ charge: charge.id, limit: 100 })),
      ({ data }) =>
        data.reduce((sum, { amount, status }) => sum + (KEPT.has(status) ? 0 : amount), charge.amount_refunded)
    )
  }

  /** The notice, with how the payment stands now if it tells of money that goes back. */
  const read = (event: Stripe.Event): Effect.Effect<PaymentNotice | null, ProviderFailure> => {
    if (KINDS.has(event.type)) return Effect.succeed(noticeOf(event, event.data.object as Stripe.Checkout.Session))
    if (!RETURN_KINDS.has(event.type)) return Effect.succeed(null)
    const { payment_intent: intent } = event.data.object as Stripe.Charge | Stripe.Dispute | Stripe.Refund
    const paymentIntent = typeof intent === "string" ? intent : intent?.id
    if (paymentIntent === undefined) return Effect.succeed(null)
    return Effect.gen(function* () {
      const { data } = yield* callStripe(() =>
        stripe.checkout.sessions.list({ payment_intent: paymentIntent, limit: 1, expand: [`data.${WITH_CHARGE}`] })
      )
      const [session] = data
      return session === undefined ? null : noticeOf(event, session, yield* returnedOf(session))
    })
  }

  const secret = webhookSecret === null ? null : Redacted.value(webhookSecret)
  return {
    name: STRIPE,
    begin,
    standing: (reference) =>
      Effect.gen(function* () {
        const session = yield* callStripe(() => stripe.checkout.sessions.retrieve(reference, { expand: [WITH_CHARGE] }))
        return standingOf(session, yield* returnedOf(session))
      }),
    notice:
      secret === null
        ? null
        : (body, signature) =>
            Effect.try({
              try: () => stripe.webhooks.constructEvent(body, signature, secret, NOTICE_SECONDS_MAX),
              // Not the error itself: it holds the whole untrusted request.
              catch: (error) => new NoticeRefused({ cause: error instanceof Error ? error.message : "unreadable" })
            }).pipe(Effect.flatMap(read))
  }
}
