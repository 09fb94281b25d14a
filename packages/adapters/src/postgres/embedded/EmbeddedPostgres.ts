/**
 * PostgreSQL for users who bring none: one server per data directory, owned by one process at a time.
 *
 * The server outlives a killed owner, and the next owner adopts it with its port and password. If an owned server ends
 * by itself, it is restarted on the same port, so that connection pools find it again. When the owner's scope closes,
 * clients are disconnected, everything is written and no process is left. Only local processes that can read the
 * password file can connect.
 *
 * The data directory must be on a local disk and belongs to one machine. `Location.ts` says where the files are;
 * `Account.ts` says which account runs the server when the owner is root.
 */
import { Effect, Option, Schedule, type Scope } from "effect"
import { binaries } from "./Binaries.js"
import { ensureCluster, passwordOf } from "./Cluster.js"
import { ensureDatabase } from "./Database.js"
import { attempt, type EmbeddedPostgresError, startFailed } from "./EmbeddedPostgresError.js"
import { type Location, locate } from "./Location.js"
import { claim, ownerOf } from "./Ownership.js"
import { readyPort } from "./Postmaster.js"
import { DATABASE, HOST, ROLE } from "./Settings.js"
import { type Log, supervise, type Supervised } from "./Supervisor.js"

/** How long a joining process waits for the server to be ready, beyond the owner's own limits. */
const JOIN_MS_MAX = 10_000

export interface Options {
  /** Made if it does not exist. One server per directory. */
  readonly dataDir: string
  /** Where root keeps what the server's account must reach, if `dataDir` is unreachable for it. */
  readonly stateDir?: string
  /** Receives messages for the operator, in sentences. By default they are logged. */
  readonly log?: Log
}

export interface Server extends Supervised {
  readonly host: string
  readonly database: string
  /** Owns the database, may create others, is no superuser. */
  readonly user: string
  readonly password: string
  /** `postgres://` with all of the above. A secret. */
  readonly url: string
}

const serverOn = (port: number, password: string): Omit<Server, "adopted" | "lost"> => ({
  host: HOST,
  port,
  database: DATABASE,
  user: ROLE,
  password,
  url: `postgres://${ROLE}:${password}@${HOST}:${port}/${DATABASE}`
})

const locateIn = ({ dataDir, stateDir }: Options): Effect.Effect<Location, EmbeddedPostgresError> =>
  attempt("start_failed", `The data directory ${dataDir} can't be used`, () => locate(dataDir, stateDir))

/**
 * Owns the data directory and runs its server until the scope closes. Fails with `in_use`, naming the owner, if another
 * process owns it.
 */
export const start = (options: Options): Effect.Effect<Server, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const log = options.log ?? Effect.logInfo
    const location = yield* locateIn(options)
    if (!location.home.startsWith(location.dataDir)) {
      yield* log(`The database of ${location.dataDir} is kept in ${location.home}, which its server can reach.`)
    }
    yield* claim(location.home, location.dataDir)
    const programs = yield* binaries(location)
    const password = yield* ensureCluster(programs, location)
    const { port, adopted, lost } = yield* supervise(programs, location, log)
    yield* ensureDatabase(port, password)
    return { ...serverOn(port, password), adopted, lost }
  })

/** Another process's server, once it is ready; none if the data directory has no owner. */
export const find = (options: Options): Effect.Effect<Option.Option<Server>, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const location = yield* locateIn(options)
    const owned = attempt(
      "start_failed",
      `Could not read the owner of ${location.home}`,
      () => ownerOf(location.home) !== undefined
    )
    if (!(yield* owned)) return Option.none()
    const port = yield* Effect.suspend(() => Effect.fromOption(readyPort(location))).pipe(
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeoutOrElse({
        duration: JOIN_MS_MAX,
        orElse: () =>
          Effect.fail(
            startFailed(`The owner of ${location.dataDir} had no server ready for ${JOIN_MS_MAX / 1000} s. Try again.`)
          )
      }),
      Effect.catchTag("NoSuchElementError", () => Effect.die(new Error("retried without end")))
    )
    const password = yield* passwordOf(location)
    yield* ensureDatabase(port, password)
    return Option.some({ ...serverOn(port, password), adopted: false, lost: Effect.never })
  })

/**
 * For a short program beside the service: joins another process's server, or owns one until the scope closes. A joined
 * program loses its connections when the owner stops.
 */
export const join = (options: Options): Effect.Effect<Server, EmbeddedPostgresError, Scope.Scope> => {
  const found = find(options)
  const own = start(options).pipe(
    Effect.catchIf(
      (error) => error.reason === "in_use",
      // Another process became the owner between our look and our claim.
      (error) => Effect.flatMap(found, Option.match({ onNone: () => Effect.fail(error), onSome: Effect.succeed }))
    )
  )
  return Effect.flatMap(found, Option.match({ onNone: () => own, onSome: Effect.succeed }))
}
