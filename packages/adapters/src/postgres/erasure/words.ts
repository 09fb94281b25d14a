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
  saved_answers: { table: "saved_answers", id: "saved_answer_id", columns: { body: "text" } },
  approvals: { table: "approvals", id: "approval_id", columns: { snapshot: "json" } }
}

const IS_ASCII = /^[\x20-\x7e]*$/

/** An address as it is escaped in JSON text. */
const inJson = (email: string): string => JSON.stringify(email).slice(1, -1)

/** Scans free text, for which no index says whom it names. */
export const words = (sql: SqlClient): Pick<ErasureStore["Service"], "words" | "rewrite"> => ({
  words: (of, { email, workspaceId }, { after, limit }) => {
    const { columns, id, table } = WORDS[of]
    const object = Object.keys(columns)
      .map((name) => `'${name}', t.${name}`)
      .join(", ")
    // As JSON escapes it. Plain ASCII is lowered byte by byte, which is many times faster than by the rules of a language.
    const said = Object.entries(columns)
      .map(([name, type]) => (type === "text" ? `to_json(t.${name})::text` : `t.${name}::text`))
      .join(", ")
    const collation = IS_ASCII.test(email) ? 'COLLATE "C"' : ""
    const ref = sql.literal(`t.${id}`)
    return sql`
      WITH p AS (
        SELECT ${ref} AS id FROM ${sql.literal(table)} t
        WHERE t.workspace_id = ${workspaceId} AND ${ref} > ${after ?? NIL}::uuid
        ORDER BY ${ref}
        LIMIT ${limit}
      ), looked AS MATERIALIZED (
        SELECT max(p.id::text)::uuid AS last, count(*)::integer AS count FROM p
      ), theirs AS (
        SELECT ${ref} AS id, json_build_object(${sql.literal(object)})::text AS text
        FROM ${sql.literal(table)} t
        WHERE t.workspace_id = ${workspaceId} AND ${ref} > ${after ?? NIL}::uuid
          AND ${ref} <= (SELECT last FROM looked)
          AND strpos(lower(concat_ws(' ', ${sql.literal(said)}) ${sql.literal(collation)}), ${inJson(email)}) > 0
      )
      SELECT s.id::text, s.text, s.id = looked.last AS "isLast", looked.count FROM theirs s CROSS JOIN looked
      UNION ALL
      SELECT looked.last::text, NULL, true, looked.count FROM looked
      WHERE looked.count > 0 AND NOT EXISTS (SELECT 1 FROM theirs s WHERE s.id = looked.last)
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
