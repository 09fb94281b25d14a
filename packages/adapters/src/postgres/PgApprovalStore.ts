import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { type Approval, ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ONE_PERSON } from "@outbound/domain/calls/approvals/approvers.js"
import { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Option, Schema } from "effect"
import { changes, date, dateOrNull, firstRow, json, literals, Millis, rows, run, statesInto } from "./Columns.js"
import { columnsOf, texts, valuesOf } from "./RowFields.js"
import { storeLayer } from "./storeLayer.js"

const ApprovalRow = Schema.Struct({
  ...texts("approvalId", "workspaceId", "keyId", "verb"),
  state: Schema.Literal(...ApprovalMachine.states),
  ...texts("target", "baseFingerprint", "binding", "tokenHash"),
  snapshot: ApprovalSnapshot,
  snapshotDigest: Schema.String,
  approversNeeded: Schema.Int,
  excludedUserId: Schema.NullOr(Schema.String),
  askedByUserId: Schema.NullOr(Schema.String),
  requestId: Schema.String,
  createdAtMillis: Millis,
  expiresAtMillis: Millis,
  decidedAtMillis: Schema.NullOr(Millis),
  decidedByUserId: Schema.NullOr(Schema.String),
  decidedBySession: Schema.NullOr(Schema.String),
  approvesWinnerRule: Schema.Boolean,
  usedByIdempotencyKey: Schema.NullOr(Schema.String)
})

export const SummaryRow = Schema.Struct({
  ...ApprovalRow.fields,
  keyName: Schema.String,
  askedByEmail: Schema.NullOr(Schema.String),
  decidedByEmail: Schema.NullOr(Schema.String)
})

export const toSummary = ({ keyName, askedByEmail, decidedByEmail, ...approval }: typeof SummaryRow.Type) => ({
  approval,
  keyName,
  askedByEmail,
  decidedByEmail
})

const COLUMNS = columnsOf(ApprovalRow, "a")

/** The columns of `SummaryRow`, of `approvals a` with `SUMMARY_JOINS`. */
export const SUMMARY_COLUMNS = `${COLUMNS}, k.name AS "keyName", p.email AS "askedByEmail", u.email AS "decidedByEmail"`

export const SUMMARY_JOINS = `
  JOIN api_keys k ON k.workspace_id = a.workspace_id AND k.key_id = a.key_id
  LEFT JOIN users u ON u.user_id = a.decided_by_user_id
  LEFT JOIN users p ON p.user_id = a.asked_by_user_id
`

const VoteRow = Schema.Struct({
  userId: Schema.String,
  beganBy: Schema.Literal("link", "passkey"),
  approvesWinnerRule: Schema.Boolean,
  atMillis: Millis,
  email: Schema.String,
  isMember: Schema.Boolean
})

const RulesRow = Schema.Struct({
  recipientsAbove: Schema.NullOr(Schema.Int),
  creditsAbove: Schema.NullOr(Credits),
  excludesKeyOwner: Schema.Boolean
})

const encodeSnapshot = Schema.encodeSync(ApprovalSnapshot)

