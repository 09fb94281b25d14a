/**
 * The peer: what a good team would write first. Fastify and `pg`, every statement prepared and named. It authenticates by
 * the secret's hash, checks state, scope, the rate of the last minute, the monthly cap and the balance, and writes what the
 * service writes for a call: the request, the charge in the ledger, the account, the key's usage and the day's.
 *
 * `one`: one transaction per call, around a provider that answers at once. A provider that takes its time would hold the
 * account's lock meanwhile. `two`: what any prepaid meter must do around a provider. It reserves and commits, asks, and
 * settles in a second transaction, which is a single statement, so that it takes one round trip.
 */
import { type Credits, fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { count, rateStatus } from "@outbound/domain/calls/keys/RateWindow.js"
import Fastify from "fastify"
import { createHash, randomBytes } from "node:crypto"
import pg from "pg"

const PRICE = 1_000_000n

const READ = {
  name: "read",
  text: `
    SELECT k.workspace_id, k.key_id, k.state, k.scopes, k.monthly_spend_cap, k.rate_per_minute, u.month,
      u.committed, u.rate_second, u.rate_counts, a.available
    FROM key_catalogue c
    JOIN api_keys k ON k.workspace_id = c.workspace_id AND k.key_id = c.key_id
    JOIN accounts a ON a.workspace_id = k.workspace_id
    JOIN key_usage u ON u.workspace_id = k.workspace_id AND u.key_id = k.key_id
    WHERE c.secret_hash = $1
    FOR NO KEY UPDATE OF a, u`
}

const WRITE = {
  name: "write",
  text: `
    WITH used AS (
      UPDATE key_usage SET month = $3, committed = $4, rate_second = $5, rate_counts = $6
      WHERE workspace_id = $1 AND key_id = $2
    ), moved AS (
      UPDATE accounts SET available = available - $7 WHERE workspace_id = $1 RETURNING available
    ), entered AS (
      INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, request_id, at)
      VALUES ($1, $8, 'charge', -$7::bigint, $8, $9)
    ), requested AS (
      INSERT INTO requests (workspace_id, request_id, key_id, verb, mode, status, admitted, http_status, charged,
        created_at, finished_at)
      VALUES ($1, $8, $2, 'verify_email', 'act', 'succeeded', true, 200, $7, $9, $9)
    ), counted AS (
      INSERT INTO usage_of_keys AS d (workspace_id, day, key_id, verb, calls, charged)
      VALUES ($1, ($9::timestamptz AT TIME ZONE 'UTC')::date, $2, 'verify_email', 1, $7)
      ON CONFLICT (workspace_id, day, key_id, verb) DO UPDATE SET calls = d.calls + 1, charged = d.charged + EXCLUDED.charged
    )
    SELECT available FROM moved`
}

const RESERVE = {
  name: "reserve",
  text: `
    WITH used AS (
      UPDATE key_usage SET month = $3, committed = $4, rate_second = $5, rate_counts = $6
      WHERE workspace_id = $1 AND key_id = $2
    ), moved AS (
      UPDATE accounts SET available = available - $7 WHERE workspace_id = $1
    )
    INSERT INTO open_calls (workspace_id, request_id, key_id, verb, mode, reserved, month, incarnation, created_at)
    VALUES ($1, $8, $2, 'verify_email', 'act', $7, $3, $8, $9)`
}

const SETTLE = {
  name: "settle",
  text: `
    WITH ended AS (
      DELETE FROM open_calls WHERE workspace_id = $1 AND request_id = $2 RETURNING key_id, reserved, created_at
    ), entered AS (
      INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, request_id, at)
      SELECT $1, $2, 'charge', -$3::bigint, $2, $4 FROM ended
    ), requested AS (
      INSERT INTO requests (workspace_id, request_id, key_id, verb, mode, status, admitted, http_status, charged,
        created_at, finished_at)
      SELECT $1, $2, key_id, 'verify_email', 'act', 'succeeded', true, 200, $3, created_at, $4 FROM ended
    ), counted AS (
      INSERT INTO usage_of_keys AS d (workspace_id, day, key_id, verb, calls, charged)
      SELECT $1, ($4::timestamptz AT TIME ZONE 'UTC')::date, key_id, 'verify_email', 1, $3 FROM ended
      ON CONFLICT (workspace_id, day, key_id, verb) DO UPDATE SET calls = d.calls + 1, charged = d.charged + EXCLUDED.charged
    )
    UPDATE accounts SET available = available + (SELECT reserved FROM ended) - $3 WHERE workspace_id = $1
    RETURNING available`
}

interface KeyRow {
  readonly workspace_id: string
  readonly key_id: string
  readonly state: string
  readonly scopes: ReadonlyArray<string>
  readonly monthly_spend_cap: string | null
  readonly rate_per_minute: number
  readonly month: string
  readonly committed: string
  readonly rate_second: string
  readonly rate_counts: string
  readonly available: string
}

const [, , url = "", connections = "16", transactions = "one"] = process.argv
const pool = new pg.Pool({ connectionString: url, max: Number(connections) })

const uuidv7 = (atMillis: number): string => {
  const hex = atMillis.toString(16).padStart(12, "0") + randomBytes(10).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-b${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const verify = (email: string) => ({
  email,
  status: email.includes("@") ? "valid" : "invalid",
  is_catch_all_domain: false
})

interface Settled {
  readonly available: string
}

type Answer = { readonly status: number; readonly body: unknown; readonly limit: number; readonly left: number }

const refused = (status: number, code: string, requestId: string): Answer => ({
  status,
  body: { error: { code, request_id: requestId } },
  limit: 0,
  left: 0
})

/** What a key may do now, and what the call writes; else the refusal. */
const admit = async (client: pg.PoolClient, hash: string) => {
  const now = Date.now()
  const requestId = uuidv7(now)
  const { rows } = await client.query<KeyRow>({ ...READ, values: [hash] })
  const [key] = rows
  if (key === undefined || key.state === "revoked") return refused(401, "unauthorized", requestId)
  const window = {
    second: Number(key.rate_second),
    counts: key.rate_counts === "" ? [] : key.rate_counts.split(",").map(Number)
  }
  if (rateStatus(window, key.rate_per_minute, now).remaining === 0) return refused(429, "rate_limited", requestId)
  if (key.state === "paused") return refused(403, "agent_paused", requestId)
  if (!key.scopes.includes("data:read")) return refused(403, "forbidden", requestId)
  const month = new Date(now).toISOString().slice(0, 7)
  const spent = key.month === month ? BigInt(key.committed) : 0n
  const cap = key.monthly_spend_cap
  if (cap !== null && BigInt(cap) - spent < PRICE) return refused(402, "payment_required", requestId)
  if (BigInt(key.available) < PRICE) {
    return refused(402, "insufficient_credits", requestId)
  }
  const rate = count(window, now)
  return {
    requestId,
    workspaceId: key.workspace_id,
    limit: key.rate_per_minute,
    left: rateStatus(rate, key.rate_per_minute, now).remaining,
    values: [
      key.workspace_id,
      key.key_id,
      month,
      (spent + PRICE).toString(),
      rate.second,
      rate.counts.join(","),
      PRICE.toString(),
      requestId,
      new Date(now)
    ]
  }
}

type Admitted = Exclude<Awaited<ReturnType<typeof admit>>, Answer>

const answered = ({ left, limit, requestId }: Admitted, email: string, available: string | undefined): Answer => {
  const credits: Credits = fromMicros(BigInt(available ?? "0"))
  const svc = { request_id: requestId, credits_charged: "1", credits_available: credits.toString() }
  return { status: 200, body: { result: verify(email), svc }, limit, left }
}

const inTransaction = async <A>(work: (client: pg.PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query({ name: "begin", text: "BEGIN" })
    const answer = await work(client)
    await client.query({ name: "commit", text: "COMMIT" })
    return answer
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

const inOne = (hash: string, email: string): Promise<Answer> =>
  inTransaction(async (client) => {
    const admitted = await admit(client, hash)
    if ("status" in admitted) return admitted
    const { rows } = await client.query<Settled>({ ...WRITE, values: admitted.values })
    return answered(admitted, email, rows[0]?.available)
  })

const inTwo = async (hash: string, email: string): Promise<Answer> => {
  const admitted = await inTransaction(async (client) => {
    const found = await admit(client, hash)
    if (!("status" in found)) await client.query({ ...RESERVE, values: found.values })
    return found
  })
  if ("status" in admitted) return admitted
  const values = [admitted.workspaceId, admitted.requestId, PRICE.toString(), new Date()]
  const { rows } = await pool.query<Settled>({ ...SETTLE, values })
  return answered(admitted, email, rows[0]?.available)
}

const metered = transactions === "two" ? inTwo : inOne

const server = Fastify()
server.post<{ Body: { email: string } }>(
  "/v1/verify_email",
  {
    schema: {
      body: {
        type: "object",
        additionalProperties: false,
        required: ["email"],
        properties: { email: { type: "string", minLength: 3, maxLength: 320 } }
      }
    }
  },
  async (request, reply) => {
    const secret = request.headers.authorization?.replace(/^Bearer /, "") ?? ""
    const hash = createHash("sha256").update(secret).digest("hex")
    const { body, left, limit, status } = await metered(hash, request.body.email)
    return reply
      .code(status)
      .header("ratelimit", `"key";r=${left};t=60`)
      .header("ratelimit-policy", `"key";q=${limit};w=60`)
      .send(body)
  }
)

await server.listen({ port: 0, host: "127.0.0.1" })
const address = server.server.address()
console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
process.on("SIGTERM", () => process.exit(0))
