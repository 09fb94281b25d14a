import { assert } from "@effect/vitest"
import { CallJournal, type CallRef } from "@outbound/domain/calls/CallJournal.js"
import type { Settled } from "@outbound/domain/calls/Attempt.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Option } from "effect"
import { admitted, anAttempt, claimOf, costing, givenCaller, moneyOf, outcomeOf, settlementOf } from "./calls.js"
import { freshId, NOON } from "./fixtures.js"
import { TestHosts } from "../memory/Hooks.js"
import type { JournalIt } from "./journalSupport.js"

const atomically = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unit) => unit.atomically(work))

/** A call of ten credits that a host accepted before it died. */
const givenAccepted = Effect.gen(function* () {
  const caller = yield* givenCaller("20")
  const host = yield* Effect.flatMap(TestHosts, (hosts) => hosts.start)
  const attempt = () =>
    anAttempt(caller.keyHash, { idempotency: claimOf("list", "body"), plan: costing(credits("10")) })
  const call = yield* admitted(attempt(), host.journal)
  const outcome = { ...outcomeOf(call, `{"operation_id":"x"}`, zero), httpStatus: 202 }
  assert.deepStrictEqual(yield* atomically(host.journal.acceptIn(call, outcome)), {
    _tag: "Settled",
    available: credits("10")
  } satisfies Settled)
  yield* host.kill
  const ref: CallRef = { workspaceId: caller.workspaceId, requestId: call.requestId }
  return { ...caller, attempt, call, outcome, ref }
})

const row = (requestId: string, amount: string) => ({ requestId, verb: "verify_email", reserved: credits(amount) })

/** Calls whose work goes on as an operation: what they hold lasts, moves to the calls of rows, and is freed once. */
export const acceptedTests = (it: JournalIt): void => {
  it.effect("an accepted call is answered, outlives its host, and repeats get its answer while it is open", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { attempt, call, outcome, ref, workspaceId } = yield* givenAccepted
      yield* journal.sweep
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "20", reserved: "10" })
      assert.deepInclude(yield* journal.admit(attempt()), { _tag: "Replay", outcome })
      assert.deepStrictEqual(Option.getOrNull(yield* journal.awaitOutcome(workspaceId, call.requestId, 1_000)), outcome)
      const held = Option.getOrThrow(yield* journal.held(workspaceId, ref.requestId))
      assert.deepInclude(held, { keyId: call.key.keyId, month: call.month, runId: null, reserved: credits("10") })
      assert.isTrue(Option.isNone(yield* journal.held(freshId(), ref.requestId)), "another workspace finds nothing")
      const record = Option.getOrThrow(yield* journal.request(workspaceId, ref.requestId))
      assert.deepInclude(record, { status: "pending", reserved: credits("10") })
    })
  )

  it.effect("calls are opened with parts of it, in their order, as many as it covers", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { ref, workspaceId } = yield* givenAccepted
      const [one, two, three] = [freshId(), freshId(), freshId()]
      const rows = [row(one, "4"), row(two, "4"), row(three, "4")]
      assert.deepStrictEqual(yield* atomically(journal.splitIn(ref, rows, NOON)), [one, two])
      assert.deepStrictEqual(yield* atomically(journal.splitIn(ref, [row(three, "4")], NOON)), [])
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "20", reserved: "10" })
      const held = Option.getOrThrow(yield* journal.held(workspaceId, ref.requestId))
      assert.strictEqual(held.reserved, credits("2"))
      yield* journal.sweep
      const opened = Option.getOrThrow(yield* journal.request(workspaceId, two))
      assert.deepInclude(opened, { verb: "verify_email", mode: "act", status: "pending", reserved: credits("4") })
    })
  )

  it.effect("what a row did not cost goes back to its list while that is open, and to the account after it", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { call, ref, workspaceId } = yield* givenAccepted
      const [one, two] = [freshId(), freshId()]
      yield* atomically(journal.splitIn(ref, [row(one, "4"), row(two, "4")], NOON))
      const end = (requestId: string, reserved: string, charge: string) => {
        const child = { ...call, requestId, reserved: credits(reserved), idempotency: null }
        return atomically(journal.settleIn(settlementOf(child, { charge: credits(charge) })))
      }
      assert.isTrue(yield* atomically(journal.mergeIn(ref, one, credits("3"))))
      assert.isFalse(yield* atomically(journal.mergeIn(ref, one, credits("3"))), "it holds less than that")
      assert.strictEqual((yield* end(one, "1", "1"))._tag, "Settled")
      assert.strictEqual((yield* end(one, "1", "1"))._tag, "Fenced")
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "19", reserved: "9" })
      const list = { ...call, reserved: credits("5"), idempotency: null }
      yield* atomically(journal.settleIn(settlementOf(list, { charge: zero, outcome: null })))
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "19", reserved: "4" })
      assert.isFalse(yield* atomically(journal.mergeIn(ref, two, credits("3"))), "the list has been settled")
      assert.strictEqual((yield* end(two, "4", "1"))._tag, "Settled")
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "18", reserved: "0" })
    })
  )

  it.effect("a call that a sweeper has resolved can't be accepted any more", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const caller = yield* givenCaller("20")
      const host = yield* Effect.flatMap(TestHosts, (hosts) => hosts.start)
      const call = yield* admitted(anAttempt(caller.keyHash, { plan: costing(credits("10")) }), host.journal)
      yield* host.kill
      yield* journal.sweep
      const outcome = { ...outcomeOf(call, "{}", zero), httpStatus: 202 }
      assert.strictEqual((yield* atomically(host.journal.acceptIn(call, outcome)))._tag, "Fenced")
      assert.deepStrictEqual(yield* moneyOf(caller.workspaceId), { balance: "20", reserved: "0" })
    })
  )
}
