import { Effect, Layer, Redacted, References, Schedule } from "effect"
import * as PgPool from "../../src/postgres/PgPool.js"
import type { SqlClient, SqlError } from "../../src/postgres/Sql.js"

const POLL_MILLIS = 50
const POLLS_MAX = 2_000

/** Returns the value once it satisfies the condition; dies when it does not within two minutes. */
export const eventually = <A, E, R>(
  look: Effect.Effect<A, E, R>,
  holds: (value: A) => boolean
): Effect.Effect<A, E, R> =>
  Effect.flatMap(look, (value) => (holds(value) ? Effect.succeed(value) : Effect.fail("not yet" as const))).pipe(
    Effect.retry({
      while: (error) => error === "not yet",
      schedule: Schedule.spaced(POLL_MILLIS),
      times: POLLS_MAX
    }),
    Effect.catch((error) =>
      error === "not yet" ? Effect.die(new Error("It never came to hold.")) : Effect.fail(error as E)
    )
  )

/** What is made to fail here is not worth a line in the log. */
export const quiet = Layer.succeed(References.MinimumLogLevel, "None")

export const poolAt = (
  url: string,
  options: Partial<PgPool.PgPoolOptions> = {}
): Layer.Layer<SqlClient | PgPool.RawPool | PgPool.LibraryPool, SqlError> =>
  PgPool.layer({ url: Redacted.make(url), applicationName: "engine-test", connectionsMax: 10, ...options })
