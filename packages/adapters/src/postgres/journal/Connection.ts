import type { Writable } from "node:stream"
import pg from "pg"
import { JOURNAL_ANSWER_MILLIS, JOURNAL_IDLE_MILLIS, JOURNAL_STATEMENT_MILLIS } from "./limits.js"
import { type Bound, type Row, STATEMENTS } from "./Statements.js"

type Done = (error: Error | undefined, results: ReadonlyArray<ReadonlyArray<Row>>) => void

/** The parts of a driver's connection that speak the extended query protocol. */
interface Wire {
  readonly stream: Pick<Writable, "write" | "cork" | "uncork">
  _send(bytes: Buffer): void
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(portal: { readonly statement: string; readonly values: ReadonlyArray<string | null> }): void
  execute(portal: Record<string, never>): void
  sync(): void
}

/** Sends messages of the protocol at once, together with what else is sent in this turn of the event loop. */
const sendOn = (wire: Wire, send: (wire: Wire) => void): void => {
  const parts: Array<Buffer> = []
  // The same connection, except that it collects the driver's messages to send them as one.
  const collecting = Object.create(wire, { _send: { value: (bytes: Buffer) => parts.push(bytes) } }) as Wire
  send(collecting)
  collecting.sync()
  const { stream } = wire
  stream.cork()
  stream.write(Buffer.concat(parts))
  process.nextTick(() => stream.uncork())
}

/**
 * The answer to several prepared statements sent in one round trip, where the driver would make one for each. The server
 * runs them in order, each on its own snapshot, and none after a failure. They are sent before the driver gets it: the
 * driver would wait for the previous answer first.
 */
class RoundTrip {
  readonly #results: Array<Array<Row>> = [[]]
  #done: Done | undefined
  /** The driver's read timeout for this round trip. */
  readonly query_timeout = JOURNAL_ANSWER_MILLIS
  /** The driver wraps it to enforce the timeout. */
  callback: (error?: Error) => void

  constructor(done: Done) {
    this.#done = done
    this.callback = (error) => this.#finish(error)
  }

  submit(): void {}

  handleRowDescription(): void {}

  handleDataRow(message: { readonly fields: Row }): void {
    this.#results.at(-1)?.push(message.fields)
  }

  handleCommandComplete(): void {
    this.#results.push([])
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleReadyForQuery(): void {
    this.callback()
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  #finish(error: Error | undefined): void {
    const done = this.#done
    this.#done = undefined
    done?.(error, this.#results)
  }
}

/** The round trips on their way, answered in turn. The driver expects one query at a time, so it gets the first. */
class Pipeline {
  readonly #sent: Array<RoundTrip> = []

  constructor(readonly client: pg.PoolClient) {}

  send(messages: (wire: Wire) => void): Promise<ReadonlyArray<ReadonlyArray<Row>>> {
    return new Promise((resolve, reject) => {
      sendOn((this.client as unknown as { readonly connection: Wire }).connection, messages)
      const trip = new RoundTrip((error, results) => {
        this.#sent.shift()
        this.#awaitFirst()
        if (error === undefined) resolve(results)
        else reject(error)
      })
      if (this.#sent.push(trip) === 1) this.#awaitFirst()
    })
  }

  #awaitFirst(): void {
    const [first] = this.#sent
    if (first !== undefined) this.client.query(first as pg.Submittable)
  }
}

/**
 * The journal looks rows up by key, so plan its statements once, generically. Plans made while a table is small (a
 * scan, a hash join) must not stay when it has grown.
 */
const settings = (lockMillis: number): string =>
  [
    "SET plan_cache_mode = force_generic_plan",
    "SET enable_seqscan = off",
    "SET enable_hashjoin = off",
    "SET enable_mergejoin = off",
    "SET enable_bitmapscan = off",
    `SET lock_timeout = ${lockMillis}`,
    // If this host dies or is cut off in the middle, the server ends the transaction, and its locks hold nobody up.
    `SET statement_timeout = ${JOURNAL_STATEMENT_MILLIS}`,
    `SET idle_in_transaction_session_timeout = ${JOURNAL_IDLE_MILLIS}`,
    `SET tcp_user_timeout = ${JOURNAL_ANSWER_MILLIS}`
  ].join("; ")

/**
 * A session of the server. A round trip may begin before the previous one has ended: they are answered in turn, and if
 * one fails, the others still run. After a failure inside a transaction, close the session.
 */
export class Session {
  #isClosed = false

  constructor(private readonly pipeline: Promise<Pipeline>) {
    pipeline.catch(() => {
      this.#isClosed = true
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Sends all statements at once and returns the rows of each. */
  async roundTrip(statements: ReadonlyArray<Bound>): Promise<ReadonlyArray<ReadonlyArray<Row>>> {
    const pipeline = await this.pipeline
    if (this.#isClosed) throw new Error("the session was closed")
    return pipeline.send((wire) => {
      for (const { statement, values } of statements) {
        wire.bind({ statement: statement.name, values })
        wire.execute({})
      }
    })
  }

  /** Ends the session with its open transaction and its prepared statements. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.pipeline.then(
      ({ client }) => client.release(true),
      () => {}
    )
  }
}

/** Has a session for one batch after the other. It is opened at first use, and again once it was closed. */
export class Connection {
  #session: Session | undefined

  constructor(
    private readonly pool: pg.Pool,
    /** How long a statement waits for a row that another transaction holds. */
    private readonly lockMillis: number
  ) {}

  get session(): Session {
    if (this.#session === undefined || this.#session.isClosed) this.#session = new Session(this.#open())
    return this.#session
  }

  close(): void {
    this.#session?.close()
  }

  async #open(): Promise<Pipeline> {
    const client = await this.pool.connect()
    const pipeline = new Pipeline(client)
    try {
      await client.query(settings(this.lockMillis))
      await pipeline.send((wire) => {
        for (const { name, text } of STATEMENTS) wire.parse({ name, text })
      })
    } catch (error) {
      client.release(true)
      throw error
    }
    return pipeline
  }
}
