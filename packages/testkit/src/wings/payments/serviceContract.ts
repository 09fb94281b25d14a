import { assert, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits as parse, format } from "@outbound/domain/kernel/money/Credits.js"
import { owedBy } from "@outbound/domain/wings/payments/Booking.js"
import {
  OPEN_PAYMENTS_MAX,
  Payments,
  TOP_UP_CREDITS_MAX,
  TOP_UP_CREDITS_MIN
} from "@outbound/domain/wings/payments/Payments.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { freshId, NOON, SUITE } from "../../contracts/fixtures.js"
import { CENTS } from "./scriptedPayments.js"
import { paymentsOver, type PaymentStores } from "./support.js"

/** What holds of top-ups, whatever the stores and whatever the provider tells, when, and how often. */
export const paymentsServiceContract = <E>(
  name: string,
  stores: Layer.Layer<PaymentStores, E>,
  options: { readonly runs: number }
): void => {
  const { adapter, after, asksFor, balanceOf, givenOwner, looksAt, noticeOf, ownerOf, provider, set, waiting } =
    paymentsOver(stores)

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

    it.effect("the provider is asked for what was chosen, once, by an owner who comes back to the payment's page", () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const by = yield* givenOwner
        const paymentId = freshId()
        const { changedAtMillis, createdAtMillis, ...begun } = yield* payments.topUp(by, { paymentId, credits: CENTS })
        assert.deepInclude(begun, { looks: 0, returnedCents: 0, cents: CENTS, credits: parse(String(CENTS)) })
        assert.isAtLeast(changedAtMillis, createdAtMillis)
        assert.deepStrictEqual(asksFor(paymentId), [
          {
            workspaceId: by.session.workspaceId,
            paymentId,
            title: `${CENTS} credits`,
            cents: CENTS,
            email: by.user.email,
            returnUrl: `https://outbound.test/console/payments/${paymentId}?returned=1`
          }
        ])
        yield* payments.topUp(by, { paymentId, credits: CENTS })
        assert.lengthOf(asksFor(paymentId), 1)
        // Who only reads the page asks nobody; who comes back asks, until it is over.
        yield* payments.payment(by, paymentId)
        assert.strictEqual(looksAt(paymentId), 0)
        set(paymentId, "paid")
        assert.strictEqual((yield* payments.look(by, paymentId)).state, "paid")
        yield* payments.look(by, paymentId)
        assert.strictEqual(looksAt(paymentId), 1)
      })
    )

    it.effect(
      "a beginning that the provider refuses is over, and one that it began is never given up for its words",
      () =>
        Effect.gen(function* () {
          const payments = yield* Payments
          const by = yield* givenOwner
          const refused = freshId()
          set(refused, "refused")
          assert.strictEqual((yield* payments.topUp(by, { paymentId: refused, credits: CENTS })).state, "failed")
          const { payment } = yield* waiting
          set(payment.paymentId, "refused")
          yield* after(2)(payments.sweep)
          set(payment.paymentId, "paid")
          yield* after(200)(payments.sweep)
          assert.strictEqual(looksAt(payment.paymentId), 2)
        })
    )

    it.effect("only an owner buys, only where somebody sells, and nobody under a name that is none", () =>
      Effect.gen(function* () {
        const payments = yield* Payments
        const by = yield* givenOwner
        const refusalOf = (who: SignedIn, paymentId: string) =>
          Effect.flip(payments.topUp(who, { paymentId, credits: CENTS }))
        assert.isTrue((yield* payments.overview(by)).isOffered)
        const paymentId = freshId()
        assert.propertyVal(yield* refusalOf({ ...by, role: "member" }, paymentId), "reason", "owner_required")
        assert.deepStrictEqual(asksFor(paymentId), [])
        const elsewhere = yield* ownerOf("live")
        assert.isFalse((yield* payments.overview(elsewhere)).isOffered)
        for (const [who, name] of [
          [elsewhere, paymentId],
          [by, "no uuid"]
        ] as const) {
          const refused = yield* refusalOf(who, name)
          assert.propertyVal(refused, "reason", "invalid")
          assert.include(JSON.stringify(refused), "can't be bought here")
        }
        assert.propertyVal(yield* Effect.flip(payments.payment(by, "no uuid")), "reason", "not_found")
        assert.deepStrictEqual(asksFor(paymentId), [])
        assert.strictEqual(yield* balanceOf(by), "0")
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
