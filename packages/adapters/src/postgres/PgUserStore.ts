import { SqlClient } from "@effect/sql"
import {
  type Role,
  type Session,
  type SignInLink,
  type User,
  UserStore
} from "@outbound/domain/control/users/UserStore.js"
import { Effect, Layer, Option } from "effect"
import { changes, date, run } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"

interface UserRow {
  readonly user_id: string
  readonly email: string
  readonly created_at: Date
}

const fromUserRow = (row: UserRow): User => ({
  userId: row.user_id,
  email: row.email,
  createdAtMillis: row.created_at.getTime()
})

interface LinkRow {
  readonly link_hash: string
  readonly user_id: string
  readonly created_at: Date
  readonly expires_at: Date
}

const fromLinkRow = (row: LinkRow): SignInLink => ({
  linkHash: row.link_hash,
  userId: row.user_id,
  createdAtMillis: row.created_at.getTime(),
  expiresAtMillis: row.expires_at.getTime()
})

interface SessionRow {
  readonly session_hash: string
  readonly user_id: string
  readonly workspace_id: string
  readonly began_by: Session["beganBy"]
  readonly created_at: Date
  readonly expires_at: Date
  readonly email: string
  readonly user_created_at: Date
  readonly role: Role
  readonly workspace_name: string
}

const fromSessionRow = (row: SessionRow) => ({
  session: {
    sessionHash: row.session_hash,
    userId: row.user_id,
    workspaceId: row.workspace_id,
    beganBy: row.began_by,
    createdAtMillis: row.created_at.getTime(),
    expiresAtMillis: row.expires_at.getTime()
  },
  user: { userId: row.user_id, email: row.email, createdAtMillis: row.user_created_at.getTime() },
  role: row.role,
  workspaceName: row.workspace_name
})

const first =
  <Row, A>(from: (row: Row) => A) =>
  (rows: ReadonlyArray<Row>): Option.Option<A> =>
    Option.map(Option.fromNullable(rows[0]), from)

export const layer = Layer.effect(
  UserStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Pages that are open look at their session when their workspace is signalled, in every process. */
    const told = sql.literal("pg_notify('outbound_changes', workspace_id::text)")

    const findByEmail = (email: string) =>
      sql<UserRow>`SELECT user_id, email, created_at FROM users WHERE lower(email) = lower(${email})`.pipe(
        Effect.map(first(fromUserRow)),
        orUnavailable("UserStore.findByEmail")
      )

    const membersOf = (workspaceId: string, operation: string) =>
      sql<{ readonly user_id: string; readonly email: string; readonly role: Role; readonly created_at: Date }>`
        SELECT u.user_id, u.email, m.role, m.created_at
        FROM memberships m JOIN users u ON u.user_id = m.user_id
        WHERE m.workspace_id = ${workspaceId} ORDER BY m.created_at, u.user_id
      `.pipe(
        Effect.map((found) =>
          found.map(({ created_at, email, role, user_id }) => ({
            userId: user_id,
            email,
            role,
            sinceMillis: created_at.getTime()
          }))
        ),
        orUnavailable(operation)
      )

    return UserStore.of({
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
        Effect.zipRight(
          sql`
            SELECT 1 FROM memberships WHERE workspace_id = ${workspaceId} ORDER BY user_id FOR NO KEY UPDATE
          `.pipe(run("UserStore.lockMembers")),
          membersOf(workspaceId, "UserStore.lockMembers")
        ),
      setRole: (workspaceId, userId, role) =>
        sql`
          UPDATE memberships SET role = ${role} WHERE workspace_id = ${workspaceId} AND user_id = ${userId}
          RETURNING user_id
        `.pipe(changes("UserStore.setRole")),
      removeMember: (workspaceId, userId) =>
        sql`
          DELETE FROM memberships WHERE workspace_id = ${workspaceId} AND user_id = ${userId} RETURNING user_id, ${told}
        `.pipe(changes("UserStore.removeMember")),
      findByEmail,
      memberships: (userId) =>
        sql<{ readonly workspace_id: string; readonly name: string; readonly role: Role }>`
          SELECT m.workspace_id, w.name, m.role FROM memberships m
          JOIN workspaces w ON w.workspace_id = m.workspace_id
          WHERE m.user_id = ${userId} ORDER BY m.created_at, m.workspace_id
        `.pipe(
          Effect.map((rows) =>
            rows.map(({ name, role, workspace_id }) => ({ workspaceId: workspace_id, workspaceName: name, role }))
          ),
          orUnavailable("UserStore.memberships")
        ),
      insertLink: (link) =>
        sql`INSERT INTO sign_in_links ${sql.insert({
          link_hash: link.linkHash,
          user_id: link.userId,
          created_at: date(link.createdAtMillis),
          expires_at: date(link.expiresAtMillis)
        })}`.pipe(run("UserStore.insertLink")),
      findLink: (linkHash, nowMillis) =>
        sql<LinkRow>`
          SELECT link_hash, user_id, created_at, expires_at FROM sign_in_links
          WHERE link_hash = ${linkHash} AND spent_at IS NULL AND expires_at > ${date(nowMillis)}
        `.pipe(Effect.map(first(fromLinkRow)), orUnavailable("UserStore.findLink")),
      spendLink: (linkHash, nowMillis) =>
        sql<LinkRow>`
          UPDATE sign_in_links SET spent_at = ${date(nowMillis)}
          WHERE link_hash = ${linkHash} AND spent_at IS NULL AND expires_at > ${date(nowMillis)}
          RETURNING link_hash, user_id, created_at, expires_at
        `.pipe(Effect.map(first(fromLinkRow)), orUnavailable("UserStore.spendLink")),
      insertSession: (session) =>
        sql`INSERT INTO sessions ${sql.insert({
          session_hash: session.sessionHash,
          user_id: session.userId,
          workspace_id: session.workspaceId,
          began_by: session.beganBy,
          created_at: date(session.createdAtMillis),
          expires_at: date(session.expiresAtMillis)
        })}`.pipe(run("UserStore.insertSession")),
      findSession: (sessionHash, nowMillis) =>
        sql<SessionRow>`
          SELECT s.session_hash, s.user_id, s.workspace_id, s.began_by, s.created_at, s.expires_at, u.email,
            u.created_at AS user_created_at, m.role, w.name AS workspace_name
          FROM sessions s
          JOIN users u ON u.user_id = s.user_id
          JOIN memberships m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
          JOIN workspaces w ON w.workspace_id = s.workspace_id
          WHERE s.session_hash = ${sessionHash} AND s.ended_at IS NULL AND s.expires_at > ${date(nowMillis)}
        `.pipe(Effect.map(first(fromSessionRow)), orUnavailable("UserStore.findSession")),
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
          Effect.zipRight(sql`
            UPDATE sessions SET ended_at = clock_timestamp() WHERE user_id = ${userId} AND ended_at IS NULL
            RETURNING ${told}
          `),
          run("UserStore.endSessions")
        )
    })
  })
)
