import type { Admission, Reservation } from "@outbound/domain/calls/Attempt.js"
import {
  type Account,
  type AdmissionState,
  available,
  decideAdmission,
  type RunBudget
} from "@outbound/domain/calls/decideAdmission.js"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { statusOf } from "@outbound/domain/kernel/errors/Wire.js"
import { Changes } from "./Changes.js"
import type { AdmitItem } from "./Items.js"
import { type BatchState, pairOf } from "./State.js"

/** A batch's decisions. None of them is final before the COMMIT. */
export interface Decided {
  readonly admitted: ReadonlyArray<{ readonly item: AdmitItem; readonly admission: Admission<Reservation> }>
  /** Other transactions hold their accounts. */
  readonly passedOver: ReadonlyArray<AdmitItem>
  /** Items that could not be decided, such as one whose plan throws. */
  readonly broken: ReadonlyArray<{ readonly item: AdmitItem; readonly cause: unknown }>
  readonly changes: Changes
}

const runOf = (state: BatchState, workspaceId: string, runId: string | null): RunBudget | null =>
  runId === null ? null : (state.runs.get(pairOf(workspaceId, runId)) ?? null)

const keep = (
  state: BatchState,
  changes: Changes,
  of: { readonly workspaceId: string; readonly keyId: string; readonly runId: string | null },
  before: Account,
  next: Pick<AdmissionState, "account" | "run" | "today" | "usage">
): void => {
  const { keyId, runId, workspaceId } = of
  const { account, run, today, usage } = next
  const reserved = account.reserved - before.reserved
  if (reserved !== 0n) {
    changes.reserved(workspaceId, reserved)
    state.accounts.set(workspaceId, account)
  }
  changes.usage(workspaceId, keyId, usage)
  state.usage.set(keyId, usage)
  state.today.set(keyId, today)
  if (reserved !== 0n && run !== null && runId !== null) {
    changes.run(workspaceId, runId, reserved)
    state.runs.set(pairOf(workspaceId, runId), run)
  }
}

const admit = (item: AdmitItem, state: BatchState, incarnation: string, changes: Changes): Admission<Reservation> => {
  const { attempt, keyId, runId, workspaceId } = item
  const { idempotency: claim } = attempt
  const account = state.accounts.get(workspaceId)
  const usage = state.usage.get(keyId)
  const key = state.keys.get(keyId)
  if (account === undefined || usage === undefined || key === undefined) {
    throw new Error(`the key ${keyId} has no policy, usage or account`)
  }
  const run = runOf(state, workspaceId, runId)
  const claimed = claim === null ? "" : pairOf(keyId, claim.key)
  const records = claim === null ? [] : (state.records.get(claimed) ?? [])
  const { decision, next, rate, recorded } = decideAdmission(attempt, {
    key,
    usage,
    today: state.today.get(keyId) ?? zero,
    account,
    run,
    records
  })
  // A rate refusal or a revoked key leaves no trace, not even in the window.
  const counted = recorded || decision._tag === "Replay" || decision._tag === "InProgress"
  if (counted) keep(state, changes, item, account, next)
  switch (decision._tag) {
    case "Refuse": {
      const { error, plan } = decision
      if (recorded) changes.notAdmitted(attempt, { workspaceId, keyId, runId }, statusOf(error), error.code)
      return { _tag: "Refused", error, rate, key, plan }
    }
    case "Preview":
      changes.notAdmitted(attempt, { workspaceId, keyId, runId }, 200, null)
      return {
        _tag: "Previewed",
        key,
        plan: decision.plan,
        wouldExceed: decision.wouldExceed,
        available: available(next.account),
        rate
      }
    case "InProgress":
      return { _tag: "InProgress", workspaceId, requestId: decision.requestId, rate }
    case "Replay":
      changes.replayed(workspaceId, decision.outcome.requestId)
      return { _tag: "Replay", outcome: decision.outcome, available: available(next.account), rate }
    case "Admit": {
      const { plan } = decision
      const { month } = next.usage
      const { nowMillis: atMillis, requestId, verb } = attempt
      changes.opened.push({
        workspaceId,
        requestId,
        keyId,
        runId,
        verb,
        mode: attempt.mode,
        reserved: plan.maximum,
        month,
        incarnation,
        idempotencyKey: claim?.key ?? null,
        idempotencyPhase: claim?.phase ?? null,
        createdAtMillis: atMillis
      })
      if (claim !== null) {
        const { baseFingerprint, phase, tokenHash } = claim
        const name = { workspaceId, keyId, idempotencyKey: claim.key, phase, requestId }
        changes.newRecords.push({ ...name, verb, baseFingerprint, tokenHash, createdAtMillis: atMillis })
        state.records.set(claimed, [...records, { phase, verb, baseFingerprint, tokenHash, requestId, outcome: null }])
      }
      return {
        _tag: "Admitted",
        call: {
          requestId,
          workspaceId,
          key,
          plan,
          reserved: plan.maximum,
          month,
          runId,
          idempotency: claim,
          admittedAtMillis: atMillis
        },
        rate
      }
    }
  }
}

/**
 * Decides a batch's admissions in order with the domain's own function, each from the state its predecessors left.
 * Consumes `state`.
 */
export const decide = (items: ReadonlyArray<AdmitItem>, state: BatchState, incarnation: string): Decided => {
  const changes = new Changes()
  const admitted: Array<Decided["admitted"][number]> = []
  const passedOver: Array<AdmitItem> = []
  const broken: Array<Decided["broken"][number]> = []
  for (const item of items) {
    if (!state.accounts.has(item.workspaceId)) {
      passedOver.push(item)
      continue
    }
    try {
      admitted.push({ item, admission: admit(item, state, incarnation, changes) })
    } catch (cause) {
      broken.push({ item, cause })
    }
  }
  return { admitted, passedOver, broken, changes }
}
