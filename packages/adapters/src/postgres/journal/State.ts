import type { CallMode, IdempotencyPhase, StoredOutcome } from "@outbound/domain/calls/Attempt.js"
import type { Account, IdempotencyRecord, KeyUsage, RunBudget } from "@outbound/domain/calls/decideAdmission.js"
import type { ApiKey } from "@outbound/domain/calls/keys/KeyStore.js"
import type { Row } from "./Statements.js"
import { StoredWindow } from "./StoredWindow.js"
import { type Credits, fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"

/** A running call, as its row says. */
export interface OpenCall {
  readonly workspaceId: string
  readonly requestId: string
  readonly keyId: string
  readonly runId: string | null
  readonly verb: string
  readonly mode: CallMode
  readonly reserved: bigint
  readonly month: string
  readonly incarnation: string
  readonly idempotencyKey: string | null
  readonly idempotencyPhase: IdempotencyPhase | null
  readonly createdAtMillis: number
}

/** Everything that a batch decides on: the accounts it could lock, and what it read afterwards. */
export interface BatchState {
  /** By workspace. */
  readonly accounts: Map<string, Account>
  /** By key. */
  readonly usage: Map<string, KeyUsage>
  /** By key: what counts for its daily cap. */
  readonly today: Map<string, Credits>
  /** By workspace and run. */
  readonly runs: Map<string, RunBudget>
  /** By key. */
  readonly keys: ReadonlyMap<string, ApiKey>
  /** By key and Idempotency-Key. */
  readonly records: Map<string, Array<IdempotencyRecord>>
}

export const pairOf = (first: string, second: string): string => `${first}\n${second}`

const text = (row: Row, column: number): string => row[column] ?? ""

/**
 * The tables store the available and the committed amount as one number each, while a decision separates what is
 * reserved. It only ever uses the sum or the difference. So everything found counts as spent, and the batch adds its
 * own reservations.
 */
export const fromAccountRow = (row: Row): readonly [string, Account] => [
  text(row, 0),
  { balance: fromMicros(BigInt(text(row, 1))), reserved: zero, hasPaymentMethod: row[2] === "true" }
]

export const fromUsageRow = (row: Row): readonly [string, KeyUsage] => [
  text(row, 0),
  {
    month: text(row, 1),
    spent: fromMicros(BigInt(text(row, 2))),
    reserved: zero,
    rate: new StoredWindow(Number(row[3]), text(row, 4))
  }
]

export const fromTodayRow = (row: Row): readonly [string, Credits] => [text(row, 0), fromMicros(BigInt(row[7] ?? 0))]

export const fromRunRow = (row: Row): readonly [string, RunBudget] => [
  pairOf(text(row, 0), text(row, 1)),
  {
    budget: fromMicros(BigInt(text(row, 2))),
    spent: fromMicros(BigInt(text(row, 3))),
    reserved: zero,
    expiresAtMillis: Number(row[4])
  }
]

/** A policy from the JSON of `READ_KEYS`. */
export const fromPolicy = (json: string): ApiKey => {
  const policy = JSON.parse(json) as Omit<ApiKey, "monthlySpendCap" | "dailySpendCap" | "premiumAllowance"> & {
    readonly dailySpendCap: string | null
    readonly monthlySpendCap: string | null
    readonly premiumAllowance: string
  }
  return {
    ...policy,
    monthlySpendCap: policy.monthlySpendCap === null ? null : fromMicros(BigInt(policy.monthlySpendCap)),
    dailySpendCap: policy.dailySpendCap === null ? null : fromMicros(BigInt(policy.dailySpendCap)),
    premiumAllowance: fromMicros(BigInt(policy.premiumAllowance))
  }
}

/** Outcomes' bodies are read outside the batches; decisions don't depend on them. */
const BODY_NOT_READ = ""

export const fromRecordRow = (row: Row): readonly [string, IdempotencyRecord] => {
  const requestId = text(row, 6)
  const outcome: StoredOutcome | null =
    row[7] == null
      ? null
      : {
          requestId,
          httpStatus: Number(row[7]),
          body: BODY_NOT_READ,
          charged: fromMicros(BigInt(text(row, 8))),
          approvalId: row[9] ?? null
        }
  return [
    pairOf(text(row, 0), text(row, 1)),
    {
      phase: text(row, 2) as IdempotencyPhase,
      verb: text(row, 3),
      baseFingerprint: text(row, 4),
      tokenHash: row[5] ?? null,
      requestId,
      outcome
    }
  ]
}
