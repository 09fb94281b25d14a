/**
 * What a worker process needs from the primary that started it. The primary opens the database and shares the port; each
 * worker is a whole host on that database.
 */
import cluster from "node:cluster"

/** The environment variable by which a worker gets its part. It is set by the primary alone. */
export const PART_VARIABLE = "OUTBOUND_WORKER_PART"

export interface WorkerPart {
  readonly databaseUrl: string
  /** For people, without a password. */
  readonly databasePlace: string
  /** It does the background work and says that the service is ready. */
  readonly isFirst: boolean
  /** Another worker in its place has ended. */
  readonly isRestarted: boolean
}

/** This process's part; null: it is the whole service, or the primary. */
export const partOf = (environment: Readonly<Record<string, string | undefined>>): WorkerPart | null => {
  const text = environment[PART_VARIABLE]
  return text === undefined || !cluster.isWorker ? null : (JSON.parse(text) as WorkerPart)
}
