import { assert, it } from "@effect/vitest"
import { CLIENT_KINDS, TOKEN_KINDS } from "@outbound/domain/control/oauth/OAuthStore.js"
import { GRANTABLE_SCOPES } from "@outbound/domain/control/oauth/scopes.js"
import { SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { oauthContract } from "@outbound/testkit/contracts/oauth.js"
import { Effect, Layer } from "effect"
import * as PgOAuthStore from "../../src/postgres/PgOAuthStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { database, stores } from "./stores.js"

const layer = PgOAuthStore.layer.pipe(Layer.provideMerge(stores))

oauthContract("postgres", layer)

const LISTS: Readonly<Record<string, ReadonlyArray<string>>> = {
  oauth_requests_client_kind_check: CLIENT_KINDS,
  oauth_requests_scopes_check: GRANTABLE_SCOPES,
  oauth_grants_scopes_check: GRANTABLE_SCOPES,
  oauth_tokens_kind_check: TOKEN_KINDS
}

it.layer(Layer.orDie(database), SUITE)("the schema of clients, grants and tokens", (it) => {
  it.effect("columns take exactly the names that the domain knows, and no scope that is never granted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const found = yield* sql<{ readonly name: string; readonly definition: string }>`
        SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
        WHERE contype = 'c' AND conname IN ${sql.in(Object.keys(LISTS))}
      `
      assert.deepStrictEqual(
        Object.fromEntries(
          found.map(({ name, definition }) => [
            name,
            [...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value).toSorted()
          ])
        ),
        Object.fromEntries(Object.entries(LISTS).map(([name, values]) => [name, [...values].toSorted()]))
      )
    })
  )
})
