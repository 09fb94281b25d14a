import { ChangeRequestMachine } from "@outbound/domain/control/ChangeRequestMachine.js"
import { ChangeRequestStore } from "@outbound/domain/control/ChangeRequestStore.js"
import { encodeChange, encodePolicy, KeyPolicyJson, PolicyChangeJson } from "@outbound/domain/control/PolicyChange.js"
import { Schema, Struct } from "effect"
import { json, Millis, rows, run } from "./Columns.js"
import { columnsOf, moverOf, readerOf, storeLayer, texts, valuesOf } from "./Table.js"

const RequestRow = Schema.Struct({
  ...texts("changeRequestId", "workspaceId", "keyId", "requestedByKeyId"),
  change: PolicyChangeJson,
  before: KeyPolicyJson,
  state: Schema.Literals(ChangeRequestMachine.states),
  requestId: Schema.String,
  createdAtMillis: Millis,
  decidedAtMillis: Schema.NullOr(Millis),
  decidedByUserId: Schema.NullOr(Schema.String)
})

const Changing = RequestRow.mapFields(Struct.pick(["state", "decidedAtMillis", "decidedByUserId"]))

const SummaryRow = Schema.Struct({
  ...RequestRow.fields,
  ...texts("keyName", "requestedByName"),
  decidedByEmail: Schema.NullOr(Schema.String)
})

export const layer = storeLayer(ChangeRequestStore, (sql) => {
  const { all, columns, one } = readerOf(sql, "change_requests r", RequestRow, columnsOf(RequestRow, "r"))
  const move = moverOf(sql, "change_requests", Changing, ChangeRequestMachine)
  return {
    insert: (request) =>
      sql`INSERT INTO change_requests ${sql.insert(
        valuesOf(RequestRow, request, {
          change: json(encodeChange(request.change)),
          before: json(encodePolicy(request.before))
        })
      )}`.pipe(run("ChangeRequestStore.insert")),
    // The request itself is never rewritten.
    update: ({ changeRequestId, workspaceId, ...next }) =>
      move("ChangeRequestStore.update", { workspaceId, changeRequestId }, next),
    get: (workspaceId, changeRequestId) => one("ChangeRequestStore.get")({ workspaceId, changeRequestId }),
    openOfKey: (workspaceId, keyId) =>
      all("ChangeRequestStore.openOfKey")(sql`
        r.workspace_id = ${workspaceId} AND r.key_id = ${keyId} AND r.state = 'open'
        ORDER BY r.change_request_id
      `),
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
        rows("ChangeRequestStore.list", SummaryRow, ({ decidedByEmail, keyName, requestedByName, ...request }) => ({
          request,
          keyName,
          requestedByName,
          decidedByEmail
        }))
      )
  }
})
