/** A service of the loop's own, for live workspaces, in a directory that goes with it. */
import { Effect, type Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Foreseen } from "../Foreseen.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { startProgram } from "../Operator.js"
import { say } from "../Progress.js"

/** A new database is made on the way; a machine may be busy. */
const READY_MILLIS_MAX = 180_000
const STOP_MILLIS_MAX = 60_000
const WORDS_CHARS_MAX = 4_000

export class ServiceEnded extends Foreseen {}

export interface OwnService {
  readonly url: string
  /** With which the operator's program reaches it. */
  readonly environment: NodeJS.ProcessEnv
  /** Fails once it has ended by itself. */
  readonly ended: Effect.Effect<never, ServiceEnded>
}

/** A directory that goes with the scope. */
export const ownFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "outbound-loop-"))
    // As root the database runs as another account, which must be able to walk here.
    chmodSync(path, 0o711)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }))
)

/** Ours, without what would lead to another service. */
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(OUTBOUND_|DATABASE_URL$)/.test(name)))

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** It drains its calls and stops its database; one that does not is ended. */
const stop = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (child.pid === undefined || !isRunning(child)) return resume(Effect.void)
    const timer = setTimeout(() => {
      say(`The service (process ${child.pid}) did not stop within ${STOP_MILLIS_MAX / 1_000} s; ending it.`)
      child.kill("SIGKILL")
    }, STOP_MILLIS_MAX)
    child.once("exit", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

/** What it says, and what becomes of it. */
const watched = (child: ChildProcess) => {
  let words = ""
  const heard = new Set<() => void>()
  const hear = (text: string) => {
    words = (words + text).slice(-WORDS_CHARS_MAX)
    for (const one of heard) one()
  }
  child.stdout?.setEncoding("utf8").on("data", hear)
  child.stderr?.setEncoding("utf8").on("data", hear)
  const failed = (why: string) => new ServiceEnded(`The service ${why}:\n${words.trim()}`)

  const ended = Effect.callback<never, ServiceEnded>((resume) => {
    const gone = () => resume(Effect.fail(failed(`ended with ${child.exitCode ?? child.signalCode}`)))
    if (!isRunning(child)) return gone()
    child.once("error", ({ message }) => resume(Effect.fail(failed(`can't be started (${message})`))))
    child.once("exit", gone)
  })
  const ready = Effect.callback<void>((resume) => {
    const look = () => {
      if (words.includes("outbound is ready at")) resume(Effect.void)
    }
    heard.add(look)
    look()
    return Effect.sync(() => heard.delete(look))
  }).pipe(
    Effect.timeoutOrElse({
      duration: READY_MILLIS_MAX,
      orElse: () => Effect.fail(failed(`was not ready within ${READY_MILLIS_MAX / 1_000} s`))
    })
  )
  return { ended, ready: Effect.raceFirst(ready, ended) }
}

/** What it is started with. */
export interface OwnServiceOptions {
  /** The configuration of live workspaces, as its file holds it. */
  readonly providers: unknown
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * `outbound serve` as a child process, on a free port of this machine, with an embedded database of its own. It is ended
 * with the scope, and its directory is removed.
 */
export const ownService = (options: OwnServiceOptions): Effect.Effect<OwnService, ServiceEnded, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* ownFolder
    const port = yield* Effect.promise(freePort)
    const url = `http://127.0.0.1:${port}`
    const providers = join(folder, "providers.json")
    writeFileSync(providers, JSON.stringify(options.providers, null, 2))
    const environment = {
      ...inherited(),
      OUTBOUND_HOST: "127.0.0.1",
      OUTBOUND_PORT: String(port),
      OUTBOUND_BASE_URL: url,
      OUTBOUND_DATA_DIR: join(folder, "data"),
      OUTBOUND_PROVIDERS: providers,
      ...options.environment
    }
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => startProgram(["serve"], { environment })),
      stop
    )
    const { ended, ready } = watched(child)
    yield* ready
    return { url, environment, ended }
  })
