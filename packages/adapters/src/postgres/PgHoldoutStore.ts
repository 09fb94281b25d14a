import { INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import { HoldoutStore } from "@outbound/domain/outreach/launching/holdout/HoldoutStore.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { CRM_STANDINGS, dealingOf } from "@outbound/domain/outreach/suppression/keepingOut.js"
import { Effect, Schema } from "effect"
import { date, firstRow, jsonRows, literals, Millis, rows, run } from "./Columns.js"
import { standings } from "./keptOut.js"
import { columnsOf, storeLayer } from "./Table.js"

const HoldoutRow = Schema.Struct({ percent: Schema.Int, seed: Schema.String, drawnAtMillis: Millis })

const Row = Schema.Struct({
  arm: Schema.NullOr(Schema.Literals(["written", "held_out"])),
  isWritten: Schema.Boolean,
  hasReplied: Schema.Boolean,
  saidInterested: Schema.Boolean,
  interestStatus: Schema.NullOr(Schema.Literals(INTEREST_STATUSES)),
  standings: Schema.Array(Schema.Literals(CRM_STANDINGS)),
  people: Schema.Int
})

const PlainRow = Schema.Struct({ isPlain: Schema.Boolean })

const SpentRow = Schema.Struct({ charged: Schema.String, cost: Schema.String })

const REPLIED = literals(LeadMachine.in.replied)
const HAS_REPLIED = `(l.steps_sent > 0 AND l.state IN (${REPLIED}))`

const PERSON = {
  workspaceId: "l.workspace_id",
  addressHash: "l.address_hash",
  email: "l.email",
  campaignId: "l.campaign_id",
  since: "NULL"
}

export const layer = storeLayer(HoldoutStore, (sql) => {
  const theirs = (workspaceId: string, campaignId: string) => sql`
    SELECT l.workspace_id, l.campaign_lead_id, l.address_hash, l.email, l.state, l.steps_sent, l.interest_status,
      l.said_interested, a.is_held_out
    FROM campaign_leads l
    LEFT JOIN campaign_arms a ON a.workspace_id = l.workspace_id AND a.campaign_lead_id = l.campaign_lead_id
    WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
      AND (l.steps_sent > 0 OR a.is_held_out IS NOT NULL)
  `
  /** Reads everybody: the arms and the CRM know people one by one. */
  const byPerson = (workspaceId: string, campaignId: string) =>
    sql`
      SELECT o.*, count(*)::integer AS people FROM (
        SELECT CASE WHEN l.is_held_out THEN 'held_out' WHEN NOT l.is_held_out THEN 'written' END AS arm,
          l.steps_sent > 0 AS "isWritten", ${sql.literal(HAS_REPLIED)} AS "hasReplied",
          ${sql.literal(HAS_REPLIED)} AND l.interest_status IS NULL AND l.said_interested AS "saidInterested",
          l.interest_status AS "interestStatus",
          CASE WHEN (SELECT EXISTS (SELECT 1 FROM crm_connections x WHERE x.workspace_id = ${workspaceId}))
            THEN ${sql.literal(standings(PERSON))} ELSE '{}' END AS standings
        FROM (${theirs(workspaceId, campaignId)}) l
      ) o
      GROUP BY o.arm, o."isWritten", o."hasReplied", o."saidInterested", o."interestStatus", o.standings
    `.pipe(rows("holdouts.outcomes", Row))

  /** The same where there are neither arms nor a CRM: reads kept counts (migration `campaign_day_counts`). */
  const byCounts = (workspaceId: string, campaignId: string) =>
    sql`
      SELECT NULL::text AS arm, true AS "isWritten", o.replied AS "hasReplied",
        o.replied AND o.interest_status IS NULL AND o.said_interested AS "saidInterested",
        o.interest_status AS "interestStatus", '{}'::text[] AS standings, sum(o.people)::integer AS people
      FROM (
        SELECT r.state IN (${sql.literal(REPLIED)}) AS replied, r.interest_status, r.said_interested, r.people
        FROM campaign_day_counts r WHERE r.workspace_id = ${workspaceId} AND r.campaign_id = ${campaignId}
      ) o
      GROUP BY 3, 4, 5 HAVING sum(o.people) <> 0
    `.pipe(rows("holdouts.outcomes", Row))

  return {
    keep: (workspaceId, campaignId, { drawnAtMillis, percent, seed }, arms) =>
      sql`
        INSERT INTO campaign_holdouts (workspace_id, campaign_id, percent, seed, drawn_at)
        VALUES (${workspaceId}, ${campaignId}, ${percent}, ${seed}, ${date(drawnAtMillis)})
      `.pipe(
        run("holdouts.keep"),
        Effect.andThen(
          sql`
            INSERT INTO campaign_arms (workspace_id, campaign_lead_id, is_held_out)
            SELECT ${workspaceId}::uuid, g."campaignLeadId", g."isHeldOut"
            FROM json_to_recordset(${jsonRows(arms)}::json) AS g ("campaignLeadId" uuid, "isHeldOut" boolean)
          `.pipe(run("holdouts.keep"))
        )
      ),

    get: (workspaceId, campaignId) =>
      sql`
        SELECT ${sql.literal(columnsOf(HoldoutRow, "h"))} FROM campaign_holdouts h
        WHERE h.workspace_id = ${workspaceId} AND h.campaign_id = ${campaignId}
      `.pipe(firstRow("holdouts.get", HoldoutRow)),

    outcomes: (workspaceId, campaignId) =>
      Effect.gen(function* () {
        const [plain] = yield* sql`
          SELECT NOT EXISTS (SELECT 1 FROM crm_connections x WHERE x.workspace_id = ${workspaceId}) AND NOT EXISTS (
            SELECT 1 FROM campaign_holdouts h WHERE h.workspace_id = ${workspaceId} AND h.campaign_id = ${campaignId}
          ) AS "isPlain"
        `.pipe(rows("holdouts.outcomes", PlainRow))
        const found = yield* plain?.isPlain === true
          ? byCounts(workspaceId, campaignId)
          : byPerson(workspaceId, campaignId)
        const [spent] = yield* sql`
          SELECT COALESCE(sum(r.charged), 0)::text AS charged, COALESCE(sum((
            SELECT sum((c.cost ->> 'micros')::numeric) FROM jsonb_array_elements(r.costs) AS c (cost)
            WHERE jsonb_typeof(r.costs) = 'array'
          )), 0)::text AS cost
          FROM (
            SELECT DISTINCT s.request_id FROM campaign_leads l
            JOIN call_subjects s ON s.workspace_id = l.workspace_id AND s.address_hash = l.address_hash
            WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
          ) n
          JOIN requests r ON r.workspace_id = ${workspaceId} AND r.request_id = n.request_id
        `.pipe(rows("holdouts.outcomes", SpentRow))
        return {
          rows: found.map(({ standings: said, ...row }) => ({ ...row, dealing: dealingOf(said) })),
          chargedMicros: BigInt(spent?.charged ?? "0"),
          costMicros: Number(spent?.cost ?? "0")
        }
      })
  }
})
