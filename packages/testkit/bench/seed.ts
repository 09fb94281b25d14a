import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import { layer as pool } from "@outbound/adapters/postgres/PgPool.js"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import pg from "pg"

/** The secret of a workspace's only key. */
export const secretOf = (workspace: number): string =>
  `svc_key_${createHash("sha256").update(`bench ${workspace}`).digest("base64url")}`

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

/** More than any run can spend, in micro-credits. */
const CREDITS = 1_000_000_000_000n
/** A rate that no run reaches, so that each request is counted and none refused. */
const RATE = 1_000_000_000

/** Calls that are there already. */
export const OLD_CALLS = 100_000

const SEED = `
WITH w AS (SELECT n, gen_random_uuid() AS workspace_id, gen_random_uuid() AS key_id FROM generate_series(1, $1::int) n),
workspaces_made AS (
  INSERT INTO workspaces SELECT workspace_id, 'bench ' || n, 'sandbox', NULL, 500, 100, 20, 25, now() FROM w
), accounts_made AS (
  INSERT INTO accounts (workspace_id, available) SELECT workspace_id, $2::bigint FROM w
), ledger_made AS (
  INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, at)
  SELECT workspace_id, uuidv7(), 'grant', $2::bigint, now() FROM w
), keys_made AS (
  INSERT INTO api_keys (workspace_id, key_id, workspace_kind, name, prefix, state, scopes, capabilities_off,
    autonomous_external_actions, monthly_spend_cap, premium_allowance, rate_per_minute, run_required, created_at)
  SELECT workspace_id, key_id, 'sandbox', 'bench', 'svc_key_', 'active', '{data:read,usage:read}', '{}', true,
    $2::bigint, 50000000, $3::int, false, now() FROM w
), usage_made AS (
  INSERT INTO key_usage (workspace_id, key_id, month) SELECT workspace_id, key_id, to_char(now(), 'YYYY-MM') FROM w
), catalogue_made AS (
  INSERT INTO key_catalogue SELECT ($4::text[])[n], workspace_id, key_id FROM w
)
INSERT INTO requests (workspace_id, request_id, key_id, verb, mode, status, admitted, http_status, charged, created_at,
  finished_at)
SELECT workspace_id, uuidv7(interval '-1 day'), key_id, 'verify_email', 'act', 'succeeded', true, 200, 0,
  now() - interval '1 day', now() - interval '1 day'
FROM w, generate_series(1, $5::int / $1::int)`

/** Workspaces, each with a key and credits, and calls of the day before, in a migrated database. */
export const seedInto = async (url: string, workspaces: number): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const hashes = Array.from({ length: workspaces }, (_, index) => hashOf(secretOf(index)))
  await client.query(SEED, [workspaces, CREDITS.toString(), RATE, hashes, OLD_CALLS])
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT").catch(() => {})
  await client.end()
}

/** A fresh database that holds them. */
export const seeded = async (serverUrl: string, name: string, workspaces: number): Promise<string> => {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.query(`ALTER DATABASE ${name} SET search_path = outbound, public`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await Effect.runPromise(
    Effect.provide(migrate(), pool({ url: Redacted.make(url.href), applicationName: "bench", connectionsMax: 2 }))
  )
  await seedInto(url.href, workspaces)
  return url.href
}

/** What a run left behind: the sums that must agree, whatever the load was. */
export const audit = async (url: string): Promise<{ readonly charges: number; readonly breaches: number }> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ charges: string; breaches: string }>(`
    SELECT (SELECT count(*) FROM ledger_entries WHERE kind = 'charge') AS charges,
      (SELECT count(*) FROM accounts a WHERE EXISTS (SELECT 1 FROM open_calls o WHERE o.workspace_id = a.workspace_id)
        OR a.available <> (SELECT sum(amount) FROM ledger_entries l WHERE l.workspace_id = a.workspace_id)) AS breaches`)
  await client.end()
  return { charges: Number(rows[0]?.charges), breaches: Number(rows[0]?.breaches) }
}
