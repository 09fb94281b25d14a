import { type AnyWireError, statusOf } from "../kernel/errors/Wire.js"
import { zero } from "../kernel/money/Credits.js"
import { addressHashOf, subjectsOf } from "../kernel/people/subjects.js"
import type { Crypto } from "../kernel/ports/Crypto.js"
import type { CallNotes } from "../sources/CallNotes.js"
import type { AdmittedCall, Settlement } from "./Attempt.js"
import { errorBody } from "./envelope.js"
import type { Finish } from "./Handler.js"

/** The answer to repeats. A partial failure frees its Idempotency-Key, as every retryable failure does. */
const outcomeOf = (call: AdmittedCall, finish: Finish<unknown>): Settlement["outcome"] => {
  if (call.idempotency === null || finish.failure !== undefined || finish.runsAgain === true) return null
  const { approvalId = null, charge: charged, refusal, result } = finish
  const repeat = refusal ?? finish.repeat
  return {
    requestId: call.requestId,
    httpStatus: repeat === undefined ? 200 : statusOf(repeat),
    body: repeat === undefined ? JSON.stringify(result) : errorBody(repeat),
    charged,
    approvalId
  }
}

/** The settlement of a call that its handler finished. */
export const settlementOf = (call: AdmittedCall, nowMillis: number, finish: Finish<unknown>): Settlement => {
  const error = finish.failure ?? finish.refusal
  return {
    call,
    status: error === undefined ? "succeeded" : "failed",
    httpStatus: error === undefined ? 200 : statusOf(error),
    errorCode: error?.code ?? null,
    ...(finish.interrupted === undefined ? {} : { interrupted: finish.interrupted }),
    charge: finish.charge,
    settledAtMillis: nowMillis,
    cache: finish.cache ?? null,
    outcome: outcomeOf(call, finish)
  }
}

/**
 * The settlement of a call whose handler failed. It charges nothing and frees the Idempotency-Key, unless something may
 * have happened outside. Then the outcome is stored until it is reconciled.
 */
export const failureOf = (call: AdmittedCall, nowMillis: number, error: AnyWireError): Settlement => {
  const isUnknown = error.code === "operation_unknown_state"
  const kept = { requestId: call.requestId, httpStatus: statusOf(error), body: errorBody(error) }
  return {
    call,
    status: isUnknown ? "unknown" : "failed",
    httpStatus: statusOf(error),
    errorCode: error.code,
    charge: zero,
    outcome: isUnknown && call.idempotency !== null ? { ...kept, charged: zero, approvalId: null } : null,
    settledAtMillis: nowMillis,
    cache: null
  }
}

/** Adds the call's costs and sources to its record. Most calls have none. */
export const withNotes = (settlement: Settlement, notes: CallNotes | null): Settlement => {
  const kept = notes?.kept() ?? null
  return kept === null ? settlement : { ...settlement, notes: kept }
}

/** Adds the people that a kept answer names, so that an erasure finds it. Most calls keep nothing. */
const withSubjects = (
  crypto: Crypto["Service"],
  settlement: Settlement,
  { failure, refusal, repeat, result }: Finish<unknown>
): Settlement => {
  const { cache, call, isListed = false, outcome } = settlement
  if (outcome === null && cache === null && !isListed) return settlement
  const isStored = outcome !== null && refusal === undefined && repeat === undefined
  const isResultKept = isStored || (isListed && failure === undefined)
  const kept = [isResultKept ? result : null, cache === null ? null : JSON.parse(cache.contact)]
  const subjects = subjectsOf(crypto, call.workspaceId, kept)
  return subjects.length === 0 ? settlement : { ...settlement, subjects }
}

/** Adds the people whom a call is about: those that its kept answer names, and the verdict on an address. */
export const withPeople = (crypto: Crypto["Service"], settlement: Settlement, finish: Finish<unknown>): Settlement => {
  const named = withSubjects(crypto, settlement, finish)
  const { verdict } = finish
  if (verdict === undefined) return named
  const addressHash = addressHashOf(crypto, settlement.call.workspaceId, verdict.email)
  return { ...named, verdict: { addressHash, status: verdict.status } }
}
