import { Context } from "effect"
import type { ControlRefused } from "../Control.js"
import type { PaymentNotice, PaymentProvider } from "./PaymentProvider.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import type { Payment } from "./PaymentStore.js"

/** One credit costs a US cent (contract: credits, payments). */
export const CENTS_PER_CREDIT = 1

/** Least and most credits of one top-up: 5 and 10,000 US dollars. */
export const TOP_UP_CREDITS_MIN = 500
export const TOP_UP_CREDITS_MAX = 1_000_000

/** Most unfinished top-ups of a workspace. */
export const OPEN_PAYMENTS_MAX = 10

/** Page size of the list of payments (newest first). */
export const PAYMENTS_LISTED_MAX = 20

type Act<A> = FromStore<A, ControlRefused>

/**
 * Buying credits. A payment is booked once, in the transaction that makes it `paid`. This holds however often and in
 * whatever order the provider sends notices, and also if it sends none and we have to ask.
 */
export class Payments extends Context.Tag("@outbound/domain/control/payments/Payments")<
  Payments,
  {
    /** Whether this workspace can buy credits, and its latest payments. */
    readonly overview: (
      by: SignedIn
    ) => FromStore<{ readonly isOffered: boolean; readonly payments: ReadonlyArray<Payment> }>
    /** Owners. `paymentId` is created with the form, so submitting it twice makes one payment. */
    readonly topUp: (by: SignedIn, wanted: { readonly paymentId: string; readonly credits: number }) => Act<Payment>
    /** `not_found`: the workspace has no such payment. */
    readonly payment: (by: SignedIn, paymentId: string) => Act<Payment>
    /** The same, after asking the provider if the payment is unfinished. */
    readonly look: (by: SignedIn, paymentId: string) => Act<Payment>
    /** Handles a provider's notice. The adapter has verified its signature. */
    readonly notified: (from: PaymentProvider, notice: PaymentNotice) => FromStore<void>
    /** Checks the payments that are due. Returns how many. */
    readonly sweep: FromStore<number>
  }
>() {}
