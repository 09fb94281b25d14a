import type { ErasureStore, WordsOf } from "@outbound/domain/control/erasure/ErasureStore.js"
import { Effect, Schema } from "effect"
import { changes, NIL, rows } from "../Columns.js"
import type { SqlClient } from "../Sql.js"

const WordsRow = Schema.Struct({
  id: Schema.String,
  text: Schema.NullOr(Schema.String),
  isLast: Schema.Boolean,
  count: Schema.Int
})

/** The columns with free text: the table, its id, and how to read and write the columns. */
const WORDS: Readonly<
  Record<WordsOf, { readonly table: string; readonly id: string; readonly columns: Readonly<Record<string, string>> }>
> = {
  campaign_leads: {
    table: "campaign_leads",
    id: "campaign_lead_id",
    columns: {
      first_name: "text",
      last_name: "text",
      company_name: "text",
      custom: "json",
      evidence: "json",
      origin: "json"
    }
  },
  replies: {
    table: "replies",
    id: "reply_id",
    columns: { from_email: "text", subject: "text", snippet: "text", body_text: "text", body_html: "text" }
  },
  sent_replies: { table: "sent_replies", id: "sent_reply_id", columns: { subject: "text", body_text: "text" } },
  approval_people: {
    table: "approval_people",
    id: "shown_id",
    columns: { first_name: "text", last_name: "text", company_name: "text", custom: "json", evidence: "json" }
  },
  campaign_left_out: { table: "campaign_left_out", id: "left_out_id", columns: { detail: "json" } },
  list_rows: { table: "list_rows", id: "row_id", columns: { input: "json", body: "json", uploaded: "json" } },
  approvals: { table: "approvals", id: "approval_id", columns: { snapshot: "json" } }
}

/** An address as it is escaped in JSON text. */
const inJson = (email: string): string => JSON.stringify(email).slice(1, -1)

/** Scans free text, for which no index says whom it names. */
export const words = (sql: SqlClient): Pick<ErasureStore["Service"], "words" | "rewrite"> => ({
  words: (of, { email, workspaceId }, { after, limit }) => {
    const { columns, id, table } = WORDS[of]
    const object = Object.keys(columns)
      .map((name) => `'${name}', p.${name}`)
      .join(", ")
    const taken = ["t.workspace_id", `t.${id}`, ...Object.keys(columns).map((name) => `t.${name}`)].join(", ")
    return sql`
      WITH p AS MATERIALIZED (
        SELECT ${sql.literal(taken)} FROM ${sql.literal(table)} t
        WHERE t.workspace_id = ${workspaceId} AND t.${sql.literal(id)} > ${after ?? NIL}::uuid
        ORDER BY t.${sql.literal(id)}
        LIMIT ${limit}
      ), looked AS (
        SELECT p.${sql.literal(id)}::text AS id, json_build_object(${sql.literal(object)})::text AS text,
          row_number() OVER (ORDER BY p.${sql.literal(id)} DESC) = 1 AS is_last,
          (count(*) OVER ())::integer AS count
        FROM p
      )
      SELECT id, CASE WHEN strpos(lower(text), ${inJson(email)}) > 0 THEN text END AS text, is_last AS "isLast",
        count
      FROM looked WHERE is_last OR strpos(lower(text), ${inJson(email)}) > 0
      ORDER BY id
    `.pipe(
      rows("erasures.words", WordsRow),
      Effect.map((found) => {
        const last = found.find(({ isLast }) => isLast)
        return {
          found: found.flatMap((row) => (row.text === null ? [] : [{ id: row.id, text: row.text }])),
          next: last !== undefined && last.count === limit ? last.id : null
        }
      })
    )
  },

  rewrite: (of, workspaceId, words) => {
    const { columns, id, table } = WORDS[of]
    const names = Object.keys(columns)
    const assigned = names.map((name) => `${name} = g.${name}`).join(", ")
    const given = names.map((name) => `${name} ${columns[name]}`).join(", ")
    return sql`
      UPDATE ${sql.literal(table)} t SET ${sql.literal(assigned)}
      FROM json_to_record(${words.text}::json) AS g (${sql.literal(given)})
      WHERE t.workspace_id = ${workspaceId} AND t.${sql.literal(id)} = ${words.id}
      RETURNING t.${sql.literal(id)}
    `.pipe(changes("erasures.rewrite"))
  }
})
