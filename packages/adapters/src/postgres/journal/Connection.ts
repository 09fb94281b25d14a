import pg from "pg"
import { JOURNAL_ANSWER_MILLIS, JOURNAL_IDLE_MILLIS, JOURNAL_STATEMENT_MILLIS } from "./limits.js"
import { type Bound, type Prepared, type Row, STATEMENTS } from "./Statements.js"

type Done = (error: Error | undefined, results: ReadonlyArray<ReadonlyArray<Row>>) => void

/** The parts of a driver's connection that speak the extended query protocol. */
interface Wire {
  readonly stream: { write(bytes: Buffer): unknown }
  _send(bytes: Buffer): void
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(portal: { readonly statement: string; readonly values: ReadonlyArray<string | null> }): void
  execute(portal: Record<string, never>): void
  sync(): void
}

/**
 * Several prepared statements in one round trip, where the driver would make one for each. The server runs them in
 * order, each on its own snapshot, and none after a failure.
 */
class RoundTrip {
  readonly #results: Array<Array<Row>> = [[]]
  #done: Done | undefined
  /** The driver's read timeout for this round trip. */
  readonly query_timeout = JOURNAL_ANSWER_MILLIS
  /** The driver wraps it to enforce the timeout. */
  callback: (error?: Error) => void

  constructor(
    private readonly send: (wire: Wire) => void,
    done: Done
  ) {
    this.#done = done
    this.callback = (error) => this.#finish(error)
  }

  submit(connection: unknown): void {
    const { stream } = connection as Wire
    const parts: Array<Buffer> = []
    // The same connection, except that it collects the driver's messages to send them as one.
    const collecting = Object.create(connection as Wire, {
      _send: { value: (bytes: Buffer) => parts.push(bytes) }
    }) as Wire
    this.send(collecting)
    collecting.sync()
    stream.write(Buffer.concat(parts))
  }

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

const submit = (client: pg.ClientBase, send: (wire: Wire) => void): Promise<ReadonlyArray<ReadonlyArray<Row>>> =>
  new Promise((resolve, reject) => {
    client.query(
      new RoundTrip(send, (error, results) =>
        error === undefined ? resolve(results) : reject(error)
      ) as pg.Submittable
    )
  })

/** Prepares the statements on a connection. */
const prepare = (client: pg.ClientBase, statements: ReadonlyArray<Prepared>): Promise<unknown> =>
  submit(client, (wire) => {
    for (const { name, text } of statements) wire.parse({ name, text })
  })

/** Runs prepared statements in one round trip and returns the rows of each, in order. */
const roundTrip = (
  client: pg.ClientBase,
  statements: ReadonlyArray<Bound>
): Promise<ReadonlyArray<ReadonlyArray<Row>>> =>
  submit(client, (wire) => {
    for (const { statement, values } of statements) {
      wire.bind({ statement: statement.name, values })
      wire.execute({})
    }
  })

/**
 * The journal looks rows up by key, so plan its statements once, generically. Plans made while a table is small (a
 * scan, a hash join) must not stay when it has grown.
 */
const session = (lockMillis: number): string =>
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

/** A connection for one batch after the other. It is opened at first use, and again after a failure. */
export class Connection {
  #client: pg.PoolClient | undefined

  constructor(
    private readonly pool: pg.Pool,
    /** How long a statement waits for a row that another transaction holds. */
    private readonly lockMillis: number
  ) {}

  async #ready(): Promise<pg.PoolClient> {
    if (this.#client !== undefined) return this.#client
    const client = await this.pool.connect()
    try {
      await client.query(session(this.lockMillis))
      await prepare(client, STATEMENTS)
    } catch (error) {
      client.release(true)
      throw error
    }
    this.#client = client
    return client
  }

  /** Sends all statements at once and returns the rows of each. A failure discards the connection. */
  async roundTrip(statements: ReadonlyArray<Bound>): Promise<ReadonlyArray<ReadonlyArray<Row>>> {
    const client = await this.#ready()
    try {
      return await roundTrip(client, statements)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Ends the session and its open transaction. Its prepared statements go with it. */
  close(): void {
    const client = this.#client
    this.#client = undefined
    client?.release(true)
  }
}
