import type { Attempt, StoredOutcome } from "@outbound/domain/calls/Attempt.js"
import type { KeyUsage } from "@outbound/domain/calls/decideAdmission.js"
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

export interface Charge {
  readonly workspaceId: string
  readonly version: bigint
  readonly requestId: string
  readonly amount: bigint
  readonly balanceAfter: bigint
  readonly atMillis: number
}

interface NamedRecord {
  readonly workspaceId: string
  readonly keyId: string
  readonly idempotencyKey: string
  readonly phase: string
  readonly requestId: string
}

export interface NewRecord extends NamedRecord {
  readonly verb: string
  readonly baseFingerprint: string
  readonly tokenHash: string | null
  readonly createdAtMillis: number
}

interface KeptContact {
  readonly workspaceId: string
  readonly personKey: string
  readonly contact: string
  readonly emailLookedUp: boolean
  readonly mobileSearched: boolean
  readonly expiresAtMillis: number
}

/** A call that was opened, whatever became of it since; or one that ended, exactly as the batch ended it. */
export type Witness =
  { readonly _tag: "Opened"; readonly call: OpenCall } | { readonly _tag: "Ended"; readonly call: EndedCall }

interface Delta {
  balance: bigint
  reserved: bigint
  version: bigint
}

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** What a batch writes, collected call by call and written set by set. */
export class Changes {
  readonly #accounts = new Map<string, Delta>()
  readonly #usage = new Map<
    string,
    { readonly workspaceId: string; readonly keyId: string; readonly usage: KeyUsage }
  >()
  readonly #runs = new Map<string, { workspaceId: string; runId: string; spent: bigint; reserved: bigint }>()
  readonly #usageDays = new Map<
    string,
    { workspaceId: string; day: string; verb: string; calls: bigint; charged: bigint }
  >()
  readonly #replays = new Map<string, { workspaceId: string; requestId: string; times: number }>()
  readonly #contacts = new Map<string, KeptContact>()
  readonly opened: Array<OpenCall> = []
  readonly closed: Array<{ readonly workspaceId: string; readonly requestId: string }> = []
  readonly ended: Array<EndedCall> = []
  readonly charges: Array<Charge> = []
  readonly newRecords: Array<NewRecord> = []
  readonly finishedRecords: Array<NamedRecord & { readonly outcome: StoredOutcome }> = []
  readonly freedRecords: Array<NamedRecord> = []

  account(workspaceId: string, balance: bigint, reserved: bigint, version: bigint): void {
    const delta = this.#accounts.get(workspaceId)
    if (delta === undefined) {
      this.#accounts.set(workspaceId, { balance, reserved, version })
      return
    }
    delta.balance += balance
    delta.reserved += reserved
    delta.version += version
  }

  usage(workspaceId: string, keyId: string, usage: KeyUsage): void {
    this.#usage.set(keyId, { workspaceId, keyId, usage })
  }

  run(workspaceId: string, runId: string, spent: bigint, reserved: bigint): void {
    const delta = this.#runs.get(runId) ?? { workspaceId, runId, spent: 0n, reserved: 0n }
    delta.spent += spent
    delta.reserved += reserved
    this.#runs.set(runId, delta)
  }

  counted({ verb, workspaceId }: OpenCall, charged: bigint, atMillis: number): void {
    const day = dayOf(atMillis)
    const name = `${workspaceId}\n${day}\n${verb}`
    const sum = this.#usageDays.get(name) ?? { workspaceId, day, verb, calls: 0n, charged: 0n }
    sum.calls += 1n
    sum.charged += charged
    this.#usageDays.set(name, sum)
  }

  replayed(workspaceId: string, requestId: string): void {
    const sum = this.#replays.get(requestId) ?? { workspaceId, requestId, times: 0 }
    sum.times += 1
    this.#replays.set(requestId, sum)
  }

  kept(contact: KeptContact): void {
    this.#contacts.set(`${contact.workspaceId}\n${contact.personKey}`, contact)
  }

  /** A call that ended with its admission: refused, or without an error a dry run. */
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

  /** A row that the batch wrote, to find out by whether it was committed; none where nothing has to be found again. */
  get witness(): Witness | undefined {
    const [opened] = this.opened
    if (opened !== undefined) return { _tag: "Opened", call: opened }
    const [ended] = this.ended
    return ended === undefined ? undefined : { _tag: "Ended", call: ended }
  }

