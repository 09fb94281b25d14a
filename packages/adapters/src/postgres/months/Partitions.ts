import { Effect } from "effect"
import { firstIdOf, literals, millisOf } from "../Columns.js"
import { SCHEMA_OID } from "../Schema.js"
import { SqlClient, type SqlError } from "../Sql.js"

/** The tables that grow with every call, in the order in which they are locked, and the id that says when. */
export const GROWING = [
  { table: "requests", id: "request_id", notes: "note_late_call" },
  { table: "ledger_entries", id: "entry_id", notes: "note_late_entry" }
] as const

export type Growing = (typeof GROWING)[number]

/** Whoever changes months takes this advisory lock. The number is arbitrary. */
export const MONTHS_LOCK = 7_204_119_003

/** Months that have a partition before they begin. */
const MONTHS_AHEAD = 2

/** The partition for the ids that no other one takes. */
export const beyondOf = ({ table }: Growing): string => `${table}_beyond`

export interface Partition {
  readonly table: Growing["table"]
  readonly name: string
  /** The first id that is not in it. */
  readonly until: string
}

/** The partitions of months, as a query. */
export const PARTITIONS = `
    SELECT b."table", b.name, b.until FROM (
      SELECT p.relname::text AS "table", c.relname::text AS name,
        substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([0-9a-f-]{36})''\\)')::uuid AS until
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
      WHERE p.relname IN (${literals(GROWING.map(({ table }) => table))}) AND p.relnamespace = ${SCHEMA_OID}
    ) b
    WHERE b.until IS NOT NULL`

/** The oldest first. */
export const partitions: Effect.Effect<ReadonlyArray<Partition>, SqlError, SqlClient> = Effect.flatMap(
  SqlClient,
  (sql) => sql.unsafe<Partition>(`${PARTITIONS} ORDER BY b.until, b."table" DESC`)
)

/** The first instant of the month (UTC), or of one so many months later. */
export const monthOf = (millis: number, later = 0): number => {
  const at = new Date(millis)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later)
}

const nameOf = (table: string, fromMillis: number): string =>
  `${table}_${new Date(fromMillis).toISOString().slice(0, 7).replace("-", "_")}`

/** Rows that came too early for the month are in the partition beyond. Those few move. */
const addPartition = (growing: Growing, fromMillis: number, untilMillis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { id, table } = growing
    const [name, beyond] = [nameOf(table, fromMillis), beyondOf(growing)]
    const [from, until] = [firstIdOf(fromMillis), firstIdOf(untilMillis)]
    const run = (statement: string) => sql.unsafe(statement)
    yield* run(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`)
    yield* run(`LOCK TABLE ${beyond} IN ACCESS EXCLUSIVE MODE`)
    // The ledger refuses to lose rows. These stay in it.
    yield* run(`ALTER TABLE ${beyond} DISABLE TRIGGER USER`)
    yield* run(`WITH moved AS (DELETE FROM ${beyond} WHERE ${id} >= '${from}' AND ${id} < '${until}' RETURNING *)
      INSERT INTO ${name} SELECT * FROM moved`)
    yield* run(`ALTER TABLE ${beyond} ENABLE TRIGGER USER`)
    yield* run(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`)
    if (table === "ledger_entries") {
      yield* run(`CREATE TRIGGER ledger_entries_keep_all BEFORE TRUNCATE ON ${name}
        FOR EACH STATEMENT EXECUTE FUNCTION rows_are_only_appended()`)
    }
  })

/** Adds the partitions of the months to come, within the caller's transaction. Returns how many months. */
export const addMonths = (nowMillis: number): Effect.Effect<number, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const last = (yield* partitions).at(-1)
    const end = monthOf(nowMillis, MONTHS_AHEAD + 1)
    let added = 0
    for (let from = last === undefined ? end : millisOf(last.until); from < end; from = monthOf(from, 1)) {
      for (const growing of GROWING) yield* addPartition(growing, from, monthOf(from, 1))
      added++
    }
    return added
  })
