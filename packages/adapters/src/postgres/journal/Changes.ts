import type { Attempt } from "@outbound/domain/calls/Attempt.js"
import type { KeyUsage } from "@outbound/domain/calls/decideAdmission.js"
import { plus } from "@outbound/domain/kernel/money/Credits.js"
import { plainArray as plain, textArray as texts, timestampArray as times } from "./Literals.js"
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
    write(Sql.UPDATE_RUNS, runs.length, () => [
      plain(runs.map(({ workspaceId }) => workspaceId)),
      plain(runs.map(({ runId }) => runId)),
      plain(runs.map(({ reserved }) => reserved))
    ])
    this.#calls(write, incarnation)
    const { newRecords: fresh } = this
    write(Sql.INSERT_RECORDS, fresh.length, () => [
      plain(fresh.map(({ workspaceId }) => workspaceId)),
      plain(fresh.map(({ keyId }) => keyId)),
      texts(fresh.map(({ idempotencyKey }) => idempotencyKey)),
      plain(fresh.map(({ phase }) => phase)),
      texts(fresh.map(({ verb }) => verb)),
      texts(fresh.map(({ baseFingerprint }) => baseFingerprint)),
      texts(fresh.map(({ tokenHash }) => tokenHash)),
      plain(fresh.map(({ requestId }) => requestId)),
      times(fresh.map(({ createdAtMillis }) => createdAtMillis))
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
      plain(usage.map(({ workspaceId }) => workspaceId)),
      plain(usage.map(({ keyId }) => keyId)),
      plain(usage.map((row) => row.usage.month)),
      plain(usage.map((row) => plus(row.usage.spent, row.usage.reserved))),
      plain(usage.map((row) => row.usage.rate.second)),
      texts(usage.map((row) => storedCounts(row.usage.rate)))
    ]
    const accounts = [...this.#accounts]
    write(Sql.UPDATE_USAGE, opened.length === 0 ? usage.length : 0, used)
    write(Sql.OPEN_CALLS, opened.length, () => [
      plain(opened.map(({ workspaceId }) => workspaceId)),
      plain(opened.map(({ requestId }) => requestId)),
      plain(opened.map(({ keyId }) => keyId)),
      plain(opened.map(({ runId }) => runId)),
      texts(opened.map(({ verb }) => verb)),
      plain(opened.map(({ mode }) => mode)),
      plain(opened.map(({ reserved }) => reserved)),
      plain(opened.map(({ month }) => month)),
      texts(opened.map(({ idempotencyKey }) => idempotencyKey)),
      plain(opened.map(({ idempotencyPhase }) => idempotencyPhase)),
      times(opened.map(({ createdAtMillis }) => createdAtMillis)),
      incarnation,
      plain(accounts.map(([workspaceId]) => workspaceId)),
      plain(accounts.map(([, reserved]) => reserved)),
      ...used()
    ])
    write(Sql.INSERT_REQUESTS, ended.length, () => [
      plain(ended.map(({ workspaceId }) => workspaceId)),
      plain(ended.map(({ requestId }) => requestId)),
      plain(ended.map(({ keyId }) => keyId)),
      plain(ended.map(({ runId }) => runId)),
      texts(ended.map(({ verb }) => verb)),
      plain(ended.map(({ mode }) => mode)),
      plain(ended.map(({ status }) => status)),
      plain(ended.map(({ admitted }) => admitted)),
      plain(ended.map(({ httpStatus }) => httpStatus)),
      plain(ended.map(({ errorCode }) => errorCode)),
      plain(ended.map(({ charged }) => charged)),
      plain(ended.map(({ interrupted }) => interrupted)),
      times(ended.map(({ createdAtMillis }) => createdAtMillis)),
      times(ended.map(({ finishedAtMillis }) => finishedAtMillis))
    ])
    const replays = [...this.#replays.values()]
    write(Sql.COUNT_REPLAYS, replays.length, () => [
      plain(replays.map(({ workspaceId }) => workspaceId)),
      plain(replays.map(({ requestId }) => requestId)),
      plain(replays.map(({ times }) => times))
    ])
  }
}
