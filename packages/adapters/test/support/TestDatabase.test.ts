import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { serverUrl } from "./serverUrl.js"
import { freshDatabase, TestDatabase } from "./TestDatabase.js"

const rows = (url: string, text: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  })

describe("a database of a test", () => {
  layer(TestDatabase.layer, { excludeTestServices: true })((it) => {
    it.effect("is empty, and the same for the whole file", () =>
      Effect.gen(function* () {
        const { name, url } = yield* TestDatabase
        const [facts] = yield* rows(
          url,
          `SELECT current_database() AS name, count(*)::int AS tables FROM pg_tables WHERE schemaname = 'outbound'`
        )
        assert.deepStrictEqual(facts, { name, tables: 0 })
      })
    )
  })

  it.live("is gone after its scope, although somebody was still connected", () =>
    Effect.gen(function* () {
      const name = yield* Effect.scoped(
        Effect.gen(function* () {
          const database = yield* freshDatabase
          const idle = new pg.Client({ connectionString: database.url })
          idle.on("error", () => undefined)
          yield* Effect.promise(() => idle.connect())
          return database.name
        })
      )
      const left = yield* rows(yield* Effect.promise(serverUrl), `SELECT 1 FROM pg_database WHERE datname = '${name}'`)
      assert.isEmpty(left)
    })
  )
})
