import { assert, it } from "@effect/vitest"
import { OPEN_PAYMENTS_MAX, Payments } from "@outbound/domain/wings/payments/Payments.js"
import * as PaymentsLive from "@outbound/domain/wings/payments/Payments.js"
import { PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { PaymentProviders } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { asOf, freshId, SUITE } from "../../contracts/fixtures.js"
import { CENTS } from "./scriptedPayments.js"
import { paymentsOver, type PaymentStores } from "./support.js"

/** What holds of top-ups that nobody ends, whatever the stores. */
export const paymentsEndingContract = <E>(name: string, stores: Layer.Layer<PaymentStores, E>): void => {
  const { adapter, after, asksFor, givenOwner, looksAt, set, waiting } = paymentsOver(stores)

  it.layer(adapter, SUITE)(`top-ups that nobody ends (${name})`, (it) => {
    it.effect("a beginning that nobody pays for any more is over: its buyer has left, or 20 hours have passed", () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        const by = yield* givenOwner
        const [early, late] = [freshId(), freshId()]
        for (const paymentId of [early, late]) set(paymentId, "lost")
        yield* payments.topUp(by, { paymentId: early, credits: CENTS })
        // A minute before 20 hours it is begun once more, a minute after them no more.
        yield* after(20 * 60 - 1)(payments.look(by, early))
        assert.lengthOf(asksFor(early), 2)
        assert.strictEqual((yield* after(20 * 60 + 1)(payments.look(by, early))).state, "failed")
        assert.lengthOf(asksFor(early), 2)

        yield* payments.topUp(by, { paymentId: late, credits: CENTS })
        yield* atomically(users.removeMember(by.session.workspaceId, by.user.userId))
        assert.strictEqual((yield* payments.look(by, late)).state, "failed")
        assert.lengthOf(asksFor(late), 1)
      })
    )

    it.effect("what one round asks about, another round at the same time does not", () =>
      Effect.gen(function* () {
        const { payment, payments } = yield* waiting
        set(payment.paymentId, "open")
        yield* after(2)(payments.sweep)
        assert.strictEqual(looksAt(payment.paymentId), 1)
        // The host that took it dies before it has stored what it learnt: the others wait, and then ask.
        const store = yield* PaymentStore
        const { atomically } = yield* UnitOfWork
        const nowMillis = yield* Clock.currentTimeMillis
        const { workspaceId, paymentId } = payment
        const now = Option.getOrThrow(yield* store.find(workspaceId, paymentId))
        yield* atomically(store.update({ ...now, nextLookAtMillis: nowMillis + 10 * 60_000 }))
        const taken = yield* after(10)(atomically(store.takeDue(nowMillis + 10 * 60_000, nowMillis + 15 * 60_000, 50)))
        assert.include(
          taken.map((one) => one.paymentId),
          paymentId
        )
        yield* after(14)(payments.sweep)
        assert.strictEqual(looksAt(paymentId), 1)
        yield* after(15)(payments.sweep)
        assert.strictEqual(looksAt(paymentId), 2)
      })
    )

    it.effect("a beginning is tried again until its 20 hours are over, to the millisecond", () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const by = yield* givenOwner
        const paymentId = freshId()
        set(paymentId, "lost")
        const begun = yield* payments.topUp(by, { paymentId, credits: CENTS })
        assert.deepInclude(begun, { state: "unknown", looks: 0, returnedCents: 0 })
        const lookAt = (hours: number, millis: number) =>
          asOf(begun.createdAtMillis + hours * 3_600_000 + millis)(payments.look(by, paymentId))
        assert.strictEqual((yield* lookAt(20, 0)).state, "unknown")
        assert.strictEqual((yield* lookAt(20, 1)).state, "failed")
      })
    )

    it.effect("a round has five minutes for what it took, in which no other round takes it", () =>
      Effect.gen(function* () {
        const store = yield* PaymentStore
        const leases: Array<number> = []
        const { sweep } = yield* Layer.fresh(PaymentsLive.layer).pipe(
          Layer.provide(
            Layer.mergeAll(
              Layer.succeed(PaymentProviders, { sandbox: null, live: null }),
              Layer.succeed(Settings, { baseUrl: "https://outbound.test" }),
              Layer.succeed(PaymentStore, {
                ...store,
                takeDue: (nowMillis, untilMillis) => Effect.sync(() => (leases.push(untilMillis - nowMillis), []))
              })
            )
          ),
          Layer.build,
          Effect.map((context) => Context.get(context, Payments)),
          Effect.scoped
        )
        assert.strictEqual(yield* sweep, 0)
        assert.deepStrictEqual(leases, [5 * 60_000])
      })
    )

    it.effect("where nobody sells any more, what is open is left as it is, and asks nobody", () =>
      Effect.gen(function* () {
        const { by, payment, payments } = yield* waiting
        const closed = yield* Layer.fresh(PaymentsLive.layer).pipe(
          Layer.provide(Layer.succeed(PaymentProviders, { sandbox: null, live: null })),
          Layer.provide(Layer.succeed(Settings, { baseUrl: "https://outbound.test" })),
          Layer.build,
          Effect.map((context) => Context.get(context, Payments)),
          Effect.scoped
        )
        assert.isFalse((yield* closed.overview(by)).isOffered)
        assert.strictEqual((yield* closed.look(by, payment.paymentId)).state, "action_required")
        yield* after(2)(closed.sweep)
        assert.strictEqual(looksAt(payment.paymentId), 0)
        assert.strictEqual((yield* payments.payment(by, payment.paymentId)).state, "action_required")
      })
    )

    it.effect("too many open ones are said to be too many, and a payment begins with nothing given back", () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const by = yield* givenOwner
        const buy = payments.topUp(by, { paymentId: freshId(), credits: CENTS })
        const first = yield* buy
        assert.deepStrictEqual([first.returnedCents, first.takenBack as bigint], [0, 0n])
        for (let open = 1; open < OPEN_PAYMENTS_MAX; open++)
          yield* payments.topUp(by, { paymentId: freshId(), credits: CENTS })
        const refused = yield* Effect.flip(payments.topUp(by, { paymentId: freshId(), credits: CENTS }))
        assert.include(JSON.stringify(refused), "too many payments are open")
      })
    )
  })
}
