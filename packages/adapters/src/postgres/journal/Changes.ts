import type { Attempt } from "@outbound/domain/calls/Attempt.js"
import type { KeyUsage } from "@outbound/domain/calls/decideAdmission.js"
import { plus } from "@outbound/domain/kernel/money/Credits.js"
import {
  plainArray,
  plainArrays as plains,
  textArray,
  textArrays as texts,
  timestampArrays as times
} from "./Literals.js"
import type { OpenCall } from "./State.js"
import * as Sql from "./Statements.js"
import { storedCounts } from "./StoredWindow.js"

/** A row of `requests`. */
export interface EndedCall {
  readonly workspaceId: string
  readonly requestId: string
  readonly keyId: string
  readonly runId: string | null
  readonly verb: string
  readonly mode: string
  readonly status: string
  readonly admitted: boolean
  readonly httpStatus: number
  readonly errorCode: string | null
  readonly charged: bigint
  readonly interrupted: boolean
  readonly createdAtMillis: number
  readonly finishedAtMillis: number
}

interface NewRecord {
  readonly workspaceId: string
  readonly keyId: string
  readonly idempotencyKey: string
  readonly phase: string
  readonly requestId: string
  readonly verb: string
  readonly baseFingerprint: string
  readonly tokenHash: string | null
  readonly createdAtMillis: number
}

/** A call that was opened, whatever happened since; or one that ended at admission. */
export type Witness = Pick<OpenCall | EndedCall, "workspaceId" | "requestId">

/** The writes of a batch of admissions, collected per call and written per table. */
export class Changes {
  readonly #accounts = new Map<string, bigint>()
  readonly #usage = new Map<
    string,
    { readonly workspaceId: string; readonly keyId: string; readonly usage: KeyUsage }
  >()
  readonly #runs = new Map<string, { workspaceId: string; runId: string; reserved: bigint }>()
  readonly #replays = new Map<string, { workspaceId: string; requestId: string; times: number }>()
  readonly opened: Array<OpenCall> = []
  readonly ended: Array<EndedCall> = []
  readonly newRecords: Array<NewRecord> = []

  reserved(workspaceId: string, reserved: bigint): void {
    this.#accounts.set(workspaceId, (this.#accounts.get(workspaceId) ?? 0n) + reserved)
  }

  usage(workspaceId: string, keyId: string, usage: KeyUsage): void {
    this.#usage.set(keyId, { workspaceId, keyId, usage })
  }

  run(workspaceId: string, runId: string, reserved: bigint): void {
    const sum = this.#runs.get(runId) ?? { workspaceId, runId, reserved: 0n }
    sum.reserved += reserved
    this.#runs.set(runId, sum)
  }

  replayed(workspaceId: string, requestId: string): void {
    const sum = this.#replays.get(requestId) ?? { workspaceId, requestId, times: 0 }
    sum.times += 1
    this.#replays.set(requestId, sum)
  }

  /** A call that ended at admission: a refusal, or a dry run if there is no error. */
  notAdmitted(
    attempt: Attempt,
    of: { readonly workspaceId: string; readonly keyId: string; readonly runId: string | null },
    httpStatus: number,
    errorCode: string | null
  ): void {
    this.ended.push({
      ...of,
      requestId: attempt.requestId,
      verb: attempt.verb,
      mode: attempt.mode,
      status: errorCode === null ? "succeeded" : "failed",
      admitted: false,
      httpStatus,
      errorCode,
      charged: 0n,
      interrupted: false,
      createdAtMillis: attempt.nowMillis,
      finishedAtMillis: attempt.nowMillis
    })
  }

  /** A row that tells later whether the batch was committed; none if that never matters. */
  get witness(): Witness | undefined {
    return this.opened[0] ?? this.ended[0]
  }

  /** The statements of all writes. Empty sets are left out. */
  statements(incarnation: string): ReadonlyArray<Sql.Bound> {
    const bound: Array<Sql.Bound> = []
    const write = (statement: Sql.Prepared, count: number, values: () => ReadonlyArray<string>): void => {
      if (count > 0) bound.push({ statement, values: values() })
    }
    const runs = [...this.#runs.values()]
    write(Sql.UPDATE_RUNS, runs.length, () => plains(runs, "workspaceId", "runId", "reserved"))
    this.#calls(write, incarnation)
    const { newRecords: fresh } = this
    write(Sql.INSERT_RECORDS, fresh.length, () => [
      ...plains(fresh, "workspaceId", "keyId"),
      ...texts(fresh, "idempotencyKey"),
      ...plains(fresh, "phase"),
      ...texts(fresh, "verb", "baseFingerprint", "tokenHash"),
      ...plains(fresh, "requestId"),
      ...times(fresh, "createdAtMillis")
    ])
    return bound
  }

  #calls(
    write: (statement: Sql.Prepared, count: number, values: () => ReadonlyArray<string>) => void,
    incarnation: string
  ): void {
    const { ended, opened } = this
    const usage = [...this.#usage.values()]
    const used = () => [
      ...plains(usage, "workspaceId", "keyId"),
      plainArray(usage.map((row) => row.usage.month)),
      plainArray(usage.map((row) => plus(row.usage.spent, row.usage.reserved))),
      plainArray(usage.map((row) => row.usage.rate.second)),
      textArray(usage.map((row) => storedCounts(row.usage.rate)))
    ]
    const accounts = [...this.#accounts]
    write(Sql.UPDATE_USAGE, opened.length === 0 ? usage.length : 0, used)
    write(Sql.OPEN_CALLS, opened.length, () => [
      ...plains(opened, "workspaceId", "requestId", "keyId", "runId"),
      ...texts(opened, "verb"),
      ...plains(opened, "mode", "reserved", "month"),
      ...texts(opened, "idempotencyKey"),
      ...plains(opened, "idempotencyPhase"),
      ...times(opened, "createdAtMillis"),
      incarnation,
      plainArray(accounts.map(([workspaceId]) => workspaceId)),
      plainArray(accounts.map(([, reserved]) => reserved)),
      ...used()
    ])
    write(Sql.INSERT_REQUESTS, ended.length, () => [
      ...plains(ended, "workspaceId", "requestId", "keyId", "runId"),
      ...texts(ended, "verb"),
      ...plains(ended, "mode", "status", "admitted", "httpStatus", "errorCode", "charged", "interrupted"),
      ...times(ended, "createdAtMillis", "finishedAtMillis")
    ])
    const replays = [...this.#replays.values()]
    write(Sql.COUNT_REPLAYS, replays.length, () => plains(replays, "workspaceId", "requestId", "times"))
  }
}
