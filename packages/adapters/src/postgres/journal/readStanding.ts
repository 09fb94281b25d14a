import { dayOf, monthOf } from "@outbound/domain/calls/decideAdmission.js"
import type { KeyStanding } from "@outbound/domain/calls/CallJournal.js"
import { rateStatus } from "@outbound/domain/calls/keys/RateWindow.js"
import { fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Schema } from "effect"
import type pg from "pg"
import { spentSince } from "./Statements.js"
import { StoredWindow } from "./StoredWindow.js"
import { API_KEY_COLUMNS, ApiKeyRow } from "../PgKeyRow.js"

const READ = `
  SELECT ${API_KEY_COLUMNS}, u.month, u.committed, u.rate_second, u.rate_counts, a.available,
    ${spentSince("$3::date")} AS today
  FROM api_keys k
  JOIN key_usage u ON u.workspace_id = k.workspace_id AND u.key_id = k.key_id
  JOIN accounts a ON a.workspace_id = k.workspace_id
  WHERE k.workspace_id = $1 AND k.key_id = $2`

interface StandingRow {
  readonly month: string
  readonly committed: bigint
  readonly rate_second: bigint
  readonly rate_counts: string
  readonly available: bigint
  readonly today: bigint
}

const readKey = Schema.decodeUnknownSync(ApiKeyRow)

/** A key and its usage, from one statement. */
export const readStanding = async (
  pool: pg.Pool,
  workspaceId: string,
  keyId: string,
  nowMillis: number
): Promise<KeyStanding> => {
  const { rows } = await pool.query<StandingRow>(READ, [workspaceId, keyId, dayOf(nowMillis)])
  const [row] = rows
  if (row === undefined) throw new Error(`there is no key ${keyId} in the workspace ${workspaceId}`)
  const key = readKey(row)
  const window = new StoredWindow(Number(row.rate_second), row.rate_counts)
  return {
    key,
    spentThisMonth: row.month < monthOf(nowMillis) ? zero : fromMicros(row.committed),
    spentToday: fromMicros(row.today),
    available: fromMicros(row.available),
    rate: rateStatus(window, key.ratePerMinute, nowMillis)
  }
}
