import { Effect, Either, Option } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { CreditStore } from "../../calls/credits/CreditStore.js"
import { step } from "../../kernel/machine.js"
import { Ids } from "../../kernel/ports/Ids.js"
import type { PaymentNotice, PaymentStanding } from "./PaymentProvider.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type PaymentEvent, PaymentMachine } from "./PaymentMachine.js"
import { type Payment, PaymentStore } from "./PaymentStore.js"

/** How often we ask the provider about a payment, at growing intervals. The last comes after its page has expired. */
const LOOKS_MAX = 40
const LOOK_MILLIS = { first: 60_000, max: 3_600_000 }

const EVENTS: Readonly<Record<PaymentStanding["state"], PaymentEvent>> = { open: "ask", paid: "pay", failed: "fail" }

/** When to check a payment next after so many checks; null: no more checks. */
export const nextLook = (looks: number, nowMillis: number): number | null =>
  looks >= LOOKS_MAX ? null : nowMillis + backoff(looks + 1, LOOK_MILLIS)

/** The result of applying a report. `foreign`: it doesn't match the request, so nothing is booked. */
export type Applied =
  { readonly kind: "applied" | "known" | "late" | "foreign"; readonly payment: Payment } | { readonly kind: "missing" }

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

  /** Applies a machine event; null if the machine refuses it. */
  const moved = (payment: Payment, event: PaymentEvent, nowMillis: number) =>
    Effect.gen(function* () {
      const next = step(PaymentMachine, payment.state, event)
      if (Either.isLeft(next)) return null
      const state = next.right
      const isOver = PaymentMachine.is.over(state)
      const after: Payment = {
        ...payment,
        state,
        entryId:
          PaymentMachine.is.paid(state) && !PaymentMachine.is.paid(payment.state)
            ? yield* book(payment, nowMillis)
            : payment.entryId,
        url: isOver ? null : payment.url,
        changedAtMillis: state === payment.state ? payment.changedAtMillis : nowMillis,
        nextLookAtMillis: isOver ? null : nextLook(payment.looks, nowMillis)
      }
      yield* payments.update(after)
      return after
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
      if (!isOf(payment, standing)) return { kind: "foreign", payment } as const
      const { reference, url } = standing
      const after = yield* moved({ ...payment, reference, url }, EVENTS[standing.state], nowMillis)
      return after === null ? ({ kind: "late", payment } as const) : ({ kind: "applied", payment: after } as const)
    }).pipe(
      atomically,
      Effect.map((applied): Applied => applied)
    )

  /** Our own conclusion: the state is unknown (`lose`), or no money can arrive any more (`fail`). */
  const conclude = (of: Payment, event: "lose" | "fail", nowMillis: number) =>
    Effect.gen(function* () {
      const locked = yield* payments.lock(of.workspaceId, of.paymentId)
      const payment = Option.getOrElse(locked, () => of)
      return (yield* moved(payment, event, nowMillis)) ?? payment
    }).pipe(atomically)

  return { apply, conclude }
})
