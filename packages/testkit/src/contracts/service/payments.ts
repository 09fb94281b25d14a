import { assert, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits as parse, format } from "@outbound/domain/kernel/money/Credits.js"
import { owedBy } from "@outbound/domain/control/payments/Booking.js"
import {
  OPEN_PAYMENTS_MAX,
  Payments,
  TOP_UP_CREDITS_MAX,
  TOP_UP_CREDITS_MIN
} from "@outbound/domain/control/payments/Payments.js"
import * as PaymentsLive from "@outbound/domain/control/payments/Payments.js"
import type { PaymentStore } from "@outbound/domain/control/payments/PaymentStore.js"
import type { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import {
  type PaymentNotice,
  type PaymentProvider,
  PaymentProviders,
  type PaymentStanding
} from "@outbound/domain/control/payments/PaymentProvider.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { type SignedIn, UserStore } from "@outbound/domain/control/users/UserStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Clock, Effect, Layer, References } from "effect"
import * as fc from "fast-check"
import { freshId, givenWorkspace, hashOf, NOON, SUITE } from "../fixtures.js"

const CENTS = 2_500

const lost = new ProviderFailure({ provider: "scripted", reason: "unknown_outcome" })

/** A provider whose payments stand as a test says, by payment; unless it says so, they wait for the payer. */
const scripted = () => {
  const states = new Map<string, PaymentStanding["state"] | "lost">()
  const returned = new Map<string, number>()
  const standing = (paymentId: string): Effect.Effect<PaymentStanding, ProviderFailure> =>
    Effect.suspend(() => {
      const state = states.get(paymentId) ?? "open"
      return state === "lost"
        ? Effect.fail(lost)
        : Effect.succeed({
            reference: paymentId,
            state,
            url: "https://pay.test",
            cents: CENTS,
            returnedCents: returned.get(paymentId) ?? 0
          })
    })
  const provider: PaymentProvider = {
    name: "scripted",
    begin: ({ paymentId }) => standing(paymentId),
    standing,
    notice: null
  }
  return {
    provider,
    set: (paymentId: string, state: PaymentStanding["state"] | "lost", returnedCents = 0) => {
      states.set(paymentId, state)
      returned.set(paymentId, returnedCents)
    }
  }
}

type Stores = CreditStore | Ids | PaymentStore | UnitOfWork | UserStore | WorkspaceStore