  /** The statements that write all of it. Sets that are empty are left out. */
  statements(incarnation: string): ReadonlyArray<Sql.Bound> {
    const bound: Array<Sql.Bound> = []
    const write = (statement: Sql.Prepared, count: number, values: () => ReadonlyArray<string>): void => {
      if (count > 0) bound.push({ statement, values: values() })
    }
    const accounts = [...this.#accounts]
    write(Sql.UPDATE_ACCOUNTS, accounts.length, () => [
      plain(accounts.map(([workspaceId]) => workspaceId)),
      plain(accounts.map(([, { balance }]) => balance)),
      plain(accounts.map(([, { reserved }]) => reserved)),
      plain(accounts.map(([, { version }]) => version))
    ])
    const usage = [...this.#usage.values()]
    write(Sql.UPDATE_USAGE, usage.length, () => [
      plain(usage.map(({ workspaceId }) => workspaceId)),
      plain(usage.map(({ keyId }) => keyId)),
      plain(usage.map((row) => row.usage.month)),
      plain(usage.map((row) => row.usage.spent)),
      plain(usage.map((row) => row.usage.reserved)),
      plain(usage.map((row) => row.usage.rate.second)),
      texts(usage.map((row) => storedCounts(row.usage.rate)))
    ])
    const runs = [...this.#runs.values()]
    write(Sql.UPDATE_RUNS, runs.length, () => [
      plain(runs.map(({ workspaceId }) => workspaceId)),
      plain(runs.map(({ runId }) => runId)),
      plain(runs.map(({ spent }) => spent)),
      plain(runs.map(({ reserved }) => reserved))
    ])
    this.#records(write)
    this.#calls(write, incarnation)
    const days = [...this.#usageDays].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
    write(Sql.ADD_USAGE, days.length, () => [
      plain(days.map(({ workspaceId }) => workspaceId)),
      plain(days.map(({ day }) => day)),
      texts(days.map(({ verb }) => verb)),
      plain(days.map(({ calls }) => calls)),
      plain(days.map(({ charged }) => charged))
    ])
    const contacts = [...this.#contacts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, contact]) => contact)
    write(Sql.KEEP_CONTACTS, contacts.length, () => [
      plain(contacts.map(({ workspaceId }) => workspaceId)),
      texts(contacts.map(({ personKey }) => personKey)),
      texts(contacts.map(({ contact }) => contact)),
      plain(contacts.map(({ emailLookedUp }) => emailLookedUp)),
      plain(contacts.map(({ mobileSearched }) => mobileSearched)),
      times(contacts.map(({ expiresAtMillis }) => expiresAtMillis))
    ])
    return bound
  }

  /** Ends before beginnings: a freed Idempotency-Key may be taken again in the same batch. */
  #records(write: (statement: Sql.Prepared, count: number, values: () => ReadonlyArray<string>) => void): void {
    const names = (rows: ReadonlyArray<NamedRecord>) => [
      plain(rows.map(({ workspaceId }) => workspaceId)),
      plain(rows.map(({ keyId }) => keyId)),
      texts(rows.map(({ idempotencyKey }) => idempotencyKey)),
      plain(rows.map(({ phase }) => phase))
    ]
    const { finishedRecords: finished, freedRecords: freed, newRecords: fresh } = this
    write(Sql.FREE_RECORDS, freed.length, () => [...names(freed), plain(freed.map(({ requestId }) => requestId))])
    write(Sql.FINISH_RECORDS, finished.length, () => [
      ...names(finished),
      plain(finished.map(({ requestId }) => requestId)),
      plain(finished.map(({ outcome }) => outcome.httpStatus)),
      texts(finished.map(({ outcome }) => outcome.body)),
      plain(finished.map(({ outcome }) => outcome.charged)),
      plain(finished.map(({ outcome }) => outcome.approvalId))
    ])
    write(Sql.INSERT_RECORDS, fresh.length, () => [
      ...names(fresh),
      texts(fresh.map(({ verb }) => verb)),
      texts(fresh.map(({ baseFingerprint }) => baseFingerprint)),
      texts(fresh.map(({ tokenHash }) => tokenHash)),
      plain(fresh.map(({ requestId }) => requestId)),
      times(fresh.map(({ createdAtMillis }) => createdAtMillis))
    ])
  }

  #calls(
    write: (statement: Sql.Prepared, count: number, values: () => ReadonlyArray<string>) => void,
    incarnation: string
  ): void {
    const { charges, closed, ended, opened } = this
    write(Sql.DELETE_OPEN, closed.length, () => [
      plain(closed.map(({ workspaceId }) => workspaceId)),
      plain(closed.map(({ requestId }) => requestId))
    ])
    write(Sql.INSERT_OPEN, opened.length, () => [
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
      incarnation
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
    write(Sql.INSERT_CHARGES, charges.length, () => [
      plain(charges.map(({ workspaceId }) => workspaceId)),
      plain(charges.map(({ version }) => version)),
      plain(charges.map(({ requestId }) => requestId)),
      plain(charges.map(({ amount }) => amount)),
      plain(charges.map(({ balanceAfter }) => balanceAfter)),
      times(charges.map(({ atMillis }) => atMillis))
    ])
  }
}
