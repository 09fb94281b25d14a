import { assert, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import { Payments } from "@outbound/domain/control/payments/Payments.js"
import * as PaymentsLive from "@outbound/domain/control/payments/PaymentsLive.js"
import type { PaymentStore } from "@outbound/domain/control/payments/PaymentStore.js"
import type { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
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
import { Effect, FastCheck as fc, Layer, Logger, LogLevel } from "effect"
import { freshId, givenWorkspace, hashOf, NOON, SUITE } from "../fixtures.js"

const CENTS = 2_500

const lost = new ProviderFailure({ provider: "scripted", reason: "unknown_outcome" })

/** A provider whose payments stand as a test says, by payment; unless it says so, they wait for the payer. */
const scripted = () => {
  const states = new Map<string, PaymentStanding["state"] | "lost">()
  const standing = (paymentId: string): Effect.Effect<PaymentStanding, ProviderFailure> =>
    Effect.suspend(() => {
      const state = states.get(paymentId) ?? "open"
      return state === "lost"
        ? Effect.fail(lost)
        : Effect.succeed({ reference: paymentId, state, url: "https://pay.test", cents: CENTS })
    })
  const provider: PaymentProvider = {
    name: "scripted",
    begin: ({ paymentId }) => standing(paymentId),
    standing,
    notice: null
  }
  return {
    provider,
    set: (paymentId: string, state: PaymentStanding["state"] | "lost") => states.set(paymentId, state)
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
    Layer.provideMerge(Logger.minimumLogLevel(LogLevel.None))
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
    standing: { reference: paymentId, state, url: null, cents: CENTS, ...given }
  })

  /** The same, so many minutes later. */
  const after =
    (minutes: number) =>
    <A, F, R>(effect: Effect.Effect<A, F, R>): Effect.Effect<A, F, R> =>
      Effect.clockWith((clock) =>
        Effect.withClock(effect, {
          ...clock,
          sleep: (duration) => clock.sleep(duration),
          unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + minutes * 60_000,
          unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
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
