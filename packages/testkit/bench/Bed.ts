/** What every bench runs on: a PostgreSQL of its own, with its settings untouched, in a folder that is gone afterwards. */
import { start } from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { Effect, Exit, Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"

export interface Bed {
  /** The server's database; `postgres://`. */
  readonly url: string
  readonly dataDir: string
  /** Is done before the database goes, the last one first. */
  readonly finally: (stop: () => unknown) => void
}

const STOPS = ["SIGINT", "SIGTERM"] as const
const INTERRUPTED = 130

/** A peer's connections find the service's tables too. */
const findOurs = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = outbound, public', current_database()); END $$"
  )
  await client.end()
}

/** Runs a bench, and leaves neither processes nor files behind, also where it is told to stop. */
export const onBed = async (bench: (bed: Bed) => Promise<void>): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), "outbound-bench-"))
  chmodSync(dataDir, 0o711)
  const scope = await Effect.runPromise(Scope.make())
  const stops: Array<() => unknown> = []
  let closing: Promise<void> | undefined
  const close = () =>
    (closing ??= (async () => {
      for (const stop of stops.reverse()) await stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(dataDir, { recursive: true, force: true })
    })())
  for (const signal of STOPS) process.once(signal, () => void close().finally(() => process.exit(INTERRUPTED)))
  try {
    const { url } = await Effect.runPromise(start({ dataDir, log: () => Effect.void }).pipe(Scope.provide(scope)))
    await findOurs(url)
    await bench({ url, dataDir, finally: (stop) => void stops.push(stop) })
  } finally {
    await close()
  }
}
