import type { Admission, Reservation, Settled } from "@outbound/domain/calls/Attempt.js"
import {
  type AdmissionState,
  applySettlement,
  available,
  decideAdmission,
  type RunBudget
} from "@outbound/domain/calls/decideAdmission.js"
import { sweptEnd } from "@outbound/domain/calls/Swept.js"
import { statusOf } from "@outbound/domain/errors/Wire.js"
import { fromMicros, zero } from "@outbound/domain/money/Credits.js"
import { Changes } from "./Changes.js"
import type { AdmitItem, Item, SettleItem, SettlementEnd } from "./Items.js"
import { type AccountRow, type BatchState, type OpenCall, pairOf } from "./State.js"

/** What a batch came to: nothing of it is true before its COMMIT. */
export interface Decided {
  readonly admitted: ReadonlyArray<{ readonly item: AdmitItem; readonly admission: Admission<Reservation> }>
  readonly settled: ReadonlyArray<{ readonly item: SettleItem; readonly settled: Settled }>
  /** Somebody else holds the accounts of these. */
  readonly passedOver: ReadonlyArray<Item>
  /** Items that could not be decided at all, such as one whose plan throws. */
  readonly broken: ReadonlyArray<{ readonly item: Item; readonly cause: unknown }>
  readonly changes: Changes
}

const runOf = (state: BatchState, workspaceId: string, runId: string | null): RunBudget | null =>
  runId === null ? null : (state.runs.get(pairOf(workspaceId, runId)) ?? null)

const keep = (
  state: BatchState,
  changes: Changes,
  of: { readonly workspaceId: string; readonly keyId: string; readonly runId: string | null },
  before: { readonly account: AccountRow; readonly run: RunBudget | null },
  next: Pick<AdmissionState, "account" | "run" | "usage">,
  version: bigint
): void => {
  const { keyId, runId, workspaceId } = of
  const { account, run } = next
  const moved = {
    balance: account.balance - before.account.balance,
    reserved: account.reserved - before.account.reserved
  }
  if (moved.balance !== 0n || moved.reserved !== 0n || version !== 0n) {
    changes.account(workspaceId, moved.balance, moved.reserved, version)
    state.accounts.set(workspaceId, { ...account, version: before.account.version + version })
  }
  changes.usage(workspaceId, keyId, next.usage)
  state.usage.set(keyId, next.usage)
  if (run !== null && before.run !== null && runId !== null) {
    changes.run(workspaceId, runId, run.spent - before.run.spent, run.reserved - before.run.reserved)
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
  const { decision, next, rate, recorded } = decideAdmission(attempt, { key, usage, account, run, records })
  // A refusal for the rate, or of a revoked key, leaves nothing behind, not even in the window.
  const counted = recorded || decision._tag === "Replay" || decision._tag === "InProgress"
  if (counted) keep(state, changes, item, { account, run }, next, 0n)
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
        effectStarted: false,
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

const endRecord = (state: BatchState, changes: Changes, call: OpenCall, end: SettlementEnd): void => {
  const { idempotencyKey, idempotencyPhase: phase, keyId, requestId, workspaceId } = call
  if (idempotencyKey === null || phase === null) return
  const name = { workspaceId, keyId, idempotencyKey, phase, requestId }
  const claimed = pairOf(keyId, idempotencyKey)
  const records = state.records.get(claimed) ?? []
  const mine = records.find((record) => record.requestId === requestId)
  const others = records.filter((record) => record !== mine)
  const { outcome } = end
  if (outcome === null) {
    changes.freedRecords.push(name)
    state.records.set(claimed, others)
  } else {
    changes.finishedRecords.push({ ...name, outcome })
    if (mine !== undefined) state.records.set(claimed, [...others, { ...mine, outcome }])
  }
}

const endOf = (item: SettleItem, call: OpenCall): SettlementEnd =>
  item.end === "sweep" ? { ...sweptEnd(call), charge: zero, cache: null } : item.end

const settle = (item: SettleItem, state: BatchState, changes: Changes): Settled => {
  const call = state.open.get(item.requestId)
  if (call === undefined) return { _tag: "Fenced" }
  const { keyId, month, requestId, runId, verb, workspaceId } = call
  const account = state.accounts.get(workspaceId)
  const usage = state.usage.get(keyId)
  if (account === undefined || usage === undefined) throw new Error(`the call ${requestId} is of another key`)
  state.open.delete(requestId)
  const end = endOf(item, call)
  const run = runOf(state, workspaceId, runId)
  const { charged, ...next } = applySettlement(
    { reserved: fromMicros(call.reserved), charge: end.charge, month },
    { account, usage, run }
  )
  keep(state, changes, call, { account, run }, next, charged > 0n ? 1n : 0n)
  changes.closed.push({ workspaceId, requestId })
  changes.ended.push({
    workspaceId,
    requestId,
    keyId,
    runId,
    verb,
    mode: call.mode,
    status: end.status,
    admitted: true,
    httpStatus: end.httpStatus,
    errorCode: end.errorCode,
    charged,
    interrupted: end.interrupted === true,
    createdAtMillis: call.createdAtMillis,
    finishedAtMillis: item.atMillis
  })
  if (charged > 0n) {
    const version = account.version + 1n
    const balanceAfter = next.account.balance
    changes.charges.push({ workspaceId, version, requestId, amount: -charged, balanceAfter, atMillis: item.atMillis })
  }
  if (call.mode === "act") changes.counted(call, charged, item.atMillis)
  endRecord(state, changes, call, end)
  if (end.cache !== null) changes.kept({ workspaceId, ...end.cache })
  return { _tag: "Settled", available: available(next.account) }
}

/**
 * Decides the items of a batch in order, each on what the ones before it left, with the domain's own decisions.
 * `state` is consumed.
 */
export const decide = (items: ReadonlyArray<Item>, state: BatchState, incarnation: string): Decided => {
  const changes = new Changes()
  const admitted: Array<Decided["admitted"][number]> = []
  const settled: Array<Decided["settled"][number]> = []
  const passedOver: Array<Item> = []
  const broken: Array<Decided["broken"][number]> = []
  for (const item of items) {
    if (!state.accounts.has(item.workspaceId)) {
      passedOver.push(item)
      continue
    }
    try {
      if (item._tag === "Settle") settled.push({ item, settled: settle(item, state, changes) })
      else admitted.push({ item, admission: admit(item, state, incarnation, changes) })
    } catch (cause) {
      broken.push({ item, cause })
    }
  }
  return { admitted, settled, passedOver, broken, changes }
}
