import { assert, it } from "@effect/vitest"
import { BOARD_PROOFS, OPENINGS_PLACES } from "@outbound/domain/sources/SourceMemoryStore.js"
import { sourceMemoryContract } from "@outbound/testkit/contracts/sourceMemory.js"
import { Effect, Layer, Schema } from "effect"
import { rows } from "../../src/postgres/Columns.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import * as PgSourceMemoryStore from "../../src/postgres/PgSourceMemoryStore.js"
import { stores } from "./stores.js"

const adapter = PgSourceMemoryStore.layer.pipe(Layer.provideMerge(stores))

sourceMemoryContract("PostgreSQL", adapter)

it.layer(stores)("the table of companies' boards", (it) => {
  it.effect("knows the places and the proofs that the program knows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const checks = yield* sql`
        SELECT conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
        WHERE conname IN ('company_boards_place_check', 'company_boards_proven_by_check') ORDER BY conname
      `.pipe(rows("test.checks", Schema.Struct({ name: Schema.String, text: Schema.String })))
      assert.deepStrictEqual(
        checks.map(({ text }) => [...text.matchAll(/'([a-z_]+)'/g)].map(([, value]) => value)),
        [[...OPENINGS_PLACES], [...BOARD_PROOFS]]
      )
    })
  )
})
