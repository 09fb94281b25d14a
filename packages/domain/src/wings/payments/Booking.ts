import { DAY_MILLIS, HOUR_MILLIS } from "../../kernel/durations.js"
import { Effect, Option, Result } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { CreditStore } from "../../calls/credits/CreditStore.js"
import { fromMicros } from "../../kernel/money/Credits.js"
import { step } from "../../kernel/machine.js"
import { Ids } from "../../kernel/ports/Ids.js"
import type { PaymentNotice, PaymentStanding } from "./PaymentProvider.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type PaymentEvent, PaymentMachine } from "../../control/payments/PaymentMachine.js"
import { type Payment, PaymentStore } from "./PaymentStore.js"

/** How often we ask the provider about a payment, at growing intervals. The last comes after its page has expired. */
const LOOKS_MAX = 40
const LOOK_MILLIS = { first: 60_000, max: HOUR_MILLIS }

/** How often we ask whether a paid one went back, also without notices: for 255 days, longer than banks take disputes. */
const RETURN_LOOKS_MAX = 8
const RETURN_LOOK_MILLIS = { first: DAY_MILLIS, max: 128 * DAY_MILLIS }

/** When we try again to take back what was spent already. */
const OWED_LOOK_MILLIS = { first: HOUR_MILLIS, max: DAY_MILLIS }

const EVENTS: Readonly<Record<PaymentStanding["state"], PaymentEvent>> = { open: "ask", paid: "pay", failed: "fail" }

/** The credits of a payment that are to be taken back still; below zero: to be given again. */
export const owedBy = ({ cents, credits, returnedCents, takenBack }: Payment): bigint =>
  (credits * BigInt(returnedCents)) / BigInt(cents) - takenBack

/** When to check a payment next; null: no more checks. */
export const nextLook = (payment: Payment, nowMillis: number): number | null => {
  const { looks, state } = payment
  if (PaymentMachine.is.paid(state)) {
    if (owedBy(payment) > 0n) return nowMillis + backoff(looks + 1, OWED_LOOK_MILLIS)
    return looks >= RETURN_LOOKS_MAX ? null : nowMillis + backoff(looks + 1, RETURN_LOOK_MILLIS)
  }
  return PaymentMachine.is.over(state) || looks >= LOOKS_MAX ? null : nowMillis + backoff(looks + 1, LOOK_MILLIS)
}

/** The result of applying a report. `foreign`: it doesn't match the request, so nothing is booked. */
export type Applied =
  | { readonly kind: "applied" | "known" | "late" | "foreign"; readonly payment: Payment }
  | { readonly kind: "missing" }

/** Whether the report is about this payment. Money counts under any reference; everything else needs the known one. */
const isOf = (payment: Payment, { cents, reference, state }: PaymentStanding): boolean =>
  cents === payment.cents && (payment.reference === null || payment.reference === reference || EVENTS[state] === "pay")

