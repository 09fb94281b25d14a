import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import { LIST_KINDS, OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { Schema, Struct } from "effect"
import { json, literals, Millis, rows, run } from "./Columns.js"
import { columnsOf, moverOf, readerOf, storeLayer, texts, times, valuesOf } from "./Table.js"

export const Items = Schema.Array(
  Schema.Struct({
    ...texts("id", "kind"),
    status: Schema.Literals(["pending", "active", "done", "failed"]),
    detail: Schema.NullOr(Schema.String)
  })
)

const common = {
  ...texts("workspaceId", "operationId"),
  status: Schema.Literals(OperationMachine.states),
  requestId: Schema.String,
  items: Items,
  error: Schema.NullOr(Schema.String),
  ...times("createdAtMillis", "updatedAtMillis"),
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

const ListOfCallsRow = Schema.Struct({ ...common, kind: Schema.Literals(LIST_KINDS) })

const OperationRow = Schema.Union([PurchaseRow, ReplyRow, ListOfCallsRow])

const Changing = ReplyRow.mapFields(Struct.pick(["status", "items", "error", "updatedAtMillis", "finishedAtMillis"]))

const RefRow = Schema.Struct({ workspaceId: Schema.String, operationId: Schema.String })

/** The states with work left to do. */
const UNFINISHED = statesAllowing(OperationMachine, "fail").filter((status) => status !== "failed")

export const layer = storeLayer(OperationStore, (sql) => {
  const columns = columnsOf(PurchaseRow, "o", { order: "o.capacity_order" })
  const { one } = readerOf(sql, "operations o", OperationRow, columns)
  const move = moverOf(sql, "operations", Changing, OperationMachine, "status")
  return {
    insert: (operation) => {
      const [order, creditsPerDomain] =
        operation.kind === "setup_sending" ? [json(operation.order), operation.creditsPerDomain] : [null, null]
      const values = valuesOf(ListOfCallsRow, operation, { items: json(operation.items) })
      return sql`
        INSERT INTO operations ${sql.insert({ ...values, capacity_order: order, credits_per_domain: creditsPerDomain })}
      `.pipe(run("operations.insert"))
    },

    get: (workspaceId, operationId) => one("operations.get")({ workspaceId, operationId }),

    lock: (workspaceId, operationId) => one("operations.lock")({ workspaceId, operationId }, "FOR NO KEY UPDATE"),

    // The order and its price are never rewritten.
    update: ({ operationId, workspaceId, ...next }) =>
      move("operations.update", { workspaceId, operationId }, next, { items: json(next.items) }),

    open: (limit) =>
      sql`
        SELECT o.workspace_id AS "workspaceId", o.operation_id AS "operationId" FROM operations o
        WHERE o.status IN (${sql.literal(literals(UNFINISHED))})
        ORDER BY o.created_at
        LIMIT ${limit}
      `.pipe(rows("operations.open", RefRow))
  }
})
