import { LOOK_KINDS } from "@outbound/domain/calls/approvals/Snapshot.js"
import { EVIDENCE_MARKS, ValueEvidenceJson } from "@outbound/domain/kernel/sequences/evidence.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { ContentStore } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { LeadWords } from "@outbound/domain/kernel/words/notice.js"
import { Effect, Option, Schema } from "effect"
import { firstRow, firstValue, literals, mapOf, rows, run } from "./Columns.js"
import type { Statement } from "./Sql.js"
import { columnsOf, givenOf, readerOf, storeLayer, texts, textsOrNull } from "./Table.js"

const ShownRow = Schema.Struct({
  ...texts("shownId", "addressHash", "email"),
  ...textsOrNull("firstName", "lastName", "companyName"),
  custom: Schema.Record(Schema.String, Schema.String),
  digest: Schema.String,
  words: Schema.NullOr(LeadWords),
  looks: Schema.Array(Schema.Literals(LOOK_KINDS)),
  hosts: Schema.Array(Schema.String),
  evidence: Schema.NullOr(
    Schema.Array(Schema.Struct({ ...ValueEvidenceJson.fields, mark: Schema.Literals(EVIDENCE_MARKS) }))
  )
})

const DigestRow = Schema.Struct({ addressHash: Schema.String, digest: Schema.String })
const ValueRow = Schema.Struct({ value: Schema.NullOr(Schema.String), people: Schema.Int })
const DifferenceRow = Schema.Struct({ added: Schema.Int, removed: Schema.Int, changed: Schema.Int })

/** The columns of the variables that are no custom fields. */
const FIELDS: Readonly<Record<string, string>> = {
  email: "p.email",
  first_name: "p.first_name",
  last_name: "p.last_name",
  company_name: "p.company_name"
}
const CUSTOM = "custom."

export const layer = storeLayer(ContentStore, (sql) => {
  const { all, one } = readerOf(sql, "approval_people p", ShownRow, columnsOf(ShownRow, "p"))

  /** The variable's value in a row; null: the fallback is sent. */
  const valueOf = (variable: string): Statement.Fragment =>
    variable.startsWith(CUSTOM)
      ? sql`(p.custom ->> ${variable.slice(CUSTOM.length)}::text)`
      : sql.literal(FIELDS[variable] ?? "NULL::text")

  const holds = (text: string): Statement.Fragment => sql`
    position(lower(${text}) in lower(concat_ws(' ', p.email, p.first_name, p.last_name, p.company_name, (
      SELECT string_agg(c.value, ' ') FROM json_each_text(p.custom) AS c
    )))) > 0
  `

  const shown = givenOf(
    sql,
    `shownId uuid, addressHash text, email text, firstName text, lastName text, companyName text,
      custom json, digest text, words json, looks text[], hosts text[], evidence json`
  )

  return {
    insert: (workspaceId, approvalId, people) =>
      sql`
        INSERT INTO approval_people (workspace_id, approval_id, ${shown.columns})
        SELECT ${workspaceId}::uuid, ${approvalId}::uuid, ${shown.values} FROM ${shown.from(people)}
      `.pipe(run("content.insert")),

    forget: (workspaceId, target) =>
      sql`
        DELETE FROM approval_people p USING (
          SELECT a.approval_id FROM approvals a
          WHERE a.workspace_id = ${workspaceId} AND a.target = ${target} AND a.state = 'superseded'
          ORDER BY a.created_at DESC, a.approval_id DESC
          OFFSET 1
        ) AS old
        WHERE p.workspace_id = ${workspaceId} AND p.approval_id = old.approval_id
      `.pipe(run("content.forget")),

    digests: (workspaceId, approvalId) =>
      sql`
        SELECT p.address_hash AS "addressHash", p.digest FROM approval_people p
        WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${approvalId}
      `.pipe(mapOf("content.digests", DigestRow, ({ addressHash, digest }) => [addressHash, digest])),

    overlapping: (workspaceId, campaignId, addressHashes) =>
      sql`
        SELECT count(DISTINCT l.address_hash)::integer AS people
        FROM unnest(${addressHashes}::text[]) AS person (address_hash)
        JOIN campaign_leads l ON l.workspace_id = ${workspaceId} AND l.address_hash = person.address_hash
        JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
        WHERE l.campaign_id <> ${campaignId} AND l.state IN (${sql.literal(literals(LeadMachine.in.open))})
          AND c.state IN (${sql.literal(literals(CampaignMachine.in.launched))})
      `.pipe(firstValue("content.overlapping", Schema.Int, 0)),

    people: (workspaceId, approvalId, { having, host, look, text }, { after, before, limit }) => {
      const conditions: Array<Statement.Fragment> = [
        sql`p.workspace_id = ${workspaceId}`,
        sql`p.approval_id = ${approvalId}`
      ]
      if (after !== null) conditions.push(sql`p.shown_id > ${after}::uuid`)
      if (look !== null) conditions.push(sql`${look}::text = ANY(p.looks)`)
      if (host !== null) conditions.push(sql`${host}::text = ANY(p.hosts)`)
      if (having !== null) {
        conditions.push(sql`${valueOf(having.variable)} IS NOT DISTINCT FROM ${having.value}::text`)
      }
      if (text !== null) conditions.push(holds(text))
      if (before === undefined) {
        return all("content.people")(sql`${sql.and(conditions)} ORDER BY p.shown_id LIMIT ${limit}`)
      }
      conditions.push(sql`p.shown_id < ${before}::uuid`)
      return Effect.map(
        all("content.people")(sql`${sql.and(conditions)} ORDER BY p.shown_id DESC LIMIT ${limit}`),
        (found) => found.toReversed()
      )
    },

    person: (workspaceId, approvalId, shownId) => one("content.person")({ workspaceId, approvalId, shownId }),

    values: (workspaceId, approvalId, variable, { limit, offset, text }) =>
      sql`
        SELECT g.value, count(*)::integer AS people
        FROM (
          SELECT ${valueOf(variable)} AS value FROM approval_people p
          WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${approvalId}
        ) AS g
        WHERE ${text === null ? sql`true` : sql`position(lower(${text}) in lower(g.value)) > 0`}
        GROUP BY g.value
        ORDER BY people, g.value COLLATE "C" NULLS FIRST
        LIMIT ${limit} OFFSET ${offset}
      `.pipe(rows("content.values", ValueRow)),

    differences: (workspaceId, earlierId, approvalId) =>
      sql`
        SELECT (count(*) FILTER (WHERE old.shown_id IS NULL))::integer AS added,
          (count(*) FILTER (WHERE now.shown_id IS NULL))::integer AS removed,
          (count(*) FILTER (WHERE old.digest <> now.digest))::integer AS changed
        FROM (
          SELECT p.shown_id, p.address_hash, p.digest FROM approval_people p
          WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${earlierId}
        ) AS old
        FULL JOIN (
          SELECT p.shown_id, p.address_hash, p.digest FROM approval_people p
          WHERE p.workspace_id = ${workspaceId} AND p.approval_id = ${approvalId}
        ) AS now ON now.address_hash = old.address_hash
      `.pipe(
        firstRow("content.differences", DifferenceRow),
        Effect.map(Option.getOrElse(() => ({ added: 0, removed: 0, changed: 0 })))
      )
  }
})
