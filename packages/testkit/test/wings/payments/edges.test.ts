import { assert, it } from "@effect/vitest"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { OPEN_PAYMENTS_MAX, Payments } from "@outbound/domain/wings/payments/Payments.js"
import { PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { Effect, Layer } from "effect"
import { freshId, SUITE } from "../../../src/contracts/fixtures.js"
import { layer } from "../../../src/memory/layer.js"
import * as TestIds from "../../../src/memory/TestIds.js"
import { CENTS } from "../../../src/wings/payments/scriptedPayments.js"
import { paymentsOver } from "../../../src/wings/payments/support.js"

const { adapter, after, asksFor, givenOwner, looksAt, ownerOf, set, waiting } = paymentsOver(
  Layer.merge(layer, TestIds.layer)
)

it.layer(adapter, SUITE)("top-ups, to their edges", (it) => {
  /** A payment of which nobody knows whether it began. */
  const lost = Effect.gen(function* () {
    const payments = yield* Payments
    const by = yield* givenOwner
    const paymentId = freshId()
    set(paymentId, "lost")
    yield* payments.topUp(by, { paymentId, credits: CENTS })
    return { by, paymentId, look: payments.look(by, paymentId) }
  })

  it.effect("an uncertain beginning is begun again for 20 hours, and has failed after them", () =>
    Effect.gen(function* () {
      const { look, paymentId } = yield* lost
      assert.strictEqual((yield* after(20 * 60 - 1)(look)).state, "unknown")
      assert.lengthOf(asksFor(paymentId), 2)
      assert.strictEqual((yield* after(20 * 60 + 1)(look)).state, "failed")
      assert.lengthOf(asksFor(paymentId), 2)
      // What is over is asked about no more.
      yield* after(20 * 60 + 2)(look)
      assert.lengthOf(asksFor(paymentId), 2)
    })
  )

  it.effect(
    "an uncertain beginning of somebody who was taken out of the workspace has failed: nobody would pay it",
    () =>
      Effect.gen(function* () {
        const { by, look, paymentId } = yield* lost
        const { atomically } = yield* UnitOfWork
        const users = yield* UserStore
        yield* atomically(users.removeMember(by.session.workspaceId, by.user.userId))
        assert.strictEqual((yield* after(1)(look)).state, "failed")
        assert.lengthOf(asksFor(paymentId), 1)
      })
  )

  it.effect("where too many payments are open, that is said, and nothing is asked for", () =>
    Effect.gen(function* () {
      const payments = yield* Payments
      const by = yield* givenOwner
      for (let open = 0; open < OPEN_PAYMENTS_MAX; open++) {
        yield* payments.topUp(by, { paymentId: freshId(), credits: CENTS })
      }
      const paymentId = freshId()
      const refused = yield* Effect.flip(payments.topUp(by, { paymentId, credits: CENTS }))
      assert.include(JSON.stringify(refused), "too many payments are open")
      assert.isEmpty(asksFor(paymentId))
    })
  )

  it.effect("a payment whose provider is no longer set up stays as it is, for its owner and in each round", () =>
    Effect.gen(function* () {
      const { payment, payments } = yield* waiting
      const { atomically } = yield* UnitOfWork
      const store = yield* PaymentStore
      const by = yield* ownerOf("live")
      const theirs = {
        ...payment,
        workspaceId: by.session.workspaceId,
        userId: by.user.userId,
        paymentId: freshId(),
        reference: freshId()
      }
      yield* atomically(store.insert(theirs))
      assert.deepStrictEqual(yield* payments.look(by, theirs.paymentId), theirs)
      yield* after(60)(payments.sweep)
      assert.strictEqual((yield* payments.payment(by, theirs.paymentId)).state, theirs.state)
      assert.strictEqual(looksAt(theirs.reference), 0)
      assert.strictEqual(looksAt(payment.paymentId), 1)
    })
  )
})
