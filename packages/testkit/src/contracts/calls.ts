import type { AdmittedCall, Attempt, Settlement } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { type Credits, credits, format, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Result } from "effect"
import { freshId, givenKey, givenWorkspace, grant, hashOf, NOON } from "./fixtures.js"
import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"

type Journal = CallJournal["Service"]

/** A plan with this maximum that asks for nothing that could be switched off. */
export const costing =
  (maximum: Credits): Attempt["plan"] =>
  () =>
    Result.succeed({ maximum, capabilities: [] })

/** A call of `verify_email` for at most a credit, unless said otherwise. */
export const anAttempt = (keyHash: string, given: Partial<Attempt> = {}): Attempt => ({
  requestId: freshId(),
  keyHash,
  verb: "verify_email",
  mode: "act",
  nowMillis: NOON,
  reject: null,
  scope: "data:read",
  allowedWhilePaused: false,
  needsAutonomy: false,
  isPurchase: false,
  idempotency: null,
  runId: null,
  subject: null,
  consoleUrl: "https://outbound.test/console",
  plan: costing(credits("1")),
  ...given
})

export const claimOf = (key: string, body: string, given: { phase?: "ask" | "act"; token?: string } = {}) => ({
  key,
  phase: given.phase ?? "act",
  baseFingerprint: hashOf(body),
  tokenHash: given.token === undefined ? null : hashOf(given.token)
})

/** A success that charges all that was reserved and leaves nothing for repeats, unless said otherwise. */
export const settlementOf = (call: AdmittedCall, given: Partial<Settlement> = {}): Settlement => ({
  call,
  status: "succeeded",
  httpStatus: 200,
  errorCode: null,
  charge: call.reserved,
  outcome: null,
  settledAtMillis: call.admittedAtMillis + 250,
  cache: null,
  ...given
})

export const outcomeOf = (call: AdmittedCall, body: string, charged: Credits = zero) => ({
  requestId: call.requestId,
  httpStatus: 200,
  body,
  charged,
  approvalId: null
})

/** A workspace with so many credits, and a key of it. */
export const givenCaller = (amount: string, key: Partial<ApiKey> = {}) =>
  Effect.gen(function* () {
    const workspace = yield* givenWorkspace()
    const { workspaceId } = workspace
    if (amount !== "0") yield* grant(workspaceId, amount)
    return { workspaceId, ...(yield* givenKey(workspaceId, key)) }
  })

/** The code with which the attempt is refused, or how it ended otherwise. */
export const answer = (attempt: Attempt) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const admission = yield* journal.admit(attempt)
    return admission._tag === "Refused" ? admission.error.code : admission._tag
  })

/** The admitted call; any other answer fails the test. */
export const admitted = (attempt: Attempt, at?: Journal) =>
  Effect.gen(function* () {
    const journal = at ?? (yield* CallJournal)
    const admission = yield* journal.admit(attempt)
    if (admission._tag === "Admitted") return admission.call
    const why = admission._tag === "Refused" ? admission.error.message : ""
    return yield* Effect.die(new Error(`expected an admission, got ${admission._tag} ${why}`))
  })

/** Balance and reservations as they would be shown. */
export const moneyOf = (workspaceId: string) =>
  Effect.gen(function* () {
    const store = yield* CreditStore
    const { balance, reserved } = yield* store.balance(workspaceId)
    return { balance: format(balance), reserved: format(reserved) }
  })
