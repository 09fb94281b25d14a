/**
 * The bare proxy, which also keeps the least promise of a prepaid meter: it commits a row before it asks, and another one
 * before an answer is whole. It reads, checks, counts and groups nothing, so it shows what the two commits cost a process.
 */
import { createServer } from "node:http"
import pg from "pg"
import { passOn } from "./passOn.js"

const [, , url = "", upstream = ""] = process.argv

const pool = new pg.Pool({ connectionString: url, max: 16 })
const TABLE = "CREATE TABLE IF NOT EXISTS bench_metered (at timestamptz NOT NULL, phase text NOT NULL)"
const commit =
  (phase: string) =>
  (then: () => void): void =>
    void pool
      .query({ name: "commit", text: "INSERT INTO bench_metered VALUES (now(), $1)", values: [phase] })
      .then(then)

await pool.query(TABLE)
const server = createServer(
  { noDelay: true, keepAliveTimeout: 60_000 },
  passOn(new URL(upstream), commit("reserved"), commit("settled"))
)
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }))
})
process.on("SIGTERM", () => process.exit(0))
