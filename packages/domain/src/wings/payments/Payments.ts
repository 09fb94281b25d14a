import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ControlRefused } from "../../control/Control.js"
import { type PaymentNotice, type PaymentProvider, PaymentProviders, type PaymentStanding } from "./PaymentProvider.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type SignedIn, UserStore } from "../../control/users/UserStore.js"
import { type Payment, PaymentStore } from "./PaymentStore.js"
import { mend, orNotFound, owner, refused } from "../../control/access.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { fromMicros, zero } from "../../kernel/money/Credits.js"
import { isUuid } from "../../kernel/ports/Ids.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import { WorkSignals } from "../../kernel/ports/WorkSignals.js"
import { turns } from "../../kernel/rounds.js"
import { Settings } from "../../kernel/Settings.js"
import { about } from "../../kernel/telemetry.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { makeBooking, nextLook } from "./Booking.js"
import { PaymentMachine } from "../../control/payments/PaymentMachine.js"

/** One credit costs a US cent (contract: credits, payments). */
export const CENTS_PER_CREDIT = 1

/** Least and most credits of one top-up: 5 and 10,000 US dollars. */
export const TOP_UP_CREDITS_MIN = 500
export const TOP_UP_CREDITS_MAX = 1_000_000

/** Most unfinished top-ups of a workspace. */
export const OPEN_PAYMENTS_MAX = 10

/** Page size of the list of payments (newest first). */
const PAYMENTS_LISTED_MAX = 20

type Act<A> = FromStore<A, ControlRefused>

/**
 * Buying credits. A payment is booked once, in the transaction that makes it `paid`. This holds however often and in
 * whatever order the provider sends notices, and also if it sends none and we have to ask.
 */
export class Payments extends Context.Service<
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
>()("@outbound/domain/wings/payments/Payments") {}

const MICROS_PER_CREDIT = 1_000_000n

/**
 * Within this time a payment that the provider never confirmed is begun again with the same id; after it, it has
 * failed.
 */
const BEGIN_AGAIN_MILLIS = 20 * 3_600_000

/** Payments per round of a host, how many at once, and how long the host's claim lasts. */
const SWEEP_MAX = 50
const SWEEP_AT_ONCE = 4
const SWEEP_LEASE_MILLIS = 5 * 60_000

/** The rest after a round that found nothing. */
const IDLE_MILLIS = 15_000

/** The page of one payment. With `returned`, it asks the provider first. */
export const paymentUrl = (baseUrl: string, paymentId: string): string =>
  `${baseUrl}/console/payments/${paymentId}?returned=1`

const amountIssues = (credits: number): ReadonlyArray<Issue> =>
  Number.isInteger(credits) && credits >= TOP_UP_CREDITS_MIN && credits <= TOP_UP_CREDITS_MAX
    ? []
    : [{ path: "credits", message: `must be a whole number from ${TOP_UP_CREDITS_MIN} to ${TOP_UP_CREDITS_MAX}` }]

const isOver = ({ state }: Payment): boolean => PaymentMachine.is.over(state)

