/** What every bench runs on: a PostgreSQL of its own, with its settings untouched, in a folder that is gone afterwards. */
import { start } from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { Effect, Exit, Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Bed {
  /** The server's database; `postgres://`. */
  readonly url: string
  readonly dataDir: string
  /** Is done before the database goes, the last one first. */
  readonly finally: (stop: () => unknown) => void
}

const STOPS = ["SIGINT", "SIGTERM"] as const
const INTERRUPTED = 130

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
    await bench({ url, dataDir, finally: (stop) => void stops.push(stop) })
  } finally {
    await close()
  }
}
