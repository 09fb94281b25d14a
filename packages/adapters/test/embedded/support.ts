import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { Effect, Schedule, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { start } from "../../src/postgres/embedded/EmbeddedPostgres.js"
import { processesOn } from "../../src/postgres/embedded/Processes.js"
import { fromSources } from "../support/fromSources.js"
import { killAll } from "../support/processes.js"

export interface Place {
  readonly dataDir: string
  readonly stateDir: string
  /** Where the files of the cluster are, wherever they were put. */
  readonly home: () => string
  /** The pid in `postmaster.pid`. */
  readonly postmaster: () => number
  /** Every process of the cluster. */
  readonly processes: () => ReadonlyArray<number>
}

/** A fresh directory whose servers and files are gone when the scope closes. `mode` is that of what holds the data. */
export const place = (mode = 0o755): Effect.Effect<Place, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = mkdtempSync(join(tmpdir(), "outbound-embedded-"))
      chmodSync(root, 0o755)
      const holder = join(root, "holder")
      mkdirSync(holder)
      chmodSync(holder, mode)
      const dataDir = join(holder, "data")
      const stateDir = join(root, "state")
      const home = () => {
        const record = join(dataDir, "postgres", "location.json")
        return existsSync(record)
          ? (JSON.parse(readFileSync(record, "utf8")) as { home: string }).home
          : join(dataDir, "postgres")
      }
      return {
        root,
        dataDir,
        stateDir,
        home,
        postmaster: () => Number(readFileSync(join(home(), "cluster", "postmaster.pid"), "utf8").split("\n")[0]),
        processes: () => processesOn(join(home(), "cluster"))
      }
    }),
    (made) =>
      Effect.sync(() => killAll(made.processes())).pipe(
        Effect.andThen(eventually(() => made.processes().length === 0)),
        Effect.andThen(Effect.sync(() => removeDirectory(made.root)))
      )
  )

/** Returns when the condition holds; dies when it does not within a minute. */
export const eventually = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeout("1 minute"),
    Effect.orDie
  )

export const run = (where: Place) => start({ dataDir: where.dataDir, stateDir: where.stateDir, log: () => Effect.void })

export const query = (url: string, text: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    client.on("error", () => undefined)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  })

export interface OwnerLine {
  readonly port?: number
  readonly url?: string
  readonly adopted?: boolean
  readonly reason?: string
  readonly message?: string
}

/** Another process that owns the place. It is killed when the scope closes, if it still runs. */
export const owner = (where: Place) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const script = fileURLToPath(new URL("owner.ts", import.meta.url))
      const child = spawn(process.execPath, fromSources(script, where.dataDir, where.stateDir), {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const line = once(createInterface(child.stdout), "line").then(([text]) => JSON.parse(String(text)) as OwnerLine)
      return { child, pid: child.pid as number, line: Effect.promise(() => line) }
    }),
    ({ child }) => end(child, "SIGKILL")
  )

/** Sends the signal and returns when the process is gone. */
export const end = (child: ChildProcess, signal: NodeJS.Signals): Effect.Effect<void> =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, "exit")
    child.kill(signal)
    await exited
  })

export const ownerFiles = (where: Place): ReadonlyArray<string> =>
  readdirSync(where.home()).filter((name) => name.startsWith("owner."))
