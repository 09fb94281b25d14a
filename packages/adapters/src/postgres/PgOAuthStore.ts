import { Scope } from "@outbound/domain/verbs/Policy.js"
import {
  type AccessClaim,
  type AuthorizationRequest,
  CLIENT_KINDS,
  type Grant,
  type IssuedToken,
  OAuthStore,
  TOKEN_KINDS
} from "@outbound/domain/control/oauth/OAuthStore.js"
import { Array, Effect, Schema, Struct } from "effect"
import { changes, countRows, date, firstRow, hasRows, Millis, run } from "./Columns.js"
import { columnsOf, readerOf, remove, storeLayer, texts, times, update, valuesOf } from "./Table.js"

const ClientRow = Schema.Struct({
  clientId: Schema.String,
  kind: Schema.Literal("registered"),
  name: Schema.String,
  redirectUris: Schema.Array(Schema.String),
  createdAtMillis: Millis
})

const RequestRow = Schema.Struct({
  ...texts("requestId", "clientId"),
  clientKind: Schema.Literals(CLIENT_KINDS),
  ...texts("clientName", "redirectUri"),
  state: Schema.NullOr(Schema.String),
  codeChallenge: Schema.String,
  scopes: Schema.Array(Scope),
  ...times("createdAtMillis", "expiresAtMillis")
})

const GrantRow = Schema.Struct({
  ...texts("grantId", "workspaceId", "keyId", "userId", "clientId"),
  scopes: Schema.Array(Scope),
  ...texts("redirectUri", "codeChallenge", "codeHash"),
  codeExpiresAtMillis: Millis,
  redeemedAtMillis: Schema.NullOr(Millis),
  createdAtMillis: Millis
})

const TokenRow = Schema.Struct({
  tokenHash: Schema.String,
  kind: Schema.Literals(TOKEN_KINDS),
  ...texts("workspaceId", "grantId"),
  ...times("createdAtMillis", "expiresAtMillis"),
  spentAtMillis: Schema.NullOr(Millis)
})

const ClaimRow: Schema.Codec<AccessClaim, { readonly keyHash: string; readonly expiresAtMillis: Date }> = Schema.Struct(
  { keyHash: Schema.String, expiresAtMillis: Millis }
)

