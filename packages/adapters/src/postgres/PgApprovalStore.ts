import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ONE_PERSON, SESSION_BEGINS } from "@outbound/domain/calls/approvals/approvers.js"
import { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Array, Effect, Option, Schema, Struct } from "effect"
import { column, date, json, literals, Millis, rows, run } from "./Columns.js"
import {
  columnsOf,
  insert,
  lockNamed,
  moverOf,
  readerOf,
  storeLayer,
  texts,
  textsOrNull,
  times,
  upsert,
  valuesOf
} from "./Table.js"

const ApprovalRow = Schema.Struct({
  ...texts("approvalId", "workspaceId", "keyId", "verb"),
  state: Schema.Literals(ApprovalMachine.states),
  ...texts("target", "baseFingerprint", "binding", "tokenHash"),
  snapshot: ApprovalSnapshot,
  snapshotDigest: Schema.String,
  approversNeeded: Schema.Int,
  ...textsOrNull("excludedUserId", "askedByUserId"),
  requestId: Schema.String,
  ...times("createdAtMillis", "expiresAtMillis"),
  decidedAtMillis: Schema.NullOr(Millis),
  ...textsOrNull("decidedByUserId", "decidedBySession"),
  approvesWinnerRule: Schema.Boolean,
  ...textsOrNull("declineReason", "usedByIdempotencyKey")
})

const Changing = ApprovalRow.mapFields(
  Struct.pick([
    "state",
    "expiresAtMillis",
    "decidedAtMillis",
    "decidedByUserId",
    "decidedBySession",
    "approvesWinnerRule",
    "declineReason",
    "usedByIdempotencyKey"
  ])
)

export const SummaryRow = Schema.Struct({
  ...ApprovalRow.fields,
  keyName: Schema.String,
  ...textsOrNull("askedByEmail", "decidedByEmail")
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
  beganBy: Schema.Literals(SESSION_BEGINS),
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
  const { all, one } = readerOf(sql, "approvals a", ApprovalRow, COLUMNS)
  const move = moverOf(sql, "approvals", Changing, ApprovalMachine)
  const joined = `approvals a ${SUMMARY_JOINS}`
  const { all: summaries, one: summary } = readerOf(sql, joined, SummaryRow, SUMMARY_COLUMNS, toSummary)
  const { one: rules } = readerOf(sql, "approval_rules r", RulesRow, columnsOf(RulesRow, "r"))
  return {
    insert: (approval) =>
      sql`INSERT INTO approvals ${sql.insert(
        valuesOf(ApprovalRow, approval, { snapshot: json(encodeSnapshot(approval.snapshot)) })
      )}`.pipe(run("approvals.insert")),

    lockByToken: (workspaceId, tokenHash) =>
      one("approvals.lockByToken")({ workspaceId, tokenHash }, "FOR NO KEY UPDATE"),

    lock: (workspaceId, approvalId) => one("approvals.lock")({ workspaceId, approvalId }, "FOR NO KEY UPDATE"),

    // The request and its snapshot are never rewritten.
    update: ({ approvalId, workspaceId, ...next }) => move("approvals.update", { workspaceId, approvalId }, next),

    lockOpen: (workspaceId, keyId) =>
      all("approvals.lockOpen")(sql`
        a.workspace_id = ${workspaceId} AND ${open}
          ${keyId === null ? sql`` : sql`AND a.key_id = ${keyId}`}
        ORDER BY a.approval_id
        FOR NO KEY UPDATE
      `),

    // Two concurrent requests about one target would not see each other's row, so the second one waits here.
    lockOpenOfTarget: (workspaceId, target) =>
      Effect.andThen(
        lockNamed(sql, "approvals.lockOpenOfTarget", `approval ${workspaceId} ${target}`),
        all("approvals.lockOpenOfTarget")(sql`
          a.workspace_id = ${workspaceId} AND a.target = ${target} AND ${open}
          ORDER BY a.created_at, a.approval_id
          FOR NO KEY UPDATE
        `)
      ),

    lockExpired: (nowMillis, limit) =>
      all("approvals.lockExpired")(sql`
        a.expires_at <= ${date(nowMillis)} AND ${open}
        ORDER BY a.expires_at
        LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED
      `),

    find: (workspaceId, approvalId) => summary("approvals.find")({ workspaceId, approvalId }),

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
      insert(sql, "approval_votes", {
        workspaceId,
        approvalId,
        userId,
        beganBy,
        approvesWinnerRule,
        votedAtMillis: atMillis
      }).pipe(run("approvals.addVote")),

    rules: (workspaceId) =>
      Effect.map(
        rules("approvals.rules")({ workspaceId }),
        Option.getOrElse(() => ONE_PERSON)
      ),

    setRules: (workspaceId, rules) =>
      upsert(sql, "approval_rules", ["workspace_id"], { workspace_id: workspaceId, ...valuesOf(RulesRow, rules) }).pipe(
        run("approvals.setRules")
      ),

    keyOwner: (workspaceId, keyId) =>
      sql`
        SELECT l.actor_id AS "userId" FROM control_log l
        WHERE l.workspace_id = ${workspaceId} AND l.key_id = ${keyId} AND l.action = 'create_key'
          AND l.actor_kind = 'user'
        LIMIT 1
      `.pipe(column("approvals.keyOwner", Schema.String), Effect.map(Array.head)),

    list: (workspaceId, which, limit) =>
      summaries("approvals.list")(sql`
        a.workspace_id = ${workspaceId} AND a.state ${sql.literal(which === "pending" ? "=" : "<>")} 'pending'
        ORDER BY a.created_at DESC, a.approval_id DESC
        LIMIT ${limit}
      `)
  }
})
