import { assert } from "@effect/vitest"
import type { Attempt } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { invalid, refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { type ApiKey, KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Option, Result } from "effect"
import { anAttempt, answer, claimOf, costing, givenCaller, moneyOf } from "./calls.js"
import { freshId, givenWorkspace, hashOf, MINUTE, NOON, SECOND } from "./fixtures.js"
import type { JournalIt } from "./journalSupport.js"

interface Problem {
  readonly answer: string
  readonly key?: Partial<ApiKey>
  readonly attempt?: Partial<Attempt>
}

/** Everything that may refuse a call, in the order of the checks (contract: calls, order of checks). */
const problems = (): ReadonlyArray<Problem> => [
  { answer: "unauthorized", key: { state: "revoked" } },
  { answer: "invalid_request", attempt: { reject: invalid([{ path: "email", message: "is missing" }]) } },
  { answer: "rate_limited", key: { ratePerMinute: 1 } },
  { answer: "agent_paused", key: { state: "paused", pausedAtMillis: NOON } },
  { answer: "forbidden scope", key: { scopes: ["usage:read"] } },
  { answer: "forbidden capability", key: { capabilitiesOff: ["modes"] } },
  { answer: "forbidden autonomy", key: { autonomousExternalActions: false } },
  { answer: "idempotency_conflict", attempt: { idempotency: claimOf("used before", "this body") } },
  { answer: "not_found", attempt: { subject: { missing: refuse("not_found", {}), refusal: null, wouldExceed: [] } } },
  {
    answer: "mailbox_unavailable",
    attempt: { subject: { missing: null, refusal: refuse("mailbox_unavailable", {}), wouldExceed: [] } }
  },
  { answer: "run_unavailable", attempt: { runId: freshId() } },
  { answer: "card_required", attempt: { isPurchase: true } },
  { answer: "payment_required", key: { monthlySpendCap: credits("4") } },
  { answer: "insufficient_credits" }
]

const named = (attempt: Attempt) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const admission = yield* journal.admit(attempt)
    if (admission._tag !== "Refused") return admission._tag
    const { error } = admission
    if (error.code !== "forbidden") return error.code
    const { reason, required_scope } = error.details
    return required_scope !== undefined
      ? "forbidden scope"
      : reason === "autonomy_off"
        ? "forbidden autonomy"
        : "forbidden capability"
  })

