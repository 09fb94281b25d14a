import type { MessageStorage } from "@effect/cluster/MessageStorage"
import { RunnerStorage } from "@effect/cluster/RunnerStorage"
import type { ShardingConfig } from "@effect/cluster/ShardingConfig"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import { Reactivity } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schedule } from "effect"
import { type EngineError, storeUnavailable } from "./EngineError.js"
import { givingUpInDoubt, raisingDoubt, type StorageDoubt } from "./StorageDoubt.js"

/** The engine's tables stand apart by this prefix: `engine_messages`, `engine_replies`, `engine_runners`, … */
export const ENGINE_TABLE_PREFIX = "engine"

/** The advisory lock under which one host at a time makes the engine's tables. Of our own choice. */
const TABLES_LOCK = 0x6f75_7462
const TABLES_LOCK_TRIES_MAX = 150
const TABLES_LOCK_TRY_MILLIS = 200

/** Holds the lock while `effect` runs. It tries instead of waiting, so that no lock timeout ends the wait. */
const withTablesLock = <A, E, R>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* Effect.mapError(sql.reserve, storeUnavailable)
      const tryLock = connection.executeValues(`SELECT pg_try_advisory_lock(${TABLES_LOCK})`, []).pipe(
        Effect.map((rows) => rows[0]?.[0] === true),
        Effect.filterOrFail((taken) => taken),
        Effect.retry({ schedule: Schedule.spaced(TABLES_LOCK_TRY_MILLIS), times: TABLES_LOCK_TRIES_MAX }),
        Effect.mapError(storeUnavailable)
      )
      yield* Effect.acquireRelease(tryLock, () =>
        Effect.ignore(connection.executeValues(`SELECT pg_advisory_unlock(${TABLES_LOCK})`, []))
      )
      return yield* effect
    })
  )

/**
 * Which host stands at which runner address, and on which machine; and the indexes by which the sweep finds what ended.
 * The cluster itself looks rows up by shard and by request only.
 */
const ownTables = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* sql`
      CREATE TABLE IF NOT EXISTS engine_hosts (
        address text PRIMARY KEY,
        loopback boolean NOT NULL,
        machine text NOT NULL,
        claimed_at timestamptz NOT NULL DEFAULT now()
      )
    `
    yield* sql`CREATE INDEX IF NOT EXISTS engine_messages_entity ON engine_messages (entity_id)`
    yield* sql`
      CREATE INDEX IF NOT EXISTS engine_messages_runs ON engine_messages (rowid) WHERE tag = 'run' AND processed
    `
  })

/** The cluster's message and runner storage on our tables, which are made where they are missing. */
export const layer: Layer.Layer<MessageStorage | RunnerStorage, EngineError, SqlClient.SqlClient | ShardingConfig> =
  Layer.scopedContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Effect.scope
      const doubt: StorageDoubt = { raised: false }
      const storages = Layer.merge(
        SqlMessageStorage.layerWith({ prefix: ENGINE_TABLE_PREFIX }).pipe(
          Layer.provide(Layer.effect(SqlClient.SqlClient, raisingDoubt(sql, doubt)))
        ),
        Layer.map(SqlRunnerStorage.layerWith({ prefix: ENGINE_TABLE_PREFIX }), (context) =>
          Context.make(RunnerStorage, givingUpInDoubt(Context.get(context, RunnerStorage), doubt))
        )
      ).pipe(Layer.provide(Reactivity.layer))
      return yield* withTablesLock(
        sql,
        Layer.buildWithScope(storages, scope).pipe(
          Effect.tap(ownTables(sql)),
          // A migration that fails is a defect of the storage's layer.
          Effect.catchAllDefect(Effect.fail),
          Effect.mapError(storeUnavailable)
        )
      )
    })
  )
