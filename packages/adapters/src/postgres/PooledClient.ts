import pg from "pg"
import { StatementNames } from "./StatementNames.js"

/** SQLSTATEs after which a prepared statement has to be prepared anew: its result type changed, or it is gone. */
const STALE_STATEMENT_CODES: ReadonlySet<unknown> = new Set(["0A000", "26000"])
/** What `pg` calls an answer that did not come within `query_timeout`. It has no code of its own. */
const READ_TIMEOUT_MESSAGE = "Query read timeout"

type Callback = (error: Error | null | undefined, result?: pg.QueryResult) => void

interface StatementConfig extends pg.QueryConfig {
  readonly submit?: unknown
}

const codeOf = (error: Error): unknown => ("code" in error ? error.code : undefined)

/**
 * A connection of the pool. It names the statements that are worth preparing, and knows whether it is still busy, so
 * that one whose caller went away returns to the pool only once it is idle.
 */
export interface PooledClient extends pg.Client {
  /** Set when the connection must not be used again. */
  readonly unusable: Error | undefined
  /** Calls back at once when no statement runs, else when the last one has ended. */
  readonly whenIdle: (callback: () => void) => void
}

/** The class of a pool's connections; `names` is shared by all of them. */
export const pooledClientClass = (names: StatementNames): new (config: pg.ClientConfig) => PooledClient =>
  class extends pg.Client {
    unusable: Error | undefined
    #running = 0
    readonly #waiting: Array<() => void> = []

    constructor(config: pg.ClientConfig) {
      super(config)
      // With a process id, @effect/sql-pg answers an interruption with pg_cancel_backend, which may arrive when the
      // connection already runs the statement of somebody else. Without one it cancels nothing.
      Object.defineProperty(this, "processID", { get: () => undefined, set: () => {} })
      // A connection may die while nobody listens to it. The pool notices when it is next used or released.
      this.on("error", () => {})
    }

    whenIdle(callback: () => void): void {
      if (this.#running === 0) callback()
      else this.#waiting.push(callback)
    }

    // The overloads of `pg` cannot be restated here; every one of them passes through this one place.
    override query(...args: ReadonlyArray<unknown>): never {
      const send = super.query.bind(this) as unknown as (...args: ReadonlyArray<unknown>) => unknown
      const [first, second, third] = args
      if (typeof first === "object" && first !== null && (first as StatementConfig).submit !== undefined) {
        return send(...args) as never
      }
      const values = Array.isArray(second) ? (second as ReadonlyArray<unknown>) : undefined
      const config: pg.QueryConfig = {
        ...(typeof first === "string" ? { text: first } : (first as pg.QueryConfig)),
        ...(values === undefined ? {} : { values: [...values] })
      }
      if (config.name === undefined && config.values !== undefined && config.values.length > 0) {
        const name = names.nameOf(config.text)
        if (name !== undefined) config.name = name
      }
      this.#running += 1
      const callback = [second, third].find((arg): arg is Callback => typeof arg === "function")
      if (callback !== undefined) {
        return send(config, (error: Error | null | undefined, result?: pg.QueryResult) => {
          this.#ended(config.text, error)
          callback(error, result)
        }) as never
      }
      return (send(config) as Promise<pg.QueryResult>).then(
        (result) => {
          this.#ended(config.text, undefined)
          return result
        },
        (error: Error) => {
          this.#ended(config.text, error)
          throw error
        }
      ) as never
    }

    #ended(text: string, error: Error | null | undefined): void {
      if (error != null) {
        if (STALE_STATEMENT_CODES.has(codeOf(error))) names.forget(text)
        if (error.message === READ_TIMEOUT_MESSAGE) this.unusable = error
      }
      this.#running -= 1
      if (this.#running > 0) return
      for (const callback of this.#waiting.splice(0)) callback()
    }
  }
