/** The hashes of `@outbound/domain/kernel/trail/seals.js` in SQL. A contract suite compares both. */
const sha256 = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`

/** As `Date.prototype.toISOString` writes it. */
export const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const IDS = ["campaign_id", "campaign_lead_id", "reply_id", "request_id", "operation_id"]

/** `commitmentOf`, of two columns. */
export const commitmentSql = (salt: string, email: string): string => sha256(`${salt} || E'\\n' || ${email}`)

/** `eventHash`, of a row `event` of `trail_events` and the commitment to its person. */
export const eventHashSql = (event: string, person: string): string =>
  sha256(
    [
      `${event}.event_id::text`,
      `${event}.kind`,
      `${event}.source`,
      iso(`${event}.observed_at`),
      ...IDS.map((id) => `COALESCE(${event}.${id}::text, '')`),
      `COALESCE(${person}, '')`,
      `${event}.detail::text`
    ].join(` || E'\\n' || `)
  )

/** The hashes of a seal's events, in their order, as `sealHashSql` takes them. Aggregates rows with these columns. */
export const HASHES_IN_ORDER = `string_agg(b.hash, E'\\n' ORDER BY b.observed_at, b.event_id)`

/** `sealHash`, of a row `seal` of `trail_seals`, and a row `of` that counts its events and has their hashes. */
export const sealHashSql = (seal: string, of = seal): string =>
  sha256(
    [
      "'outbound trail seal 1'",
      `${seal}.workspace_id::text`,
      `(${seal}.number)::text`,
      `${seal}.previous`,
      iso(`${seal}.sealed_at`),
      `${of}.count::text`,
      `${of}.hashes`
    ].join(` || E'\\n' || `)
  )
