import { ChangeRequestMachine } from "@outbound/domain/control/ChangeRequestMachine.js"
import { ChangeRequestStore } from "@outbound/domain/control/ChangeRequestStore.js"
import { encodeChange, encodePolicy, KeyPolicyJson, PolicyChangeJson } from "@outbound/domain/control/PolicyChange.js"
import { Effect, Schema } from "effect"
import { changes, dateOrNull, firstRow, json, literals, Millis, rows, run, statesInto } from "./Columns.js"
import { columnsOf, texts, valuesOf } from "./RowFields.js"
import { storeLayer } from "./storeLayer.js"

const RequestRow = Schema.Struct({
  ...texts("changeRequestId", "workspaceId", "keyId", "requestedByKeyId"),
  change: PolicyChangeJson,
  before: KeyPolicyJson,
  state: Schema.Literal(...ChangeRequestMachine.states),
  requestId: Schema.String,
  createdAtMillis: Millis,
  decidedAtMillis: Schema.NullOr(Millis),
  decidedByUserId: Schema.NullOr(Schema.String)
})

const SummaryRow = Schema.Struct({
  ...RequestRow.fields,
  keyName: Schema.String,
  requestedByName: Schema.String,
  decidedByEmail: Schema.NullOr(Schema.String)
})

export const layer = storeLayer(ChangeRequestStore, (sql) => {
  const columns = sql.literal(columnsOf(RequestRow, "r"))
  return {
    insert: (request) =>
      sql`INSERT INTO change_requests ${sql.insert(
        valuesOf(RequestRow, request, {
          change: json(encodeChange(request.change)),
          before: json(encodePolicy(request.before))
        })
      )}`.pipe(run("ChangeRequestStore.insert")),
    // The request itself is never rewritten.
    update: (request) =>
      sql`
        UPDATE change_requests
        SET state = ${request.state}, decided_at = ${dateOrNull(request.decidedAtMillis)},
          decided_by_user_id = ${request.decidedByUserId}
        WHERE workspace_id = ${request.workspaceId} AND change_request_id = ${request.changeRequestId}
          AND state IN (${sql.literal(literals(statesInto(ChangeRequestMachine, request.state)))})
        RETURNING change_request_id
      `.pipe(changes("ChangeRequestStore.update")),
    get: (workspaceId, changeRequestId) =>
      sql`
        SELECT ${columns} FROM change_requests r
        WHERE r.workspace_id = ${workspaceId} AND r.change_request_id = ${changeRequestId}
      `.pipe(firstRow("ChangeRequestStore.get", RequestRow)),
    openOfKey: (workspaceId, keyId) =>
      sql`
        SELECT ${columns} FROM change_requests r
        WHERE r.workspace_id = ${workspaceId} AND r.key_id = ${keyId} AND r.state = 'open'
        ORDER BY r.change_request_id
      `.pipe(rows("ChangeRequestStore.openOfKey", RequestRow)),
    list: (workspaceId, which, limit) =>
      sql`
        SELECT ${columns}, k.name AS "keyName", a.name AS "requestedByName", u.email AS "decidedByEmail"
        FROM change_requests r
        JOIN api_keys k ON k.workspace_id = r.workspace_id AND k.key_id = r.key_id
        JOIN api_keys a ON a.workspace_id = r.workspace_id AND a.key_id = r.requested_by_key_id
        LEFT JOIN users u ON u.user_id = r.decided_by_user_id
        WHERE r.workspace_id = ${workspaceId} AND r.state ${sql.literal(which === "open" ? "=" : "<>")} 'open'
        ORDER BY r.change_request_id DESC
        LIMIT ${limit}
      `.pipe(
        rows("ChangeRequestStore.list", SummaryRow),
        Effect.map((found) =>
          found.map(({ decidedByEmail, keyName, requestedByName, ...request }) => ({
            request,
            keyName,
            requestedByName,
            decidedByEmail
          }))
        )
      )
  }
})
