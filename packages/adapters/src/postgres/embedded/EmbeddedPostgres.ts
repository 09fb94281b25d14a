/**
 * PostgreSQL for whoever brings none: one server per data directory, owned by one process at a time.
 *
 * The server outlives a killed owner, and the next owner adopts it, with its port and password. While it is owned it
 * is restarted on the same port when it ends by itself, so that connection pools find it again. When the owner's scope
 * closes, clients are disconnected, all is written, and no process is left. Only local processes that can read the
 * password file can connect.
 *
 * The data directory must be on a local disk, and is for one machine. Where the files are kept, and as whom the server
 * runs when the owner is root, is said in `Location.ts` and `Account.ts`.
 */
import { Effect, Option, type Scope, Schedule } from "effect"
import { binaries } from "./Binaries.js"
import { ensureCluster, passwordOf } from "./Cluster.js"
import { ensureDatabase } from "./Database.js"
import { asError, EmbeddedPostgresError } from "./EmbeddedPostgresError.js"
import { type Location, locate } from "./Location.js"
import { claim, ownerOf } from "./Ownership.js"
import { readyPort } from "./Postmaster.js"
import { DATABASE, HOST, ROLE } from "./Settings.js"
import { type Log, supervise } from "./Supervisor.js"

/** How long a process that joins another's server waits for it to be ready, on top of an owner's own bounds. */
const JOIN_MS_MAX = 10_000

export interface Options {
  /** Made if it does not exist. One server per directory. */
  readonly dataDir: string
  /** Where root keeps what its server's account must reach, when that can't be in `dataDir`. */
  readonly stateDir?: string
  /** Hears what the operator should know, in sentences. By default they are logged. */
  readonly log?: Log
}

export interface Server {
  readonly host: string
  readonly port: number
  readonly database: string
  /** Owns the database, may create others, is no superuser. */
  readonly user: string
  readonly password: string
  /** `postgres://` with all of the above. A secret. */
  readonly url: string
  /** The server had been left running by a process that was killed. */
  readonly adopted: boolean
  /** Fails when the server ended and could not be restarted; runs for ever otherwise. */
  readonly lost: Effect.Effect<never, EmbeddedPostgresError>
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
  Effect.try({
    try: () => locate(dataDir, stateDir),
    catch: asError("start_failed", `The data directory ${dataDir} can't be used`)
  })

/**
 * Owns the data directory and runs its server until the scope closes. Fails with `in_use`, naming the owner, when
 * another process owns it.
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

/** The server that another process owns now, once it is ready; none when nobody owns the data directory. */
export const find = (options: Options): Effect.Effect<Option.Option<Server>, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const location = yield* locateIn(options)
    const owned = Effect.try({
      try: () => ownerOf(location.home) !== undefined,
      catch: asError("start_failed", `Could not read the owner of ${location.home}`)
    })
    if (!(yield* owned)) return Option.none()
    const port = yield* Effect.suspend(() => readyPort(location)).pipe(
      Effect.retry(Schedule.spaced("20 millis")),
      Effect.timeoutFail({
        duration: JOIN_MS_MAX,
        onTimeout: () =>
          new EmbeddedPostgresError({
            reason: "start_failed",
            message: `The owner of ${location.dataDir} had no server ready for ${JOIN_MS_MAX / 1000} s. Try again.`
          })
      }),
      Effect.catchTag("NoSuchElementException", () => Effect.dieMessage("retried without end"))
    )
    const password = yield* passwordOf(location)
    yield* ensureDatabase(port, password)
    return Option.some({ ...serverOn(port, password), adopted: false, lost: Effect.never })
  })

/**
 * For a short program beside the service: joins the server that another process owns, or else owns it until the scope
 * closes. One that joined loses its connections when the owner stops.
 */
export const join = (options: Options): Effect.Effect<Server, EmbeddedPostgresError, Scope.Scope> => {
  const found = find(options)
  const own = start(options).pipe(
    Effect.catchIf(
      (error) => error.reason === "in_use",
      // Between our looking and our claiming, another process became the owner.
      (error) => Effect.flatMap(found, Option.match({ onNone: () => Effect.fail(error), onSome: Effect.succeed }))
    )
  )
  return Effect.flatMap(found, Option.match({ onNone: () => own, onSome: Effect.succeed }))
}
