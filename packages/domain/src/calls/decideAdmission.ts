import { Result } from "effect"
import { DAY_MILLIS } from "../kernel/durations.js"
import { type AnyWireError, refuse } from "../kernel/errors/Wire.js"
import { KeyMachine } from "./keys/KeyMachine.js"
import type { ApiKey } from "./keys/KeyStore.js"
import { CAPABILITIES } from "../verbs/Policy.js"
import { count, type RateStatus, rateStatus, type RateWindow } from "./keys/RateWindow.js"
import { type Credits, fromMicros, minusOrZero, plus, zero } from "../kernel/money/Credits.js"
import type { Attempt, IdempotencyClaim, IdempotencyPhase, Reservation, StoredOutcome } from "./Attempt.js"

/** A key's usage in its current month and in the last minute. */
export interface KeyUsage {
  /** `YYYY-MM`, UTC. Amounts of an older month no longer count. */
  readonly month: string
  readonly spent: Credits
  readonly reserved: Credits
  readonly rate: RateWindow
}

export interface Account {
  readonly balance: Credits
  readonly reserved: Credits
  readonly hasPaymentMethod: boolean
}

export interface RunBudget {
  readonly budget: Credits
  readonly spent: Credits
  readonly reserved: Credits
  readonly expiresAtMillis: number
}

/** The record of an Idempotency-Key, with an outcome once the call has one. */
export interface IdempotencyRecord {
  readonly phase: IdempotencyPhase
  readonly verb: string
  readonly baseFingerprint: string
  readonly tokenHash: string | null
  readonly requestId: string
  readonly outcome: StoredOutcome | null
}

/** Everything that an admission depends on, read under lock. */
export interface AdmissionState {
  readonly key: ApiKey
  readonly usage: KeyUsage
  /** What the key was charged on the day of the call (UTC) and holds open. Read only for a key with a daily cap. */
  readonly today: Credits
  readonly account: Account
  /** The run that the call names; null: unknown in this workspace. */
  readonly run: RunBudget | null
  /** The records of the call's Idempotency-Key. */
  readonly records: ReadonlyArray<IdempotencyRecord>
}

export type Decision<P extends Reservation = Reservation> =
  | { readonly _tag: "Admit"; readonly plan: P }
  | { readonly _tag: "Refuse"; readonly error: AnyWireError; readonly plan: P | null }
  | { readonly _tag: "Replay"; readonly outcome: StoredOutcome }
  | { readonly _tag: "InProgress"; readonly requestId: string }
  | { readonly _tag: "Preview"; readonly plan: P; readonly wouldExceed: ReadonlyArray<string> }

export interface Decided<P extends Reservation = Reservation> {
  readonly decision: Decision<P>
  /**
   * Whether to record the call. A 429 is not recorded, so a flood leaves no rows. Nor is a repeat: the first call's row
   * covers it.
   */
  readonly recorded: boolean
  readonly rate: RateStatus
  /** The state for the next call. */
  readonly next: Pick<AdmissionState, "usage" | "today" | "account" | "run">
}

export const monthOf = (millis: number): string => new Date(millis).toISOString().slice(0, 7)

/** `YYYY-MM-DD`, UTC. */
export const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** When the day of this moment ends, and with it what counts for a daily cap. */
export const endOfDay = (millis: number): string => new Date(Date.parse(dayOf(millis)) + DAY_MILLIS).toISOString()

export const available = (account: Pick<Account, "balance" | "reserved">): Credits =>
  minusOrZero(account.balance, account.reserved)

/** If the clock goes back across the end of a month, usage stays in the later month, so no spending is lost. */
const usageIn = (usage: KeyUsage, month: string): KeyUsage =>
  usage.month >= month ? usage : { month, spent: zero, reserved: zero, rate: usage.rate }

const policyRefusals = (attempt: Attempt, key: ApiKey): ReadonlyArray<AnyWireError> => {
  const refusals: Array<AnyWireError> = []
  if (attempt.scope !== null && !key.scopes.includes(attempt.scope)) {
    refusals.push(refuse("forbidden", { required_scope: attempt.scope }))
  }
  return refusals
}

