import { replaces } from "@outbound/domain/data/verification/verdicts.js"
import type {
  Admission,
  Attempt,
  Reconciled,
  RequestRecord,
  Reservation,
  Settlement
} from "@outbound/domain/calls/Attempt.js"
import {
  type AdmissionState,
  applySettlement,
  available,
  dayOf,
  decideAdmission,
  type KeyUsage,
  type RunBudget
} from "@outbound/domain/calls/decideAdmission.js"
import { OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import { endOfAbandoned } from "@outbound/domain/calls/abandonedCall.js"
import { refuse, statusOf } from "@outbound/domain/kernel/errors/Wire.js"
import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import { emptyWindow } from "@outbound/domain/calls/keys/RateWindow.js"
import { type Credits, plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { accountOf } from "./MemoryCreditStore.js"
import { keyOf } from "./Table.js"
import type { CallRow, RunRow, Tables } from "./Tables.js"

const PHASES = ["ask", "act"] as const

export const usageOf = ({ usage }: Tables, keyId: string): KeyUsage =>
  usage.get(keyId) ?? { month: "", spent: zero, reserved: zero, rate: emptyWindow }

/** What a key was charged since that day began, by the time at which its calls ended, and what its open calls hold. */
export const spentSince = (tables: Tables, key: Pick<ApiKey, "keyId" | "workspaceId">, day: string): Credits =>
  tables.calls.where("workspace", key.workspaceId).reduce((sum, { keyId, record }) => {
    if (keyId !== key.keyId) return sum
    if (record.status === "pending") return plus(sum, record.reserved)
    return dayOf(record.finishedAtMillis ?? 0) >= day ? plus(sum, record.charged) : sum
  }, zero)

const budgetOf = ({ reserved, run, spent }: RunRow): RunBudget => ({
  budget: run.budget,
  spent,
  reserved,
  expiresAtMillis: run.expiresAtMillis
})

const runRowOf = ({ runs }: Tables, workspaceId: string, runId: string | null): RunRow | undefined =>
  runId === null ? undefined : runs.get(keyOf(workspaceId, runId))

/** Writes what a decision or a settlement left of the money. */
const keep = (
  tables: Tables,
  of: { readonly workspaceId: string; readonly keyId: string; readonly runId: string | null },
  next: Pick<AdmissionState, "usage" | "account" | "run">
): void => {
  tables.usage.set(of.keyId, next.usage)
  tables.accounts.set(of.workspaceId, next.account)
  const run = runRowOf(tables, of.workspaceId, of.runId)
  if (run !== undefined && next.run !== null) {
    const { reserved, spent } = next.run
    tables.runs.set(keyOf(of.workspaceId, run.run.runId), { ...run, reserved, spent })
  }
}

const rowOf = (
  attempt: Attempt,
  of: Pick<CallRow, "workspaceId" | "keyId" | "month" | "hostId">,
  record: Pick<RequestRecord, "status" | "httpStatus" | "errorCode" | "reserved">
): CallRow => ({
  ...of,
  runId: attempt.runId,
  idempotency: attempt.idempotency,
  effectStarted: false,
  notes: null,
  admitted: record.status === "pending",
  record: {
    requestId: attempt.requestId,
    verb: attempt.verb,
    mode: attempt.mode,
    charged: zero,
    replayedCount: 0,
    interrupted: false,
    createdAtMillis: attempt.nowMillis,
    finishedAtMillis: record.status === "pending" ? null : attempt.nowMillis,
    ...record
  }
})

/** Decides an attempt on the rows, and writes what follows from it. */
export const admitRow = <P extends Reservation>(tables: Tables, hostId: string, attempt: Attempt<P>): Admission<P> => {
  const keyId = tables.keyIds.get(attempt.keyHash)
  const key = keyId === undefined ? undefined : tables.keys.get(keyId)?.key
  if (key === undefined) {
    return { _tag: "Refused", error: refuse("unauthorized", {}), rate: null, key: null, plan: null }
  }
  const { workspaceId } = key
  const claim = attempt.idempotency
  const run = runRowOf(tables, workspaceId, attempt.runId)
  const recordKey = (phase: (typeof PHASES)[number]) => keyOf(key.keyId, claim?.key ?? "", phase)
  const { decision, next, rate, recorded } = decideAdmission(attempt, {
    key,
    usage: usageOf(tables, key.keyId),
    today: key.dailySpendCap === null ? zero : spentSince(tables, key, dayOf(attempt.nowMillis)),
    account: accountOf(tables, workspaceId),
    run: run === undefined ? null : budgetOf(run),
    records: claim === null ? [] : PHASES.flatMap((phase) => tables.records.get(recordKey(phase)) ?? [])
  })
  keep(tables, { workspaceId, keyId: key.keyId, runId: attempt.runId }, next)
  const { month } = next.usage
  const record = (written: Parameters<typeof rowOf>[2]) =>
    tables.calls.insert(attempt.requestId, rowOf(attempt, { workspaceId, keyId: key.keyId, month, hostId }, written))

  switch (decision._tag) {
    case "Refuse": {
      const { error, plan } = decision
      if (recorded) record({ status: "failed", httpStatus: statusOf(error), errorCode: error.code, reserved: zero })
      return { _tag: "Refused", error, rate, key, plan }
    }
    case "Preview":
      record({ status: "succeeded", httpStatus: 200, errorCode: null, reserved: zero })
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
      tables.calls.update(decision.outcome.requestId, (row) => ({
        ...row,
        record: { ...row.record, replayedCount: row.record.replayedCount + 1 }
      }))
      return { _tag: "Replay", outcome: decision.outcome, available: available(next.account), rate }
    case "Admit": {
      const { plan } = decision
      const reserved = plan.maximum
      record({ status: "pending", httpStatus: null, errorCode: null, reserved })
      if (claim !== null) {
        const { baseFingerprint, phase, tokenHash } = claim
        const { requestId, verb } = attempt
        const remembered = { phase, verb, baseFingerprint, tokenHash, requestId, outcome: null }
        tables.records.insert(recordKey(phase), remembered)
      }
      return {
        _tag: "Admitted",
        call: {
          requestId: attempt.requestId,
          workspaceId,
          key,
          plan,
          reserved,
          month,
          runId: attempt.runId,
          idempotency: claim,
          admittedAtMillis: attempt.nowMillis
        },
        rate
      }
    }
  }
}

interface End extends Pick<
  Settlement,
  | "status"
  | "httpStatus"
  | "errorCode"
  | "interrupted"
  | "charge"
  | "outcome"
  | "cache"
  | "subjects"
  | "isListed"
  | "verdict"
  | "notes"
> {
  readonly finishedAtMillis: number
}

const remember = (tables: Tables, row: CallRow, { outcome, subjects }: End): void => {
  // An accepted call has been answered already.
  if (row.idempotency === null || row.hostId === OPERATIONS_HOST) return
  const key = keyOf(row.keyId, row.idempotency.key, row.idempotency.phase)
  const record = tables.records.get(key)
  if (record?.requestId !== row.record.requestId) return
  if (outcome === null) tables.records.delete(key)
  else {
    tables.records.set(key, { ...record, outcome })
    nameIn(tables.callSubjects, row.workspaceId, row.record.requestId, subjects)
  }
}

const nameIn = (
  table: Tables["callSubjects"],
  workspaceId: string,
  ref: string,
  subjects: ReadonlyArray<string> = []
): void => {
  for (const subject of subjects) table.set(keyOf(workspaceId, subject, ref), { workspaceId, subject, ref })
}

/** Ends a pending call: charges, releases, remembers. */
export const endCall = (tables: Tables, row: CallRow, end: End): void => {
  const { keyId, month, record, runId, workspaceId } = row
  const run = runRowOf(tables, workspaceId, runId)
  const { charged, ...next } = applySettlement(
    { reserved: record.reserved, charge: end.charge, month },
    {
      usage: usageOf(tables, keyId),
      account: accountOf(tables, workspaceId),
      run: run === undefined ? null : budgetOf(run)
    }
  )
  keep(tables, row, next)
  if (charged > 0n) enterCharge(tables, row, charged, end.finishedAtMillis)
  remember(tables, row, end)
  if (end.isListed === true) nameIn(tables.callSubjects, workspaceId, record.requestId, end.subjects)
  if (end.cache !== null) {
    const { personKey, ...cached } = end.cache
    tables.cache.set(keyOf(workspaceId, personKey), cached)
    nameIn(tables.contactSubjects, workspaceId, personKey, end.subjects)
  }
  if (end.verdict !== undefined) {
    const { addressHash, status } = end.verdict
    const verdict = { status, checkedAtMillis: end.finishedAtMillis }
    const person = keyOf(workspaceId, addressHash)
    const before = tables.verdicts.get(person)
    if (before === undefined || replaces(before, verdict)) tables.verdicts.set(person, verdict)
  }
  tables.calls.set(record.requestId, {
    ...row,
    notes: end.notes ?? null,
    record: {
      ...record,
      status: end.status,
      httpStatus: end.httpStatus,
      errorCode: end.errorCode,
      reserved: zero,
      charged,
      interrupted: end.interrupted === true,
      finishedAtMillis: end.finishedAtMillis
    }
  })
}

const enterCharge = (tables: Tables, row: CallRow, charged: Credits, atMillis: number): void => {
  const { requestId } = row.record
  tables.ledger.insert(requestId, {
    entryId: requestId,
    workspaceId: row.workspaceId,
    kind: "charge",
    micros: -charged,
    requestId,
    atMillis
  })
}

/** Replaces what is remembered of a call whose outcome was unknown. */
export const reconcileRow = (tables: Tables, reconciled: Reconciled): void => {
  const { body, errorCode, httpStatus, requestId, status, workspaceId } = reconciled
  const row = tables.calls.get(requestId)
  if (row?.workspaceId !== workspaceId || row.record.status !== "unknown") return
  tables.calls.set(requestId, { ...row, record: { ...row.record, status, httpStatus, errorCode } })
  if (row.idempotency === null) return
  const key = keyOf(row.keyId, row.idempotency.key, row.idempotency.phase)
  const record = tables.records.get(key)
  if (record?.requestId !== requestId) return
  if (body === null) tables.records.delete(key)
  else {
    const outcome = { requestId, httpStatus, body, charged: zero, approvalId: null }
    tables.records.set(key, { ...record, outcome })
    nameIn(tables.callSubjects, workspaceId, requestId, reconciled.subjects)
  }
}

/** Ends every pending call of a host whose lease is over. How many there were. */
export const sweepRows = (tables: Tables, nowMillis: number): number => {
  const left = tables.calls.filter(
    ({ hostId, record }) =>
      record.status === "pending" && hostId !== OPERATIONS_HOST && tables.hosts.get(hostId) !== true
  )
  for (const row of left) {
    const end = endOfAbandoned({ requestId: row.record.requestId, effectStarted: row.effectStarted })
    endCall(tables, row, { ...end, charge: zero, cache: null, finishedAtMillis: nowMillis })
  }
  return left.length
}
