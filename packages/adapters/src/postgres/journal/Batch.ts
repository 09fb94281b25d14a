import type pg from "pg"
import { isConflict, isConnectionLost, isStaleStatement } from "../PgErrors.js"
import type { Connection } from "./Connection.js"
import type { Witness } from "./Changes.js"
import { type Decided, decide } from "./decide.js"
import type { AdmitItem } from "./Items.js"
import { FATE_MILLIS_MAX, JOURNAL_ANSWER_MILLIS, pauseMillis } from "./limits.js"
import type { Policies } from "./Policies.js"
import { readsOf } from "./reads.js"
import { BEGIN, COMMIT, LOCKS } from "./Statements.js"

/** The result of a batch of admissions. */
export type BatchEnd =
  /** It is committed. */
  | { readonly _tag: "Committed"; readonly decided: Decided }
  /** Nothing was done; a retry may succeed. */
  | { readonly _tag: "Retry"; readonly cause: unknown }
  /** Nothing was done: the host's lease has expired. */
  | { readonly _tag: "LeaseOver" }
  /** Nothing was done, and a retry would fail again: one of the items is bad. */
  | { readonly _tag: "Rejected"; readonly cause: unknown }
  /** The COMMIT got no answer, and its outcome could not be found out. */
  | { readonly _tag: "Unknown"; readonly cause: unknown }

export interface BatchOptions {
  readonly pool: pg.Pool
  readonly connection: Connection
  readonly policies: Policies
  readonly incarnation: string
  readonly locks: keyof typeof LOCKS
}

export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const failed = (cause: unknown): BatchEnd => ({
  _tag: isConnectionLost(cause) || isConflict(cause) || isStaleStatement(cause) ? "Retry" : "Rejected",
  cause
})

const STATUS = `SELECT pg_xact_status($1::xid8) AS status`

const FOUND = `
  SELECT EXISTS (SELECT 1 FROM open_calls WHERE workspace_id = $1 AND request_id = $2)
    OR EXISTS (SELECT 1 FROM requests WHERE workspace_id = $1 AND request_id = $2) AS found`

/** A question whose answer must come soon. */
const soon = (text: string, values: Array<string>): pg.QueryConfig =>
  Object.assign({ text, values }, { query_timeout: JOURNAL_ANSWER_MILLIS })

const isFound = async (pool: pg.Pool, call: Witness): Promise<boolean> => {
  const { rows } = await pool.query<{ found: boolean }>(soon(FOUND, [call.workspaceId, call.requestId]))
  return rows[0]?.found === true
}

/**
 * Whether a transaction whose COMMIT got no answer was committed. Waits until its old backend has finished with it,
 * then looks up one of its calls by request id. Undefined: the database didn't answer in time.
 */
const fateOf = async (pool: pg.Pool, xid: string, witness: Witness | undefined): Promise<boolean | undefined> => {
  const until = performance.now() + FATE_MILLIS_MAX
  for (let tries = 0; performance.now() < until; tries++) {
    try {
      const { rows } = await pool.query<{ status: string | null }>(soon(STATUS, [xid]))
      const status = rows[0]?.status
      if (status !== "in progress") return witness === undefined ? status === "committed" : await isFound(pool, witness)
    } catch (error) {
      if (!isConnectionLost(error)) return undefined
    }
    await sleep(pauseMillis(tries))
  }
  return undefined
}

/** Runs one batch of admissions in two round trips: locks and reads, then writes and COMMIT. */
export const runBatch = async (items: ReadonlyArray<AdmitItem>, options: BatchOptions): Promise<BatchEnd> => {
  const { connection, incarnation, policies, pool } = options
  const { session } = connection
  const reads = readsOf(items, LOCKS[options.locks], policies, incarnation)
  let decided: Decided
  let xid: string
  try {
    const [, ...rows] = await session.roundTrip([{ statement: BEGIN, values: [] }, ...reads.statements])
    const read = reads.decode(rows)
    if (!read.holdsLease) {
      session.close()
      return { _tag: "LeaseOver" }
    }
    xid = read.xid
    decided = decide(items, read.state, incarnation)
  } catch (cause) {
    session.close()
    return failed(cause)
  }
  try {
    await session.roundTrip([...decided.changes.statements(incarnation), { statement: COMMIT, values: [] }])
    return { _tag: "Committed", decided }
  } catch (cause) {
    session.close()
    if (!isConnectionLost(cause)) return failed(cause)
    const stands = await fateOf(pool, xid, decided.changes.witness)
    if (stands === undefined) return { _tag: "Unknown", cause }
    return stands ? { _tag: "Committed", decided } : { _tag: "Retry", cause }
  }
}
