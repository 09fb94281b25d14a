/** One running PostgreSQL server: find, launch, await, stop. */
import { Duration, Effect, Option, Schedule } from "effect"
import { spawn } from "node:child_process"
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { join } from "node:path"
import { spawnAs } from "./Account.js"
import type { Binaries } from "./Binaries.js"
import { ENVIRONMENT, explainSpawn } from "./Cluster.js"
import { attempt, type EmbeddedPostgresError, startFailed } from "./EmbeddedPostgresError.js"
import type { Location } from "./Location.js"
import { isTaken, processesOn, servesCluster, signal, startOf } from "./Processes.js"
import { serverArguments } from "./Settings.js"

const POLL = Duration.millis(10)
/** An adopted server is not our child, so we must poll for its end. */
const WATCH = Duration.millis(200)

/** Crash recovery replays at most `max_wal_size` of log. */
const READY_MS_MAX = 120_000
/** A fast shutdown writes a checkpoint. */
const FAST_MS_MAX = 30_000
const IMMEDIATE_MS_MAX = 10_000
const LEFTOVERS_MS_MAX = 10_000

const LOG_BYTES_MAX = 10 * 1024 * 1024
const LOG_TAIL_BYTES = 2_000

export interface Postmaster {
  readonly pid: number
  /** Identifies the process together with the pid. See `startOf`. */
  readonly start: string
  readonly port: number
  /** Completes when the process has ended, at once if it already has. */
  readonly exited: Effect.Effect<void>
}

const pidFileOf = ({ cluster }: Location) => join(cluster, "postmaster.pid")

interface PidFile {
  readonly pid: number
  readonly directory: string
  readonly port: number
  /** `starting`, `ready`, `stopping`, ...; empty in the first moments. */
  readonly status: string
}

/** The lines are documented in PostgreSQL's `miscadmin.h`. */
const readPidFile = (location: Location): PidFile | undefined => {
  try {
    const lines = readFileSync(pidFileOf(location), "utf8").split("\n")
    const pid = Math.abs(Number(lines[0]))
    if (!Number.isSafeInteger(pid) || pid === 0) return undefined
    return { pid, directory: lines[1] ?? "", port: Number(lines[3]), status: (lines[7] ?? "").trim() }
  } catch {
    return undefined
  }
}

const isOurs = ({ pid, directory }: PidFile, { cluster }: Location): boolean =>
  process.platform === "linux" ? servesCluster(pid, cluster) : startOf(pid) !== undefined && directory === cluster

const until = (condition: () => boolean, every: Duration.Duration): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced(every)),
    Effect.orDie
  )

const awaitReady = (location: Location, postmaster: Postmaster): Effect.Effect<void, EmbeddedPostgresError> => {
  const ready = until(() => {
    const file = readPidFile(location)
    return file?.pid === postmaster.pid && file.status === "ready"
  }, POLL)
  return ready.pipe(
    Effect.raceFirst(
      postmaster.exited.pipe(
        Effect.andThen(Effect.fail(startFailed(`PostgreSQL in ${location.cluster} ended as it started.`)))
      )
    ),
    Effect.timeoutOrElse({
      duration: READY_MS_MAX,
      orElse: () =>
        Effect.fail(
          startFailed(
            `PostgreSQL (process ${postmaster.pid}) in ${location.cluster} was not ready after ${READY_MS_MAX / 1000} s. ` +
              "If it is recovering, wait until it has ended and start again."
          )
        )
    })
  )
}

/** The server that an earlier owner left running in the cluster, once it is ready; none if it ends instead. */
export const findOrphan = (location: Location): Effect.Effect<Option.Option<Postmaster>, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const file = readPidFile(location)
    if (file === undefined || !isOurs(file, location)) return Option.none()
    const { pid } = file
    const start = startOf(pid)
    if (start === undefined) return Option.none()
    const exited = until(() => startOf(pid) !== start, WATCH)
    const ready = yield* awaitReady(location, { pid, start, port: file.port, exited }).pipe(
      Effect.as(true),
      Effect.catch((error) => (startOf(pid) === start ? Effect.fail(error) : Effect.succeed(false)))
    )
    return ready ? Option.some({ pid, start, port: readPidFile(location)?.port ?? file.port, exited }) : Option.none()
  })

/** The port of a ready server in the cluster, whichever process owns it. */
export const readyPort = (location: Location): Option.Option<number> => {
  const file = readPidFile(location)
  return file !== undefined && file.status === "ready" && isOurs(file, location)
    ? Option.some(file.port)
    : Option.none()
}

