import { SqlClient } from "@effect/sql"
import { type Context, Effect, Layer } from "effect"

/** The layer of a store that is made of statements alone. */
export const storeLayer = <Id, Store>(
  tag: Context.Tag<Id, Store>,
  make: (sql: SqlClient.SqlClient) => NoInfer<Store>
): Layer.Layer<Id, never, SqlClient.SqlClient> => Layer.effect(tag, Effect.map(SqlClient.SqlClient, make))