const capabilityRefusal = (attempt: Attempt, plan: Reservation, key: ApiKey): AnyWireError | null => {
  const needed = attempt.mode === "dry_run" ? new Set(["previews", ...plan.capabilities]) : new Set(plan.capabilities)
  const off = CAPABILITIES.find((name) => needed.has(name) && key.capabilitiesOff.includes(name))
  return off === undefined ? null : refuse("forbidden", { reason: "capability_not_enabled", capability: off })
}

const autonomyRefusal = (attempt: Attempt, key: ApiKey): AnyWireError | null =>
  (attempt.needsAutonomy || attempt.subject?.asks === true) && !key.autonomousExternalActions
    ? refuse("forbidden", { reason: "autonomy_off" })
    : null

/** The reasons against spending `plan.maximum`, in this order: run, payment method, monthly cap, daily cap, balance. */
const spendingRefusals = (attempt: Attempt, plan: Reservation, state: AdmissionState): ReadonlyArray<AnyWireError> => {
  const refusals: Array<AnyWireError> = []
  const { key, usage, account, run } = state
  const required = plan.maximum
  if (attempt.runId === null) {
    if (key.runRequired && attempt.mode !== "read") refusals.push(refuse("run_required", {}))
  } else if (run === null || run.expiresAtMillis <= attempt.nowMillis) {
    refusals.push(refuse("run_unavailable", { run_id: attempt.runId }))
  } else {
    const remaining = minusOrZero(run.budget, plus(run.spent, run.reserved))
    if (remaining < required) {
      refusals.push(refuse("run_budget_exceeded", { run_id: attempt.runId, remaining, required }))
    }
  }
  if (attempt.isPurchase && !account.hasPaymentMethod) {
    refusals.push(refuse("card_required", { console_url: attempt.consoleUrl }))
  }
  const spent = plus(usage.spent, usage.reserved)
  if (key.monthlySpendCap !== null && required > 0n && minusOrZero(key.monthlySpendCap, spent) < required) {
    refusals.push(
      refuse("payment_required", { monthly_spend_cap: key.monthlySpendCap, spent_this_month: spent, required })
    )
  }
  const daily = key.dailySpendCap
  if (daily !== null && required > 0n && minusOrZero(daily, state.today) < required) {
    const resetsAt = endOfDay(attempt.nowMillis)
    refusals.push(
      refuse("payment_required", { daily_spend_cap: daily, spent_today: state.today, required, resets_at: resetsAt })
    )
  }
  if (available(account) < required) {
    refusals.push(refuse("insufficient_credits", { required, credits_available: available(account) }))
  }
  return refusals
}

const recall = (
  verb: string,
  claim: IdempotencyClaim,
  records: ReadonlyArray<IdempotencyRecord>
): Decision<never> | null => {
  const other = (record: IdempotencyRecord) =>
    record.verb !== verb ||
    record.baseFingerprint !== claim.baseFingerprint ||
    (record.phase === claim.phase && record.tokenHash !== claim.tokenHash)
  if (records.some(other)) {
    return { _tag: "Refuse", error: refuse("idempotency_conflict", { reason: "different_request" }), plan: null }
  }
  const record = records.find((r) => r.phase === claim.phase)
  if (record === undefined) return null
  return record.outcome === null
    ? { _tag: "InProgress", requestId: record.requestId }
    : { _tag: "Replay", outcome: record.outcome }
}

