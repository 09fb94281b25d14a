import { TestRows } from "@outbound/testkit/memory/Hooks.js"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "../../src/postgres/Sql.js"

const Columns = Schema.Array(Schema.Struct({ table: Schema.String, column: Schema.String }))
const Found = Schema.Array(Schema.Struct({ found: Schema.Boolean }))

/** Looks into every column of every table that can hold a text. */
export const everyRow = Layer.effect(
  TestRows,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const columns = sql`
      SELECT format('%I.%I', c.table_schema, c.table_name) AS "table", quote_ident(c.column_name) AS "column"
      FROM information_schema.columns c
      JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
      WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
        AND c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea')
    `.pipe(Effect.flatMap(Schema.decodeUnknownEffect(Columns)))

    const standsIn = (text: string) => (place: { readonly table: string; readonly column: string }) =>
      sql`
        SELECT EXISTS (
          SELECT 1 FROM ${sql.literal(place.table)} t
          WHERE strpos(lower(t.${sql.literal(place.column)}::text), ${text.toLowerCase()}) > 0
        ) AS found
      `.pipe(
        Effect.flatMap(Schema.decodeUnknownEffect(Found)),
        Effect.map((rows) => (rows[0]?.found === true ? [`${place.table}.${place.column}`] : []))
      )

    return TestRows.of({
      standing: (text) =>
        Effect.orDie(
          Effect.flatMap(columns, (places) =>
            Effect.map(Effect.forEach(places, standsIn(text)), (found) => found.flat())
          )
        )
    })
  })
)
