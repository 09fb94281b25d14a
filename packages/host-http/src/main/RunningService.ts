/** How commands find the service that runs on a data directory: it writes its address there. */
import { Effect, type Scope } from "effect"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

interface Running {
  readonly url: string
  readonly pid: number
}

const fileIn = (dataDir: string): string => join(dataDir, "service.json")

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is alive, too.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const isRunning = (value: unknown): value is Running =>
  typeof value === "object" &&
  value !== null &&
  "url" in value &&
  typeof value.url === "string" &&
  "pid" in value &&
  typeof value.pid === "number"

/** The service that runs on this data directory. A file left by a killed one counts as none. */
export const runningOn = (dataDir: string): Running | undefined => {
  try {
    const kept: unknown = JSON.parse(readFileSync(fileIn(dataDir), "utf8"))
    return isRunning(kept) && isAlive(kept.pid) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Writes our address, and removes it with the scope. Of several services on one directory, the last one is found. */
export const keepAddress = (dataDir: string, url: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      writeFileSync(fileIn(dataDir), `${JSON.stringify({ url, pid: process.pid })}\n`)
    }),
    () =>
      Effect.sync(() => {
        if (runningOn(dataDir)?.pid === process.pid) rmSync(fileIn(dataDir), { force: true })
      })
  )
