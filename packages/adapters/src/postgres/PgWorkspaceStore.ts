import { SqlClient, type Statement } from "@effect/sql"
import {
  type Overlap,
  type Retention,
  type SendingState,
  type Workspace,
  type WorkspaceCaps,
  type WorkspaceKind,
  WorkspaceStore
} from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Layer, Option } from "effect"
import { changes, date, dateOrNull } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"

interface WorkspaceRow {
  readonly workspace_id: string
  readonly name: string
  readonly kind: WorkspaceKind
  readonly postal_address: string | null
  readonly daily_sends: number
  readonly daily_replies: number
  readonly mailbox_daily_replies: number
  readonly mailbox_daily_sends: number
  readonly refusals_min: number
  readonly mailbox_refusals_percent: number
  readonly receiver_refusals_percent: number
  readonly created_at: Date
}

const fromWorkspaceRow = (row: WorkspaceRow): Workspace => ({
  workspaceId: row.workspace_id,
  name: row.name,
  kind: row.kind,
  postalAddress: row.postal_address,
  caps: {
    dailySends: row.daily_sends,
    dailyReplies: row.daily_replies,
    mailboxDailyReplies: row.mailbox_daily_replies,
    mailboxDailySends: row.mailbox_daily_sends,
    refusalsMin: row.refusals_min,
    mailboxRefusalsPercent: row.mailbox_refusals_percent,
    receiverRefusalsPercent: row.receiver_refusals_percent
  },
  createdAtMillis: row.created_at.getTime()
})

interface SendingRow {
  readonly suspended_at: Date | null
  readonly suspended_reason: string | null
}

const fromSendingRow = (rows: ReadonlyArray<SendingRow>): Effect.Effect<SendingState> => {
  const [row] = rows
  return row === undefined
    ? Effect.dieMessage("the workspace has no sending row")
    : Effect.succeed({
        suspendedAtMillis: row.suspended_at?.getTime() ?? null,
        suspendedReason: row.suspended_reason
      })
}

const capColumns = (caps: WorkspaceCaps) => ({
  daily_sends: caps.dailySends,
  daily_replies: caps.dailyReplies,
  mailbox_daily_replies: caps.mailboxDailyReplies,
  mailbox_daily_sends: caps.mailboxDailySends,
  refusals_min: caps.refusalsMin,
  mailbox_refusals_percent: caps.mailboxRefusalsPercent,
  receiver_refusals_percent: caps.receiverRefusalsPercent
})

/** Bounds the search for sent messages: a claim is sent or resolved long before this age. */
const CLAIM_AGE_MILLIS_MAX = 7 * 86_400_000

