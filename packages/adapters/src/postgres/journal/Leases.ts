import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import pg from "pg"
import { HEARTBEAT_MILLIS, IDLE_MILLIS, LEASE_MARGIN_MILLIS, pauseMillis } from "./limits.js"

const BEGIN = `INSERT INTO hosts (incarnation, heartbeat_at) VALUES (gen_random_uuid(), clock_timestamp())
  RETURNING incarnation::text`
/** An expired lease is not renewed, whether or not a sweeper has seen it. */
const RENEW = `UPDATE hosts SET heartbeat_at = clock_timestamp()
  WHERE incarnation = $1 AND heartbeat_at >= clock_timestamp() - interval '${LEASE_MILLIS} ms'
  RETURNING EXISTS (SELECT 1 FROM open_calls o WHERE o.incarnation = hosts.incarnation) AS busy`
const END = `DELETE FROM hosts WHERE incarnation = $1`
/** Changes whenever a standby takes the place of its primary. */
const TIMELINE = `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline`

/** `insufficient_privilege`, `undefined_function`, `feature_not_supported`. */
const UNSUPPORTED = new Set(["42501", "42883", "0A000"])

interface LeaseTimes {
  readonly heartbeatMillis: number
  readonly idleMillis: number
}

const TIMES: LeaseTimes = { heartbeatMillis: HEARTBEAT_MILLIS, idleMillis: IDLE_MILLIS }

/**
 * This host's row among the running hosts, renewed by the database's clock. If a sweeper took the host for dead, its
 * row is gone and it continues as a new incarnation. Its open calls belong to the sweeper, and its settlements of them
 * are fenced. A host without calls sends no heartbeats: its lease expires, and the next call begins another.
 *
 * A standby that takes over may not know the last settlements, and would keep those calls open for as long as the host
 * lives. So the host then goes on as a new incarnation, too, and what it still runs has the rest of the old lease.
 */
export class Leases {
  #incarnation = ""
  /** Until this time of the host's monotonic clock, no sweeper can have taken the host for dead. */
  #validUntil = 0
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #failures = 0
  #ended = false
  /** When the last batch of admissions was about to be decided. */
  #usedAt = performance.now()
  #hasCalls = false
  /** Null: the server has none, because its standbys share its storage. */
  #timeline: string | null | undefined

  private constructor(
    private readonly pool: pg.Pool,
    private readonly times: LeaseTimes
  ) {}

  static async start(pool: pg.Pool, times = TIMES): Promise<Leases> {
    const leases = new Leases(pool, times)
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

  /** Call it before calls are admitted: afterwards the lease lasts for a while, and is renewed while calls are open. */
  async use(): Promise<void> {
    this.#usedAt = performance.now()
    if (this.#validUntil - this.#usedAt < LEASE_MILLIS / 2) await this.renew()
    if (this.#timer === undefined) this.#schedule()
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
    const timeline = await this.#askTimeline()
    const isSame = this.#timeline === timeline
    this.#timeline = timeline
    if (this.#incarnation !== "" && isSame) {
      const { rows } = await this.pool.query<{ busy: boolean }>(RENEW, [this.#incarnation])
      const [renewed] = rows
      if (renewed !== undefined) {
        this.#validUntil = from + LEASE_MILLIS
        this.#hasCalls = renewed.busy
        return
      }
    }
    const { rows } = await this.pool.query<{ incarnation: string }>(BEGIN)
    this.#hasCalls = false
    this.#incarnation = rows[0]?.incarnation ?? ""
    this.#validUntil = from + LEASE_MILLIS
  }

  async #askTimeline(): Promise<string | null> {
    if (this.#timeline === null) return null
    try {
      const { rows } = await this.pool.query<{ timeline: string }>(TIMELINE)
      return rows[0]?.timeline ?? null
    } catch (error) {
      if (error instanceof pg.DatabaseError && UNSUPPORTED.has(error.code ?? "")) return null
      throw error
    }
  }

  get #isIdle(): boolean {
    return this.#failures === 0 && !this.#hasCalls && performance.now() - this.#usedAt > this.times.idleMillis
  }

  #schedule(): void {
    this.#timer = undefined
    if (this.#ended || this.#isIdle) return
    const wait = this.#failures === 0 ? this.times.heartbeatMillis : pauseMillis(this.#failures)
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
