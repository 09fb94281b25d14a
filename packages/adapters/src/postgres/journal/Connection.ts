import type pg from "pg"
import { prepare, roundTrip } from "./RoundTrip.js"
import { type Bound, type Row, STATEMENTS } from "./Statements.js"

/**
 * The journal's statements look rows up by key, so they are planned once, as that. Without it the plans made while a
 * table is small (a scan, a hash join) would stay when it has grown.
 */
const session = (lockMillis: number): string =>
  [
    "SET plan_cache_mode = force_generic_plan",
    "SET enable_seqscan = off",
    "SET enable_hashjoin = off",
    "SET enable_mergejoin = off",
    "SET enable_bitmapscan = off",
    `SET lock_timeout = ${lockMillis}`
  ].join("; ")

/** A connection of its own for one batch after the other. It is made when first used, and anew after it broke. */
export class Connection {
  #client: pg.PoolClient | undefined

  constructor(
    private readonly pool: pg.Pool,
    /** How long a statement waits for a row that somebody else holds. */
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

  /** Sends the statements at once; the rows of each. After a failure the connection is broken, and thrown away. */
  async roundTrip(statements: ReadonlyArray<Bound>): Promise<ReadonlyArray<ReadonlyArray<Row>>> {
    const client = await this.#ready()
    try {
      return await roundTrip(client, statements)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Ends the session, and with it a transaction that is under way. The statements are prepared on it alone. */
  close(): void {
    const client = this.#client
    this.#client = undefined
    client?.release(true)
  }
}
