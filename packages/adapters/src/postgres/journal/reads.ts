import { dayOf, type IdempotencyRecord } from "@outbound/domain/calls/decideAdmission.js"
import type { AdmitItem } from "./Items.js"
import { plainArrays, textArray, textArrays } from "./Literals.js"
import type { Policies } from "./Policies.js"
import {
  type BatchState,
  fromAccountRow,
  fromRecordRow,
  fromRunRow,
  fromTodayRow,
  fromUsageRow,
  pairOf
} from "./State.js"
import * as Sql from "./Statements.js"

/** Statements that lock and read what the items need, and how to decode their rows. */
export interface Reads {
  readonly statements: ReadonlyArray<Sql.Bound>
  /** `rows`: the rows of each statement. */
  readonly decode: (rows: ReadonlyArray<ReadonlyArray<Sql.Row>>) => Read
}

/** What a batch read. */
export interface Read {
  readonly state: BatchState
  /** Of the transaction. */
  readonly xid: string
  /** Whether the host's lease is still valid. */
  readonly holdsLease: boolean
}

const byName = <A>(a: readonly [string, A], b: readonly [string, A]): number => (a[0] < b[0] ? -1 : 1)

/** Distinct and sorted by name, so that no two batches deadlock. */
const distinct = <A>(items: ReadonlyArray<A>, name: (item: A) => string): ReadonlyArray<A> =>
  [...new Map(items.map((item) => [name(item), item] as const))].sort(byName).map(([, item]) => item)

/** Locks first; then everything else, on snapshots taken after them. */
export const readsOf = (
  items: ReadonlyArray<AdmitItem>,
  lock: Sql.Prepared,
  policies: Policies,
  incarnation: string
): Reads => {
  const statements: Array<Sql.Bound> = []
  const decoders: Array<(rows: ReadonlyArray<Sql.Row>) => void> = []
  const read = (
    statement: Sql.Prepared,
    values: ReadonlyArray<string>,
    decode: (rows: ReadonlyArray<Sql.Row>) => void
  ): void => {
    statements.push({ statement, values })
    decoders.push(decode)
  }

  let xid = ""
  let holdsLease = false
  const records = new Map<string, Array<IdempotencyRecord>>()
  const state = {
    accounts: new Map(),
    usage: new Map(),
    today: new Map(),
    runs: new Map(),
    keys: new Map(),
    records
  } as { -readonly [Member in keyof BatchState]: BatchState[Member] }

  const workspaces = distinct(items, ({ workspaceId }) => workspaceId)
  read(lock, plainArrays(workspaces, "workspaceId"), (rows) => {
    state.accounts = new Map(rows.map(fromAccountRow))
  })
  const keys = distinct(items, ({ keyId }) => keyId)
  read(
    Sql.READ_KEYS,
    [
      ...plainArrays(keys, "workspaceId", "keyId"),
      textArray(keys.map(({ keyId }) => policies.versionOf(keyId))),
      incarnation,
      dayOf(Math.min(...items.map(({ attempt }) => attempt.nowMillis)))
    ],
    (found) => {
      const self = found.find(([keyId]) => keyId === null)
      const rows = found.filter((row) => row !== self)
      xid = self?.[1] ?? ""
      holdsLease = self?.[2] === "true"
      state.usage = new Map(rows.map(fromUsageRow))
      state.today = new Map(rows.map(fromTodayRow))
      state.keys = policies.decode(rows)
    }
  )
  const runs = distinct(
    items.flatMap(({ runId, workspaceId }) => (runId === null ? [] : [{ runId, workspaceId }])),
    ({ runId, workspaceId }) => pairOf(workspaceId, runId)
  )
  if (runs.length > 0) {
    read(Sql.READ_RUNS, plainArrays(runs, "workspaceId", "runId"), (rows) => {
      state.runs = new Map(rows.map(fromRunRow))
    })
  }

  const claims = distinct(
    items.flatMap(({ attempt: { idempotency }, keyId, workspaceId }) =>
      idempotency === null ? [] : [{ workspaceId, keyId, key: idempotency.key }]
    ),
    ({ key, keyId }) => pairOf(keyId, key)
  )
  if (claims.length > 0) {
    read(Sql.READ_RECORDS, [...plainArrays(claims, "workspaceId", "keyId"), ...textArrays(claims, "key")], (rows) => {
      for (const [name, record] of rows.map(fromRecordRow)) records.set(name, [...(records.get(name) ?? []), record])
    })
  }

  return {
    statements,
    decode: (rows) => {
      decoders.forEach((decode, index) => decode(rows[index] ?? []))
      return { state, xid, holdsLease }
    }
  }
}
