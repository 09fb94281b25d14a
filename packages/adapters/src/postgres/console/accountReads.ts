import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { ConsoleReads, LedgerAfter, LedgerFilter } from "@outbound/domain/control/console/ConsoleReads.js"
import { LEDGER_KINDS } from "@outbound/domain/calls/credits/CreditStore.js"
import { Credits } from "@outbound/domain/kernel/money/Credits.js"
import { Clock, Effect, Schema } from "effect"
import { Count, date, firstIdOf, Millis, millisOf, rows } from "../Columns.js"
import type { SqlClient, Statement } from "../Sql.js"
import { texts } from "../Table.js"

const DayRow = Schema.Struct({ dayMillis: Millis, calls: Count, charged: Credits })

const KeyRow = Schema.Struct({
  ...texts("keyId", "name", "prefix"),
  calls: Count,
  charged: Credits
})

const EntryRow = Schema.Struct({
  entryId: Schema.String,
  kind: Schema.Literals(LEDGER_KINDS),
  micros: Schema.BigInt,
  atMillis: Millis,
  requestId: Schema.NullOr(Schema.String)
})

const CallRow = Schema.Struct(texts("requestId", "verb", "keyId", "keyName"))

const PersonRow = Schema.Struct(texts("requestId", "person"))

const DayKeyRow = Schema.Struct({ ...KeyRow.fields, verb: Schema.String })

/** Ids begin with the time of their making; the call behind an entry of a day may have begun so long before. */
const BEFORE_MILLIS = 40 * DAY_MILLIS

/** Busy workspaces fill a page of the ledger within it. */
const RECENT_MILLIS = 40 * DAY_MILLIS

/** Reads for the pages about credits and usage. */
export const accountReads = (
  sql: SqlClient
): Pick<ConsoleReads["Service"], "usageByDay" | "usageByKey" | "usageOfDay" | "keysOfCalls" | "ledger"> => ({
  usageByDay: (workspaceId, fromDayMillis) =>
    sql`
      SELECT used.day::timestamp AT TIME ZONE 'UTC' AS "dayMillis", sum(used.calls)::bigint AS calls,
        sum(used.charged)::bigint AS charged
      FROM (
        SELECT d.day, d.calls, d.charged FROM usage_counted d
        WHERE d.workspace_id = ${workspaceId} AND d.day >= (${date(fromDayMillis)}::timestamptz AT TIME ZONE 'UTC')::date
        UNION ALL
        SELECT (e.at AT TIME ZONE 'UTC')::date, 1, -e.amount FROM ledger_entries e
        WHERE e.workspace_id = ${workspaceId} AND e.at >= ${date(fromDayMillis)} AND e.kind = 'upkeep'
      ) used
      GROUP BY used.day ORDER BY used.day
    `.pipe(rows("console.usageByDay", DayRow)),

  usageByKey: (workspaceId, fromDayMillis, limit) =>
    sql`
      SELECT k.key_id AS "keyId", k.name, k.prefix, used.calls, used.charged
      FROM (
        SELECT u.key_id, sum(u.calls)::bigint AS calls, sum(u.charged)::bigint AS charged FROM usage_of_keys u
        WHERE u.workspace_id = ${workspaceId} AND u.day >= (${date(fromDayMillis)}::timestamptz AT TIME ZONE 'UTC')::date
        GROUP BY u.key_id
      ) used
      JOIN api_keys k ON k.workspace_id = ${workspaceId} AND k.key_id = used.key_id
      ORDER BY used.charged DESC, used.calls DESC, k.key_id
      LIMIT ${limit}
    `.pipe(rows("console.usageByKey", KeyRow)),

  usageOfDay: (workspaceId, dayMillis, limit) =>
    sql`
      SELECT k.key_id AS "keyId", k.name, k.prefix, u.verb, u.calls::bigint AS calls, u.charged::bigint AS charged
      FROM usage_of_keys u JOIN api_keys k ON k.workspace_id = u.workspace_id AND k.key_id = u.key_id
      WHERE u.workspace_id = ${workspaceId} AND u.day = (${date(dayMillis)}::timestamptz AT TIME ZONE 'UTC')::date
      ORDER BY u.charged DESC, u.calls DESC, k.key_id, u.verb COLLATE "C"
      LIMIT ${limit}
    `.pipe(rows("console.usageOfDay", DayKeyRow)),

  keysOfCalls: (workspaceId, requestIds) =>
    Effect.map(
      callsOf(sql, workspaceId, requestIds),
      (calls) => new Map(calls.map((call) => [call.requestId, call.keyId]))
    ),

  ledger: (workspaceId, which, last, limit) =>
    Effect.gen(function* () {
      const lines = yield* entriesOf(sql, workspaceId, which, last, limit)
      const ids = lines.flatMap(({ requestId }) => requestId ?? []).sort()
      const [first] = ids
      if (first === undefined) return lines.map((line) => ({ ...line, verb: null, key: null, person: null }))
      const newest = ids.at(-1) ?? first
      const calls = yield* callsOf(sql, workspaceId, ids)
      const people = yield* peopleOf(sql, workspaceId, ids, first, newest)
      const callOf = new Map(calls.map((call) => [call.requestId, call]))
      const personOf = new Map(people.map(({ person, requestId }) => [requestId, person]))
      return lines.map((line) => {
        const call = callOf.get(line.requestId ?? "")
        const key = call === undefined ? null : { keyId: call.keyId, name: call.keyName }
        return { ...line, verb: call?.verb ?? null, key, person: personOf.get(line.requestId ?? "") ?? null }
      })
    })
})

