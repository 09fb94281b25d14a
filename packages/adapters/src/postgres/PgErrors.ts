import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { ConnectionError, SqlError, UnknownError } from "./Sql.js"

const LOCK_NOT_AVAILABLE = "55P03"
/** Serialisation failure, deadlock, lock not available in time: the transaction may succeed when it runs again. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01", LOCK_NOT_AVAILABLE])
/** The server no longer accepts a prepared statement: the table changed, or the statement is gone. */
const STALE_STATEMENTS: ReadonlySet<string> = new Set(["0A000", "26000"])
/** An earlier statement of the transaction has failed. */
const IN_FAILED_TRANSACTION = "25P02"
/** No class of SQLSTATE begins with E; the codes of the system (`EPIPE`) do. */
const SQLSTATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/
/** A write arrived at a server that accepts only reads: the primary has moved. */
const READ_ONLY = "25006"

/** How deep a driver's error may be nested. */
const CAUSES_MAX = 5

/** There is no connection to the database, or no longer. */
export const connectionFailed = (message: string, cause: unknown): SqlError =>
  new SqlError({ reason: new ConnectionError({ message, cause }) })

/** A statement got an error. What kind of failure it is, this file reads in its SQLSTATE. */
export const statementFailed = (cause: unknown): SqlError =>
  new SqlError({ reason: new UnknownError({ message: "Failed to execute statement", cause }) })

/** The SQLSTATE of the server's answer; undefined: no answer (a lost connection, a timeout). */
export const sqlStateOf = (error: unknown): string | undefined => {
  let at: unknown = error
  for (let depth = 0; depth < CAUSES_MAX && typeof at === "object" && at !== null; depth++) {
    if ("code" in at && typeof at.code === "string" && SQLSTATE.test(at.code)) return at.code
    at = "cause" in at ? at.cause : undefined
  }
  return undefined
}

export const isConflict = (error: unknown): boolean => CONFLICTS.has(sqlStateOf(error) ?? "")

/** The user may not do this, or the name is taken or reserved. */
export const isRefused = (error: unknown): boolean => sqlStateOf(error)?.startsWith("42") === true

/** What PostgreSQL said, in its words. */
export const wordsOf = (error: unknown): string => {
  let at: unknown = error
  let said = ""
  for (let depth = 0; depth < CAUSES_MAX && typeof at === "object" && at !== null; depth++) {
    if ("message" in at && typeof at.message === "string") said = at.message
    at = "cause" in at ? at.cause : undefined
  }
  return said
}

/** Another transaction held a row for longer than the lock timeout. */
export const isLockNotAvailable = (error: unknown): boolean => sqlStateOf(error) === LOCK_NOT_AVAILABLE

export const isStaleStatement = (error: unknown): boolean => STALE_STATEMENTS.has(sqlStateOf(error) ?? "")

/**
 * The connection or the server went away (or is starting or stopping), so we don't know whether the statement took
 * effect. Classes 08 (connection), 53 (resources), 57 (operator intervention), 58 and XX (the system), 28 and 3D (we
 * can't sign in).
 */
export const isConnectionLost = (error: unknown): boolean => {
  const state = sqlStateOf(error)
  return state === undefined || state === READ_ONLY || /^(08|28|3D|53|57|58|XX)/.test(state)
}

/** Whether the same statement may succeed when it runs again. */
export const isPassing = (error: unknown): boolean =>
  isConnectionLost(error) || isConflict(error) || isStaleStatement(error) || sqlStateOf(error) === IN_FAILED_TRANSACTION

/** A store's failure, told apart: an outage, or a refusal of this very operation. */
export const storeFailure = (operation: string, cause: unknown): StoreUnavailable =>
  isConnectionLost(cause) || isConflict(cause)
    ? new StoreUnavailable({ operation, cause })
    : new StoreUnavailable({ operation, cause, isOutage: false })

/** Maps a failure of a store to its port's error. */
export const orUnavailable =
  (operation: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
    Effect.catchIf(
      effect,
      (error): error is E & SqlError => error instanceof SqlError,
      (cause) => Effect.fail(storeFailure(operation, cause))
    ) as Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R>