const decide = <P extends Reservation>(
  attempt: Attempt<P>,
  state: AdmissionState,
  rateBefore: RateStatus
): Decision<P> => {
  const { key } = state
  const refused = (error: AnyWireError, plan: P | null = null): Decision<P> => ({ _tag: "Refuse", error, plan })
  if (KeyMachine.is.revoked(key.state)) return refused(refuse("unauthorized", {}))
  if (attempt.reject !== null) return refused(attempt.reject)
  const planned = attempt.plan(key)
  if (Result.isFailure(planned) && planned.failure.code === "invalid_request") return refused(planned.failure)
  if (rateBefore.remaining === 0 && attempt.waited !== true) {
    return refused(refuse("rate_limited", { retry_after_seconds: rateBefore.resetSeconds, limit: "key_rate" }))
  }
  if (KeyMachine.is.paused(key.state) && !attempt.allowedWhilePaused) {
    return refused(refuse("agent_paused", { paused_at: new Date(key.pausedAtMillis ?? 0).toISOString() }))
  }
  const policy = policyRefusals(attempt, key)
  if (Result.isFailure(planned)) return refused((attempt.mode === "dry_run" ? null : policy[0]) ?? planned.failure)
  const exactly = attempt.subject?.maximum
  const plan = exactly === undefined ? planned.success : { ...planned.success, maximum: exactly }
  const capability = capabilityRefusal(attempt, plan, key)
  const autonomy = autonomyRefusal(attempt, key)
  if (attempt.mode === "dry_run") {
    if (capability !== null) return refused(capability)
    if (attempt.subject?.missing) return refused(attempt.subject.missing)
    const wouldExceed = [
      ...[...policy, ...(autonomy === null ? [] : [autonomy])].map((error) => error.code),
      ...(attempt.subject?.wouldExceed ?? []),
      ...spendingRefusals(attempt, plan, state).map((error) => error.code)
    ]
    return { _tag: "Preview", plan, wouldExceed: [...new Set(wouldExceed)] }
  }
  const first = policy[0] ?? capability ?? autonomy
  if (first !== null && first !== undefined) return refused(first, plan)
  if (attempt.idempotency !== null) {
    const recalled = recall(attempt.verb, attempt.idempotency, state.records)
    if (recalled !== null) return recalled
  }
  const about = attempt.subject?.missing ?? attempt.subject?.refusal
  if (about) return refused(about, plan)
  const spending = spendingRefusals(attempt, plan, state)[0]
  return spending === undefined ? { _tag: "Admit", plan } : refused(spending, plan)
}

/**
 * Decides one call from the state it found, and returns the state for the next. Pure, and the only place that defines
 * the order of checks (contract: calls, order of checks). Every adapter runs it under its own locks.
 */
export const decideAdmission = <P extends Reservation>(attempt: Attempt<P>, found: AdmissionState): Decided<P> => {
  const now = attempt.nowMillis
  const state: AdmissionState = { ...found, usage: usageIn(found.usage, monthOf(now)) }
  const limit = state.key.ratePerMinute
  const decision = decide(attempt, state, rateStatus(state.usage.rate, limit, now))
  const refusedForRate = decision._tag === "Refuse" && decision.error.code === "rate_limited"
  const unknown = decision._tag === "Refuse" && decision.error.code === "unauthorized"
  const counted = !refusedForRate && !unknown
  const rate = counted && attempt.waited !== true ? count(state.usage.rate, now) : state.usage.rate
  const reserve = decision._tag === "Admit" ? decision.plan.maximum : zero
  return {
    decision,
    recorded: counted && decision._tag !== "Replay" && decision._tag !== "InProgress",
    rate: rateStatus(rate, limit, now),
    next: {
      usage: { ...state.usage, rate, reserved: plus(state.usage.reserved, reserve) },
      today: plus(state.today, reserve),
      account: { ...state.account, reserved: plus(state.account.reserved, reserve) },
      run: state.run === null ? null : { ...state.run, reserved: plus(state.run.reserved, reserve) }
    }
  }
}

/** A settlement's charge, never above its reservation, and the state after it. */
export const applySettlement = (
  settlement: { readonly reserved: Credits; readonly charge: Credits; readonly month: string },
  state: Pick<AdmissionState, "usage" | "account" | "run">
): Pick<AdmissionState, "usage" | "account" | "run"> & { readonly charged: Credits } => {
  const { reserved, month } = settlement
  const charged = settlement.charge < reserved ? settlement.charge : reserved
  const sameMonth = state.usage.month === month
  return {
    charged,
    usage: sameMonth
      ? {
          ...state.usage,
          reserved: minusOrZero(state.usage.reserved, reserved),
          spent: plus(state.usage.spent, charged)
        }
      : state.usage,
    account: {
      ...state.account,
      balance: fromMicros(state.account.balance - charged),
      reserved: fromMicros(state.account.reserved - reserved)
    },
    run:
      state.run === null
        ? null
        : {
            ...state.run,
            reserved: minusOrZero(state.run.reserved, reserved),
            spent: plus(state.run.spent, charged)
          }
  }
}