/** Entries and calls are kept by the month. Each statement names the ids it needs, so that it opens few of the months. */
const entriesOf = (
  sql: SqlClient,
  workspaceId: string,
  { campaignId, dayMillis, keyId, requestId, verb }: LedgerFilter,
  last: LedgerAfter | null,
  limit: number
) =>
  Effect.gen(function* () {
    const conditions: Array<Statement.Fragment> = [sql`e.workspace_id = ${workspaceId}`]
    if (last !== null) conditions.push(sql`(e.entry_id, e.kind) < (${last.entryId}::uuid, ${last.kind}::text)`)
    if (requestId !== null) conditions.push(sql`e.request_id = ${requestId}::uuid`)
    if (keyId !== null || verb !== null) {
      conditions.push(sql`EXISTS (
        SELECT 1 FROM requests r
        WHERE r.workspace_id = e.workspace_id AND r.request_id = e.request_id
          AND ${keyId === null ? sql`true` : sql`r.key_id = ${keyId}::uuid`}
          AND ${verb === null ? sql`true` : sql`r.verb = ${verb}`}
      )`)
    }
    if (campaignId !== null) {
      // The entry of a charge has its call's id.
      conditions.push(sql`e.entry_id IN (
        SELECT s.request_id FROM campaign_leads l
        JOIN call_subjects s ON s.workspace_id = l.workspace_id AND s.address_hash = l.address_hash
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}::uuid
      )`)
    }
    const entries = (among: Statement.Fragment, count: number) =>
      sql`
        SELECT e.entry_id AS "entryId", e.kind, e.amount AS micros, e.at AS "atMillis", e.request_id AS "requestId"
        FROM ledger_entries e WHERE ${sql.and([...conditions, among])}
        ORDER BY e.entry_id DESC, e.kind DESC
        LIMIT ${count}
      `.pipe(rows("console.ledger", EntryRow))
    if (dayMillis !== null) {
      const [from, until] = [firstIdOf(dayMillis - BEFORE_MILLIS), firstIdOf(dayMillis + DAY_MILLIS)]
      const ofDay = sql`e.at >= ${date(dayMillis)} AND e.at < ${date(dayMillis + DAY_MILLIS)}`
      return yield* entries(sql`${ofDay} AND e.entry_id >= ${from}::uuid AND e.entry_id < ${until}::uuid`, limit)
    }
    if (requestId !== null) {
      // An entry that gives back is made after its call.
      const [from, until] = [firstIdOf(millisOf(requestId)), firstIdOf(millisOf(requestId) + BEFORE_MILLIS)]
      return yield* entries(sql`e.entry_id >= ${from}::uuid AND e.entry_id < ${until}::uuid`, limit)
    }
    if (campaignId !== null) return yield* entries(sql`true`, limit)
    const fromMillis = last === null ? yield* Clock.currentTimeMillis : millisOf(last.entryId)
    const isAny = keyId === null && verb === null
    const recent = firstIdOf((isAny ? fromMillis : yield* Clock.currentTimeMillis) - RECENT_MILLIS)
    const newest = yield* entries(sql`e.entry_id >= ${recent}::uuid`, limit)
    if (newest.length === limit || !isAny) return newest
    return [...newest, ...(yield* entries(sql`e.entry_id < ${recent}::uuid`, limit - newest.length))]
  })

/** The calls of these ids. Calls are kept by the month, so the statement names the ids between which they are. */
const callsOf = (sql: SqlClient, workspaceId: string, requestIds: ReadonlyArray<string>) => {
  const ids = requestIds.toSorted()
  const [first] = ids
  if (first === undefined) return Effect.succeed([])
  return sql`
    SELECT r.request_id AS "requestId", r.verb, r.key_id AS "keyId", k.name AS "keyName"
    FROM requests r JOIN api_keys k ON k.workspace_id = r.workspace_id AND k.key_id = r.key_id
    WHERE r.workspace_id = ${workspaceId} AND r.request_id = ANY(${ids}::uuid[])
      AND r.request_id BETWEEN ${first}::uuid AND ${ids.at(-1) ?? first}::uuid
  `.pipe(rows("console.calls", CallRow))
}

/** Who approved the purchase, or started the list, that a call carried out. */
const peopleOf = (sql: SqlClient, workspaceId: string, ids: ReadonlyArray<string>, first: string, newest: string) =>
  sql`
    SELECT t.request_id::text AS "requestId", u.email AS person
    FROM trail_events t
    JOIN approvals a ON a.workspace_id = t.workspace_id AND a.approval_id = (t.detail ->> 'approval_id')::uuid
    JOIN users u ON u.user_id = a.decided_by_user_id
    WHERE t.workspace_id = ${workspaceId} AND t.kind = 'purchased' AND t.request_id = ANY(${ids}::uuid[])
      AND t.observed_at >= ${date(millisOf(first))} AND t.observed_at < ${date(millisOf(newest) + BEFORE_MILLIS)}
    UNION ALL
    SELECT l.after ->> 'request_id', l.actor_name
    FROM control_log l
    WHERE l.workspace_id = ${workspaceId} AND l.action = 'start_list' AND l.actor_name IS NOT NULL
      AND l.after ->> 'request_id' = ANY(${ids}) AND l.control_log_id >= ${firstIdOf(millisOf(first) - DAY_MILLIS)}::uuid
      AND l.control_log_id < ${firstIdOf(millisOf(newest) + DAY_MILLIS)}::uuid
  `.pipe(rows("console.ledger", PersonRow))