/** What holds of top-ups, whatever the stores and whatever the provider tells, when, and how often. */
export const paymentsServiceContract = <E>(
  name: string,
  stores: Layer.Layer<Stores, E>,
  options: { readonly runs: number }
): void => {
  const { provider, set } = scripted()
  const adapter = PaymentsLive.layer.pipe(
    Layer.provide(Layer.succeed(PaymentProviders, { sandbox: provider, live: null })),
    Layer.provide(Layer.succeed(Settings, { baseUrl: "https://outbound.test" })),
    Layer.provideMerge(stores),
    // What the provider says wrongly is part of what is tested; its logs are not.
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )

  const givenOwner = Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const users = yield* UserStore
    const { name: workspaceName, workspaceId } = yield* givenWorkspace()
    const member = { userId: freshId(), email: `${freshId()}@owner.test`, role: "owner" as const, atMillis: NOON }
    const user = yield* atomically(users.ensureMember({ ...member, workspaceId }))
    const session = { sessionHash: hashOf(freshId()), userId: user.userId, workspaceId, beganBy: "link" as const }
    const by: SignedIn = {
      session: { ...session, createdAtMillis: NOON, expiresAtMillis: NOON },
      user,
      role: "owner",
      workspaceName
    }
    return by
  })

  const balanceOf = ({ session }: SignedIn) =>
    Effect.gen(function* () {
      const credits = yield* CreditStore
      return format((yield* credits.balance(session.workspaceId)).balance)
    })

  /** A top-up that waits for its payer. */
  const waiting = Effect.gen(function* () {
    const payments = yield* Payments
    const by = yield* givenOwner
    const payment = yield* payments.topUp(by, { paymentId: freshId(), credits: CENTS })
    assert.strictEqual(payment.state, "action_required")
    return { by, payments, payment }
  })

  const noticeOf = (
    { paymentId, workspaceId }: { readonly paymentId: string; readonly workspaceId: string },
    state: PaymentStanding["state"],
    given: Partial<PaymentStanding> = {},
    eventId = `evt_${freshId()}`
  ): PaymentNotice => ({
    eventId,
    kind: `test.${state}`,
    workspaceId,
    paymentId,
    standing: { reference: paymentId, state, url: null, cents: CENTS, returnedCents: null, ...given }
  })

  /** The same, so many minutes later. */
  const after =
    (minutes: number) =>
    <A, F, R>(effect: Effect.Effect<A, F, R>): Effect.Effect<A, F, R> =>
      Effect.clockWith((clock) =>
        Effect.provideService(effect, Clock.Clock, {
          ...clock,
          sleep: (duration) => clock.sleep(duration),
          currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + minutes * 60_000,
          currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
          currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + minutes * 60_000)
        })
      )

  it.layer(adapter, SUITE)(`top-ups (${name})`, (it) => {
    it.effect(
      "what was paid is booked once, in whatever order and however often it is told, and at the same time",
      () =>
        Effect.gen(function* () {
          const tellings = fc.sample(
            fc.array(fc.constantFrom("open" as const, "paid" as const, "failed" as const), {
              minLength: 1,
              maxLength: 6
            }),
            options.runs
          )
          for (const states of tellings) {
            const { by, payment, payments } = yield* waiting
            const notices = states.map((state) => noticeOf(payment, state))
            yield* Effect.forEach([...notices, ...notices], (notice) => payments.notified(provider, notice), {
              concurrency: "unbounded"
            })
            const isPaid = states.includes("paid")
            assert.strictEqual(yield* balanceOf(by), isPaid ? String(CENTS) : "0", states.join())
            const { state } = yield* payments.payment(by, payment.paymentId)
            const expected = isPaid ? "paid" : states.includes("failed") ? "failed" : "action_required"
            assert.strictEqual(state, expected, states.join())
          }
        })
    )

    it.effect("a payment that nobody tells of is found out about, and booked once", () =>
      Effect.gen(function* () {
        const { by, payment, payments } = yield* waiting
        set(payment.paymentId, "paid")
        yield* Effect.all([payments.sweep, payments.sweep].map(after(2)), { concurrency: "unbounded" })
        yield* after(200)(payments.sweep)
        assert.strictEqual(yield* balanceOf(by), String(CENTS))
        yield* payments.notified(provider, noticeOf(payment, "paid"))
        yield* payments.look(by, payment.paymentId)
        assert.strictEqual(yield* balanceOf(by), String(CENTS))
      })
    )

    it.effect("an uncertain beginning is begun again under its own name, and is over after a day", () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const by = yield* givenOwner
        const [paid, over] = [freshId(), freshId()]
        for (const paymentId of [paid, over]) {
          set(paymentId, "lost")
          const { reference, state } = yield* payments.topUp(by, { paymentId, credits: CENTS })
          assert.deepStrictEqual([reference, state], [null, "unknown"])
        }
        set(paid, "paid")
        yield* after(5)(payments.sweep)
        assert.strictEqual((yield* payments.payment(by, paid)).state, "paid")
        assert.strictEqual((yield* payments.payment(by, over)).state, "unknown")
        yield* after(25 * 60)(payments.sweep)
        assert.strictEqual((yield* payments.payment(by, over)).state, "failed")
        assert.strictEqual(yield* balanceOf(by), String(CENTS))
      })
    )

    /** A payment that was made, and is booked. */
    const paid = Effect.gen(function* () {
      const { by, payment, payments } = yield* waiting
      yield* payments.notified(provider, noticeOf(payment, "paid"))
      const returned = (returnedCents: number) => noticeOf(payment, "paid", { returnedCents })
      const now = payments.payment(by, payment.paymentId)
      return { by, payment, payments, returned, now }
    })

    const spend = ({ session }: SignedIn, amount: string) =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const credits = yield* CreditStore
        const entry = { entryId: freshId(), workspaceId: session.workspaceId, kind: "upkeep", atMillis: NOON } as const
        assert.isTrue(yield* atomically(credits.take({ ...entry, amount: parse(amount) })))
      })

    it.effect("money that goes back takes its credits along, once, however often it is told", () =>
      Effect.gen(function* () {
        const { by, now, payments, returned } = yield* paid
        const part = returned(1_000)
        yield* Effect.forEach(
          [part, part, returned(1_000), returned(1_000)],
          (one) => payments.notified(provider, one),
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(yield* balanceOf(by), "1500")
        yield* payments.notified(provider, returned(CENTS))
        assert.strictEqual(yield* balanceOf(by), "0")
        const after = yield* now
        assert.deepStrictEqual([after.state, after.returnedCents, format(after.takenBack)], ["paid", CENTS, "2500"])
      })
    )

    it.effect("never more is taken back than was paid, whatever the provider says went back", () =>
      Effect.gen(function* () {
        const { by, now, payments, returned } = yield* paid
        const { atomically } = yield* UnitOfWork
        const credits = yield* CreditStore
        const { workspaceId } = by.session
        const grant = { entryId: freshId(), workspaceId, kind: "grant", amount: parse("5000") } as const
        yield* atomically(credits.add({ ...grant, countsAsPaymentMethod: false, requestId: null, atMillis: NOON }))
        yield* payments.notified(provider, returned(2 * CENTS))
        assert.strictEqual(yield* balanceOf(by), "5000")
        const after = yield* now
        assert.deepStrictEqual([after.returnedCents, format(after.takenBack), owedBy(after)], [CENTS, "2500", 0n])
        yield* payments.notified(provider, returned(3 * CENTS))
        assert.strictEqual(yield* balanceOf(by), "5000")
      })
    )

    it.effect("a top-up is a whole number within its bounds, and only so many may be open at once", () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const by = yield* givenOwner
        const of = (credits: number, paymentId = freshId()) => payments.topUp(by, { paymentId, credits })
        for (const credits of [TOP_UP_CREDITS_MIN - 1, TOP_UP_CREDITS_MAX + 1, TOP_UP_CREDITS_MIN + 0.5, -CENTS]) {
          assert.propertyVal(yield* Effect.flip(of(credits)), "reason", "invalid", String(credits))
        }
        const first = freshId()
        for (const credits of [TOP_UP_CREDITS_MIN, TOP_UP_CREDITS_MAX])
          yield* of(credits, credits === TOP_UP_CREDITS_MIN ? first : freshId())
        for (let open = 2; open < OPEN_PAYMENTS_MAX; open++) yield* of(CENTS)
        assert.propertyVal(yield* Effect.flip(of(CENTS)), "reason", "invalid")
        assert.strictEqual((yield* of(TOP_UP_CREDITS_MIN, first)).paymentId, first, "a repeat is no other one")
        const another = yield* givenOwner
        yield* payments.topUp(another, { paymentId: freshId(), credits: CENTS })
      })
    )

    it.effect("what was spent already is owed, and taken as soon as it is there; nothing goes below zero", () =>
      Effect.gen(function* () {
        const { by, now, payments, returned } = yield* paid
        yield* spend(by, "2000")
        set((yield* now).paymentId, "paid", CENTS)
        yield* payments.notified(provider, returned(CENTS))
        assert.strictEqual(yield* balanceOf(by), "0")
        assert.strictEqual(owedBy(yield* now), parse("2000") as bigint)
        const { atomically } = yield* UnitOfWork
        const credits = yield* CreditStore
        const grant = { entryId: freshId(), workspaceId: by.session.workspaceId, kind: "grant" } as const
        const of = { amount: parse("2100"), countsAsPaymentMethod: false, requestId: null, atMillis: NOON }
        yield* atomically(credits.add({ ...grant, ...of }))
        yield* after(2 * 60)(payments.sweep)
        assert.strictEqual(yield* balanceOf(by), "100")
        assert.strictEqual(owedBy(yield* now), 0n)
        yield* after(400 * 24 * 60)(payments.sweep)
        assert.strictEqual(yield* balanceOf(by), "100")
      })
    )

    it.effect("a refund or dispute that nobody tells of is found out about", () =>
      Effect.gen(function* () {
        const { by, payment, payments } = yield* paid
        set(payment.paymentId, "lost")
        yield* after(25 * 60)(payments.sweep)
        assert.strictEqual(yield* balanceOf(by), String(CENTS))
        set(payment.paymentId, "paid", 500)
        yield* after(100 * 60)(payments.sweep)
        assert.strictEqual(yield* balanceOf(by), "2000")
      })
    )

    it.effect("a dispute that is won gives the credits again; a notice that comes late does not", () =>
      Effect.gen(function* () {
        const { by, now, payment, payments, returned } = yield* paid
        set(payment.paymentId, "paid", CENTS)
        yield* payments.notified(provider, returned(CENTS))
        yield* payments.notified(provider, returned(500))
        assert.strictEqual(yield* balanceOf(by), "0")
        yield* after(1)(payments.sweep)
        assert.strictEqual(yield* balanceOf(by), "0")
        set(payment.paymentId, "paid", 0)
        yield* payments.notified(provider, returned(0))
        yield* after(1)(payments.sweep)
        assert.strictEqual(yield* balanceOf(by), String(CENTS))
        const { returnedCents, takenBack } = yield* now
        assert.deepStrictEqual([returnedCents, takenBack as bigint], [0, 0n])
      })
    )

    it.effect("another amount, another currency or another workspace's payment books nothing", () =>
      Effect.gen(function* () {
        const { by, payment, payments } = yield* waiting
        const other = yield* givenOwner
        for (const notice of [
          noticeOf(payment, "paid", { cents: CENTS + 1 }),
          noticeOf(payment, "paid", { cents: null }),
          noticeOf({ ...payment, workspaceId: other.session.workspaceId }, "paid"),
          noticeOf({ ...payment, paymentId: freshId() }, "paid")
        ]) {
          yield* payments.notified(provider, notice)
        }
        for (const one of [by, other]) assert.strictEqual(yield* balanceOf(one), "0")
        const foreign = yield* Effect.flip(payments.look(other, payment.paymentId))
        assert.propertyVal(foreign, "reason", "not_found")
      })
    )
  })
}
