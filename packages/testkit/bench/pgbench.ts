import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { output } from "./processes.js"

/** The two statements that any metering needs at the least: take the price, and keep a record. */
const TAKE = "UPDATE accounts SET available = available - 1000000 WHERE workspace_id = "
const KEEP =
  `INSERT INTO requests (workspace_id, request_id, key_id, verb, mode, status, admitted, http_status, charged,
  created_at, finished_at) VALUES (:W, gen_random_uuid(), gen_random_uuid(), 'verify_email', 'act', 'succeeded', true,
  200, 1000000, now(), now())`.replaceAll("\n", " ")

export interface Bare {
  /** What ran it. */
  readonly by: "pgbench" | "a loop of pg clients"
  readonly perSecond: number
}

const withPgbench = async (url: string, clients: number, seconds: number): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "outbound-pgbench-"))
  const script = join(folder, "bare.sql")
  const row = "(SELECT workspace_id FROM bench_numbers WHERE n = :n)"
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client
    .query<{ count: string }>(
      `
    CREATE TABLE IF NOT EXISTS bench_numbers AS
      SELECT row_number() OVER (ORDER BY workspace_id)::int AS n, workspace_id FROM accounts;
    CREATE UNIQUE INDEX IF NOT EXISTS bench_numbers_by_n ON bench_numbers (n);
  `
    )
    .then(() => client.query<{ count: string }>("SELECT count(*) FROM bench_numbers"))
  await client.end()
  writeFileSync(
    script,
    [
      `\\set n random(1, ${rows[0]?.count})`,
      "BEGIN;",
      `${TAKE}${row};`,
      `${KEEP.replaceAll(":W", row)};`,
      "COMMIT;"
    ].join("\n")
  )
  try {
    const printed = await output("pgbench", [
      "-n",
      "-Mprepared",
      `-c${clients}`,
      "-j1",
      `-T${seconds}`,
      `-f${script}`,
      url
    ])
    return Number(/tps = ([\d.]+)/.exec(printed)?.[1] ?? 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const withClients = async (url: string, clients: number, seconds: number): Promise<number> => {
  const pool = new pg.Pool({ connectionString: url, max: clients })
  const { rows } = await pool.query<{ workspace_id: string }>("SELECT workspace_id FROM accounts")
  const until = performance.now() + seconds * 1_000
  let done = 0
  const loop = async (offset: number) => {
    const client = await pool.connect()
    for (let turn = offset; performance.now() < until; turn += clients) {
      const workspaceId = rows[turn % rows.length]?.workspace_id
      await client.query("BEGIN")
      await client.query({ name: "take", text: `${TAKE}$1`, values: [workspaceId] })
      await client.query({ name: "keep", text: KEEP.replaceAll(":W", "$1"), values: [workspaceId] })
      await client.query("COMMIT")
      done += 1
    }
    client.release()
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => loop(index)))
  await pool.end()
  return done / seconds
}

/** The bare statements on their own, by `pgbench` where it is installed. */
export const bareStatements = async (url: string, clients: number, seconds: number): Promise<Bare> => {
  try {
    await output("pgbench", ["--version"])
  } catch {
    return { by: "a loop of pg clients", perSecond: await withClients(url, clients, seconds) }
  }
  return { by: "pgbench", perSecond: await withPgbench(url, clients, seconds) }
}