/** The only place that changes and books payments. */
export const makeBooking = Effect.gen(function* () {
  const payments = yield* PaymentStore
  const ledger = yield* CreditStore
  const ids = yield* Ids
  const { atomically } = yield* UnitOfWork

  const book = (payment: Payment, nowMillis: number) =>
    Effect.gen(function* () {
      const entryId = ids.next(nowMillis)
      yield* ledger.add({
        entryId,
        workspaceId: payment.workspaceId,
        kind: "top_up",
        amount: payment.credits,
        countsAsPaymentMethod: true,
        requestId: null,
        atMillis: nowMillis
      })
      return entryId
    })

  /** Takes back what is owed, as far as it is available, or gives again what was taken for nothing. */
  const takenBack = (payment: Payment, nowMillis: number) =>
    Effect.gen(function* () {
      const owed = owedBy(payment)
      if (owed === 0n) return payment
      const { paymentId, workspaceId } = payment
      const entry = { entryId: ids.next(nowMillis), workspaceId, kind: "reversal", atMillis: nowMillis } as const
      const micros =
        owed > 0n
          ? yield* ledger.takeUpTo({ ...entry, amount: fromMicros(owed) })
          : yield* Effect.as(
              ledger.add({ ...entry, amount: fromMicros(-owed), countsAsPaymentMethod: false, requestId: null }),
              owed
            )
      if (micros === 0n) return payment
      yield* payments.insertReturn({ workspaceId, paymentId, entryId: entry.entryId, micros })
      return { ...payment, takenBack: fromMicros(payment.takenBack + micros) }
    })

  /** Stores it with the time of its next check. */
  const stored = (payment: Payment, nowMillis: number) => {
    const after = { ...payment, nextLookAtMillis: nextLook(payment, nowMillis) }
    return Effect.as(payments.update(after), after)
  }

  /** Applies a machine event, and what went back to the payer; null if the machine refuses it. */
  const moved = (
    payment: Payment,
    event: PaymentEvent,
    nowMillis: number,
    returnedCents: number = payment.returnedCents
  ) =>
    Effect.gen(function* () {
      const next = step(PaymentMachine, payment.state, event)
      if (Result.isFailure(next)) return null
      const state = next.success
      const isSame = state === payment.state && returnedCents === payment.returnedCents
      const after: Payment = {
        ...payment,
        state,
        returnedCents,
        entryId:
          PaymentMachine.is.paid(state) && !PaymentMachine.is.paid(payment.state)
            ? yield* book(payment, nowMillis)
            : payment.entryId,
        url: PaymentMachine.is.over(state) ? null : payment.url,
        changedAtMillis: isSame ? payment.changedAtMillis : nowMillis,
        looks: PaymentMachine.is.paid(state) && !isSame ? 0 : payment.looks
      }
      return yield* stored(PaymentMachine.is.paid(state) ? yield* takenBack(after, nowMillis) : after, nowMillis)
    })

  /** Applies a provider's report, requested or not. */
  const apply = (
    of: { readonly workspaceId: string; readonly paymentId: string },
    standing: PaymentStanding,
    nowMillis: number,
    notice: Pick<PaymentNotice, "eventId" | "kind"> | null = null
  ) =>
    Effect.gen(function* () {
      const locked = yield* payments.lock(of.workspaceId, of.paymentId)
      if (Option.isNone(locked)) return { kind: "missing" } as const satisfies Applied
      const payment = locked.value
      if (notice !== null && !(yield* payments.insertEvent({ ...of, ...notice, atMillis: nowMillis }))) {
        return { kind: "known", payment } as const
      }
      // A refusal of what we asked for must not be asked for again at once.
      const refused = (kind: "foreign" | "late") =>
        Effect.as(notice === null ? stored(payment, nowMillis) : Effect.void, { kind, payment })
      if (!isOf(payment, standing)) return yield* refused("foreign")
      const { reference, returnedCents, url } = standing
      const returned = Math.min(returnedCents ?? payment.returnedCents, payment.cents)
      // Notices overtake each other. That money came to us again is believed only where we ask ourselves, at once.
      const isLess = notice !== null && returned < payment.returnedCents
      const to = isLess ? payment.returnedCents : returned
      const after = yield* moved({ ...payment, reference, url }, EVENTS[standing.state], nowMillis, to)
      if (after === null) return yield* refused("late")
      if (isLess) yield* payments.update({ ...after, nextLookAtMillis: nowMillis })
      return { kind: "applied", payment: after } as const
    }).pipe(
      atomically,
      Effect.map((applied): Applied => applied)
    )

  /** Our own conclusion: nothing was learnt (`lose`), or no money can arrive any more (`fail`). */
  const conclude = (of: Payment, event: "lose" | "fail", nowMillis: number) =>
    Effect.gen(function* () {
      const locked = yield* payments.lock(of.workspaceId, of.paymentId)
      const payment = Option.getOrElse(locked, () => of)
      return (yield* moved(payment, event, nowMillis)) ?? (yield* stored(payment, nowMillis))
    }).pipe(atomically)

  return { apply, conclude }
})
