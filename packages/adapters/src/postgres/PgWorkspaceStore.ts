import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import {
  OVERLAPS,
  type Retention,
  type SendingState,
  type Workspace,
  WorkspaceStore
} from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { NO_WORDS, WordsSettings } from "@outbound/domain/kernel/words/notice.js"
import { Effect, Option, Schema } from "effect"
import { changes, date, firstValue, json, Millis, rows, run } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"
import { columnsOf, integers, type Lock, readerOf, storeLayer, texts, update, valuesOf } from "./Table.js"

const CapsRow = Schema.Struct({
  ...integers("dailySends", "dailyReplies", "mailboxDailyReplies", "mailboxDailySends", "refusalsMin"),
  ...integers("mailboxRefusalsPercent", "receiverRefusalsPercent")
})

const Kind = Schema.Literals(["sandbox", "live"])

const WorkspaceRow = Schema.Struct({
  ...texts("workspaceId", "name"),
  kind: Kind,
  postalAddress: Schema.NullOr(Schema.String),
  ...CapsRow.fields,
  createdAtMillis: Millis
})

const toWorkspace = ({
  createdAtMillis,
  kind,
  name,
  postalAddress,
  workspaceId,
  ...caps
}: typeof WorkspaceRow.Type): Workspace => ({ workspaceId, name, kind, postalAddress, caps, createdAtMillis })

const ListedRow = Schema.Struct({
  ...texts("workspaceId", "name"),
  kind: Kind,
  ownerEmail: Schema.NullOr(Schema.String)
})

const SendingRow = Schema.Struct({
  suspendedAtMillis: Schema.NullOr(Millis),
  suspendedReason: Schema.NullOr(Schema.String)
})

/** Bounds the search for sent messages: a claim is sent or resolved long before this age. */
const CLAIM_AGE_MILLIS_MAX = 7 * DAY_MILLIS

export const layer = storeLayer(WorkspaceStore, (sql) => {
  const workspaces = readerOf(sql, "workspaces w", WorkspaceRow, columnsOf(WorkspaceRow, "w"), toWorkspace)
  const sendings = readerOf(sql, "workspace_sending s", SendingRow, columnsOf(SendingRow, "s"))
  const sending = (operation: string, workspaceId: string, lock: Lock = "") =>
    Effect.flatMap(
      sendings.one(operation)({ workspaceId }, lock),
      Option.match({
        onNone: () => Effect.die(new Error("the workspace has no sending row")),
        onSome: Effect.succeed<SendingState>
      })
    )
  return {
    insert: Effect.fnUntraced(function* (workspace: Workspace) {
      const { workspaceId } = workspace
      yield* sql`INSERT INTO workspaces ${sql.insert(valuesOf(WorkspaceRow, { ...workspace, ...workspace.caps }))}`
      yield* sql`INSERT INTO accounts (workspace_id) VALUES (${workspaceId})`
      yield* sql`INSERT INTO workspace_sending (workspace_id) VALUES (${workspaceId})`
    }, orUnavailable("WorkspaceStore.insert")),
    get: (workspaceId) => workspaces.one("WorkspaceStore.get")({ workspaceId }),
    list: (max) =>
      sql`
        SELECT w.workspace_id AS "workspaceId", w.name, w.kind, (
          SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
          WHERE m.workspace_id = w.workspace_id AND m.role = 'owner'
          ORDER BY m.created_at, u.user_id LIMIT 1
        ) AS "ownerEmail"
        FROM workspaces w ORDER BY w.created_at, w.workspace_id LIMIT ${max}
      `.pipe(rows("WorkspaceStore.list", ListedRow)),
    lockSending: (workspaceId) => sending("WorkspaceStore.lockSending", workspaceId, "FOR UPDATE"),
    setSending: (workspaceId, { suspendedAtMillis, suspendedReason }) =>
      update(sql, "workspace_sending", { workspaceId }, { suspendedAtMillis, suspendedReason }).pipe(
        changes("WorkspaceStore.setSending")
      ),
    lock: (workspaceId) => workspaces.one("WorkspaceStore.lock")({ workspaceId }, "FOR NO KEY UPDATE"),
    update: ({ caps, postalAddress, workspaceId }) =>
      sql`
        UPDATE workspaces SET ${sql.update({ postal_address: postalAddress, ...valuesOf(CapsRow, caps) })}
        WHERE workspace_id = ${workspaceId} RETURNING workspace_id
      `.pipe(changes("WorkspaceStore.update")),
    shareSending: (workspaceId) => sending("WorkspaceStore.shareSending", workspaceId, "FOR SHARE"),
    sending: (workspaceId) => sending("WorkspaceStore.sending", workspaceId),
    replySend: (workspaceId) =>
      sql`SELECT reply_send FROM workspaces WHERE workspace_id = ${workspaceId}`.pipe(
        firstValue("WorkspaceStore.replySend", Schema.Boolean, false)
      ),
    setReplySend: (workspaceId, enabled) =>
      update(sql, "workspaces", { workspaceId }, { replySend: enabled }).pipe(run("WorkspaceStore.setReplySend")),
    overlap: (workspaceId) =>
      sql`SELECT overlap FROM workspaces WHERE workspace_id = ${workspaceId}`.pipe(
        firstValue("WorkspaceStore.overlap", Schema.Literals(OVERLAPS), "refuse")
      ),
    setOverlap: (workspaceId, overlap) =>
      update(sql, "workspaces", { workspaceId }, { overlap }).pipe(run("WorkspaceStore.setOverlap")),
    words: (workspaceId) =>
      sql`SELECT words FROM workspaces WHERE workspace_id = ${workspaceId}`.pipe(
        firstValue("WorkspaceStore.words", Schema.NullOr(WordsSettings), null),
        Effect.map((words) => words ?? NO_WORDS)
      ),
    setWords: (workspaceId, words) =>
      update(sql, "workspaces", { workspaceId }, { words: json(words) }).pipe(run("WorkspaceStore.setWords")),
    retention: (workspaceId) =>
      sql<Retention>`
        SELECT call_months AS "callMonths", trail_months AS "trailMonths" FROM workspaces
        WHERE workspace_id = ${workspaceId}
      `.pipe(
        Effect.map(([row]) => row ?? { callMonths: null, trailMonths: null }),
        orUnavailable("WorkspaceStore.retention")
      ),
    setRetention: (workspaceId, { callMonths, trailMonths }) =>
      update(sql, "workspaces", { workspaceId }, { callMonths, trailMonths }).pipe(run("WorkspaceStore.setRetention")),
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
  }
})
