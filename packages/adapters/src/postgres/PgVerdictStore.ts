import { VerdictStore } from "@outbound/domain/data/verification/VerdictStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { EMAIL_STATUSES } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import { literals, Millis, rows } from "./Columns.js"
import { isOneOf, isText, isWhole, manyRows, millisOf, orNull } from "./ManyRows.js"
import { storeLayer } from "./Table.js"

const VerdictRow = Schema.Struct({
  addressHash: Schema.String,
  status: Schema.Literals(EMAIL_STATUSES),
  checkedAtMillis: Millis
})

export const layer = storeLayer(VerdictStore, (sql) => ({
  find: (workspaceId, addressHashes) =>
    sql`
      SELECT v.address_hash AS "addressHash", v.status, v.checked_at AS "checkedAtMillis"
      FROM email_verdicts v
      WHERE v.workspace_id = ${workspaceId} AND v.address_hash = ANY(${addressHashes}::text[])
    `.pipe(
      rows("VerdictStore.find", VerdictRow),
      Effect.map((found) => new Map(found.map(({ addressHash, ...verdict }) => [addressHash, verdict] as const)))
    ),
  ofCampaign: (workspaceId, campaignId, max) =>
    Effect.map(
      manyRows(sql, "VerdictStore.ofCampaign", {
        email: isText,
        status: orNull(isOneOf(EMAIL_STATUSES)),
        checkedAtMillis: orNull(isWhole)
      })(sql`
        SELECT l.email, v.status, ${sql.literal(millisOf("v.checked_at"))} AS "checkedAtMillis"
        FROM campaign_leads l
        LEFT JOIN email_verdicts v ON v.workspace_id = l.workspace_id AND v.address_hash = l.address_hash
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
          AND l.state IN (${sql.literal(literals(LeadMachine.in.open))}) AND l.email <> ''
        LIMIT ${max}
      `),
      (found) =>
        found.map(({ checkedAtMillis, email, status }) => ({
          email,
          verdict: status === null || checkedAtMillis === null ? null : { status, checkedAtMillis }
        }))
    )
}))
