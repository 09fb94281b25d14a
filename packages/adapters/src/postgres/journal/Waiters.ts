import type { StoredOutcome } from "@outbound/domain/calls/Attempt.js"
import type pg from "pg"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"

/** Growing pauses between polls: a long call is polled rarely. */
const POLL_MILLIS = { first: 25, max: 1_000, growth: 1.5 } as const

/** Most records that this host polls at once. Beyond it, callers learn that the first call still runs. */
const WAITED_RECORDS_MAX = 1_000

const OUTCOME = `
  SELECT r.http_status, r.body, r.charged, r.approval_id::text,
    EXISTS (SELECT 1 FROM open_calls o WHERE o.workspace_id = $1 AND o.request_id = $2) AS open
  FROM (SELECT 1) one
  LEFT JOIN idempotency_records r ON r.workspace_id = $1 AND r.request_id = $2`

interface OutcomeRow {
  readonly http_status: number | null
  readonly body: string | null
  readonly charged: bigint | null
  readonly approval_id: string | null
  readonly open: boolean
}

type Ended = { readonly outcome: StoredOutcome | null } | "open"

/** A call's stored outcome; `open`: the call is running. */
export const readOutcome = async (pool: pg.Pool, workspaceId: string, requestId: string): Promise<Ended> => {
  const { rows } = await pool.query<OutcomeRow>(OUTCOME, [workspaceId, requestId])
  const [row] = rows
  // An accepted call stays open after its answer.
  if (row === undefined || row.http_status === null || row.body === null) {
    return row?.open === true ? "open" : { outcome: null }
  }
  const charged = fromMicros(BigInt(row.charged ?? 0))
  return {
    outcome: { requestId, httpStatus: row.http_status, body: row.body, charged, approvalId: row.approval_id }
  }
}

interface Waiter {
  /** The wait is over: the answer on its way is the last one. */
  isOver: boolean
  readonly done: (outcome: StoredOutcome | null) => void
  readonly failed: (cause: unknown) => void
}

interface Poll {
  readonly waiters: Set<Waiter>
  timer: NodeJS.Timeout | undefined
  pause: number
  asking: boolean
}

/** Callers waiting for running calls: one poll per call and host, which holds no connection between its queries. */
export class Waiters {
  readonly #polls = new Map<string, Poll>()

  constructor(private readonly pool: pg.Pool) {}

  /** Null: the call ended without an outcome, or the wait timed out. */
  wait(workspaceId: string, requestId: string, waitMillis: number): Promise<StoredOutcome | null> {
    const known = this.#polls.get(requestId)
    if (known === undefined && this.#polls.size >= WAITED_RECORDS_MAX) return Promise.resolve(null)
    const poll: Poll = known ?? { waiters: new Set(), timer: undefined, pause: POLL_MILLIS.first, asking: false }
    this.#polls.set(requestId, poll)
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(over)
        poll.waiters.delete(waiter)
        if (poll.waiters.size > 0) return
        clearTimeout(poll.timer)
        this.#polls.delete(requestId)
      }
      const waiter: Waiter = {
        isOver: false,
        done: (outcome) => {
          leave()
          resolve(outcome)
        },
        failed: (cause) => {
          leave()
          reject(cause)
        }
      }
      const over = setTimeout(() => {
        waiter.isOver = true
        if (!poll.asking) waiter.done(null)
      }, waitMillis)
      poll.waiters.add(waiter)
      if (known === undefined) void this.#ask(workspaceId, requestId, poll)
    })
  }

  /** This host has just settled the call. */
  wake(workspaceId: string, requestId: string): void {
    const poll = this.#polls.get(requestId)
    if (poll === undefined) return
    clearTimeout(poll.timer)
    void this.#ask(workspaceId, requestId, poll)
  }

  async #ask(workspaceId: string, requestId: string, poll: Poll): Promise<void> {
    if (poll.asking) {
      // The reason for asking again may be newer than the answer on its way.
      poll.pause = 0
      return
    }
    poll.asking = true
    try {
      const ended = await readOutcome(this.pool, workspaceId, requestId)
      for (const waiter of Array.from(poll.waiters)) {
        if (ended !== "open") waiter.done(ended.outcome)
        else if (waiter.isOver) waiter.done(null)
      }
    } catch (cause) {
      for (const waiter of Array.from(poll.waiters)) waiter.failed(cause)
    }
    poll.asking = false
    if (poll.waiters.size === 0) return
    poll.timer = setTimeout(() => void this.#ask(workspaceId, requestId, poll), poll.pause)
    poll.pause = Math.min(POLL_MILLIS.max, Math.max(POLL_MILLIS.first, poll.pause * POLL_MILLIS.growth))
  }
}
