/** Keeps one server running: launched or adopted, restarted on the same port when it ends, stopped with the scope. */
import { backoff } from "@outbound/domain/kernel/backoff.js"
import { Deferred, Duration, Effect, Option, type Scope } from "effect"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import type { Binaries } from "./Binaries.js"
import { type EmbeddedPostgresError, startFailed } from "./EmbeddedPostgresError.js"
import type { Location } from "./Location.js"
import { findOrphan, launch, type Postmaster, stop } from "./Postmaster.js"
import { HOST } from "./Settings.js"

const TRIES_MAX = 100

/**
 * Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 and up on macOS). Otherwise,
 * while the server restarts, a client's own connection attempt could take its port and keep it.
 */
const PORT_FIRST = 15_432
const PORT_LAST = 32_767

const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resume(Effect.succeed(true))))
  })

/** A port that was free a moment ago. */
const freePort: Effect.Effect<number, EmbeddedPostgresError> = Effect.gen(function* () {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(PORT_FIRST, PORT_LAST + 1)
    if (yield* isFree(port)) return port
  }
  return yield* startFailed(
    `None of ${TRIES_MAX} ports between ${PORT_FIRST} and ${PORT_LAST} on ${HOST} is free. Free some, or set DATABASE_URL.`
  )
})

/** Between our finding a port free and PostgreSQL's binding it, another program may take it. */
const PORTS_MAX = 5

/** Consecutive restarts, spaced 50 ms to 5 s; about 20 seconds in all. */
const RESTARTS_MAX = 10
const BACKOFF_MS = { first: 50, max: 5_000 }

/** After running this long, a server's restart count is reset. */
const STABLE_MS = 60_000

export interface Supervised {
  readonly port: number
  /** A killed process had left the server running. */
  readonly adopted: boolean
  /** Fails when the server ended and could not be restarted; otherwise never completes. */
  readonly lost: Effect.Effect<never, EmbeddedPostgresError>
}

export type Log = (line: string) => Effect.Effect<void>

const portWasTaken = ({ message }: EmbeddedPostgresError) =>
  message.includes("could not bind") || message.includes("could not create any TCP/IP sockets")

export const supervise = (
  programs: Binaries,
  location: Location,
  log: Log
): Effect.Effect<Supervised, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    let current: Postmaster | undefined
    yield* Effect.addFinalizer(() => Effect.suspend(() => (current === undefined ? Effect.void : stop(current))))

    const launchOn = (port: number) => launch(programs, location, port, (postmaster) => (current = postmaster))
    const launchAnywhere = freePort.pipe(
      Effect.flatMap(launchOn),
      Effect.retry({ times: PORTS_MAX - 1, while: portWasTaken })
    )

    const orphan = yield* findOrphan(location)
    const first = Option.isSome(orphan) ? orphan.value : yield* launchAnywhere
    current = first
    const lost = yield* Deferred.make<never, EmbeddedPostgresError>()

    const keep = Effect.gen(function* () {
      let postmaster = first
      let restarts = 0
      for (;;) {
        const [ran] = yield* Effect.timed(postmaster.exited)
        if (Duration.toMillis(ran) >= STABLE_MS) restarts = 0
        yield* log(`PostgreSQL (process ${postmaster.pid}) in ${location.cluster} ended unexpectedly; restarting it.`)
        let restarted: Postmaster | undefined
        while (restarted === undefined) {
          if (++restarts > RESTARTS_MAX) {
            return yield* startFailed(
              `PostgreSQL in ${location.cluster} ended ${RESTARTS_MAX} times in a row on ${HOST}:${first.port}. ` +
                `See ${location.home}/server.log, then restart outbound.`
            )
          }
          yield* Effect.sleep(backoff(restarts, BACKOFF_MS))
          restarted = yield* launchOn(first.port).pipe(
            Effect.catch((error) => log(error.message).pipe(Effect.as(undefined)))
          )
        }
        postmaster = restarted
        yield* log(`PostgreSQL in ${location.cluster} runs again (process ${postmaster.pid}).`)
      }
    })
    yield* keep.pipe(
      Effect.tapError((error) => log(error.message)),
      Effect.catchCause((cause) => Deferred.failCause(lost, cause)),
      Effect.forkScoped
    )
    return { port: first.port, adopted: Option.isSome(orphan), lost: Deferred.await(lost) }
  })
