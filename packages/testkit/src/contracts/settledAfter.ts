import { assert, it } from "@effect/vitest"
import type { Reconciled, Settlement } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { VerdictStore } from "@outbound/domain/data/verification/VerdictStore.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { admitted, anAttempt, claimOf, givenCaller, outcomeOf, settlementOf } from "./calls.js"
import { addressHashOf, freshId, MINUTE, NOON, SUITE } from "./fixtures.js"

type Stores = CallJournal | CreditStore | KeyStore | UnitOfWork | VerdictStore | WorkspaceStore

/** What a settlement leaves of what was found out, and what becomes of a call whose outcome was unknown. */
export const settledAfterContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const judge = (
    keyHash: string,
    addressHash: string,
    status: NonNullable<Settlement["verdict"]>["status"],
    settledAtMillis: number
  ) =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const call = yield* admitted(anAttempt(keyHash))
      yield* journal.settle(settlementOf(call, { verdict: { addressHash, status }, settledAtMillis }))
    })

  const verdictsOf = (workspaceId: string, ...hashes: ReadonlyArray<string>) =>
    Effect.map(
      Effect.flatMap(VerdictStore, (store) => store.find(workspaceId, hashes)),
      (found) => hashes.map((hash) => found.get(hash) ?? null)
    )

  /** A call whose outcome is unknown, with an answer for repeats. */
  const unknown = (keyHash: string, key: string) =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const attempt = (requestId: string) => anAttempt(keyHash, { requestId, idempotency: claimOf(key, "body") })
      const call = yield* admitted(attempt(freshId()))
      const outcome = { ...outcomeOf(call, '{"code":"unknown_outcome"}'), httpStatus: 502 }
      yield* journal.settle(
        settlementOf(call, { status: "unknown", httpStatus: 502, errorCode: "unknown_outcome", charge: zero, outcome })
      )
      const again = Effect.suspend(() => journal.admit(attempt(freshId())))
      return { call, outcome, again }
    })

  const reconcile = (reconciled: Partial<Reconciled> & Pick<Reconciled, "workspaceId" | "requestId">) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const journal = yield* CallJournal
      const known = { status: "succeeded", httpStatus: 200, errorCode: null, body: '{"ok":true}' } as const
      yield* atomically(journal.reconcileIn({ ...known, ...reconciled }))
    })

  const recordOf = (workspaceId: string, requestId: string) =>
    Effect.map(
      Effect.flatMap(CallJournal, (journal) => journal.request(workspaceId, requestId)),
      (found) => {
        const { errorCode, httpStatus, status } = Option.getOrThrow(found)
        return { errorCode, httpStatus, status }
      }
    )

  it.layer(adapter, SUITE)(`what calls leave (${name})`, (it) => {
    it.effect("of an address the newest verdict is kept, in its own workspace, and of nobody beside it", () =>
      Effect.gen(function* () {
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const other = yield* givenCaller("10")
        const [ann, bob] = [addressHashOf(workspaceId, "ann@x.test"), addressHashOf(workspaceId, "bob@x.test")]
        yield* judge(keyHash, ann, "valid", NOON)
        yield* judge(keyHash, bob, "invalid", NOON)
        yield* judge(other.keyHash, ann, "invalid", NOON + MINUTE)
        const at = (status: string, checkedAtMillis: number) => ({ status, checkedAtMillis })
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* verdictsOf(workspaceId, ann, bob), [
          at("valid", NOON),
          at("invalid", NOON)
        ])
        yield* judge(keyHash, ann, "invalid", NOON + MINUTE)
        // It was found out before, and the report comes late.
        yield* judge(keyHash, ann, "valid", NOON + MINUTE - 1)
        assert.deepStrictEqual<ReadonlyArray<unknown>>(yield* verdictsOf(workspaceId, ann, bob), [
          at("invalid", NOON + MINUTE),
          at("invalid", NOON)
        ])
        assert.deepStrictEqual(yield* verdictsOf(freshId(), ann), [null])
      })
    )

    it.effect(
      "that nothing could be found out takes the place of what was known by nobody's, and the reverse does",
      () =>
        Effect.gen(function* () {
          const { keyHash, workspaceId } = yield* givenCaller("10")
          const hash = addressHashOf(workspaceId, "ann@x.test")
          const statuses: Array<unknown> = []
          const steps = [
            ["unknown", NOON],
            ["unknown", NOON + 1],
            ["valid", NOON + 2],
            ["unknown", NOON + 3],
            ["invalid", NOON + 3]
          ] as const
          for (const [status, atMillis] of steps) {
            yield* judge(keyHash, hash, status, atMillis)
            const [verdict] = yield* verdictsOf(workspaceId, hash)
            statuses.push([verdict?.status, (verdict?.checkedAtMillis ?? 0) - NOON])
          }
          assert.deepStrictEqual(statuses, [
            ["unknown", 0],
            ["unknown", 1],
            ["valid", 2],
            ["valid", 2],
            ["invalid", 3]
          ])
        })
    )

    it.effect("an unknown outcome that is found out is what repeats get, and of that call alone", () =>
      Effect.gen(function* () {
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const [one, beside] = [yield* unknown(keyHash, "one"), yield* unknown(keyHash, "beside")]
        const { requestId } = one.call
        yield* reconcile({ workspaceId: freshId(), requestId })
        assert.deepInclude(yield* one.again, { _tag: "Replay", outcome: one.outcome })
        yield* reconcile({ workspaceId, requestId })
        assert.deepInclude(yield* one.again, {
          _tag: "Replay",
          outcome: { requestId, httpStatus: 200, body: '{"ok":true}', charged: zero, approvalId: null }
        })
        assert.deepStrictEqual(yield* recordOf(workspaceId, requestId), {
          status: "succeeded",
          httpStatus: 200,
          errorCode: null
        })
        assert.deepInclude(yield* beside.again, { _tag: "Replay", outcome: beside.outcome })
        assert.strictEqual((yield* recordOf(workspaceId, beside.call.requestId)).status, "unknown")
        // What is known is found out once.
        const failed = { status: "failed", httpStatus: 500, errorCode: "internal_error", body: '{"ok":false}' } as const
        yield* reconcile({ workspaceId, requestId, ...failed })
        assert.strictEqual((yield* recordOf(workspaceId, requestId)).status, "succeeded")
      })
    )

    it.effect("one that is found to have done nothing leaves its Idempotency-Key free, and no other one", () =>
      Effect.gen(function* () {
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const [one, beside] = [yield* unknown(keyHash, "one"), yield* unknown(keyHash, "beside")]
        const failed = { status: "failed", httpStatus: 502, errorCode: "provider_unavailable", body: null } as const
        yield* reconcile({ workspaceId, requestId: one.call.requestId, ...failed })
        assert.deepStrictEqual(yield* recordOf(workspaceId, one.call.requestId), {
          status: "failed",
          httpStatus: 502,
          errorCode: "provider_unavailable"
        })
        assert.deepInclude(yield* one.again, { _tag: "Admitted" })
        assert.deepInclude(yield* beside.again, { _tag: "Replay", outcome: beside.outcome })
      })
    )
  })
}
