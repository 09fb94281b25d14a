import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { KillStore } from "@outbound/domain/control/KillStore.js"
import { Effect, Option, Schema } from "effect"
import { ActorFields, fromActor, withActor } from "./ActorColumns.js"
import { changes, column, Count, date, firstRow, hasRows, literals, Millis, rows, run } from "./Columns.js"
import { columnsOf, integers, readerOf, storeLayer, texts, update, valuesOf } from "./Table.js"

const KillRow = Schema.Struct({
  ...texts("workspaceId", "killId", "reason"),
  ...ActorFields,
  suspendedAtMillis: Millis,
  ...integers("campaignsPaused", "approvalsCancelled"),
  unconfirmed: Schema.NullOr(Schema.Array(Schema.String)),
  clearedAtMillis: Schema.NullOr(Millis)
})

const UnverifiedRow = Schema.Struct({ campaignId: Schema.String, atProvider: Schema.Boolean })
const CampaignRow = Schema.Struct({ campaignId: Schema.String, name: Schema.String })
const RefRow = Schema.Struct({ workspaceId: Schema.String, killId: Schema.String })
const CountsRow = Schema.Struct({ campaignsTotal: Count, activeMailboxes: Count, openApprovals: Count })

const OPEN_APPROVALS = literals(ApprovalMachine.in.open)

export const layer = storeLayer(KillStore, (sql) => {
  const columns = columnsOf(KillRow, "kills", { unconfirmed: "kills.unconfirmed::text[]" })
  const { one } = readerOf(sql, "kills", KillRow, columns, withActor<typeof KillRow.Type>)
  const get = (workspaceId: string, killId: string) => one("KillStore.get")({ workspaceId, killId })

  return {
    insert: (kill, campaigns) => {
      const at = date(kill.suspendedAtMillis)
      const claimed = sql`
        UPDATE messages m SET claimed_at = ${at}, sent_at = CASE WHEN m.sent_at > ${at} THEN ${at} ELSE m.sent_at END
        WHERE m.workspace_id = ${kill.workspaceId} AND m.claimed_at > ${at} AND m.state <> 'failed'
      `.pipe(run("KillStore.insert"))
      return Effect.andThen(
        sql`INSERT INTO kills ${sql.insert(valuesOf(KillRow, { ...kill, ...fromActor(kill.actor) }))}`.pipe(
          run("KillStore.insert"),
          Effect.andThen(claimed)
        ),
        sql`
          INSERT INTO killed_campaigns (workspace_id, kill_id, campaign_id)
          SELECT ${kill.workspaceId}, ${kill.killId}, campaign_id FROM unnest(${campaigns}::uuid[]) AS campaign_id
        `.pipe(run("KillStore.insert"))
      )
    },
    standing: (workspaceId) => one("KillStore.standing")(sql`workspace_id = ${workspaceId} AND cleared_at IS NULL`),
    get,
    answer: (workspaceId, killId, unconfirmed) =>
      Effect.andThen(
        update(sql, "kills", { workspaceId, killId, unconfirmed: null }, { unconfirmed }).pipe(run("KillStore.answer")),
        Effect.flatMap(
          get(workspaceId, killId),
          Option.match({ onNone: () => Effect.die(new Error("there is no such kill")), onSome: Effect.succeed })
        )
      ),
    clear: (workspaceId, killId, atMillis) =>
      update(sql, "kills", { workspaceId, killId, clearedAtMillis: null }, { clearedAtMillis: atMillis }).pipe(
        changes("KillStore.clear")
      ),
    unverified: (workspaceId, killId) =>
      sql`
        SELECT k.campaign_id AS "campaignId", EXISTS (
          SELECT 1 FROM campaign_leads l
          JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
          WHERE l.workspace_id = k.workspace_id AND l.campaign_id = k.campaign_id AND b.kind = 'purchased'
        ) AS "atProvider"
        FROM killed_campaigns k
        WHERE k.workspace_id = ${workspaceId} AND k.kill_id = ${killId} AND k.verified_at IS NULL
        ORDER BY k.campaign_id
      `.pipe(rows("KillStore.unverified", UnverifiedRow)),
    verify: (workspaceId, killId, campaignId, atMillis) =>
      update(
        sql,
        "killed_campaigns",
        { workspaceId, killId, campaignId, verifiedAtMillis: null },
        { verifiedAtMillis: atMillis }
      ).pipe(hasRows("KillStore.verify")),
    inFlight: (workspaceId) =>
      sql`
        SELECT campaign_id AS "campaignId" FROM messages
        WHERE workspace_id = ${workspaceId} AND state = 'claimed'
        UNION
        SELECT campaign_id FROM sent_replies
        WHERE workspace_id = ${workspaceId} AND state = 'pending' AND asked_at IS NOT NULL
        ORDER BY 1
      `.pipe(column("KillStore.inFlight", Schema.String)),
    reach: (workspaceId, limit) =>
      Effect.gen(function* () {
        const campaigns = yield* sql`
          SELECT campaign_id AS "campaignId", name FROM campaigns
          WHERE workspace_id = ${workspaceId} AND state = 'active'
          ORDER BY name, campaign_id LIMIT ${limit}
        `.pipe(rows("KillStore.reach", CampaignRow))
        const counts = yield* sql`
          SELECT
            (SELECT count(*) FROM campaigns WHERE workspace_id = ${workspaceId} AND state = 'active') AS "campaignsTotal",
            (SELECT count(*) FROM mailboxes WHERE workspace_id = ${workspaceId} AND state = 'active') AS "activeMailboxes",
            (
              SELECT count(*) FROM approvals
              WHERE workspace_id = ${workspaceId} AND state IN (${sql.literal(OPEN_APPROVALS)})
            ) AS "openApprovals"
        `.pipe(firstRow("KillStore.reach", CountsRow), Effect.map(Option.getOrThrow))
        return { campaigns, ...counts }
      }),
    open: (limit) =>
      sql`
        SELECT k.workspace_id AS "workspaceId", k.kill_id AS "killId" FROM kills k
        WHERE EXISTS (
          SELECT 1 FROM killed_campaigns c
          WHERE c.workspace_id = k.workspace_id AND c.kill_id = k.kill_id AND c.verified_at IS NULL
        )
        ORDER BY k.suspended_at LIMIT ${limit}
      `.pipe(rows("KillStore.open", RefRow))
  }
})