/**
 * PostgreSQL clears a `postmaster.pid` whose process is gone. But it refuses to start if the pid now belongs to another
 * process or a zombie. Only then do we remove the file, and only after the old server's last process has ended, because
 * PostgreSQL finds such processes by this file.
 */
const clearStale = (location: Location): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.suspend(() => {
    const file = readPidFile(location)
    if (file === undefined || isOurs(file, location) || !isTaken(file.pid)) return Effect.void
    return until(() => processesOn(location.cluster).length === 0, POLL).pipe(
      Effect.timeoutOrElse({
        duration: LEFTOVERS_MS_MAX,
        orElse: () =>
          Effect.fail(
            startFailed(
              `Processes ${processesOn(location.cluster).join(", ")} still use ${location.cluster}. End them.`
            )
          )
      }),
      Effect.andThen(Effect.sync(() => rmSync(pidFileOf(location), { force: true })))
    )
  })

const openLog = (path: string): number => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
  return openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
}

const tail = (fd: number, from: number): string => {
  const { size } = fstatSync(fd)
  const start = Math.max(from, size - LOG_TAIL_BYTES)
  const buffer = Buffer.alloc(size - start)
  readSync(fd, buffer, 0, buffer.length, start)
  return buffer.toString().trim()
}

/**
 * Launches a server on the port and waits until it accepts connections. Calls `started` before anything can go wrong
 * with the process. The server leads its own session, so that Ctrl-C in our terminal doesn't reach it, and prints to a
 * file, so that it survives us.
 */
export const launch = (
  programs: Binaries,
  location: Location,
  port: number,
  started: (postmaster: Postmaster) => void
): Effect.Effect<Postmaster, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    yield* clearStale(location)
    const path = join(location.home, "server.log")
    const log = yield* Effect.acquireRelease(
      attempt("start_failed", `Could not open ${path}`, () => openLog(path)),
      (fd) => Effect.sync(() => closeSync(fd))
    )
    const printedBefore = fstatSync(log).size
    const postmaster = yield* spawnPostmaster(programs, location, port, log)
    started(postmaster)
    yield* awaitReady(location, postmaster).pipe(
      Effect.mapError((error) =>
        startFailed(`${error.message} It printed (${path}): ${tail(log, printedBefore)}`, error)
      ),
      Effect.onError(() => kill(postmaster))
    )
    return postmaster
  }).pipe(Effect.scoped)

const spawnPostmaster = (programs: Binaries, location: Location, port: number, log: number) =>
  Effect.callback<Postmaster, EmbeddedPostgresError>((resume) => {
    const child = spawn(programs.postgres, serverArguments(location.cluster, port), {
      ...spawnAs(location.account),
      cwd: location.cluster,
      env: ENVIRONMENT,
      detached: true,
      stdio: ["ignore", log, log]
    })
    child.unref()
    let gone = false
    child.once("exit", () => (gone = true))
    child.once("error", (error) => resume(Effect.fail(explainSpawn(programs.postgres, error))))
    child.once("spawn", () => {
      const pid = child.pid as number
      resume(
        Effect.succeed({
          pid,
          start: startOf(pid) ?? "",
          port,
          exited: Effect.callback<void>((done) => {
            const end = () => done(Effect.void)
            if (gone) return end()
            child.once("exit", end)
            return Effect.sync(() => child.off("exit", end))
          })
        })
      )
    })
  }).pipe(Effect.uninterruptible)

/** For a server that never became ready: no one is connected, and PostgreSQL recovers from an aborted start. */
const kill = (postmaster: Postmaster): Effect.Effect<void> =>
  stopWith(postmaster, "SIGQUIT", IMMEDIATE_MS_MAX).pipe(
    Effect.flatMap((stopped) => (stopped ? Effect.void : stopWith(postmaster, "SIGKILL", IMMEDIATE_MS_MAX))),
    Effect.asVoid
  )

const stopWith = (postmaster: Postmaster, name: NodeJS.Signals, withinMs: number): Effect.Effect<boolean> =>
  Effect.sync(() => signal(postmaster.pid, postmaster.start, name)).pipe(
    Effect.andThen(postmaster.exited),
    Effect.as(true),
    Effect.timeoutOrElse({ duration: withinMs, orElse: () => Effect.succeed(false) })
  )

/**
 * Stops the server: fast (disconnects clients, writes everything), then immediate (the next start recovers), then by
 * force. Returns when the process has ended.
 */
export const stop = (postmaster: Postmaster): Effect.Effect<void> =>
  stopWith(postmaster, "SIGINT", FAST_MS_MAX).pipe(
    Effect.flatMap((stopped) => (stopped ? Effect.void : kill(postmaster)))
  )
