import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { UploadedRow } from "@outbound/domain/kernel/tables/UploadedRow.js"
import {
  ListStore,
  OUTCOME_MEMBERS,
  OUTCOMES_MAX,
  type RowCounts
} from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { RowMachine } from "@outbound/domain/outreach/operations/lists/RowMachine.js"
import { Effect, Schema } from "effect"
import { countRows, date, hasRows, json, literals, Millis, rows, run } from "./Columns.js"
import { columnsOf, readerOf, storeLayer, texts, update } from "./Table.js"

/** Most rows that one statement writes. */
const INSERT_MAX = 1_000

/** The wire form of a request, which the row's verb decodes. */
const Input = Schema.declare((input): input is JsonObject => typeof input === "object" && input !== null)

const Row = Schema.Struct({
  ...texts("workspaceId", "operationId"),
  index: Schema.Int,
  ...texts("rowId", "listRequestId"),
  state: Schema.Literals(RowMachine.states),
  maximum: Credits,
  charged: Credits,
  input: Schema.NullOr(Input),
  uploaded: Schema.NullOr(UploadedRow),
  addressHash: Schema.NullOr(Schema.String),
  body: Schema.NullOr(Schema.String),
  endedAtMillis: Schema.NullOr(Millis)
})

const CountRow = Schema.Struct({ state: Schema.Literals(RowMachine.states), count: Schema.Int })

const OutcomeRow = Schema.Struct({
  state: Schema.Literals(["done", "failed"]),
  outcome: Schema.NullOr(Schema.String),
  rows: Schema.Int,
  charged: Credits
})

const OUTCOME = `coalesce(${OUTCOME_MEMBERS.map((member) => `r.body ->> '${member}'`).join(", ")})`

export const layer = storeLayer(ListStore, (sql) => {
  const columns = columnsOf(Row, "r", { index: "r.position", body: "r.body::text" })
  const { all, one } = readerOf(sql, "list_rows r", Row, columns)
  return {
    insert: (given) => {
      const batches = Array.from({ length: Math.ceil(given.length / INSERT_MAX) }, (_, at) =>
        given.slice(at * INSERT_MAX, (at + 1) * INSERT_MAX)
      )
      return Effect.forEach(
        batches,
        (batch) =>
          sql`
            INSERT INTO list_rows (
              workspace_id, operation_id, position, row_id, list_request_id, state, maximum, charged, input,
              uploaded, address_hash
            )
            SELECT g.workspace_id, g.operation_id, g.position, g.row_id, g.list_request_id, g.state, g.maximum, 0,
              g.input, g.uploaded, g.address_hash
            FROM json_to_recordset(${json(
              batch.map((row) => ({
                workspace_id: row.workspaceId,
                operation_id: row.operationId,
                position: row.index,
                row_id: row.rowId,
                list_request_id: row.listRequestId,
                state: row.state,
                maximum: String(row.maximum),
                input: row.input,
                uploaded: row.uploaded,
                address_hash: row.addressHash
              }))
            )}::json) AS g (
              workspace_id uuid, operation_id uuid, position integer, row_id uuid, list_request_id uuid, state text,
              maximum bigint, input json, uploaded json, address_hash text
            )
          `.pipe(run("lists.insert")),
        { discard: true }
      )
    },

    inState: ({ operationId, workspaceId }, state, limit) =>
      all("lists.inState")(sql`
        r.workspace_id = ${workspaceId} AND r.operation_id = ${operationId} AND r.state = ${state}
        ORDER BY r.position
        LIMIT ${limit}
      `),

    begin: (workspaceId, rowIds) =>
      sql`
        UPDATE list_rows r SET state = 'running'
        WHERE r.workspace_id = ${workspaceId} AND r.row_id = ANY(${rowIds}::uuid[]) AND r.state = 'pending'
      `.pipe(run("lists.begin")),

    end: ({ body, charged, rowId, workspaceId }, state, nowMillis) => {
      const ended = { state, charged, body, endedAtMillis: nowMillis }
      return update(sql, "list_rows", { workspaceId, rowId, state: "running" }, ended).pipe(hasRows("lists.end"))
    },

    endWaiting: ({ operationId, workspaceId }, state, body, nowMillis) =>
      sql`
        UPDATE list_rows r SET state = ${state}, body = ${body}::json, ended_at = ${date(nowMillis)}
        WHERE r.workspace_id = ${workspaceId} AND r.operation_id = ${operationId} AND r.state = 'pending'
        RETURNING r.row_id AS id
      `.pipe(countRows("lists.endWaiting")),

    counts: ({ operationId, workspaceId }) =>
      sql`
        SELECT r.state, count(*)::integer AS count FROM list_rows r
        WHERE r.workspace_id = ${workspaceId} AND r.operation_id = ${operationId}
        GROUP BY r.state
      `.pipe(
        rows("lists.counts", CountRow),
        Effect.map((found): RowCounts => ({
          pending: 0,
          running: 0,
          done: 0,
          failed: 0,
          cancelled: 0,
          ...Object.fromEntries(found.map(({ count, state }) => [state, count]))
        }))
      ),

    outcomes: ({ operationId, workspaceId }) =>
      sql`
        SELECT r.state, ${sql.literal(OUTCOME)} AS outcome, count(*)::integer AS rows, sum(r.charged)::bigint AS charged
        FROM list_rows r
        WHERE r.workspace_id = ${workspaceId} AND r.operation_id = ${operationId}
          AND r.state IN (${sql.literal(literals(RowMachine.in.carriedOut))})
        GROUP BY 1, 2
        ORDER BY count(*) DESC, r.state COLLATE "C", ${sql.literal(OUTCOME)} COLLATE "C" NULLS LAST
        LIMIT ${OUTCOMES_MAX}
      `.pipe(rows("lists.outcomes", OutcomeRow)),

    page: ({ operationId, workspaceId }, after, limit) =>
      all("lists.page")(sql`
        r.workspace_id = ${workspaceId} AND r.operation_id = ${operationId} AND r.position > ${after}
        ORDER BY r.position
        LIMIT ${limit}
      `),

    get: (workspaceId, rowId) => one("lists.get")({ workspaceId, rowId })
  }
})