const makePayments = Effect.gen(function* () {
  const store = yield* PaymentStore
  const workspaces = yield* WorkspaceStore
  const users = yield* UserStore
  const providers = yield* PaymentProviders
  const { baseUrl } = yield* Settings
  const { atomically } = yield* UnitOfWork
  const { apply, conclude } = yield* makeBooking

  const providerOf = (workspaceId: string) =>
    Effect.map(workspaces.get(workspaceId), (found) =>
      Option.isNone(found) ? null : providers[found.value.kind === "sandbox" ? "sandbox" : "live"]
    )

  const told = (provider: PaymentProvider, of: Pick<Payment, "workspaceId" | "paymentId">) =>
    about({ provider: provider.name, workspace_id: of.workspaceId, payment_id: of.paymentId })

  /** Applies a report, and logs a warning for the operator if it can't be true. */
  const settle = (
    provider: PaymentProvider,
    of: Pick<Payment, "workspaceId" | "paymentId">,
    standing: PaymentStanding,
    notice: PaymentNotice | null
  ) =>
    Effect.gen(function* () {
      const applied = yield* apply(of, standing, yield* Clock.currentTimeMillis, notice)
      if (applied.kind === "foreign" || applied.kind === "missing") {
        yield* Effect.logError(
          `payments: a reported payment differs from the one requested (${applied.kind})`,
          standing
        )
      }
      return applied.kind === "missing" ? null : applied.payment
    }).pipe(told(provider, of))

  const ask = (payment: Payment, email: string) => ({
    workspaceId: payment.workspaceId,
    paymentId: payment.paymentId,
    title: `${payment.credits / MICROS_PER_CREDIT} credits`,
    cents: payment.cents,
    email,
    returnUrl: paymentUrl(baseUrl, payment.paymentId)
  })

  /** We learnt nothing: the payment stays unknown, or fails if the provider refuses it for good. */
  const unheard = (provider: PaymentProvider, payment: Payment) => (failure: ProviderFailure) =>
    Effect.gen(function* () {
      yield* Effect.logWarning("payments: the provider did not answer", failure)
      const isRefused = failure.reason === "invalid" && payment.reference === null
      return yield* conclude(payment, isRefused ? "fail" : "lose", yield* Clock.currentTimeMillis)
    }).pipe(told(provider, payment))

  const begin = (provider: PaymentProvider, payment: Payment, email: string) =>
    provider.begin(ask(payment, email)).pipe(
      Effect.matchEffect({
        onFailure: unheard(provider, payment),
        onSuccess: (standing) => Effect.map(settle(provider, payment, standing, null), (after) => after ?? payment)
      })
    )

  const emailOf = (payment: Payment) =>
    Effect.map(
      users.members(payment.workspaceId),
      (members) => members.find(({ userId }) => userId === payment.userId)?.email ?? null
    )

  /** Asks about a payment. One without a reference is begun again or given up. */
  const lookAt = (provider: PaymentProvider, payment: Payment) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      if (payment.reference !== null) {
        return yield* provider.standing(payment.reference).pipe(
          Effect.matchEffect({
            onFailure: unheard(provider, payment),
            onSuccess: (standing) => Effect.map(settle(provider, payment, standing, null), (after) => after ?? payment)
          })
        )
      }
      const email = yield* emailOf(payment)
      if (email === null || nowMillis - payment.createdAtMillis > BEGIN_AGAIN_MILLIS) {
        return yield* conclude(payment, "fail", nowMillis)
      }
      return yield* begin(provider, payment, email)
    })

  const found = ({ session }: SignedIn, paymentId: string) =>
    orNotFound(isUuid(paymentId) ? store.find(session.workspaceId, paymentId) : Effect.succeedNone)

  const topUp: Payments["Service"]["topUp"] = (by, { credits, paymentId }) =>
    Effect.gen(function* () {
      yield* owner(by)
      const nowMillis = yield* Clock.currentTimeMillis
      const { workspaceId } = by.session
      const provider = yield* providerOf(workspaceId)
      if (provider === null || !isUuid(paymentId)) {
        return yield* Effect.andThen(mend([{ path: "credits", message: "can't be bought here" }]), refused("not_found"))
      }
      yield* mend(amountIssues(credits))
      const asked: Payment = {
        workspaceId,
        paymentId,
        userId: by.user.userId,
        credits: fromMicros(BigInt(credits) * MICROS_PER_CREDIT),
        cents: credits * CENTS_PER_CREDIT,
        state: "created",
        reference: null,
        url: null,
        entryId: null,
        returnedCents: 0,
        takenBack: zero,
        createdAtMillis: nowMillis,
        changedAtMillis: nowMillis,
        looks: 0,
        nextLookAtMillis: null
      }
      const payment = { ...asked, nextLookAtMillis: nextLook(asked, nowMillis) }
      const isNew = yield* Effect.gen(function* () {
        const known = yield* store.find(workspaceId, paymentId)
        if (Option.isNone(known) && (yield* store.countOpen(workspaceId)) >= OPEN_PAYMENTS_MAX) {
          yield* mend([{ path: "credits", message: "can't be bought now: too many payments are open" }])
        }
        return yield* store.insert(payment)
      }).pipe(atomically)
      return isNew ? yield* begin(provider, payment, by.user.email) : yield* found(by, paymentId)
    })

  const look: Payments["Service"]["look"] = (by, paymentId) =>
    Effect.gen(function* () {
      const payment = yield* found(by, paymentId)
      const provider = yield* providerOf(payment.workspaceId)
      return isOver(payment) || provider === null ? payment : yield* lookAt(provider, payment)
    })

  const sweep = Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    const due = yield* atomically(store.takeDue(nowMillis, nowMillis + SWEEP_LEASE_MILLIS, SWEEP_MAX))
    yield* Effect.forEach(
      due,
      (payment) =>
        Effect.flatMap(providerOf(payment.workspaceId), (provider) =>
          provider === null ? Effect.void : lookAt(provider, payment)
        ),
      { concurrency: SWEEP_AT_ONCE, discard: true }
    )
    return due.length
  })

  return Payments.of({
    overview: (by) =>
      Effect.gen(function* () {
        const { workspaceId } = by.session
        const provider = yield* providerOf(workspaceId)
        return { isOffered: provider !== null, payments: yield* store.list(workspaceId, PAYMENTS_LISTED_MAX) }
      }),
    topUp,
    payment: found,
    look,
    notified: (provider, notice) => Effect.asVoid(settle(provider, notice, notice.standing, notice)),
    sweep
  })
})

export const layer = Layer.effect(Payments, makePayments)

/** What every host does for as long as it lives: it asks about payments whose provider tells nothing. */
export const makeAsking = Effect.gen(function* () {
  const { sweep } = yield* makePayments
  const { rest } = yield* WorkSignals
  return turns("payments", sweep, rest("payments", IDLE_MILLIS))
})
