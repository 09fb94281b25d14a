import { backoff } from "@outbound/domain/kernel/backoff.js"
/** The bounds of the journal. */

/**
 * Queues of admissions, and as many of settlements, by workspace, each with one batch under way at a time. A workspace is
 * always in the same two. One of each keeps a disk and two processors busy, and its batches are large, so that a call
 * costs less of both; more pay where the disk is slow and processors are many.
 */
export const SHARDS = 1

/** Items of one batch. */
export const BATCH_ITEMS_MAX = 500

/** The most admissions that wait at once. Never less than 1,000 (contract: calls, errors). */
export const QUEUE_ITEMS_MAX = 4_000

/** What an admission that found the queue full, or waited too long, is told to wait. */
export const CAPACITY_RETRY_SECONDS = 1

/** How often an admission whose batch failed, or whose rows were held, is tried again. */
export const ADMISSION_TRIES_MAX = 8

/** How often a settlement is tried in all. At the longest pause this outlasts any lease by far. */
export const SETTLEMENT_TRIES_MAX = 3_600

/** The first and the longest pause before an item is tried again. */
export const RETRY_MILLIS = { first: 5, max: 1_000 } as const

/** A settlement is answered (`StoreUnavailable`) after this long; it stays queued until it stands. */
export const SETTLEMENT_ANSWER_MILLIS = 15_000

/** How long a batch waits for rows that somebody else holds, on a connection of its own. */
export const LOCK_WAIT_MILLIS = 1_000

/** The same on a connection that serves everybody: so long a settlement may stall those of others. */
export const SHARED_LOCK_WAIT_MILLIS = 100

/** Workspaces whose rows are held and that are waited for at once, each on a connection of its own. */
export const HELD_LANES_MAX = 4

/** How often the fate of a transaction whose COMMIT was not answered is asked for. */
export const FATE_TRIES_MAX = 60

/** Settlements that are answered in one turn of the event loop. */
export const ANSWERS_AT_ONCE = 4

/** Secrets whose key is remembered. */
export const CATALOGUE_KEYS_MAX = 50_000

/** Decoded policies kept beside the row version they were decoded from. */
export const POLICIES_MAX = 20_000

/** Calls that one sweep resolves. */
export const SWEEP_CALLS_MAX = 1_000

/** How often a host says that it is alive. */
export const HEARTBEAT_MILLIS = 10_000

/** Begun effects must be committed so long before the lease is over. */
export const LEASE_MARGIN_MILLIS = 10_000

/** How long a host that stops waits for what is queued. */
export const DRAIN_MILLIS_MAX = 10_000

export const pauseMillis = (tries: number): number => backoff(tries + 1, RETRY_MILLIS)
