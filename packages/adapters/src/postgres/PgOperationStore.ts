import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { LIST_KINDS, OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { Schema } from "effect"
import { changes, date, dateOrNull, firstRow, json, literals, Millis, rows, run, statesInto } from "./Columns.js"
import { columnsOf, texts } from "./RowFields.js"
import { storeLayer } from "./storeLayer.js"

const common = {
  workspaceId: Schema.String,
  operationId: Schema.String,
  status: Schema.Literal(...OperationMachine.states),
  requestId: Schema.String,
  items: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: Schema.String,
      status: Schema.Literal("pending", "active", "done", "failed"),
      detail: Schema.NullOr(Schema.String)
    })
  ),
  error: Schema.NullOr(Schema.String),
  createdAtMillis: Millis,
  updatedAtMillis: Millis,
  finishedAtMillis: Schema.NullOr(Millis)
} as const

const PurchaseRow = Schema.Struct({
  ...common,
  kind: Schema.Literal("setup_sending"),
  order: Schema.Struct({
    ...texts("workspaceId", "marker", "brand"),
    identity: Schema.Struct({ firstName: Schema.String, lastName: Schema.String }),
    domains: Schema.Array(Schema.Struct({ domain: Schema.String, mailboxes: Schema.Array(Schema.String) })),
    orderedAtMillis: Schema.Number
  }),
  creditsPerDomain: Credits
})

const ReplyRow = Schema.Struct({ ...common, kind: Schema.Literal("reply") })

const ListOfCallsRow = Schema.Struct({ ...common, kind: Schema.Literal(...LIST_KINDS) })

const OperationRow = Schema.Union(PurchaseRow, ReplyRow, ListOfCallsRow)

const RefRow = Schema.Struct({ workspaceId: Schema.String, operationId: Schema.String })

/** The states with work left to do. */
const UNFINISHED = statesAllowing(OperationMachine, "fail").filter((status) => status !== "failed")

export const layer = storeLayer(OperationStore, (sql) => {
  const columns = sql.literal(columnsOf(PurchaseRow, "o", { order: "o.capacity_order" }))
  return {
    insert: (operation) => {
      const [order, creditsPerDomain] =
        operation.kind === "setup_sending" ? [json(operation.order), operation.creditsPerDomain] : [null, null]
      return sql`
        INSERT INTO operations (
          workspace_id, operation_id, kind, status, request_id, capacity_order, credits_per_domain, items, error,
          created_at, updated_at, finished_at
        ) VALUES (
          ${operation.workspaceId}, ${operation.operationId}, ${operation.kind}, ${operation.status},
          ${operation.requestId}, ${order}, ${creditsPerDomain}, ${json(operation.items)},
          ${operation.error}, ${date(operation.createdAtMillis)}, ${date(operation.updatedAtMillis)},
          ${dateOrNull(operation.finishedAtMillis)}
        )
      `.pipe(run("operations.insert"))
    },

    get: (workspaceId, operationId) =>
      sql`
        SELECT ${columns} FROM operations o
        WHERE o.workspace_id = ${workspaceId} AND o.operation_id = ${operationId}
      `.pipe(firstRow("operations.get", OperationRow)),

    lock: (workspaceId, operationId) =>
      sql`
        SELECT ${columns} FROM operations o
        WHERE o.workspace_id = ${workspaceId} AND o.operation_id = ${operationId}
        FOR NO KEY UPDATE
      `.pipe(firstRow("operations.lock", OperationRow)),

    // The order and its price are never rewritten.
    update: (operation) =>
      sql`
        UPDATE operations o
        SET status = ${operation.status}, items = ${json(operation.items)}, error = ${operation.error},
          updated_at = ${date(operation.updatedAtMillis)}, finished_at = ${dateOrNull(operation.finishedAtMillis)}
        WHERE o.workspace_id = ${operation.workspaceId} AND o.operation_id = ${operation.operationId}
          AND o.status IN (${sql.literal(literals(statesInto(OperationMachine, operation.status)))})
        RETURNING o.operation_id
      `.pipe(changes("operations.update")),

    open: (limit) =>
      sql`
        SELECT o.workspace_id AS "workspaceId", o.operation_id AS "operationId" FROM operations o
        WHERE o.status IN (${sql.literal(literals(UNFINISHED))})
        ORDER BY o.created_at
        LIMIT ${limit}
      `.pipe(rows("operations.open", RefRow))
  }
})
