import { Context, type Effect } from "effect"
import type { ControlRefused } from "../Control.js"
import type { PaymentNotice, PaymentProvider } from "./PaymentProvider.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import type { Payment } from "./PaymentStore.js"

/** One credit costs a US cent (contract: credits, payments). */
export const CENTS_PER_CREDIT = 1

/** The fewest and the most credits of one top-up: five and ten thousand US dollars. */
export const TOP_UP_CREDITS_MIN = 500
export const TOP_UP_CREDITS_MAX = 1_000_000

/** The most top-ups of a workspace that wait for their end at one time. */
export const OPEN_PAYMENTS_MAX = 10

/** The most payments that a list names (newest first). */
export const PAYMENTS_LISTED_MAX = 20

type Act<A> = Effect.Effect<A, ControlRefused | StoreUnavailable>

/**
 * Credits for money. A payment is booked once, in the transaction that makes it `paid`, however often and in whatever
 * order the provider tells of it, and also where it tells nothing and has to be asked.
 */
export class Payments extends Context.Tag("@outbound/domain/control/payments/Payments")<
  Payments,
  {
    /** Whether credits can be bought in this workspace, and the latest payments. */
    readonly overview: (
      by: SignedIn
    ) => Effect.Effect<{ readonly isOffered: boolean; readonly payments: ReadonlyArray<Payment> }, StoreUnavailable>
    /** Owners. `paymentId`: made with the form; a form that is sent twice is one payment. */
    readonly topUp: (by: SignedIn, wanted: { readonly paymentId: string; readonly credits: number }) => Act<Payment>
    /** `not_found` where this workspace has no such payment. */
    readonly payment: (by: SignedIn, paymentId: string) => Act<Payment>
    /** The same, once the provider was asked, where something is still to be learnt. */
    readonly look: (by: SignedIn, paymentId: string) => Act<Payment>
    /** What a provider told, its signature verified by the provider's adapter. */
    readonly notified: (from: PaymentProvider, notice: PaymentNotice) => Effect.Effect<void, StoreUnavailable>
    /** Asks about those whose next look is due. How many. */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>() {}
