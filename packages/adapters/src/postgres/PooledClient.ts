import pg from "pg"
import type { Answering } from "./Answering.js"
import { type Answered, BEGIN, Beginning, canTravel, type Send } from "./Beginning.js"
import { isConnectionLost } from "./PgErrors.js"
import { StatementNames } from "./StatementNames.js"

/** SQLSTATEs after which a statement must be prepared again: its result type changed, or it is gone. */
const STALE_STATEMENT_CODES: ReadonlySet<unknown> = new Set(["0A000", "26000"])
/** The message of `pg` when an answer exceeds `query_timeout`. It has no code. */
const READ_TIMEOUT_MESSAGE = "Query read timeout"

const codeOf = (error: Error): unknown => ("code" in error ? error.code : undefined)

/**
 * A pooled connection. It names the statements that are worth preparing. It also tracks whether it is busy, so that a
 * connection with an interrupted caller returns to the pool only once it is idle.
 */
export interface PooledClient extends pg.Client {
  /** Set when the connection must not be used again. */
  readonly unusable: Error | undefined
  /** Calls back at once when no statement runs, else when the last one has ended. */
  readonly whenIdle: (callback: () => void) => void
  /** Begins a transaction with its first statement. Where that fails to begin it, the connection ends with all that waits. */
  readonly begin: Send
}

/** The connection of a driver, which closes without a word of the other side. */
interface Closable {
  readonly stream: { destroy(error: Error): unknown }
}

/** The class of a pool's connections; `names` is shared by all of them, and so is who asks for a lost database. */
export const pooledClientClass = (
  names: StatementNames,
  answering?: Answering
): new (config: pg.ClientConfig) => PooledClient =>
  class extends pg.Client {
    unusable: Error | undefined
    #busy = false
    /** Statements waiting for the current one: two fibers may share a connection. */
    readonly #queue: Array<() => void> = []
    readonly #waiting: Array<() => void> = []

    constructor(config: pg.ClientConfig) {
      super(config)
      // An idle connection may die unobserved. The pool notices at its next use or release.
      this.on("error", () => {})
    }

    whenIdle(callback: () => void): void {
      if (this.#busy) this.#waiting.push(callback)
      else callback()
    }

    // The overloads of `pg` can't be restated here; all of them pass through this method.
    override query(...args: ReadonlyArray<unknown>): never {
      const [first, second, third] = args
      if (typeof first === "object" && first !== null && "submit" in first) {
        return super.query(first as pg.Submittable) as never
      }
      const config: pg.QueryConfig = {
        ...(typeof first === "string" ? { text: first } : (first as pg.QueryConfig)),
        ...(Array.isArray(second) ? { values: [...(second as ReadonlyArray<unknown>)] } : {})
      }
      const callback = [second, third].find((arg): arg is Answered => typeof arg === "function")
      if (callback !== undefined) return this.#enqueue(() => this.#send(config, callback)) as never
      return new Promise<pg.QueryResult | undefined>((resolve, reject) =>
        this.#enqueue(() => this.#send(config, (error, result) => (error == null ? resolve(result) : reject(error))))
      ) as never
    }

    begin(config: pg.QueryConfig, callback: Answered): void {
      this.#enqueue(() => this.#begin(config, callback))
    }

    #enqueue(send: () => void): void {
      if (this.#busy) this.#queue.push(send)
      else send()
    }

    #begin(config: pg.QueryConfig, callback: Answered): void {
      if (!canTravel(this, config)) {
        this.#ask(BEGIN, (error) => {
          if (error == null) return this.#send(config, callback)
          this.#giveUp(error)
          this.#ended(BEGIN.text, error)
          callback(error)
        })
        return
      }
      const beginning = new Beginning(this.#named(config))
      this.#ask(beginning, (error, result) => {
        if (error != null && beginning.isRefused) this.#giveUp(error)
        this.#ended(config.text, error)
        callback(error, result)
      })
    }

    #send(config: pg.QueryConfig, callback: Answered): void {
      this.#ask(this.#named(config), (error, result) => {
        this.#ended(config.text, error)
        callback(error, result)
      })
    }

    #named(config: pg.QueryConfig): pg.QueryConfig {
      const parameterised = config.values !== undefined && config.values.length > 0
      const name = config.name ?? (parameterised ? names.nameOf(config.text) : undefined)
      return name === undefined ? config : { ...config, name }
    }

    #ask(query: pg.QueryConfig | Beginning, callback: Answered): void {
      this.#busy = true
      const stopWatching = this.#watch()
      super.query(query as pg.QueryConfig, (error, result) => {
        stopWatching()
        callback(error, result)
      })
    }

    /** Gives the connection up when a statement has no answer because the database has none for anybody. */
    #watch(): () => void {
      if (answering === undefined) return () => {}
      let isOver = false
      let timer: NodeJS.Timeout | undefined
      const look = (): void => {
        timer = setTimeout(() => {
          void answering.ask().then((answers) => {
            if (isOver) return
            if (answers) return look()
            this.#giveUp(new Error("The database does not answer"))
          })
        }, answering.afterMillis).unref()
      }
      look()
      return () => {
        isOver = true
        clearTimeout(timer)
      }
    }

    #giveUp(reason: Error): void {
      this.unusable = reason
      const { stream } = (this as unknown as { readonly connection: Closable }).connection
      stream.destroy(reason)
    }

    #ended(text: string, error: Error | null | undefined): void {
      if (error != null) {
        if (STALE_STATEMENT_CODES.has(codeOf(error))) names.forget(text)
        // We may not see its end yet, so no other caller may get this connection.
        if (error.message === READ_TIMEOUT_MESSAGE || isConnectionLost(error)) this.unusable = error
      }
      this.#busy = false
      const next = this.#queue.shift()
      if (next !== undefined) return next()
      for (const waiting of this.#waiting.splice(0)) waiting()
    }
  }
