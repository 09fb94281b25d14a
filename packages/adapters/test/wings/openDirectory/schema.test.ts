import { assert, it } from "@effect/vitest"
import { OpenLoadMachine } from "@outbound/domain/wings/openDirectory/OpenLoadMachine.js"
import { OPEN_PUBLISHERS } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { Effect } from "effect"
import { SqlClient } from "../../../src/postgres/Sql.js"
import { database } from "../../postgres/stores.js"

it.layer(database, { timeout: 60_000 })("the tables of the open directory", (it) => {
  it.effect("take exactly the names that the domain knows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const found = yield* sql<{ readonly name: string; readonly definition: string }>`
        SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
        WHERE conname IN ('open_loads_publisher_check', 'open_loads_state_check')
      `
      const names = found.map(({ definition, name }) => [
        name,
        [...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value).toSorted()
      ])
      assert.deepStrictEqual(Object.fromEntries(names), {
        open_loads_publisher_check: OPEN_PUBLISHERS.toSorted(),
        open_loads_state_check: OpenLoadMachine.states.toSorted()
      })
    })
  )
})
