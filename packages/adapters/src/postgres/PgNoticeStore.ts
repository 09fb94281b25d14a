import { HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { NoticeMachine } from "@outbound/domain/calls/approvals/notices/NoticeMachine.js"
import {
  CHAT_KINDS,
  type ClaimedNotice,
  MUTABLE,
  NOTICE_CHANNELS,
  NOTICE_FAILURES,
  NOTICE_KINDS,
  NOTICES_PER_HOUR_MAX,
  NoticeStore,
  SENDING_MAX,
  TURN_MILLIS_MAX
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { Schema } from "effect"
import { date, firstValue, hasRows, literals, Millis, rows, run, statesInto } from "./Columns.js"
import { SUMMARY_COLUMNS, SUMMARY_JOINS, SummaryRow, toSummary } from "./PgApprovalStore.js"
import { chooserOf, columnsOf, remove, storeLayer, texts, upsert, valuesOf } from "./Table.js"

const KeyFields = {
  ...texts("workspaceId", "approvalId"),
  kind: Schema.Literals(NOTICE_KINDS),
  recipient: Schema.String
}
const KeyRow = Schema.Struct(KeyFields)

const ClaimedRow = Schema.Struct({
  ...SummaryRow.fields,
  kind: KeyFields.kind,
  recipient: KeyFields.recipient,
  claimId: Schema.String,
  channel: Schema.Literals(NOTICE_CHANNELS),
  attempts: Schema.Int,
  ...texts("address", "workspaceName"),
  workspaceKind: Schema.Literals(["sandbox", "live"])
})

const toClaimed = (row: typeof ClaimedRow.Type): ClaimedNotice => {
  const { address, attempts, channel, claimId, kind, recipient, workspaceKind, workspaceName, ...summary } = row
  const { approvalId, workspaceId } = summary
  const key = { workspaceId, approvalId, kind, recipient }
  return { ...key, claimId, channel, attempts, address, of: toSummary(summary), workspaceName, workspaceKind }
}

const OutcomeFields = {
  state: Schema.Literals(NoticeMachine.states),
  failure: Schema.NullOr(Schema.Literals(NOTICE_FAILURES)),
  status: Schema.NullOr(Schema.Int),
  attemptedAtMillis: Schema.NullOr(Millis)
}

const Outcome = Schema.Struct(OutcomeFields)

const ListedRow = Schema.Struct({
  ...OutcomeFields,
  kind: KeyFields.kind,
  channel: Schema.Literals(NOTICE_CHANNELS),
  email: Schema.NullOr(Schema.String),
  attempts: Schema.Int,
  dueAtMillis: Millis
})

const SetChannel = Schema.Struct({
  workspaceId: Schema.String,
  kind: Schema.Literals(CHAT_KINDS),
  ...texts("sealedUrl", "host"),
  setAtMillis: Millis
})

const ChannelRow = Schema.Struct({
  ...SetChannel.fields,
  ...OutcomeFields,
  state: Schema.NullOr(OutcomeFields.state)
})

const KEY = ["workspace_id", "approval_id", "kind", "recipient"]

const SAME = (other: string) => KEY.map((column) => `n.${column} = ${other}.${column}`).join(" AND ")

/** Whether notice `n` is still wanted at `now.at`: by its approval, and by its member or channel. */
const WANTED = `
  EXISTS (
    SELECT 1 FROM approvals w
    WHERE w.workspace_id = n.workspace_id AND w.approval_id = n.approval_id
      AND w.state IN (${literals(ApprovalMachine.in.undecided)}) AND w.expires_at > now.at
  ) AND CASE WHEN n.channel = 'mail' THEN EXISTS (
    SELECT 1 FROM memberships m LEFT JOIN muted_notices x ON x.workspace_id = m.workspace_id AND x.user_id = m.user_id
    WHERE m.workspace_id = n.workspace_id AND m.user_id::text = n.recipient
      AND (x.muted IS NULL OR NOT x.muted && ARRAY[n.topic, n.kind])
      AND NOT EXISTS (
        SELECT 1 FROM approval_votes v
        WHERE v.workspace_id = n.workspace_id AND v.approval_id = n.approval_id AND v.user_id = m.user_id
      )
      AND NOT EXISTS (
        SELECT 1 FROM approvals e
        WHERE e.workspace_id = n.workspace_id AND e.approval_id = n.approval_id AND e.excluded_user_id = m.user_id
      )
  ) ELSE EXISTS (
    SELECT 1 FROM chat_channels c WHERE c.workspace_id = n.workspace_id AND c.kind = n.recipient
  ) END
`

export const layer = storeLayer(NoticeStore, (sql) => {
  const keys = sql.literal(columnsOf(KeyRow, "n"))
  const wanted = sql.literal(WANTED)
  const same = (other: string) => sql.literal(SAME(other))
  const at = (nowMillis: number) => sql`now AS (SELECT ${date(nowMillis)}::timestamptz AS at)`
  return {
    announce: ({ approvalId, nowMillis, remindAtMillis, topic, workspaceId }) =>
      sql`
        INSERT INTO approval_notices (
          workspace_id, approval_id, kind, recipient, channel, topic, state, failure, created_at, due_at
        )
        SELECT ${workspaceId}, ${approvalId}, k.kind, r.recipient, r.channel, ${topic},
          CASE WHEN r.is_full THEN 'failed' ELSE ${NoticeMachine.initial}::text END,
          CASE WHEN r.is_full THEN 'too_many' END, ${date(nowMillis)}, k.due_at
        FROM (
          SELECT told.*, (
            SELECT count(*) FROM approval_notices p
            WHERE p.workspace_id = ${workspaceId} AND p.recipient = told.recipient AND p.kind = 'asked'
              AND p.created_at > ${date(nowMillis - HOUR_MILLIS)}
          ) >= ${NOTICES_PER_HOUR_MAX} AS is_full
          FROM (
            SELECT m.user_id::text AS recipient, 'mail' AS channel, COALESCE(x.muted, '{}') AS muted
            FROM memberships m
            LEFT JOIN muted_notices x ON x.workspace_id = m.workspace_id AND x.user_id = m.user_id
            WHERE m.workspace_id = ${workspaceId}
            UNION ALL
            SELECT c.kind, c.kind, '{}' FROM chat_channels c WHERE c.workspace_id = ${workspaceId}
          ) AS told
        ) AS r
        CROSS JOIN (
          VALUES ('asked', ${date(nowMillis)}::timestamptz), ('reminder', ${date(remindAtMillis)}::timestamptz)
        ) AS k (kind, due_at)
        WHERE NOT r.muted && ARRAY[${topic}::text, k.kind]
      `.pipe(run("notices.announce")),

    end: (nowMillis, limit) =>
      sql`
        WITH ${at(nowMillis)}, over AS (
          SELECT n.workspace_id, n.approval_id, n.kind, n.recipient
          FROM now JOIN approval_notices n ON n.state = 'waiting' AND n.due_at <= now.at AND NOT (${wanted})
            OR n.state = 'sending' AND n.claimed_until <= now.at
          LIMIT ${limit}
          FOR NO KEY UPDATE OF n SKIP LOCKED
        )
        UPDATE approval_notices n SET
          state = CASE n.state WHEN 'sending' THEN 'unknown' ELSE 'cancelled' END,
          failure = CASE n.state WHEN 'sending' THEN 'interrupted' ELSE n.failure END,
          claim_id = NULL, claimed_until = NULL
        FROM over
        WHERE ${same("over")} AND n.state IN (${sql.literal(literals(NoticeMachine.in.open))})
        RETURNING ${keys}
      `.pipe(rows("notices.end", KeyRow)),

    claim: ({ claimId, leaseMillis, limit, nowMillis }) =>
      sql`
        WITH ${at(nowMillis)}, due AS (
          SELECT n.workspace_id, n.approval_id, n.kind, n.recipient
          FROM now JOIN approval_notices n ON n.state = 'waiting' AND n.due_at <= now.at AND ${wanted}
          WHERE NOT EXISTS (
            SELECT 1 FROM approval_notices o
            WHERE o.workspace_id = n.workspace_id AND o.recipient = n.recipient AND (
              o.state = 'sending' AND o.attempted_at > ${date(nowMillis - TURN_MILLIS_MAX)} OR (
                o.state = 'waiting' AND o.due_at <= now.at
                AND (o.due_at, o.approval_id, o.kind) < (n.due_at, n.approval_id, n.kind)
              )
            )
          ) AND (
            SELECT count(*) FROM approval_notices o
            WHERE o.workspace_id = n.workspace_id AND o.recipient = n.recipient AND o.state = 'sending'
          ) < ${SENDING_MAX}
          ORDER BY n.due_at, n.approval_id
          LIMIT ${limit}
          FOR NO KEY UPDATE OF n SKIP LOCKED
        ), claimed AS (
          UPDATE approval_notices n SET
            state = 'sending', claim_id = ${claimId}, claimed_until = ${date(nowMillis + leaseMillis)},
            attempts = n.attempts + 1, attempted_at = ${date(nowMillis)}
          FROM due WHERE ${same("due")} AND n.state = 'waiting'
          RETURNING n.workspace_id, n.approval_id, n.kind, n.recipient, n.channel, n.claim_id, n.attempts
        )
        SELECT ${sql.literal(SUMMARY_COLUMNS)}, n.kind, n.recipient, n.channel, n.claim_id AS "claimId", n.attempts,
          COALESCE(t.email, c.sealed_url) AS address, s.name AS "workspaceName", s.kind AS "workspaceKind"
        FROM claimed n
        JOIN approvals a ON a.workspace_id = n.workspace_id AND a.approval_id = n.approval_id
        ${sql.literal(SUMMARY_JOINS)}
        JOIN workspaces s ON s.workspace_id = n.workspace_id
        LEFT JOIN users t ON t.user_id::text = n.recipient
        LEFT JOIN chat_channels c ON c.workspace_id = n.workspace_id AND c.kind = n.recipient
      `.pipe(rows("notices.claim", ClaimedRow, toClaimed)),

    record: ({ approvalId, claimId, kind, recipient, workspaceId }, attempt) =>
      sql`
        UPDATE approval_notices n SET
          state = ${attempt.state}, failure = ${attempt.failure}, status = ${attempt.status},
          attempted_at = ${date(attempt.atMillis)}, due_at = ${date(attempt.dueAtMillis)},
          claim_id = NULL, claimed_until = NULL
        WHERE n.workspace_id = ${workspaceId} AND n.approval_id = ${approvalId} AND n.kind = ${kind}
          AND n.recipient = ${recipient} AND n.claim_id = ${claimId}
          AND n.state IN (${sql.literal(literals(statesInto(NoticeMachine, attempt.state)))})
        RETURNING ${keys}
      `.pipe(hasRows("notices.record")),

    ofApproval: (workspaceId, approvalId, limit) =>
      sql`
        SELECT ${sql.literal(columnsOf(ListedRow, "n", { email: "u.email" }))} FROM approval_notices n
        LEFT JOIN memberships m ON m.workspace_id = n.workspace_id AND m.user_id::text = n.recipient
        LEFT JOIN users u ON u.user_id = m.user_id
        WHERE n.workspace_id = ${workspaceId} AND n.approval_id = ${approvalId}
        ORDER BY n.kind, n.channel = 'mail' DESC, n.channel, u.email
        LIMIT ${limit}
      `.pipe(rows("notices.ofApproval", ListedRow)),

    purge: (beforeMillis, limit) =>
      chooserOf(sql, "approval_notices n", KEY).remove("notices.purge")(sql`
        n.created_at < ${date(beforeMillis)} ORDER BY n.created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      `),

    muted: (workspaceId, userId) =>
      sql`
        SELECT x.muted FROM muted_notices x WHERE x.workspace_id = ${workspaceId} AND x.user_id = ${userId}
      `.pipe(firstValue("notices.muted", Schema.Array(Schema.Literals(MUTABLE)), [])),

    setMuted: (workspaceId, userId, muted) =>
      sql`
        INSERT INTO muted_notices (workspace_id, user_id, muted)
        SELECT m.workspace_id, m.user_id, ${[...muted]}::text[] FROM memberships m
        WHERE m.workspace_id = ${workspaceId} AND m.user_id = ${userId}
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET muted = EXCLUDED.muted
      `.pipe(run("notices.setMuted")),

    channels: (workspaceId) =>
      sql`
        SELECT ${sql.literal(columnsOf(SetChannel, "c"))}, ${sql.literal(columnsOf(Outcome, "n"))}
        FROM chat_channels c LEFT JOIN LATERAL (
          SELECT n.* FROM approval_notices n
          WHERE n.workspace_id = c.workspace_id AND n.recipient = c.kind AND n.attempted_at >= c.set_at
          ORDER BY n.attempted_at DESC LIMIT 1
        ) n ON true
        WHERE c.workspace_id = ${workspaceId}
        ORDER BY c.kind
      `.pipe(
        rows("notices.channels", ChannelRow, ({ attemptedAtMillis, failure, state, status, ...channel }) => ({
          channel,
          last: state === null ? null : { state, failure, status, attemptedAtMillis }
        }))
      ),

    setChannel: (channel) =>
      upsert(sql, "chat_channels", ["workspace_id", "kind"], valuesOf(SetChannel, channel)).pipe(
        run("notices.setChannel")
      ),

    removeChannel: (workspaceId, kind) =>
      remove(sql, "chat_channels", { workspaceId, kind }).pipe(hasRows("notices.removeChannel"))
  }
})
