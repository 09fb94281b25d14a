import { assert } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import { Payments } from "@outbound/domain/wings/payments/Payments.js"
import * as PaymentsLive from "@outbound/domain/wings/payments/Payments.js"
import { PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import type { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import {
  type PaymentNotice,
  PaymentProviders,
  type PaymentStanding
} from "@outbound/domain/wings/payments/PaymentProvider.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { type SignedIn, UserStore } from "@outbound/domain/control/users/UserStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Clock, Effect, Layer, References } from "effect"
import { freshId, givenWorkspace, hashOf, NOON } from "../../contracts/fixtures.js"
import { CENTS, scriptedPayments } from "./scriptedPayments.js"

export type PaymentStores = CreditStore | Ids | PaymentStore | UnitOfWork | UserStore | WorkspaceStore

/** A host's payments over these stores, with a provider whose payments stand as a test says. */
export const paymentsOver = <E>(stores: Layer.Layer<PaymentStores, E>) => {
  const { asksFor, looksAt, provider, set } = scriptedPayments()
  const adapter = PaymentsLive.layer.pipe(
    Layer.provide(Layer.succeed(PaymentProviders, { sandbox: provider, live: null })),
    Layer.provide(Layer.succeed(Settings, { baseUrl: "https://outbound.test" })),
    Layer.provideMerge(stores),
    // What the provider says wrongly is part of what is tested; its logs are not.
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )

  const ownerOf = Effect.fnUntraced(function* (kind: "sandbox" | "live") {
    const { atomically } = yield* UnitOfWork
    const users = yield* UserStore
    const { name: workspaceName, workspaceId } = yield* givenWorkspace({ kind })
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

  const givenOwner = ownerOf("sandbox")

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

  return { adapter, after, asksFor, balanceOf, givenOwner, looksAt, noticeOf, ownerOf, provider, set, waiting }
}