export const layer = Layer.effect(
  WorkspaceStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const read = (workspaceId: string, locking: Statement.Fragment, operation: string) =>
      sql<WorkspaceRow>`
        SELECT workspace_id, name, kind, postal_address, daily_sends, daily_replies, mailbox_daily_replies,
          mailbox_daily_sends, refusals_min, mailbox_refusals_percent, receiver_refusals_percent, created_at
        FROM workspaces WHERE workspace_id = ${workspaceId} ${locking}
      `.pipe(
        Effect.map((rows) => Option.map(Option.fromNullable(rows[0]), fromWorkspaceRow)),
        orUnavailable(operation)
      )
    return WorkspaceStore.of({
      insert: Effect.fnUntraced(function* (workspace: Workspace) {
        const { caps, createdAtMillis, kind, name, postalAddress, workspaceId } = workspace
        yield* sql`INSERT INTO workspaces ${sql.insert({
          workspace_id: workspaceId,
          name,
          kind,
          postal_address: postalAddress,
          ...capColumns(caps),
          created_at: date(createdAtMillis)
        })}`
        yield* sql`INSERT INTO accounts (workspace_id) VALUES (${workspaceId})`
        yield* sql`INSERT INTO workspace_sending (workspace_id) VALUES (${workspaceId})`
      }, orUnavailable("WorkspaceStore.insert")),
      get: (workspaceId) => read(workspaceId, sql``, "WorkspaceStore.get"),
      list: (max) =>
        sql<{
          readonly workspace_id: string
          readonly name: string
          readonly kind: WorkspaceKind
          readonly owner_email: string | null
        }>`
          SELECT w.workspace_id, w.name, w.kind, (
            SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
            WHERE m.workspace_id = w.workspace_id AND m.role = 'owner'
            ORDER BY m.created_at, u.user_id LIMIT 1
          ) AS owner_email
          FROM workspaces w ORDER BY w.created_at, w.workspace_id LIMIT ${max}
        `.pipe(
          Effect.map((rows) =>
            rows.map((row) => ({
              workspaceId: row.workspace_id,
              name: row.name,
              kind: row.kind,
              ownerEmail: row.owner_email
            }))
          ),
          orUnavailable("WorkspaceStore.list")
        ),
      lockSending: (workspaceId) =>
        sql<SendingRow>`
          SELECT suspended_at, suspended_reason FROM workspace_sending WHERE workspace_id = ${workspaceId} FOR UPDATE
        `.pipe(Effect.flatMap(fromSendingRow), orUnavailable("WorkspaceStore.lockSending")),
      setSending: (workspaceId, { suspendedAtMillis, suspendedReason }) =>
        sql`
          UPDATE workspace_sending
          SET suspended_at = ${dateOrNull(suspendedAtMillis)}, suspended_reason = ${suspendedReason}
          WHERE workspace_id = ${workspaceId} RETURNING workspace_id
        `.pipe(changes("WorkspaceStore.setSending")),
      lock: (workspaceId) => read(workspaceId, sql`FOR NO KEY UPDATE`, "WorkspaceStore.lock"),
      update: ({ caps, postalAddress, workspaceId }) =>
        sql`
          UPDATE workspaces SET ${sql.update({
            postal_address: postalAddress,
            ...capColumns(caps)
          })}
          WHERE workspace_id = ${workspaceId} RETURNING workspace_id
        `.pipe(changes("WorkspaceStore.update")),
      shareSending: (workspaceId) =>
        sql<SendingRow>`
          SELECT suspended_at, suspended_reason FROM workspace_sending WHERE workspace_id = ${workspaceId} FOR SHARE
        `.pipe(Effect.flatMap(fromSendingRow), orUnavailable("WorkspaceStore.shareSending")),
      sending: (workspaceId) =>
        sql<SendingRow>`
          SELECT suspended_at, suspended_reason FROM workspace_sending WHERE workspace_id = ${workspaceId}
        `.pipe(Effect.flatMap(fromSendingRow), orUnavailable("WorkspaceStore.sending")),
      replySend: (workspaceId) =>
        sql<{ readonly reply_send: boolean }>`
          SELECT reply_send FROM workspaces WHERE workspace_id = ${workspaceId}
        `.pipe(
          Effect.map(([row]) => row?.reply_send === true),
          orUnavailable("WorkspaceStore.replySend")
        ),
      setReplySend: (workspaceId, enabled) =>
        sql`UPDATE workspaces SET reply_send = ${enabled} WHERE workspace_id = ${workspaceId}`.pipe(
          Effect.asVoid,
          orUnavailable("WorkspaceStore.setReplySend")
        ),
      overlap: (workspaceId) =>
        sql<{ readonly overlap: Overlap }>`SELECT overlap FROM workspaces WHERE workspace_id = ${workspaceId}`.pipe(
          Effect.map(([row]) => row?.overlap ?? "refuse"),
          orUnavailable("WorkspaceStore.overlap")
        ),
      setOverlap: (workspaceId, overlap) =>
        sql`UPDATE workspaces SET overlap = ${overlap} WHERE workspace_id = ${workspaceId}`.pipe(
          Effect.asVoid,
          orUnavailable("WorkspaceStore.setOverlap")
        ),
      retention: (workspaceId) =>
        sql<Retention>`
          SELECT call_months AS "callMonths", trail_months AS "trailMonths" FROM workspaces
          WHERE workspace_id = ${workspaceId}
        `.pipe(
          Effect.map(([row]) => row ?? { callMonths: null, trailMonths: null }),
          orUnavailable("WorkspaceStore.retention")
        ),
      setRetention: (workspaceId, { callMonths, trailMonths }) =>
        sql`
          UPDATE workspaces SET call_months = ${callMonths}, trail_months = ${trailMonths}
          WHERE workspace_id = ${workspaceId}
        `.pipe(Effect.asVoid, orUnavailable("WorkspaceStore.setRetention")),
      sentToday: (workspaceId, dayStartMillis) => {
        const since = date(dayStartMillis)
        return sql<{ readonly sends: bigint; readonly launches: bigint; readonly replies: bigint }>`
          SELECT (
            SELECT count(*) FROM messages
            WHERE workspace_id = ${workspaceId} AND state = 'sent' AND sent_at >= ${since}
              AND claimed_at >= ${date(dayStartMillis - CLAIM_AGE_MILLIS_MAX)}
          ) AS sends, (
            SELECT count(*) FROM trail_events
            WHERE workspace_id = ${workspaceId} AND kind = 'launched' AND observed_at >= ${since}
          ) AS launches, (
            SELECT count(*) FROM sent_replies
            WHERE workspace_id = ${workspaceId} AND created_at >= ${since} AND state <> 'failed'
          ) AS replies
        `.pipe(
          Effect.map(([row]) => ({
            sends: Number(row?.sends ?? 0),
            launches: Number(row?.launches ?? 0),
            replies: Number(row?.replies ?? 0)
          })),
          orUnavailable("WorkspaceStore.sentToday")
        )
      }
    })
  })
)
