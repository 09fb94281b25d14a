import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import { Effect, Schema } from "effect"
import { OperationWorkflow } from "./OperationWorkflow.js"

/** Executions looked at in one pass of the sweep. A full pass is followed by the next at once. */
export const SWEEP_BATCH_MAX = 200

const WORKFLOW_ENTITY = `Workflow/${OperationWorkflow.name}`

/** The reply of an execution that ended. Replies are JSON in a text column. */
const EXIT = "(r.payload::json #>> '{value,_tag}')"
const VALUE = "(r.payload::json #>> '{value,exit,value}')"

const PayloadFromText = Schema.parseJson(OperationWorkflow.payloadSchema)

interface ExecutionRow {
  readonly entity_id: string
  readonly payload: string
}

/** Nothing goes while any of the executions has a message under way: its reply would be left without one. */
const deleteRows = (sql: SqlClient.SqlClient, entityIds: ReadonlyArray<string>, keepRuns: boolean) =>
  sql`
    WITH gone AS (
      DELETE FROM engine_messages m
      WHERE m.entity_id = ANY(${entityIds})
        AND NOT (${keepRuns}::boolean AND m.tag = 'run' AND m.entity_type = ${WORKFLOW_ENTITY})
        AND NOT EXISTS (SELECT 1 FROM engine_messages u WHERE u.entity_id = ANY(${entityIds}) AND NOT u.processed)
      RETURNING m.id
    )
    DELETE FROM engine_replies r USING gone WHERE r.request_id = gone.id
  `

/**
 * Deletes what operations that ended have left in the engine's tables, and the rounds of executions that handed over.
 * An execution's `run` row stays until its operation has ended: it is what makes a second start a no-op. Only
 * executions without a message under way are touched. Returns how many were found.
 */
export const clearEnded: Effect.Effect<number, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const idle = sql.literal(`NOT EXISTS (
    SELECT 1 FROM engine_messages u WHERE u.entity_id = m.entity_id AND NOT u.processed
  )`)
  const runs = sql.literal(`engine_messages m JOIN engine_replies r ON r.id = m.last_reply_id
    WHERE m.tag = 'run' AND m.processed AND m.entity_type = '${WORKFLOW_ENTITY}' AND ${EXIT} = 'Complete'`)

  const ended = yield* sql<ExecutionRow>`
    SELECT m.entity_id, m.payload FROM ${runs} AND ${sql.literal(VALUE)} = 'ended' AND ${idle}
    ORDER BY m.rowid LIMIT ${SWEEP_BATCH_MAX}
  `
  const chains = yield* Effect.forEach(ended, (row) =>
    Effect.gen(function* () {
      const payload = yield* Effect.orDie(Schema.decode(PayloadFromText)(row.payload))
      const generations = Array.from({ length: payload.generation + 1 }, (_, generation) => generation)
      return yield* Effect.forEach(generations, (generation) =>
        OperationWorkflow.executionId({ ...payload, generation })
      )
    })
  )
  for (const entityIds of chains) yield* deleteRows(sql, entityIds, false)

  const continued = yield* sql<ExecutionRow>`
    SELECT m.entity_id, m.payload FROM ${runs} AND ${sql.literal(VALUE)} = 'continued' AND ${idle}
      AND EXISTS (SELECT 1 FROM engine_messages o WHERE o.entity_id = m.entity_id AND o.id <> m.id)
    ORDER BY m.rowid LIMIT ${SWEEP_BATCH_MAX}
  `
  for (const row of continued) yield* deleteRows(sql, [row.entity_id], true)
  return Math.max(ended.length, continued.length)
})

/**
 * Resumes executions that nothing else would ever wake: suspended, with no message under way. They are those whose own
 * messages could not be stored, and those at whose waking the database failed. Resuming one twice is a no-op.
 */
export const resumeStalled: Effect.Effect<number, SqlError, SqlClient.SqlClient | WorkflowEngine> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const stalled = yield* sql<ExecutionRow>`
      SELECT m.entity_id, m.payload
      FROM engine_messages m JOIN engine_replies r ON r.id = m.last_reply_id
      WHERE m.tag = 'run' AND m.processed AND m.entity_type = ${WORKFLOW_ENTITY}
        AND ${sql.literal(EXIT)} = 'Suspended'
        AND NOT EXISTS (SELECT 1 FROM engine_messages u WHERE u.entity_id = m.entity_id AND NOT u.processed)
      ORDER BY m.rowid LIMIT ${SWEEP_BATCH_MAX}
    `
    yield* Effect.forEach(stalled, (row) => OperationWorkflow.resume(row.entity_id), { discard: true })
    return stalled.length
  }
)
