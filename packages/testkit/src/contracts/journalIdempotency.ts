import { assert } from "@effect/vitest"
import type { Attempt } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Fiber, Option } from "effect"
import {
  admitted,
  anAttempt,
  answer,
  claimOf,
  costing,
  givenCaller,
  moneyOf,
  outcomeOf,
  settlementOf
} from "./calls.js"
import { givenKey, grant } from "./fixtures.js"
import type { JournalIt } from "./journalSupport.js"

/** Text that a store which re-encodes what it keeps would change. */
const BODY = '{ "b": 1, "a":[1.0, 2],\n"ü": "\\u00fc \u{1F4EC}", "a": "twice" }'

const conflict = (attempt: Attempt) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const admission = yield* journal.admit(attempt)
    return admission._tag === "Refused" && admission.error.code === "idempotency_conflict"
      ? admission.error.details.reason
      : admission._tag
  })

/** One Idempotency-Key is one call, whatever comes at once or again. */
export const idempotencyTests = (it: JournalIt): void => {
  it.effect("50 identical calls at once under one Idempotency-Key: one is admitted, the others are told of it", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const call = Effect.suspend(() => journal.admit(anAttempt(keyHash, { idempotency: claimOf("one", "body") })))
      const admissions = yield* Effect.replicateEffect(call, 50, { concurrency: "unbounded" })
      const first = admissions.flatMap((one) => (one._tag === "Admitted" ? [one.call.requestId] : []))
      const told = admissions.flatMap((one) => (one._tag === "InProgress" ? [one] : []))
      assert.lengthOf(first, 1)
      assert.lengthOf(told, 49)
      for (const one of told) assert.deepInclude(one, { requestId: first[0] ?? "", workspaceId })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "100", reserved: "1" })
    })
  )

  it.effect("a repeat gets the stored outcome byte for byte, costs nothing and is counted", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const attempt = () => anAttempt(keyHash, { idempotency: claimOf("one", "body") })
      const call = yield* admitted(attempt())
      const outcome = { ...outcomeOf(call, BODY, credits("0.5")), httpStatus: 202 }
      yield* journal.settle(settlementOf(call, { charge: credits("0.5"), outcome }))
      const repeat = Effect.suspend(() => journal.admit(attempt()))
      const repeats = yield* Effect.replicateEffect(repeat, 50, { concurrency: "unbounded" })
      for (const repeat of repeats) {
        assert.deepInclude(repeat, { _tag: "Replay", outcome, available: credits("9.5") })
      }
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "9.5", reserved: "0" })
      const record = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepInclude(record, { replayedCount: 50, charged: credits("0.5"), status: "succeeded" })
    })
  )

  it.effect("an outcome that holds a token keeps whose it is", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash } = yield* givenCaller("10")
      const attempt = () => anAttempt(keyHash, { idempotency: claimOf("one", "body", { phase: "ask" }) })
      const call = yield* admitted(attempt())
      const outcome = { ...outcomeOf(call, BODY), approvalId: call.requestId }
      yield* journal.settle(settlementOf(call, { charge: zero, outcome }))
      assert.deepInclude(yield* journal.admit(attempt()), { _tag: "Replay", outcome })
    })
  )

  it.effect("another body, verb or token under the same Idempotency-Key is a conflict, while it runs and after", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash } = yield* givenCaller("10")
      const first = { idempotency: claimOf("one", "body", { token: "a token" }) }
      const call = yield* admitted(anAttempt(keyHash, first))
      const others: ReadonlyArray<Partial<Attempt>> = [
        { idempotency: claimOf("one", "other body", { token: "a token" }) },
        { idempotency: claimOf("one", "body", { token: "another token" }) },
        { ...first, verb: "enrich" }
      ]
      const conflicts = () => Effect.forEach(others, (other) => conflict(anAttempt(keyHash, other)))
      assert.deepStrictEqual(yield* conflicts(), ["different_request", "different_request", "different_request"])
      yield* journal.settle(settlementOf(call, { outcome: outcomeOf(call, BODY) }))
      assert.deepStrictEqual(yield* conflicts(), ["different_request", "different_request", "different_request"])
      assert.strictEqual(yield* answer(anAttempt(keyHash, first)), "Replay")
    })
  )

  it.effect("the asking and the confirmed call have a record each under one Idempotency-Key", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash } = yield* givenCaller("10")
      const asking = () => anAttempt(keyHash, { idempotency: claimOf("one", "body", { phase: "ask" }) })
      const acting = () => anAttempt(keyHash, { idempotency: claimOf("one", "body", { token: "a token" }) })
      const asked = yield* admitted(asking())
      yield* journal.settle(settlementOf(asked, { outcome: outcomeOf(asked, "asked") }))
      const acted = yield* admitted(acting())
      yield* journal.settle(settlementOf(acted, { outcome: outcomeOf(acted, "acted") }))
      const replays = yield* Effect.forEach([asking(), acting()], (attempt) => journal.admit(attempt))
      assert.deepStrictEqual(
        replays.map((one) => (one._tag === "Replay" ? one.outcome.body : one._tag)),
        ["asked", "acted"]
      )
      const otherBody = anAttempt(keyHash, { idempotency: claimOf("one", "other body", { token: "a token" }) })
      assert.strictEqual(yield* conflict(otherBody), "different_request")
    })
  )

  it.effect("a call that ended without an outcome to keep leaves its Idempotency-Key free", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const call = yield* admitted(anAttempt(keyHash, { idempotency: claimOf("one", "body") }))
      const failure = { status: "failed", httpStatus: 503, errorCode: "provider_unavailable", charge: zero } as const
      yield* journal.settle(settlementOf(call, failure))
      const again = yield* admitted(anAttempt(keyHash, { idempotency: claimOf("one", "body") }))
      assert.notStrictEqual(again.requestId, call.requestId)
      yield* journal.settle(settlementOf(again, { outcome: outcomeOf(again, BODY) }))
      assert.strictEqual(yield* answer(anAttempt(keyHash, { idempotency: claimOf("one", "body") })), "Replay")
      const first = Option.getOrThrow(yield* journal.request(workspaceId, call.requestId))
      assert.deepInclude(first, { status: "failed", httpStatus: 503, errorCode: "provider_unavailable" })
    })
  )

  it.effect("a refusal for credits leaves the Idempotency-Key free for the same call after a top-up", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("1")
      const attempt = () => anAttempt(keyHash, { idempotency: claimOf("one", "body"), plan: costing(credits("2")) })
      assert.strictEqual(yield* answer(attempt()), "insufficient_credits")
      yield* grant(workspaceId, "1")
      assert.strictEqual(yield* answer(attempt()), "Admitted")
    })
  )

  it.effect("a dry run remembers nothing and repeats nothing", () =>
    Effect.gen(function* () {
      const { keyHash } = yield* givenCaller("10")
      const attempt = (mode: "dry_run" | "act", body: string) =>
        anAttempt(keyHash, { mode, idempotency: claimOf("one", body) })
      assert.strictEqual(yield* answer(attempt("dry_run", "body")), "Previewed")
      assert.strictEqual(yield* answer(attempt("act", "other body")), "Admitted")
      assert.strictEqual(yield* answer(attempt("dry_run", "body")), "Previewed")
    })
  )

  it.effect("Idempotency-Keys of two API keys have nothing to do with each other", () =>
    Effect.gen(function* () {
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const other = yield* givenKey(workspaceId)
      assert.strictEqual(yield* answer(anAttempt(keyHash, { idempotency: claimOf("one", "body") })), "Admitted")
      const theirs = anAttempt(other.keyHash, { idempotency: claimOf("one", "other body") })
      assert.strictEqual(yield* answer(theirs), "Admitted")
    })
  )

  it.effect("an Idempotency-Key is taken as it is: case, blanks and length count", () =>
    Effect.gen(function* () {
      const { keyHash } = yield* givenCaller("10")
      const names = ["one", "One", " one", "one\u0301", "o".repeat(200), `${"o".repeat(199)}p`]
      const answers = yield* Effect.forEach(names, (key) =>
        answer(anAttempt(keyHash, { idempotency: claimOf(key, `body of ${key}`) }))
      )
      assert.deepStrictEqual(
        answers,
        names.map(() => "Admitted")
      )
    })
  )

  it.effect("a call that waits for a running one gets its outcome when it settles", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const call = yield* admitted(anAttempt(keyHash, { idempotency: claimOf("one", "body") }))
      const waiters = yield* Effect.forkChild(
        Effect.replicateEffect(journal.awaitOutcome(workspaceId, call.requestId, 20_000), 5, {
          concurrency: "unbounded"
        })
      )
      yield* Effect.yieldNow
      const outcome = outcomeOf(call, BODY, credits("1"))
      yield* journal.settle(settlementOf(call, { outcome }))
      for (const one of yield* Fiber.join(waiters)) assert.deepStrictEqual(Option.getOrNull(one), outcome)
      assert.deepStrictEqual(Option.getOrNull(yield* journal.awaitOutcome(workspaceId, call.requestId, 0)), outcome)
    })
  )

  it.effect("waiting ends with nothing when the call leaves no outcome, or when the wait is over", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const attempt = () => anAttempt(keyHash, { idempotency: claimOf("one", "body") })
      const call = yield* admitted(attempt())
      assert.isTrue(Option.isNone(yield* journal.awaitOutcome(workspaceId, call.requestId, 20)))
      const waiter = yield* Effect.forkChild(journal.awaitOutcome(workspaceId, call.requestId, 20_000))
      yield* Effect.yieldNow
      yield* journal.settle(
        settlementOf(call, { status: "failed", httpStatus: 500, errorCode: "internal", charge: zero })
      )
      assert.isTrue(Option.isNone(yield* Fiber.join(waiter)))
    })
  )
}
