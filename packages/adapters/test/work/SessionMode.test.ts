import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "../../src/postgres/Sql.js"
import { checkSessionMode } from "../../src/work/SessionMode.js"
import { TestDatabase } from "../support/TestDatabase.js"
import { poolAt } from "./pool.js"
import { transactionPooler } from "./TransactionPooler.js"

const check = Effect.flatMap(SqlClient, checkSessionMode)

layer(TestDatabase.layer, { excludeTestServices: true })("a session per connection", (it) => {
  it.effect("is found where the database itself is named", () =>
    Effect.flatMap(TestDatabase, ({ url }) => Effect.provide(check, poolAt(url)))
  )

  it.effect("is missed behind a pooler in transaction mode, and the error says what to do", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      // Behind the pooler a name would be prepared in one session and used in another, so nothing else is asked here.
      const pooled = yield* transactionPooler(url)
      const error = yield* Effect.flip(Effect.provide(check, poolAt(pooled)))
      assert.propertyVal(error, "reason", "pooled_transactions")
      assert.include(error.message, "session mode")
    })
  )
})
