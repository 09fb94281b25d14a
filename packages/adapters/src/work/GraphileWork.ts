import { type Announcement, LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer } from "effect"
import { Logger, runMigrations } from "graphile-worker"
import { RawPool } from "../postgres/PgPool.js"
import { SqlClient } from "../postgres/Sql.js"
import { storeUnavailable } from "./EngineError.js"

/** graphile-worker says what it does; of that, nothing is for the operator but what fails. */
export const silent = new Logger(() => () => {})

/** Makes the tables of graphile-worker, in a schema of its own, or brings them up to date. */
export const install = Effect.flatMap(RawPool, (pgPool) =>
  Effect.tryPromise({ try: () => runMigrations({ pgPool, logger: silent }), catch: storeUnavailable })
)

const inOrder = (jobs: ReadonlyArray<Announcement>): ReadonlyArray<Announcement> =>
  [...jobs].sort((a, b) => (a.kind + a.key < b.kind + b.key ? -1 : 1))

/** Announces jobs as rows of graphile-worker, in the caller's own transaction. */
export const layer: Layer.Layer<LongWork, never, SqlClient> = Layer.effect(
  LongWork,
  Effect.map(SqlClient, (sql) => ({
    announce: (jobs) =>
      // Each locks its key until the commit: all do it in one order.
      Effect.forEach(
        inOrder(jobs),
        ({ afterMillis = 0, key, kind }) => sql`SELECT work_announce(${kind}, ${key}, ${afterMillis})`,
        { discard: true }
      ).pipe(Effect.mapError((cause) => new StoreUnavailable({ operation: "LongWork.announce", cause })))
  }))
)
