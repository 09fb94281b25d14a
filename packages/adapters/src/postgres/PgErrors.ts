import { SqlError } from "@effect/sql/SqlError"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"

const LOCK_NOT_AVAILABLE = "55P03"
/** Serialisation failure, deadlock, lock not available in time: the same transaction may do better the next time. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01", LOCK_NOT_AVAILABLE])
/** A prepared statement that the server no longer takes: the table changed, or the statement is gone. */
const STALE_STATEMENTS: ReadonlySet<string> = new Set(["0A000", "26000"])
const SQLSTATE = /^[0-9A-Z]{5}$/

/** How deep a driver's error may be wrapped. */
const CAUSES_MAX = 4

/** The SQLSTATE of what the server answered; undefined where there was no answer (a lost connection, a timeout). */
export const sqlStateOf = (error: unknown): string | undefined => {
  let at: unknown = error
  for (let depth = 0; depth < CAUSES_MAX && typeof at === "object" && at !== null; depth++) {
    if ("code" in at && typeof at.code === "string" && SQLSTATE.test(at.code)) return at.code
    at = "cause" in at ? at.cause : undefined
  }
  return undefined
}

export const isConflict = (error: unknown): boolean => CONFLICTS.has(sqlStateOf(error) ?? "")

/** Somebody else held a row for longer than was waited for it. */
export const isLockNotAvailable = (error: unknown): boolean => sqlStateOf(error) === LOCK_NOT_AVAILABLE

export const isStaleStatement = (error: unknown): boolean => STALE_STATEMENTS.has(sqlStateOf(error) ?? "")

/**
 * The connection, or the server, went away (or is starting or stopping): whether the statement took effect is not
 * known from this answer. Classes 08 (connection), 53 (resources), 57 (operator intervention), 58 and XX (the system).
 */
export const isConnectionLost = (error: unknown): boolean => {
  const state = sqlStateOf(error)
  return state === undefined || /^(08|53|57|58|XX)/.test(state)
}

/** A store's failure as its port names it. */
export const orUnavailable =
  (operation: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
    Effect.catchIf(
      effect,
      (error): error is E & SqlError => error instanceof SqlError,
      (cause) => Effect.fail(new StoreUnavailable({ operation, cause }))
    ) as Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R>
