import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"
import { HOST } from "./Settings.js"

const TRIES_MAX = 100

/**
 * Below the ports that the system gives to outgoing connections (32768 and up on Linux, 49152 and up on macOS): while
 * the server restarts, a client's own attempt to connect could otherwise be given its port, and keep it.
 */
const PORT_FIRST = 15_432
const PORT_LAST = 32_767

const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resume(Effect.succeed(true))))
  })

/** A port that was free a moment ago. */
export const freePort: Effect.Effect<number, EmbeddedPostgresError> = Effect.gen(function* () {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(PORT_FIRST, PORT_LAST + 1)
    if (yield* isFree(port)) return port
  }
  return yield* new EmbeddedPostgresError({
    reason: "start_failed",
    message: `None of ${TRIES_MAX} ports between ${PORT_FIRST} and ${PORT_LAST} on ${HOST} is free. Free some, or set DATABASE_URL.`
  })
})
