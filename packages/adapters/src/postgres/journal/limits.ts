import { backoff } from "@outbound/domain/kernel/backoff.js"
/** The bounds of the journal. */

/**
 * Number of admission queues, and of settlement queues, by workspace; each runs one batch at a time. A workspace always
 * uses the same two. One of each keeps a disk and two processors busy, and its large batches lower the cost per call.
 * More pay off where the disk is slow and processors are many.
 */
export const SHARDS = 1

/** Items of one batch. */
export const BATCH_ITEMS_MAX = 500

/** Most admissions waiting at once. Never less than 1,000 (contract: calls, errors). */
export const QUEUE_ITEMS_MAX = 4_000

/** The advised wait after a full queue. */
export const CAPACITY_RETRY_SECONDS = 1

/** Most tries of an admission whose batch failed or whose rows were locked. */
export const ADMISSION_TRIES_MAX = 8

/** Most tries of a settlement. At the longest pause this outlasts any lease by far. */
export const SETTLEMENT_TRIES_MAX = 3_600

/** First and longest pause between tries. */
export const RETRY_MILLIS = { first: 5, max: 1_000 } as const

/**
 * After this long, the caller of a settlement gets `StoreUnavailable`; the settlement stays queued until it is
 * committed.
 */
export const SETTLEMENT_ANSWER_MILLIS = 15_000

/** How long a batch with its own connection waits for rows that another transaction holds. */
export const LOCK_WAIT_MILLIS = 1_000

/** The same on a shared connection: this long a settlement may stall the others. */
export const SHARED_LOCK_WAIT_MILLIS = 100

/** Most workspaces whose locked rows we wait for at once, each on its own connection. */
export const HELD_LANES_MAX = 4

/** Longest time of one of the journal's statements, and longest pause between two of one transaction, on the server. */
export const JOURNAL_STATEMENT_MILLIS = 2_000
export const JOURNAL_IDLE_MILLIS = 1_500

/** Longest wait of the host for the answer to a round trip. Beyond it, the connection counts as lost. */
export const JOURNAL_ANSWER_MILLIS = 2_500

/** Longest wait for the answer that shows whether the database is there. */
export const PULSE_MILLIS_MAX = 1_000

/** How long we try to find out the outcome of a transaction whose COMMIT got no answer. */
export const FATE_MILLIS_MAX = 10_000

/** Most settlements answered in one turn of the event loop. */
export const ANSWERS_AT_ONCE = 4

/** Most secrets whose key is cached. */
export const CATALOGUE_KEYS_MAX = 50_000

/** Most decoded policies that are cached, by row version. */
export const POLICIES_MAX = 20_000

/** Most calls that one sweep resolves. */
export const SWEEP_CALLS_MAX = 1_000

/** The interval of heartbeats. */
export const HEARTBEAT_MILLIS = 10_000

/** A host without open calls stops its heartbeats this long after its last admission. */
export const IDLE_MILLIS = 30_000

/** Begun effects must be committed this long before the lease expires. */
export const LEASE_MARGIN_MILLIS = 10_000

/** How long a stopping host waits for queued items. */
export const DRAIN_MILLIS_MAX = 10_000

export const pauseMillis = (tries: number): number => backoff(tries + 1, RETRY_MILLIS)
