import { SESSION_BEGINS } from "@outbound/domain/calls/approvals/approvers.js"
import { UserStore, ROLES } from "@outbound/domain/control/users/UserStore.js"
import { Effect, Option, Schema } from "effect"
import { changes, date, firstRow, Millis, rows, run } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"
import { columnsOf, readerOf, storeLayer, texts, textsOrNull, times, update, valuesOf } from "./Table.js"

const Role = Schema.Literals(ROLES)

const UserRow = Schema.Struct({ userId: Schema.String, email: Schema.String, createdAtMillis: Millis })

const LinkRow = Schema.Struct({
  ...texts("linkHash", "userId"),
  ...textsOrNull("workspaceId"),
  beginsBy: Schema.Literals(["link", "start_link"]),
  ...times("createdAtMillis", "expiresAtMillis")
})

const SessionRow = Schema.Struct({
  ...texts("sessionHash", "userId", "workspaceId"),
  beganBy: Schema.Literals(SESSION_BEGINS),
  ...times("createdAtMillis", "expiresAtMillis")
})

const FoundSessionRow = Schema.Struct({
  ...SessionRow.fields,
  email: Schema.String,
  userCreatedAtMillis: Millis,
  role: Role,
  workspaceName: Schema.String
})

const toFoundSession = ({
  email,
  role,
  userCreatedAtMillis,
  workspaceName,
  ...session
}: typeof FoundSessionRow.Type) => ({
  session,
  user: { userId: session.userId, email, createdAtMillis: userCreatedAtMillis },
  role,
  workspaceName
})

const MemberRow = Schema.Struct({ userId: Schema.String, email: Schema.String, role: Role, sinceMillis: Millis })

const MembershipRow = Schema.Struct({
  ...texts("workspaceId", "workspaceName"),
  kind: Schema.Literals(["sandbox", "live"]),
  role: Role
})

export const layer = storeLayer(UserStore, (sql) => {
  const { columns: linkColumns, one } = readerOf(sql, "sign_in_links", LinkRow, columnsOf(LinkRow, "sign_in_links"))

  /** Pages that are open look at their session when their workspace is signalled, in every process. */
  const told = sql.literal("pg_notify('outbound_changes', workspace_id::text)")

  const findByEmail = (email: string) =>
    sql`SELECT ${sql.literal(columnsOf(UserRow, "u"))} FROM users u WHERE lower(u.email) = lower(${email})`.pipe(
      firstRow("UserStore.findByEmail", UserRow)
    )

  const membersOf = (workspaceId: string, operation: string) =>
    sql`
      SELECT u.user_id AS "userId", u.email, m.role, m.created_at AS "sinceMillis"
      FROM memberships m JOIN users u ON u.user_id = m.user_id
      WHERE m.workspace_id = ${workspaceId} ORDER BY m.created_at, u.user_id
    `.pipe(rows(operation, MemberRow))

  return {
    ensureMember: Effect.fnUntraced(function* ({ atMillis, email, role, userId, workspaceId }) {
      const at = date(atMillis)
      yield* sql`
        INSERT INTO users ${sql.insert({ user_id: userId, email, created_at: at })} ON CONFLICT DO NOTHING
      `
      const user = Option.getOrThrow(yield* findByEmail(email))
      yield* sql`
        INSERT INTO memberships ${sql.insert({ workspace_id: workspaceId, user_id: user.userId, role, created_at: at })}
        ON CONFLICT DO NOTHING
      `
      return user
    }, orUnavailable("UserStore.ensureMember")),
    members: (workspaceId) => membersOf(workspaceId, "UserStore.members"),
    lockMembers: (workspaceId) =>
      // Sorted by user, so that concurrent callers can't deadlock.
      Effect.andThen(
        sql`
          SELECT 1 FROM memberships WHERE workspace_id = ${workspaceId} ORDER BY user_id FOR NO KEY UPDATE
        `.pipe(run("UserStore.lockMembers")),
        membersOf(workspaceId, "UserStore.lockMembers")
      ),
    setRole: (workspaceId, userId, role) =>
      update(sql, "memberships", { workspaceId, userId }, { role }).pipe(changes("UserStore.setRole")),
    removeMember: (workspaceId, userId) =>
      sql`
        DELETE FROM memberships WHERE workspace_id = ${workspaceId} AND user_id = ${userId} RETURNING user_id, ${told}
      `.pipe(
        changes("UserStore.removeMember"),
        // Who is added again signs in again.
        Effect.andThen(
          sql`
            UPDATE sessions SET ended_at = clock_timestamp()
            WHERE user_id = ${userId} AND workspace_id = ${workspaceId} AND ended_at IS NULL
          `.pipe(run("UserStore.removeMember"))
        )
      ),
    findByEmail,
    memberships: (userId) =>
      sql`
        SELECT m.workspace_id AS "workspaceId", w.name AS "workspaceName", w.kind, m.role FROM memberships m
        JOIN workspaces w ON w.workspace_id = m.workspace_id
        WHERE m.user_id = ${userId} ORDER BY m.created_at, m.workspace_id
      `.pipe(rows("UserStore.memberships", MembershipRow)),
    insertLink: (link) =>
      sql`INSERT INTO sign_in_links ${sql.insert(valuesOf(LinkRow, link))}`.pipe(run("UserStore.insertLink")),
    findLink: (linkHash, nowMillis) =>
      one("UserStore.findLink")(sql`
        link_hash = ${linkHash} AND spent_at IS NULL AND expires_at > ${date(nowMillis)}
      `),
    spendLink: (linkHash, nowMillis) =>
      sql`
        UPDATE sign_in_links SET spent_at = ${date(nowMillis)}
        WHERE link_hash = ${linkHash} AND spent_at IS NULL AND expires_at > ${date(nowMillis)}
        RETURNING ${linkColumns}
      `.pipe(firstRow("UserStore.spendLink", LinkRow)),
    insertSession: (session) =>
      sql`INSERT INTO sessions ${sql.insert(valuesOf(SessionRow, session))}`.pipe(run("UserStore.insertSession")),
    findSession: (sessionHash, nowMillis) =>
      sql`
        SELECT ${sql.literal(columnsOf(SessionRow, "s"))}, u.email, u.created_at AS "userCreatedAtMillis", m.role,
          w.name AS "workspaceName"
        FROM sessions s
        JOIN users u ON u.user_id = s.user_id
        JOIN memberships m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
        JOIN workspaces w ON w.workspace_id = s.workspace_id
        WHERE s.session_hash = ${sessionHash} AND s.ended_at IS NULL AND s.expires_at > ${date(nowMillis)}
      `.pipe(firstRow("UserStore.findSession", FoundSessionRow, toFoundSession)),
    endSession: (sessionHash) =>
      sql`
        UPDATE sessions SET ended_at = clock_timestamp() WHERE session_hash = ${sessionHash} AND ended_at IS NULL
        RETURNING ${told}
      `.pipe(run("UserStore.endSession")),
    // Links first: a sign-in holds its link's row until its session can be seen, and ended.
    endSessions: (userId) =>
      sql`
        UPDATE sign_in_links SET spent_at = clock_timestamp() WHERE user_id = ${userId} AND spent_at IS NULL
      `.pipe(
        Effect.andThen(sql`
          UPDATE sessions SET ended_at = clock_timestamp() WHERE user_id = ${userId} AND ended_at IS NULL
          RETURNING ${told}
        `),
        run("UserStore.endSessions")
      )
  }
})