export const layer = storeLayer(ApprovalStore, (sql) => {
  const open = sql.literal(`a.state IN (${literals(ApprovalMachine.in.open)})`)
  const columns = sql.literal(COLUMNS)
  const summaryColumns = sql.literal(SUMMARY_COLUMNS)
  const summaries = sql.literal(SUMMARY_JOINS)
  return {
    insert: (approval) =>
      sql`INSERT INTO approvals ${sql.insert(
        valuesOf(ApprovalRow, approval, { snapshot: json(encodeSnapshot(approval.snapshot)) })
      )}`.pipe(run("approvals.insert")),

    lockByToken: (workspaceId, tokenHash) =>
      sql`
        SELECT ${columns} FROM approvals a
        WHERE a.workspace_id = ${workspaceId} AND a.token_hash = ${tokenHash}
        FOR NO KEY UPDATE
      `.pipe(firstRow("approvals.lockByToken", ApprovalRow)),

    lock: (workspaceId, approvalId) =>
      sql`
        SELECT ${columns} FROM approvals a
        WHERE a.workspace_id = ${workspaceId} AND a.approval_id = ${approvalId}
        FOR NO KEY UPDATE
      `.pipe(firstRow("approvals.lock", ApprovalRow)),

    // The request and its snapshot are never rewritten.
    update: (approval: Approval) =>
      sql`
        UPDATE approvals a
        SET state = ${approval.state}, expires_at = ${date(approval.expiresAtMillis)},
          decided_at = ${dateOrNull(approval.decidedAtMillis)}, decided_by_user_id = ${approval.decidedByUserId},
          decided_by_session = ${approval.decidedBySession}, approves_winner_rule = ${approval.approvesWinnerRule},
          used_by_idempotency_key = ${approval.usedByIdempotencyKey}
        WHERE a.workspace_id = ${approval.workspaceId} AND a.approval_id = ${approval.approvalId}
          AND a.state IN (${sql.literal(literals(statesInto(ApprovalMachine, approval.state)))})
        RETURNING a.approval_id
      `.pipe(changes("approvals.update")),

    lockOpen: (workspaceId, keyId) =>
      sql`
        SELECT ${columns} FROM approvals a
        WHERE a.workspace_id = ${workspaceId} AND ${open}
          ${keyId === null ? sql`` : sql`AND a.key_id = ${keyId}`}
        ORDER BY a.approval_id
        FOR NO KEY UPDATE
      `.pipe(rows("approvals.lockOpen", ApprovalRow)),

    // Two concurrent requests about one target would not see each other's row, so the second one waits here.
    lockOpenOfTarget: (workspaceId, target) =>
      Effect.zipRight(
        sql`SELECT pg_advisory_xact_lock(hashtextextended(${`approval ${workspaceId} ${target}`}, 0))`.pipe(
          run("approvals.lockOpenOfTarget")
        ),
        sql`
          SELECT ${columns} FROM approvals a
          WHERE a.workspace_id = ${workspaceId} AND a.target = ${target} AND ${open}
          ORDER BY a.created_at, a.approval_id
          FOR NO KEY UPDATE
        `.pipe(rows("approvals.lockOpenOfTarget", ApprovalRow))
      ),

    lockExpired: (nowMillis, limit) =>
      sql`
        SELECT ${columns} FROM approvals a
        WHERE a.expires_at <= ${date(nowMillis)} AND ${open}
        ORDER BY a.expires_at
        LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED
      `.pipe(rows("approvals.lockExpired", ApprovalRow)),

    find: (workspaceId, approvalId) =>
      sql`
        SELECT ${summaryColumns}
        FROM approvals a ${summaries}
        WHERE a.workspace_id = ${workspaceId} AND a.approval_id = ${approvalId}
      `.pipe(firstRow("approvals.find", SummaryRow), Effect.map(Option.map(toSummary))),

    votes: (workspaceId, approvalId) =>
      sql`
        SELECT v.user_id AS "userId", v.began_by AS "beganBy", v.voted_at AS "atMillis", u.email,
          v.approves_winner_rule AS "approvesWinnerRule", m.user_id IS NOT NULL AS "isMember"
        FROM approval_votes v JOIN users u ON u.user_id = v.user_id
        LEFT JOIN memberships m ON m.workspace_id = v.workspace_id AND m.user_id = v.user_id
        WHERE v.workspace_id = ${workspaceId} AND v.approval_id = ${approvalId}
        ORDER BY v.voted_at, v.user_id
      `.pipe(rows("approvals.votes", VoteRow)),

    addVote: (workspaceId, approvalId, { approvesWinnerRule, atMillis, beganBy, userId }) =>
      sql`
        INSERT INTO approval_votes (workspace_id, approval_id, user_id, began_by, approves_winner_rule, voted_at)
        VALUES (${workspaceId}, ${approvalId}, ${userId}, ${beganBy}, ${approvesWinnerRule}, ${date(atMillis)})
      `.pipe(run("approvals.addVote")),

    rules: (workspaceId) =>
      sql`
        SELECT r.recipients_above AS "recipientsAbove", r.credits_above AS "creditsAbove",
          r.excludes_key_owner AS "excludesKeyOwner"
        FROM approval_rules r WHERE r.workspace_id = ${workspaceId}
      `.pipe(firstRow("approvals.rules", RulesRow), Effect.map(Option.getOrElse(() => ONE_PERSON))),

    setRules: (workspaceId, { creditsAbove, excludesKeyOwner, recipientsAbove }) =>
      sql`
        INSERT INTO approval_rules (workspace_id, recipients_above, credits_above, excludes_key_owner)
        VALUES (${workspaceId}, ${recipientsAbove}, ${creditsAbove}, ${excludesKeyOwner})
        ON CONFLICT (workspace_id) DO UPDATE SET recipients_above = EXCLUDED.recipients_above,
          credits_above = EXCLUDED.credits_above, excludes_key_owner = EXCLUDED.excludes_key_owner
      `.pipe(run("approvals.setRules")),

    keyOwner: (workspaceId, keyId) =>
      sql`
        SELECT l.actor_id AS "userId" FROM control_log l
        WHERE l.workspace_id = ${workspaceId} AND l.key_id = ${keyId} AND l.action = 'create_key'
          AND l.actor_kind = 'user'
        LIMIT 1
      `.pipe(
        firstRow("approvals.keyOwner", Schema.Struct({ userId: Schema.String })),
        Effect.map(Option.map(({ userId }) => userId))
      ),

    list: (workspaceId, which, limit) =>
      sql`
        SELECT ${summaryColumns}
        FROM approvals a ${summaries}
        WHERE a.workspace_id = ${workspaceId} AND a.state ${sql.literal(which === "pending" ? "=" : "<>")} 'pending'
        ORDER BY a.created_at DESC, a.approval_id DESC
        LIMIT ${limit}
      `.pipe(
        rows("approvals.list", SummaryRow),
        Effect.map((found) => found.map(toSummary))
      )
  }
})
