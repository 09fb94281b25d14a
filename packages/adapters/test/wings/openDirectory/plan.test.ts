import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { rows } from "../../../src/postgres/Columns.js"
import { SqlClient } from "../../../src/postgres/Sql.js"
import { stores } from "../../postgres/stores.js"

const LARGE = 40_000
const ROWS_MAX = 25
const LINES = 4

const Plan = Schema.Struct({ "Shared Hit Blocks": Schema.Number, "Shared Read Blocks": Schema.Number })
const Explained = Schema.Struct({ "QUERY PLAN": Schema.Array(Schema.Struct({ Plan })) })

it.layer(stores, { timeout: "60 seconds" })("a search in the open directory", (it) => {
  it.effect("reads few pages of a large city, though the average one is small", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        INSERT INTO open_companies (
          publisher, ref, part, generation, name, domain, is_domain_stated, category_id, country_code, licence,
          attribution, observed_on, score, name_key, city_key, region_key
        )
        SELECT 'overture', 'plan-' || g, 'plan', 1, 'Shop', 'shop-' || g || '.example', true, 1 + g % ${LINES}::integer, 'DE', 'L',
          'A', '2026-01-01', (g % 1000) / 1000.0, 'shop', CASE WHEN g <= ${LARGE}::integer THEN 'large' ELSE 'small ' || g / 160 END,
          CASE WHEN g <= ${LARGE}::integer THEN 'large' ELSE 'small ' || g / 160 END
        FROM generate_series(1, ${2 * LARGE}::integer) g
      `
      yield* sql`ANALYZE open_companies`
      for (const column of ["city", "region"]) {
        const asking = sql`
          SELECT count(*) FROM ${sql.literal(`open_companies_in_${column}`)}(
            ARRAY['large'], ARRAY['DE'], ARRAY[1, 2, 3, 4], ${ROWS_MAX}, '{}', 10, NULL, true
          )
        `
        const explaining = sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${asking}`.pipe(rows("test.plan", Explained))
        // The first time a connection also reads what the database says of its tables.
        yield* explaining
        const [explained] = yield* explaining
        const read = explained?.["QUERY PLAN"][0]?.Plan
        const pages = (read?.["Shared Hit Blocks"] ?? Infinity) + (read?.["Shared Read Blocks"] ?? Infinity)
        // A page for each row, and some of the index; all rows of the city are on over a thousand pages.
        assert.isBelow(pages, 3 * LINES * ROWS_MAX, column)
      }
    })
  )
})
