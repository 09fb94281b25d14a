import { Effect, type Redacted } from "effect"
import type pg from "pg"
import { withConnection } from "../backup/Connection.js"
import { tablesOf } from "../backup/Tables.js"
import { assertAtRest, WorkspaceError } from "./atRest.js"
import { SCHEMA_OID } from "../Schema.js"
import { inOneTransaction } from "../inOneTransaction.js"

/**
 * Permanent: who said no stays known under that id, also if an export of the workspace is brought back elsewhere. They are
 * keyed hashes and domains, and name nothing else of the workspace.
 */
export const PERMANENT: ReadonlyArray<string> = ["suppressions", "suppressed_domains"]

/** What became of a workspace. */
export interface Deleted {
  /** Rows that are gone, of how many tables. */
  readonly rows: number
  readonly tables: number
  /** People who were members of nothing else, and are gone too. */
  readonly people: number
  /** It had been deleted before; `rows` is what was left of it. */
  readonly wasDeleted: boolean
}

/** Whether it is there. Its account is locked, so that no call is admitted, and so are its claims of messages. */
const lock = async (client: pg.ClientBase, workspace: string): Promise<{ readonly name: string } | undefined> => {
  await client.query(`SELECT FROM accounts WHERE workspace_id = ${workspace} FOR UPDATE`)
  const { rows: sending } = await client.query<{ readonly stopped: boolean }>(
    `SELECT suspended_at IS NOT NULL AS stopped FROM workspace_sending WHERE workspace_id = ${workspace} FOR UPDATE`
  )
  const { rows } = await client.query<{ readonly name: string }>(
    `SELECT name FROM workspaces WHERE workspace_id = ${workspace} FOR UPDATE`
  )
  const [found] = rows
  if (found !== undefined && sending[0]?.stopped !== true) {
    throw new WorkspaceError({
      message:
        "It may still send. Stop all sending first, in the console's settings or with POST /v1/kill, then run this again. Nothing was deleted."
    })
  }
  return found
}

/** What book-keeping needs: sums of credits by kind, and nothing of anybody. */
const keepSums = (client: pg.ClientBase, workspace: string, at: Date) =>
  client.query(
    `INSERT INTO deleted_workspaces (id, created_at, deleted_at, sums)
     SELECT w.workspace_id, w.created_at, $1, coalesce((
       SELECT jsonb_object_agg(l.kind, l.amount::text)
       FROM (SELECT kind, sum(amount) AS amount FROM ledger_entries WHERE workspace_id = ${workspace} GROUP BY kind) l
     ), '{}')
     FROM workspaces w WHERE w.workspace_id = ${workspace}`,
    [at]
  )

/** Its rows in every table that has some, those that refer to others first. */
const deleteRows = async (client: pg.ClientBase, workspace: string): Promise<Pick<Deleted, "rows" | "tables">> => {
  const own = (await tablesOf(client)).filter(
    ({ columns, name }) => columns.includes("workspace_id") && !PERMANENT.includes(name)
  )
  const gone = { rows: 0, tables: 0 }
  // For this transaction alone: rows that are only appended go too, if they are this workspace's.
  await client.query(`SELECT set_config('outbound.deleted_workspace', (${workspace})::text, true)`)
  for (const { name } of own.toReversed()) {
    const { rowCount } = await client.query(
      `DELETE FROM ${client.escapeIdentifier(name)} WHERE workspace_id = ${workspace}`
    )
    gone.rows += rowCount ?? 0
    gone.tables += (rowCount ?? 0) > 0 ? 1 : 0
  }
  return gone
}

/** Its members, before their seats are gone. */
const membersOf = async (client: pg.ClientBase, workspace: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query<{ readonly id: string }>(
    `SELECT user_id::text AS id FROM memberships WHERE workspace_id = ${workspace}`
  )
  return rows.map(({ id }) => id)
}

/** Those who sign in nowhere else go with it, with everything by which they signed in. */
const deletePeople = async (client: pg.ClientBase, members: ReadonlyArray<string>): Promise<number> => {
  const { rows: alone } = await client.query<{ readonly id: string }>(
    `SELECT u.user_id::text AS id FROM users u
     WHERE u.user_id = ANY($1::uuid[]) AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.user_id)
     FOR UPDATE`,
    [members]
  )
  const ids = alone.map(({ id }) => id)
  if (ids.length === 0) return 0
  const { rows: referring } = await client.query<{ readonly table: string; readonly column: string }>(
    `SELECT k.conrelid::regclass::text AS table, quote_ident(a.attname) AS column
     FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
     WHERE k.contype = 'f' AND k.confrelid = quote_ident('users')::regclass AND k.connamespace = ${SCHEMA_OID}
       AND k.conparentid = 0`
  )
  for (const { column, table } of referring) {
    await client.query(`DELETE FROM ${table} WHERE ${column} = ANY($1::uuid[])`, [ids])
  }
  await client.query("DELETE FROM users WHERE user_id = ANY($1::uuid[])", [ids])
  return ids.length
}

/**
 * Deletes a stopped workspace: every row of it in every table but the permanent ones, or nothing. Its name is given too, so that
 * no other one is meant. What is left besides is its id, when it was made and deleted, and sums of its credits. It may die anywhere: then nothing was done.
 */
export const deleteWorkspace = (
  url: Redacted.Redacted,
  workspaceId: string,
  name: string,
  at: Date
): Effect.Effect<Deleted, WorkspaceError> =>
  Effect.mapError(
    withConnection(url, async (client) => {
      const workspace = `${client.escapeLiteral(workspaceId)}::uuid`
      return inOneTransaction(client, async (): Promise<Deleted> => {
        const found = await lock(client, workspace)
        if (found === undefined) {
          const { rows } = await client.query("SELECT FROM deleted_workspaces WHERE id = $1", [workspaceId])
          if (rows.length === 0) throw new WorkspaceError({ message: `There is no workspace ${workspaceId}.` })
          return { ...(await deleteRows(client, workspace)), people: 0, wasDeleted: true }
        }
        if (found.name !== name) {
          throw new WorkspaceError({
            message: `That is not the name of this workspace. Nothing was deleted: look it up with outbound workspace list.`
          })
        }
        await assertAtRest(client, workspace, "Nothing was deleted.")
        await keepSums(client, workspace, at)
        const members = await membersOf(client, workspace)
        const gone = await deleteRows(client, workspace)
        return { ...gone, people: await deletePeople(client, members), wasDeleted: false }
      })
    }),
    ({ message }) => new WorkspaceError({ message })
  )
