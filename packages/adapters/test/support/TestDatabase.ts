import { Context, Effect, Layer, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"
import type {} from "./globalSetup.js"

/** Runs one statement on the server of the run, outside any transaction. */
const onServer = (statement: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: inject("databaseUrl") })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  })

interface Database {
  readonly name: string
  /** `postgres://`, with user and password. */
  readonly url: string
}

/** An empty database of random name. It is dropped with the scope, whoever is still connected. */
export const freshDatabase: Effect.Effect<Database, never, Scope.Scope> = Effect.acquireRelease(
  Effect.suspend(() => {
    const name = `outbound_test_${randomBytes(8).toString("hex")}`
    const url = new URL(inject("databaseUrl"))
    url.pathname = `/${name}`
    return Effect.as(onServer(`CREATE DATABASE ${name}`), { name, url: url.href })
  }),
  ({ name }) => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
)

/** The database of a test file: provide `layer` once per file. */
export class TestDatabase extends Context.Tag("@outbound/adapters/test/support/TestDatabase")<
  TestDatabase,
  Database
>() {
  static readonly layer: Layer.Layer<TestDatabase> = Layer.scoped(TestDatabase, freshDatabase)
}
