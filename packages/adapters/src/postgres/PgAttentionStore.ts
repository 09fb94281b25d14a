import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { AttentionStore } from "@outbound/domain/control/attention/AttentionStore.js"
import { FAULTS } from "@outbound/domain/control/attention/Planted.js"
import { Effect, Option, Schema } from "effect"
import { date, rows, run } from "./Columns.js"
import type { Statement } from "./Sql.js"
import { storeLayer, texts, times, upsert } from "./Table.js"

const ItemRow = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["risky", "random"]), shownId: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("planted"),
    fault: Schema.Literals(FAULTS),
    ...texts("variable", "text", "borrowed")
  })
])

const PlanRow = Schema.Struct({
  ...texts("workspaceId", "approvalId", "userId", "snapshotDigest", "seed", "email"),
  people: Schema.Int,
  items: Schema.Array(ItemRow),
  ...times("drawnAtMillis"),
  looks: Schema.Array(Schema.Struct({ position: Schema.Int, isWrong: Schema.Boolean, atMillis: Schema.Int }))
})

const attended = ({ email, looks, ...plan }: typeof PlanRow.Type) => ({ plan, looks, email })

export const layer = storeLayer(AttentionStore, (sql) => {
  const read = (operation: string, rest: Statement.Fragment) =>
    sql`
      SELECT p.workspace_id AS "workspaceId", p.approval_id AS "approvalId", p.user_id AS "userId",
        p.snapshot_digest AS "snapshotDigest", p.seed, p.people, p.items, p.drawn_at AS "drawnAtMillis", u.email,
        coalesce((
          SELECT json_agg(json_build_object(
            'position', l.position, 'isWrong', l.is_wrong,
            'atMillis', floor(extract(epoch FROM l.looked_at) * 1000)::bigint
          ) ORDER BY l.position)
          FROM attention_looks l
          WHERE l.workspace_id = p.workspace_id AND l.approval_id = p.approval_id AND l.user_id = p.user_id
        ), '[]'::json) AS looks
      FROM attention_plans p JOIN users u ON u.user_id = p.user_id
      ${rest}
    `.pipe(
      rows(operation, PlanRow),
      Effect.map((found) => found.map(attended))
    )

  return {
    keep: ({ approvalId, drawnAtMillis, items, people, seed, snapshotDigest, userId, workspaceId }) =>
      sql`
        INSERT INTO attention_plans
          (workspace_id, approval_id, user_id, snapshot_digest, seed, people, items, drawn_at)
        VALUES (${workspaceId}, ${approvalId}, ${userId}, ${snapshotDigest}, ${seed}, ${people},
          ${JSON.stringify(items)}::json, ${date(drawnAtMillis)})
        ON CONFLICT DO NOTHING
      `.pipe(run("attention.keep")),

    ofApproval: (workspaceId, approvalId) =>
      read(
        "attention.ofApproval",
        sql`
          WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${approvalId}
          ORDER BY p.drawn_at, p.user_id
        `
      ),

    find: (workspaceId, approvalId, userId) =>
      Effect.map(
        read(
          "attention.find",
          sql`WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${approvalId} AND p.user_id = ${userId}`
        ),
        ([found]) => Option.fromNullishOr(found === undefined ? null : { plan: found.plan, looks: found.looks })
      ),

    say: ({ approvalId, userId, workspaceId }, { atMillis, isWrong, position }) =>
      upsert(sql, "attention_looks", ["workspace_id", "approval_id", "user_id", "position"], {
        workspace_id: workspaceId,
        approval_id: approvalId,
        user_id: userId,
        position,
        is_wrong: isWrong,
        looked_at: new Date(atMillis)
      }).pipe(run("attention.say")),

    latest: (workspaceId, limit) =>
      read(
        "attention.latest",
        sql`
          JOIN approvals a ON a.workspace_id = p.workspace_id AND a.approval_id = p.approval_id
          WHERE p.workspace_id = ${workspaceId} AND a.state <> ${ApprovalMachine.initial}
          ORDER BY p.drawn_at DESC, p.user_id DESC
          LIMIT ${limit}
        `
      )
  }
})
