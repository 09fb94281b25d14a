import { Context, Data, type Effect } from "effect"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"

/** What is to be paid. */
export interface PaymentAsk {
  readonly workspaceId: string
  readonly paymentId: string
  /** What the payer sees: how many credits it buys. */
  readonly title: string
  /** US cents. */
  readonly cents: number
  readonly email: string
  /** Where the payer's browser comes back to, paid or not. */
  readonly returnUrl: string
}

/** How a payment stands at the provider. `open`: it waits for the payer, at `url`, or for their bank. */
export interface PaymentStanding {
  /** The provider's name for the payment. */
  readonly reference: string
  readonly state: "open" | "paid" | "failed"
  readonly url: string | null
  /** What was asked for there, in US cents; null where it is not in US dollars. */
  readonly cents: number | null
}

/** What a provider tells by itself. */
export interface PaymentNotice {
  readonly eventId: string
  /** The provider's word for what happened. */
  readonly kind: string
  readonly workspaceId: string
  readonly paymentId: string
  readonly standing: PaymentStanding
}

/** The notice is not the provider's: its signature is missing, wrong, or too old. */
export class NoticeRefused extends Data.TaggedError("NoticeRefused")<{ readonly cause: unknown }> {}

/** Takes money for credits, on pages of its own. */
export interface PaymentProvider {
  readonly name: string
  /** Idempotent by workspace and payment, for a day at least: a second asking answers the same payment. */
  readonly begin: (ask: PaymentAsk) => Effect.Effect<PaymentStanding, ProviderFailure>
  readonly standing: (reference: string) => Effect.Effect<PaymentStanding, ProviderFailure>
  /**
   * A notice as it was sent, once its signature is verified; null where it is about nothing of ours. Null in place of
   * the function: this provider tells nothing by itself.
   */
  readonly notice: ((body: string, signature: string) => Effect.Effect<PaymentNotice | null, NoticeRefused>) | null
}

/** Who takes the money of each kind of workspace; null where nobody does, and credits come from the operator. */
export class PaymentProviders extends Context.Tag("@outbound/domain/control/payments/PaymentProvider/PaymentProviders")<
  PaymentProviders,
  { readonly sandbox: PaymentProvider | null; readonly live: PaymentProvider | null }
>() {}
