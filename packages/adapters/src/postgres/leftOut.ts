import type { LeftOutReads, LeftOutWrites } from "@outbound/domain/outreach/campaigns/recipients/leftOut.js"
import { PROBLEMS } from "@outbound/domain/outreach/campaigns/recipients/readRecipient.js"
import { REMOVAL_REASONS } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { RecipientField } from "@outbound/domain/verbs/campaignFields.js"
import { Schema } from "effect"
import { mapOf, run } from "./Columns.js"
import type { SqlClient } from "./Sql.js"
import { columnsOf, givenOf, readerOf, texts } from "./Table.js"

const Reason = Schema.Literals(REMOVAL_REASONS)

const LeftOutRow = Schema.Struct({
  ...texts("leftOutId", "addressHash"),
  reason: Reason,
  detail: Schema.Struct({
    email: Schema.String,
    index: Schema.NullOr(Schema.Int),
    faults: Schema.Array(
      Schema.Struct({
        ...texts("field", "message"),
        problem: Schema.Literals(PROBLEMS),
        value: Schema.NullOr(Schema.String)
      })
    ),
    given: Schema.NullOr(RecipientField)
  })
})

const CountRow = Schema.Struct({ reason: Reason, people: Schema.Int })

/** Whom calls left out of campaigns. */
export const leftOutWrites = (sql: SqlClient): LeftOutWrites => {
  const given = givenOf(sql, "leftOutId uuid, addressHash text, reason text, detail json")
  return {
    leaveOut: (workspaceId, campaignId, people) =>
      sql`
        INSERT INTO campaign_left_out (workspace_id, campaign_id, ${given.columns})
        SELECT ${workspaceId}::uuid, ${campaignId}::uuid, ${given.values} FROM ${given.from(people)}
      `.pipe(run("campaigns.leaveOut"))
  }
}

export const leftOutReads = (sql: SqlClient): LeftOutReads => {
  const { all } = readerOf(sql, "campaign_left_out o", LeftOutRow, columnsOf(LeftOutRow, "o"))
  return {
    leftOut: (workspaceId, campaignId, { after, limit }) =>
      all("reads.leftOut")(sql`
        o.workspace_id = ${workspaceId} AND o.campaign_id = ${campaignId}
          AND ${after === null ? sql`true` : sql`o.left_out_id > ${after}::uuid`}
        ORDER BY o.left_out_id LIMIT ${limit}
      `),
    leftOutCounts: (workspaceId, campaignId) =>
      sql`
        SELECT o.reason, count(*)::integer AS people FROM campaign_left_out o
        WHERE o.workspace_id = ${workspaceId} AND o.campaign_id = ${campaignId}
        GROUP BY o.reason
      `.pipe(mapOf("reads.leftOutCounts", CountRow, ({ people, reason }) => [reason, people]))
  }
}
