import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import type pg from "pg"
import { HEARTBEAT_MILLIS, LEASE_MARGIN_MILLIS, pauseMillis } from "./limits.js"

const BEGIN = `INSERT INTO hosts (incarnation, heartbeat_at) VALUES (gen_random_uuid(), clock_timestamp())
  RETURNING incarnation::text`
/** An expired lease is not renewed, whether or not a sweeper has seen it. */
const RENEW = `UPDATE hosts SET heartbeat_at = clock_timestamp()
  WHERE incarnation = $1 AND heartbeat_at >= clock_timestamp() - interval '${LEASE_MILLIS} ms' RETURNING 1`
const END = `DELETE FROM hosts WHERE incarnation = $1`

/**
 * This host's row among the running hosts, renewed by the database's clock. If a sweeper took the host for dead, its
 * row is gone and it continues as a new incarnation. Its open calls belong to the sweeper, and its settlements of them
 * are fenced.
 */
export class Leases {
  #incarnation = ""
  /** Until this time of the host's monotonic clock, no sweeper can have taken the host for dead. */
  #validUntil = 0
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #failures = 0
  #ended = false

  private constructor(private readonly pool: pg.Pool) {}

  static async start(pool: pg.Pool): Promise<Leases> {
    const leases = new Leases(pool)
    await leases.renew()
    leases.#schedule()
    return leases
  }

  get incarnation(): string {
    return this.#incarnation
  }

  /** Whether an effect may begin now. */
  get holds(): boolean {
    return performance.now() < this.#validUntil - LEASE_MARGIN_MILLIS
  }

  /** Sends a heartbeat under the current incarnation, or starts a new one if that has ended. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Nothing runs here any more: open calls may be swept at once. */
  async end(): Promise<void> {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#validUntil = 0
    await this.pool.query(END, [this.#incarnation])
  }

  async #renew(): Promise<void> {
    // The lease counts from before the request, because the answer may be slow.
    const from = performance.now()
    if (this.#incarnation !== "") {
      const { rowCount } = await this.pool.query(RENEW, [this.#incarnation])
      if (rowCount === 1) {
        this.#validUntil = from + LEASE_MILLIS
        return
      }
    }
    const { rows } = await this.pool.query<{ incarnation: string }>(BEGIN)
    this.#incarnation = rows[0]?.incarnation ?? ""
    this.#validUntil = from + LEASE_MILLIS
  }

  #schedule(): void {
    if (this.#ended) return
    const wait = this.#failures === 0 ? HEARTBEAT_MILLIS : pauseMillis(this.#failures)
    this.#timer = setTimeout(() => {
      this.renew()
        .then(
          () => {
            this.#failures = 0
          },
          () => {
            // The database is unavailable. The lease keeps running and is renewed as soon as it answers.
            this.#failures += 1
          }
        )
        .finally(() => this.#schedule())
    }, wait)
    this.#timer.unref()
  }
}