/** Who may call at all, and what is kept of every attempt. */
export const admissionTests = (it: JournalIt): void => {
  it.effect("a secret that no key has is unauthorized, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { workspaceId } = yield* givenWorkspace()
      const attempt = anAttempt(hashOf(freshId()))
      const admission = yield* journal.admit(attempt)
      assert.strictEqual(admission._tag === "Refused" && admission.error.code, "unauthorized")
      assert.isNull(admission._tag === "Refused" ? admission.rate : undefined)
      assert.isTrue(Option.isNone(yield* journal.request(workspaceId, attempt.requestId)))
    })
  )

  it.effect("of everything that stands against a call, the first check answers", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const keys = yield* KeyStore
      const all = problems()
      for (const [i, expected] of all.entries()) {
        const { key, keyHash } = yield* givenCaller("3")
        const before = anAttempt(keyHash, { idempotency: claimOf("used before", "another body"), plan: costing(zero) })
        assert.strictEqual(yield* answer(before), "Admitted")
        const left = all.slice(i)
        const settings = left.reduceRight((merged, problem) => ({ ...merged, ...problem.key }), {} as Partial<ApiKey>)
        const request = left.reduceRight((merged, p) => ({ ...merged, ...p.attempt }), {} as Partial<Attempt>)
        yield* atomically(keys.update({ ...key, ...settings }))
        const plan: Attempt["plan"] = () => Result.succeed({ maximum: credits("5"), capabilities: ["modes"] })
        assert.strictEqual(yield* named(anAttempt(keyHash, { needsAutonomy: true, plan, ...request })), expected.answer)
      }
    })
  )

  it.effect("a plan that cannot be made refuses the call as decoding does, and the refusal is recorded", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("3")
      const error = refuse("invalid_request", { reason: "budget_too_low", minimum_credits: credits("5") })
      const attempt = anAttempt(keyHash, { plan: () => Result.fail(error) })
      assert.strictEqual(yield* answer(attempt), "invalid_request")
      const record = Option.getOrThrow(yield* journal.request(workspaceId, attempt.requestId))
      assert.deepStrictEqual(record, {
        requestId: attempt.requestId,
        verb: "verify_email",
        mode: "act",
        status: "failed",
        httpStatus: 400,
        errorCode: "invalid_request",
        reserved: zero,
        charged: zero,
        replayedCount: 0,
        interrupted: false,
        createdAtMillis: NOON,
        finishedAtMillis: NOON
      })
    })
  )

  it.effect("the plan is made for the key that calls", () =>
    Effect.gen(function* () {
      const { key, keyHash } = yield* givenCaller("3", { premiumAllowance: credits("2") })
      const seen: Array<ApiKey> = []
      const plan: Attempt["plan"] = (asking) => {
        seen.push(asking)
        return Result.succeed({ maximum: asking.premiumAllowance, capabilities: [] })
      }
      assert.strictEqual(yield* answer(anAttempt(keyHash, { plan })), "Admitted")
      assert.deepStrictEqual(seen[0], key)
    })
  )

  it.effect("a key makes as many calls in 60 seconds as its rate, and a refused one neither counts nor is kept", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("0", { ratePerMinute: 3 })
      const call = (nowMillis: number) => anAttempt(keyHash, { nowMillis, plan: costing(zero) })
      const answers = yield* Effect.forEach([0, 1, 2, 3, 30, 59], (s) => answer(call(NOON + s * SECOND)))
      assert.deepStrictEqual(answers, [
        "Admitted",
        "Admitted",
        "Admitted",
        "rate_limited",
        "rate_limited",
        "rate_limited"
      ])
      const flood = call(NOON + 5 * SECOND)
      const admission = yield* journal.admit(flood)
      assert.strictEqual(admission._tag, "Refused")
      if (admission._tag === "Refused" && admission.error.code === "rate_limited") {
        assert.strictEqual(admission.error.details.limit, "key_rate")
        assert.isAtLeast(admission.error.details.retry_after_seconds, 1)
        assert.deepInclude(admission.rate, { limit: 3, remaining: 0 })
      }
      assert.isTrue(Option.isNone(yield* journal.request(workspaceId, flood.requestId)))
      assert.strictEqual(yield* answer(call(NOON + 2 * MINUTE)), "Admitted")
    })
  )

  it.effect("calls at the same time share one window", () =>
    Effect.gen(function* () {
      const { keyHash } = yield* givenCaller("0", { ratePerMinute: 10 })
      const call = Effect.suspend(() => answer(anAttempt(keyHash, { plan: costing(zero) })))
      const answers = yield* Effect.replicateEffect(call, 40, { concurrency: "unbounded" })
      assert.lengthOf(
        answers.filter((one) => one === "Admitted"),
        10
      )
      assert.lengthOf(
        answers.filter((one) => one === "rate_limited"),
        30
      )
    })
  )

  it.effect("every answer tells what is left of the rate, and refusals count too", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("1", { ratePerMinute: 5 })
      const left = (given: Partial<Attempt>) =>
        Effect.map(journal.admit(anAttempt(keyHash, given)), ({ rate }) => rate?.remaining)
      assert.strictEqual(yield* left({}), 4)
      assert.strictEqual(yield* left({ reject: invalid([]) }), 3)
      assert.strictEqual(yield* left({ mode: "dry_run" }), 2)
      assert.strictEqual(yield* left({ plan: costing(credits("99")) }), 1)
      assert.strictEqual((yield* journal.standing(workspaceId, key.keyId, NOON)).rate.remaining, 1)
    })
  )

  it.effect("a paused key may still read about itself", () =>
    Effect.gen(function* () {
      const { keyHash } = yield* givenCaller("1", { state: "paused", pausedAtMillis: NOON })
      assert.strictEqual(yield* answer(anAttempt(keyHash)), "agent_paused")
      const me = anAttempt(keyHash, { mode: "read", scope: null, allowedWhilePaused: true, plan: costing(zero) })
      assert.strictEqual(yield* answer(me), "Admitted")
    })
  )

  it.effect("a dry run leaves a record without credits, and reserves nothing", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("10")
      const attempt = anAttempt(keyHash, { mode: "dry_run", plan: costing(credits("4")) })
      const admission = yield* journal.admit(attempt)
      assert.deepInclude(admission, { _tag: "Previewed", wouldExceed: [], available: credits("10") })
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "0" })
      const record = Option.getOrThrow(yield* journal.request(workspaceId, attempt.requestId))
      assert.deepInclude(record, {
        mode: "dry_run",
        status: "succeeded",
        reserved: zero,
        charged: zero,
        errorCode: null
      })
    })
  )

  it.effect("a dry run names everything that the call would exceed", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const settings = {
        scopes: [],
        autonomousExternalActions: false,
        monthlySpendCap: credits("4"),
        runRequired: true
      }
      const { keyHash } = yield* givenCaller("3", settings)
      const attempt = { mode: "dry_run", needsAutonomy: true, isPurchase: true, plan: costing(credits("5")) } as const
      const admission = yield* journal.admit(anAttempt(keyHash, attempt))
      assert.deepStrictEqual(admission._tag === "Previewed" ? admission.wouldExceed : admission._tag, [
        "forbidden",
        "run_required",
        "card_required",
        "payment_required",
        "insufficient_credits"
      ])
    })
  )

  it.effect("a dry run names what speaks against its subject, and is refused where there is none", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash } = yield* givenCaller("0")
      const refusal = refuse("mailbox_unavailable", {})
      const subject = { missing: null, refusal, wouldExceed: ["mailbox_unavailable", "campaign_state"] }
      const admission = yield* journal.admit(anAttempt(keyHash, { mode: "dry_run", subject }))
      assert.deepStrictEqual(admission._tag === "Previewed" ? admission.wouldExceed : admission._tag, [
        "mailbox_unavailable",
        "campaign_state",
        "insufficient_credits"
      ])
      const gone = { missing: refuse("not_found", {}), refusal: null, wouldExceed: [] }
      assert.strictEqual(yield* answer(anAttempt(keyHash, { mode: "dry_run", subject: gone })), "not_found")
    })
  )

  it.effect("where a key belongs is found by its secret, whatever its state", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { key, keyHash, workspaceId } = yield* givenCaller("0", { state: "revoked" })
      const found = Option.getOrThrow(yield* journal.locate(keyHash))
      assert.deepStrictEqual(found, { workspaceId, keyId: key.keyId, workspaceKind: "sandbox" })
      assert.isTrue(Option.isNone(yield* journal.locate(hashOf(freshId()))))
    })
  )

  it.effect("the record of a call is shown in its own workspace alone", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { keyHash, workspaceId } = yield* givenCaller("1")
      const other = yield* givenWorkspace()
      const attempt = anAttempt(keyHash)
      yield* journal.admit(attempt)
      const pending = Option.getOrThrow(yield* journal.request(workspaceId, attempt.requestId))
      assert.deepInclude(pending, {
        status: "pending",
        reserved: credits("1"),
        httpStatus: null,
        finishedAtMillis: null
      })
      assert.isTrue(Option.isNone(yield* journal.request(other.workspaceId, attempt.requestId)))
      assert.isTrue(Option.isNone(yield* journal.request(workspaceId, freshId())))
    })
  )
}
