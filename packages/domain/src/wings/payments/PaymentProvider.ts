import { Context, Data, type Effect } from "effect"
import type { ProviderFailure } from "../../sources/ports/Source.js"

/** A payment request. */
export interface PaymentAsk {
  readonly workspaceId: string
  readonly paymentId: string
  /** Shown to the payer: how many credits they buy. */
  readonly title: string
  /** US cents. */
  readonly cents: number
  readonly email: string
  /** Where the browser returns to, paid or not. */
  readonly returnUrl: string
}

/** A payment's state at the provider. `open`: it waits for the payer, at `url`, or for their bank. */
export interface PaymentStanding {
  /** The provider's id of the payment. */
  readonly reference: string
  readonly state: "open" | "paid" | "failed"
  readonly url: string | null
  /** The requested amount in US cents; null if the currency isn't US dollars. */
  readonly cents: number | null
  /** US cents of it that went back to the payer, by refunds and by disputes that are not won; null: not said. */
  readonly returnedCents: number | null
}

/** An event that the provider sent us. */
export interface PaymentNotice {
  readonly eventId: string
  /** The provider's name of the event. */
  readonly kind: string
  readonly workspaceId: string
  readonly paymentId: string
  readonly standing: PaymentStanding
}

/** The notice's signature is missing, wrong or too old. */
export class NoticeRefused extends Data.TaggedError("NoticeRefused")<{ readonly cause: unknown }> {}

/** Takes payments for credits on its own pages. */
export interface PaymentProvider {
  readonly name: string
  /** Idempotent by workspace and payment, for at least a day: a repeat returns the same payment. */
  readonly begin: (ask: PaymentAsk) => Effect.Effect<PaymentStanding, ProviderFailure>
  readonly standing: (reference: string) => Effect.Effect<PaymentStanding, ProviderFailure>
  /**
   * Reads a notice's body and verifies its signature; null: it concerns none of our payments. It may ask the provider how
   * the payment stands; if that fails, the notice is to be sent again. Null instead of a function: this provider sends no
   * notices.
   */
  readonly notice:
    | ((body: string, signature: string) => Effect.Effect<PaymentNotice | null, NoticeRefused | ProviderFailure>)
    | null
}

/** The payment provider of each kind of workspace. Null: there is none, and only the operator adds credits. */
export class PaymentProviders extends Context.Service<
  PaymentProviders,
  { readonly sandbox: PaymentProvider | null; readonly live: PaymentProvider | null }
>()("@outbound/domain/wings/payments/PaymentProvider/PaymentProviders") {}
