import { assert, it } from "@effect/vitest"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { type Payment, PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { AlertStore } from "@outbound/domain/control/alerts/AlertStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Exit, type Layer, Option } from "effect"
import { freshId, givenWorkspace, MINUTE, NOON, SUITE } from "../../contracts/fixtures.js"

const TAKERS = 8

/** Before any other suite's payments, and before those of earlier runs, so that these are the ones that are due. */
const LONG_AGO = Date.UTC(2001, 0, 1) - 10 * (Date.now() - Date.UTC(2026, 0, 1))

/** What every store of payments guarantees. */
export const paymentsContract = <E>(
  name: string,
  adapter: Layer.Layer<AlertStore | PaymentStore | UnitOfWork | UserStore | WorkspaceStore, E>
): void => {
  const givenPayment = (given: Partial<Payment> = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* PaymentStore
      const users = yield* UserStore
      const workspaceId = given.workspaceId ?? (yield* givenWorkspace()).workspaceId
      const member = { userId: freshId(), email: `${freshId()}@owner.test`, role: "owner" as const, atMillis: NOON }
      const { userId } = yield* atomically(users.ensureMember({ ...member, workspaceId }))
      const payment: Payment = {
        workspaceId,
        paymentId: freshId(),
        userId,
        credits: credits("2500"),
        cents: 2_500,
        state: "created",
        reference: null,
        url: null,
        entryId: null,
        returnedCents: 0,
        takenBack: zero,
        createdAtMillis: NOON,
        changedAtMillis: NOON,
        looks: 0,
        nextLookAtMillis: null,
        ...given
      }
      assert.isTrue(yield* atomically(store.insert(payment)))
      return payment
    })

  it.layer(adapter, SUITE)(`payments (${name})`, (it) => {
    it.effect("a payment is kept as it is, and found in its workspace alone", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PaymentStore
        const payment = yield* givenPayment()
        const later = yield* givenPayment({ workspaceId: payment.workspaceId, createdAtMillis: NOON + 1 })
        const paid: Payment = {
          ...payment,
          state: "paid",
          reference: "cs_test_1",
          entryId: freshId(),
          returnedCents: 1_000,
          takenBack: credits("900"),
          changedAtMillis: NOON + MINUTE,
          looks: 3
        }
        assert.strictEqual(yield* store.countOpen(payment.workspaceId), 2)
        yield* atomically(store.update(paid))
        const { paymentId, workspaceId } = payment
        assert.deepStrictEqual(Option.getOrNull(yield* store.find(workspaceId, paymentId)), paid)
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(store.lock(workspaceId, paymentId))), paid)
        assert.isTrue(Option.isNone(yield* store.find(freshId(), paymentId)))
        assert.deepStrictEqual(yield* store.list(workspaceId, 5), [later, paid])
        assert.deepStrictEqual(yield* store.list(workspaceId, 1), [later])
        assert.strictEqual(yield* store.countOpen(workspaceId), 1)
      })
    )

    it.effect("an id is one payment of its workspace", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PaymentStore
        const payment = yield* givenPayment()
        assert.isFalse(yield* atomically(store.insert({ ...payment, credits: credits("9999") })))
        assert.deepStrictEqual(Option.getOrNull(yield* store.find(payment.workspaceId, payment.paymentId)), payment)
        // Another workspace may have one of the same id, and neither learns of it.
        yield* givenPayment({ paymentId: payment.paymentId })
      })
    )

    it.effect("a due payment is one looker's, however many look at the same time", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PaymentStore
        const due = yield* givenPayment({ nextLookAtMillis: LONG_AGO })
        // Of the same workspace and not due; due, but another workspace's, is not changed with it either.
        const beside = yield* givenPayment({ workspaceId: due.workspaceId, nextLookAtMillis: LONG_AGO + 1 })
        const takes = yield* Effect.replicateEffect(
          Effect.suspend(() => atomically(store.takeDue(LONG_AGO, LONG_AGO + MINUTE, 10))),
          TAKERS,
          { concurrency: "unbounded" }
        )
        const taken = { ...due, looks: 1, nextLookAtMillis: LONG_AGO + MINUTE }
        assert.deepStrictEqual(takes.flat(), [taken])
        const kept = yield* store.find(beside.workspaceId, beside.paymentId)
        assert.deepStrictEqual(Option.getOrNull(kept), beside)
        yield* atomically(store.update({ ...beside, nextLookAtMillis: null }))
        assert.deepStrictEqual(yield* atomically(store.takeDue(LONG_AGO + MINUTE - 1, NOON, 10)), [])
        yield* atomically(store.update({ ...taken, nextLookAtMillis: null }))
        assert.deepStrictEqual(yield* atomically(store.takeDue(LONG_AGO + MINUTE, NOON, 10)), [])
      })
    )

    it.effect("what took a payment's credits back is kept by its ledger entry", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PaymentStore
        const { paymentId, workspaceId } = yield* givenPayment()
        const entry = { workspaceId, paymentId, entryId: freshId() }
        yield* atomically(store.insertReturn({ ...entry, micros: 5n }))
        yield* atomically(store.insertReturn({ ...entry, entryId: freshId(), micros: -5n }))
        const again = yield* Effect.exit(atomically(store.insertReturn({ ...entry, micros: 5n })))
        assert.isTrue(Exit.isFailure(again))
      })
    )

    it.effect("owners are alerted to money that went back; it is open until its credits are taken back", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PaymentStore
        const alerts = yield* AlertStore
        const payment = yield* givenPayment({ state: "paid", entryId: freshId() })
        const { paymentId, workspaceId } = payment
        const causes = Effect.map(alerts.causes("payment_returned", NOON, 1_000), (all) =>
          all.filter((cause) => cause.workspaceId === workspaceId)
        )
        assert.deepStrictEqual(yield* causes, [])
        yield* atomically(store.update({ ...payment, returnedCents: 1_000 }))
        const found = yield* causes
        assert.deepStrictEqual(found, [
          { workspaceId, kind: "payment_returned", subject: paymentId, period: "1000", name: "", says: "1000" }
        ])
        const raised = found.map((cause) => ({
          ...cause,
          alertId: freshId(),
          raisedAtMillis: NOON,
          mailedAtMillis: null
        }))
        yield* atomically(alerts.raise(raised))
        const areOpen = Effect.map(alerts.list(workspaceId, NOON, 10, null), (all) => all.map(({ isOpen }) => isOpen))
        assert.deepStrictEqual(yield* areOpen, [true])
        yield* atomically(store.update({ ...payment, returnedCents: 1_000, takenBack: credits("1000") }))
        assert.deepStrictEqual(yield* areOpen, [false])
      })
    )

    it.effect("what the provider tells is known by its id", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* PaymentStore
        const { paymentId, workspaceId } = yield* givenPayment()
        const event = { workspaceId, paymentId, eventId: "evt_1", kind: "checkout.session.completed", atMillis: NOON }
        const tells = yield* Effect.replicateEffect(
          Effect.suspend(() => atomically(store.insertEvent(event))),
          TAKERS,
          { concurrency: "unbounded" }
        )
        assert.lengthOf(tells.filter(Boolean), 1)
        assert.isTrue(yield* atomically(store.insertEvent({ ...event, eventId: "evt_2" })))
      })
    )
  })
}
