import type pg from "pg"
import { isConnectionLost, isPassing } from "../PgErrors.js"
import type { Session } from "./Connection.js"
import type { Witness } from "./Changes.js"
import { type Decided, decide } from "./decide.js"
import type { AdmitItem } from "./Items.js"
import type { Lane } from "./Lane.js"
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

/** A decided batch, in an open transaction. */
export interface OpenBatch {
  readonly _tag: "Open"
  /** Writes and commits. The request is on its way when this returns. */
  readonly write: () => Promise<BatchEnd>
}

export interface BatchOptions {
  readonly policies: Policies
  readonly incarnation: string
}

export const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const failed = (cause: unknown): BatchEnd => ({
  _tag: isPassing(cause) ? "Retry" : "Rejected",
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

/** The first of a batch's two round trips: locks and reads. */
export const openBatch = async (
  items: ReadonlyArray<AdmitItem>,
  { connection, locks, pool }: Pick<Lane, "connection" | "locks" | "pool">,
  { incarnation, policies }: BatchOptions
): Promise<OpenBatch | BatchEnd> => {
  const { session } = connection
  const reads = readsOf(items, LOCKS[locks], policies, incarnation)
  try {
    const [, ...rows] = await session.roundTrip([{ statement: BEGIN, values: [] }, ...reads.statements])
    const read = reads.decode(rows)
    if (!read.holdsLease) {
      session.close()
      return { _tag: "LeaseOver" }
    }
    const decided = decide(items, read.state, incarnation)
    return { _tag: "Open", write: () => write(decided, read.xid, { incarnation, pool, session }) }
  } catch (cause) {
    session.close()
    return failed(cause)
  }
}

/** The second: writes and COMMIT. */
const write = async (
  decided: Decided,
  xid: string,
  { incarnation, pool, session }: { readonly incarnation: string; readonly pool: pg.Pool; readonly session: Session }
): Promise<BatchEnd> => {
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