export const layer = storeLayer(OAuthStore, (sql) => {
  const { one: request } = readerOf(sql, "oauth_requests", RequestRow, columnsOf(RequestRow, "oauth_requests"))
  const { all: grants, one: grant } = readerOf(sql, "oauth_grants g", GrantRow, columnsOf(GrantRow, "g"))
  const clientColumns = columnsOf(ClientRow, "oauth_clients", { kind: "'registered'" })
  const { one: client } = readerOf(sql, "oauth_clients", ClientRow, clientColumns)
  const { one: token } = readerOf(sql, "oauth_tokens", TokenRow, columnsOf(TokenRow, "oauth_tokens"))

  const hasLapsed = (nowMillis: number) => sql`
    g.code_expires_at <= ${date(nowMillis)} AND NOT EXISTS (
      SELECT 1 FROM oauth_tokens t
      WHERE t.workspace_id = g.workspace_id AND t.grant_id = g.grant_id AND t.kind = 'refresh'
        AND t.spent_at IS NULL AND t.expires_at > ${date(nowMillis)}
    )`

  return {
    insertClient: (client) =>
      sql`INSERT INTO oauth_clients ${sql.insert(valuesOf(ClientRow.mapFields(Struct.omit(["kind"])), client))}`.pipe(
        run("OAuthStore.insertClient")
      ),
    client: (clientId) => client("OAuthStore.client")({ clientId }),
    trimClients: (keep) =>
      sql`
        DELETE FROM oauth_clients WHERE client_id IN (
          SELECT client_id FROM oauth_clients WHERE used_at IS NULL
          ORDER BY created_at DESC, client_id DESC OFFSET ${keep} FOR UPDATE SKIP LOCKED
        )
      `.pipe(run("OAuthStore.trimClients")),
    markUsed: (clientId, nowMillis) =>
      update(sql, "oauth_clients", { clientId }, { usedAtMillis: nowMillis }).pipe(run("OAuthStore.markUsed")),

    insertRequest: (asked: AuthorizationRequest) =>
      sql`INSERT INTO oauth_requests ${sql.insert(valuesOf(RequestRow, asked))}`.pipe(run("OAuthStore.insertRequest")),
    trimRequests: (keep) =>
      sql`
        DELETE FROM oauth_requests WHERE request_id IN (
          SELECT request_id FROM oauth_requests
          ORDER BY expires_at DESC, request_id DESC OFFSET ${keep} FOR UPDATE SKIP LOCKED
        )
      `.pipe(run("OAuthStore.trimRequests")),
    request: (requestId) => request("OAuthStore.request")({ requestId }),
    lockRequest: (requestId) => request("OAuthStore.lockRequest")({ requestId }, "FOR UPDATE"),
    deleteRequest: (requestId) =>
      remove(sql, "oauth_requests", { requestId }).pipe(changes("OAuthStore.deleteRequest")),

    insertGrant: (made: Grant) =>
      sql`INSERT INTO oauth_grants ${sql.insert(valuesOf(GrantRow, made))}`.pipe(run("OAuthStore.insertGrant")),
    lockGrant: (workspaceId, grantId) => grant("OAuthStore.lockGrant")({ workspaceId, grantId }, "FOR NO KEY UPDATE"),
    lockGrantByCode: (codeHash) => grant("OAuthStore.lockGrantByCode")({ codeHash }, "FOR NO KEY UPDATE"),
    redeem: ({ grantId, workspaceId }, nowMillis) =>
      update(
        sql,
        "oauth_grants",
        { workspaceId, grantId, redeemedAtMillis: null },
        { redeemedAtMillis: nowMillis }
      ).pipe(changes("OAuthStore.redeem")),
    lapsed: (nowMillis, limit) =>
      grants("OAuthStore.lapsed")(sql`
        ${hasLapsed(nowMillis)}
        ORDER BY g.created_at, g.grant_id LIMIT ${limit}
      `),
    deleteLapsed: (workspaceId, grantId, nowMillis) =>
      sql`
        DELETE FROM oauth_grants g
        WHERE g.workspace_id = ${workspaceId} AND g.grant_id = ${grantId} AND ${hasLapsed(nowMillis)}
        RETURNING g.grant_id AS key
      `.pipe(hasRows("OAuthStore.deleteLapsed")),

    insertTokens: (tokens: ReadonlyArray<IssuedToken>) => {
      const values = tokens.map((token) => valuesOf(TokenRow, token))
      if (!Array.isReadonlyArrayNonEmpty(values)) return Effect.void
      return sql`INSERT INTO oauth_tokens ${sql.insert(values)}`.pipe(run("OAuthStore.insertTokens"))
    },
    token: (tokenHash) => token("OAuthStore.token")({ tokenHash }),
    spend: (tokenHash, nowMillis) =>
      update(
        sql,
        "oauth_tokens",
        { tokenHash, kind: "refresh", spentAtMillis: null },
        { spentAtMillis: nowMillis }
      ).pipe(hasRows("OAuthStore.spend")),
    access: (tokenHash) =>
      sql`
        SELECT c.secret_hash AS "keyHash", t.expires_at AS "expiresAtMillis" FROM oauth_tokens t
        JOIN oauth_grants g ON g.workspace_id = t.workspace_id AND g.grant_id = t.grant_id
        JOIN key_catalogue c ON c.key_id = g.key_id
        WHERE t.token_hash = ${tokenHash} AND t.kind = 'access'
      `.pipe(firstRow("OAuthStore.access", ClaimRow)),

    purge: Effect.fnUntraced(function* ({ nowMillis, unusedMillis, usedMillis }, limit) {
      const forget = countRows("OAuthStore.purge")
      const now = date(nowMillis)
      // Skips rows that another host is deleting.
      const requests = yield* forget(sql`
        DELETE FROM oauth_requests WHERE request_id IN (
          SELECT request_id FROM oauth_requests WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) RETURNING request_id::text AS key
      `)
      const tokens = yield* forget(sql`
        DELETE FROM oauth_tokens WHERE token_hash IN (
          SELECT token_hash FROM oauth_tokens WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) RETURNING token_hash AS key
      `)
      const clients = yield* forget(sql`
        DELETE FROM oauth_clients WHERE client_id IN (
          SELECT c.client_id FROM oauth_clients c
          WHERE (c.used_at IS NULL AND c.created_at <= ${date(unusedMillis)})
            OR (c.used_at <= ${date(usedMillis)}
              AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.client_id))
          LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) RETURNING client_id AS key
      `)
      return requests + tokens + clients
    })
  }
})
