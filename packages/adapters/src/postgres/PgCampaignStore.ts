import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore, type NewLead } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { companyUnder } from "@outbound/domain/outreach/campaigns/companyRules.js"
import { assignedVariants } from "@outbound/domain/kernel/sequences/variants.js"
import { hoursUnder } from "@outbound/domain/outreach/campaigns/recipientHours.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { Effect, Schema, Struct } from "effect"
import { campaignCompanies } from "./campaignCompanies.js"
import { campaignMailboxes } from "./campaignMailboxes.js"
import { leftOutWrites } from "./leftOut.js"
import { openLeads, waitingLeads } from "./waitingLeads.js"
import { CAMPAIGN_COLUMNS, CampaignRow, LEAD_COLUMNS, LeadRow } from "./CampaignRows.js"
import { winnerRules } from "./winnerRules.js"
import { firstRow, firstValue, json, jsonRows, rows, run, setOf, statesOf } from "./Columns.js"
import { givenOf, moverOf, readerOf, storeLayer, valuesOf } from "./Table.js"

const AddressRow = Schema.Struct({ campaignLeadId: Schema.String, email: Schema.String, addressHash: Schema.String })

const NameRow = Schema.Struct({
  email: Schema.String,
  firstName: Schema.NullOr(Schema.String),
  lastName: Schema.NullOr(Schema.String)
})

const RefRow = Schema.Struct({ workspaceId: Schema.String, campaignId: Schema.String })

const Changing = CampaignRow.mapFields(
  Struct.omit(["workspaceId", "campaignId", "sequence", "stopForCompany", "maxPerCompanyPerDay", "createdAtMillis"])
)

const ChangingLead = LeadRow.mapFields(
  Struct.pick(["state", "interestStatus", "providerSyncStatus", "approvalId", "mailboxId", "stepsSent", "nextAtMillis"])
)

export const layer = storeLayer(CampaignStore, (sql) => {
  const { all, columns: campaignColumns, one } = readerOf(sql, "campaigns c", CampaignRow, CAMPAIGN_COLUMNS)
  const { all: leads, columns: leadColumns, one: lead } = readerOf(sql, "campaign_leads l", LeadRow, LEAD_COLUMNS)
  const move = moverOf(sql, "campaigns", Changing, CampaignMachine)
  const moveLead = moverOf(sql, "campaign_leads", ChangingLead, LeadMachine)
  const states = statesOf(sql)
  const coverable = states(statesAllowing(LeadMachine, "cover"))
  const removable = states(statesAllowing(LeadMachine, "remove").filter((s) => LeadMachine.table[s].remove !== "same"))

  const stillOpen = sql`
    SELECT 1 FROM campaign_leads l
    WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.state IN (${states(LeadMachine.in.open)})
  `

  /** A launch takes this lock exclusively while it executes; extensions share it. */
  const launchOf = (workspaceId: string, campaignId: string) =>
    sql`hashtextextended(${`launch ${workspaceId} ${campaignId}`}, 0)`

  const newLeads = givenOf(
    sql,
    `campaignLeadId uuid, email text, firstName text, lastName text, companyName text, custom json, evidence json,
      addressHash text, company text, hours text, variants smallint[], origin json`
  )

  const insertLeads = (campaign: Campaign, leads: ReadonlyArray<NewLead>) =>
    sql`
      INSERT INTO campaign_leads (workspace_id, campaign_id, state, steps, steps_sent, ${newLeads.columns})
      SELECT ${campaign.workspaceId}::uuid, ${campaign.campaignId}::uuid, ${LeadMachine.initial}::text,
        ${campaign.sequence.length}::integer, 0, ${newLeads.values}
      FROM ${newLeads.from(
        leads.map((lead) => ({
          ...lead,
          evidence: lead.evidence ?? null,
          company: companyUnder(campaign, lead.email),
          hours: hoursUnder(campaign.schedule, lead),
          variants: assignedVariants(campaign, lead.addressHash)
        }))
      )}
    `.pipe(run("campaigns.insertLeads"))

  return {
    insert: (campaign, leads) =>
      sql`
        INSERT INTO campaigns ${sql.insert(
          valuesOf(CampaignRow, campaign, {
            sequence: json(campaign.sequence),
            winnerRule: campaign.winnerRule === null ? null : json(campaign.winnerRule),
            schedule: json(campaign.schedule)
          })
        )}
      `.pipe(run("campaigns.insert"), Effect.andThen(insertLeads(campaign, leads))),

    addLeads: insertLeads,

    present: (workspaceId, campaignId, addressHashes) =>
      sql`
        SELECT l.address_hash AS "addressHash"
        FROM unnest(${addressHashes}::text[]) AS g (address_hash)
        JOIN campaign_leads l
          ON l.workspace_id = ${workspaceId} AND l.address_hash = g.address_hash AND l.campaign_id = ${campaignId}
      `.pipe(setOf("campaigns.present", Schema.String)),

    countLeads: (workspaceId, campaignId) =>
      sql`
        SELECT count(*)::integer AS total FROM campaign_leads l
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
      `.pipe(firstValue("campaigns.countLeads", Schema.Int, 0)),

    holdToLaunch: (workspaceId, campaignId) =>
      sql`SELECT pg_advisory_xact_lock(${launchOf(workspaceId, campaignId)})`.pipe(run("campaigns.holdToLaunch")),

    holdToExtend: (workspaceId, campaignId) =>
      sql`SELECT pg_try_advisory_xact_lock_shared(${launchOf(workspaceId, campaignId)}) AS held`.pipe(
        firstValue("campaigns.holdToExtend", Schema.Boolean, false)
      ),

    get: (workspaceId, campaignId) => one("campaigns.get")({ workspaceId, campaignId }),

    these: (workspaceId, campaignIds) =>
      all("campaigns.these")(sql`
        c.workspace_id = ${workspaceId} AND c.campaign_id = ANY(${campaignIds}::uuid[])
        ORDER BY c.campaign_id
      `),

    waiting: waitingLeads(sql),
    openLeads: openLeads(sql),

    lock: (workspaceId, campaignId) => one("campaigns.lock")({ workspaceId, campaignId }, "FOR NO KEY UPDATE"),

    // The sequence was approved and is never rewritten.
    update: ({ campaignId, workspaceId, ...next }) =>
      move("campaigns.update", { workspaceId, campaignId }, next, {
        winnerRule: next.winnerRule === null ? null : json(next.winnerRule),
        schedule: json(next.schedule)
      }),

    leadsIn: (workspaceId, campaignId, among) =>
      sql`
        SELECT l.campaign_lead_id AS "campaignLeadId", l.email, l.address_hash AS "addressHash"
        FROM campaign_leads l
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId} AND l.state IN (${states(among)})
        ORDER BY l.campaign_lead_id
      `.pipe(rows("campaigns.leadsIn", AddressRow)),

    firstLeads: (workspaceId, campaignId, among, limit) =>
      leads("campaigns.firstLeads")(sql`
        l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId} AND l.state IN (${states(among)})
        ORDER BY l.campaign_lead_id
        LIMIT ${limit}
      `),

    removeLeads: (workspaceId, campaignLeadIds) =>
      sql`
        UPDATE campaign_leads l SET state = 'removed', next_at = NULL
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = ANY(${campaignLeadIds}::uuid[])
          AND l.state IN (${removable})
      `.pipe(run("campaigns.removeLeads")),

    coverLeads: (workspaceId, campaignId, approvalId, covers) =>
      sql`
        UPDATE campaign_leads l
        SET state = CASE WHEN l.state = 'pending' AND g."isUnconfirmed" IS NOT TRUE THEN 'ready' ELSE l.state END, approval_id = ${approvalId}::uuid,
          mailbox_id = CASE l.steps_sent WHEN 0 THEN g."mailboxId" ELSE l.mailbox_id END,
          next_at = CASE l.steps_sent WHEN 0 THEN to_timestamp(g."nextAtMillis" / 1000.0) ELSE l.next_at END,
          words = g.words
        FROM json_to_recordset(${jsonRows(covers)}::json) AS g (
          "campaignLeadId" uuid, "mailboxId" uuid, "nextAtMillis" bigint, "isUnconfirmed" boolean, words json
        )
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId}
          AND l.campaign_lead_id = g."campaignLeadId" AND l.state IN (${coverable})
      `.pipe(run("campaigns.coverLeads")),

    ...campaignMailboxes(sql),
    ...leftOutWrites(sql),

    ...campaignCompanies(sql),
    ...winnerRules(sql),

    lockLead: (workspaceId, campaignLeadId) =>
      lead("campaigns.lockLead")({ workspaceId, campaignLeadId }, "FOR NO KEY UPDATE"),

    lockPerson: (workspaceId, campaignLeadId) =>
      sql`
        WITH held AS MATERIALIZED (
          SELECT l.* FROM campaign_leads l
          WHERE l.workspace_id = ${workspaceId} AND l.address_hash = (
            SELECT p.address_hash FROM campaign_leads p
            WHERE p.workspace_id = ${workspaceId} AND p.campaign_lead_id = ${campaignLeadId}
          )
          ORDER BY l.campaign_lead_id
          FOR NO KEY UPDATE
        )
        SELECT ${leadColumns} FROM held l WHERE l.campaign_lead_id = ${campaignLeadId}
      `.pipe(firstRow("campaigns.lockPerson", LeadRow)),

    lockLeads: (workspaceId, campaignId, among) =>
      sql`
        SELECT l.campaign_lead_id FROM campaign_leads l
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${campaignId} AND l.state IN (${states(among)})
        ORDER BY l.campaign_lead_id
        FOR NO KEY UPDATE
      `.pipe(run("campaigns.lockLeads")),

    updateLead: ({ campaignLeadId, workspaceId, ...next }) =>
      moveLead("campaigns.updateLead", { workspaceId, campaignLeadId }, next),

    lockLeadsOfAddress: (workspaceId, addressHash) =>
      sql`
        SELECT ${leadColumns}
        FROM campaign_leads l JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
        WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} AND c.state <> 'completed'
        ORDER BY l.campaign_lead_id
        FOR NO KEY UPDATE OF l
      `.pipe(rows("campaigns.lockLeadsOfAddress", LeadRow)),

    // An address written backwards begins with its domain: one range of the index `campaign_leads_by_domain` for the
    // domain itself, and one for all below it. '@' and 'A' are neighbours, as '.' and '/' are.
    lockLeadsCovered: (workspaceId, { addressHashes, domains }, wanted) =>
      sql`
        WITH covered AS MATERIALIZED (
          SELECT l.campaign_lead_id
          FROM unnest(${addressHashes}::text[]) AS person (address_hash)
          JOIN campaign_leads l ON l.workspace_id = ${workspaceId} AND l.address_hash = person.address_hash
          UNION
          SELECT l.campaign_lead_id
          FROM (SELECT reverse(given.domain) AS prefix FROM unnest(${domains}::text[]) AS given (domain)) d
          JOIN campaign_leads l ON l.workspace_id = ${workspaceId} AND (
            (reverse(l.email) COLLATE "C" >= d.prefix || '@' AND reverse(l.email) COLLATE "C" < d.prefix || 'A')
            OR (reverse(l.email) COLLATE "C" >= d.prefix || '.' AND reverse(l.email) COLLATE "C" < d.prefix || '/')
          )
        )
        SELECT ${leadColumns}
        FROM covered
        JOIN campaign_leads l ON l.workspace_id = ${workspaceId} AND l.campaign_lead_id = covered.campaign_lead_id
        JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
        WHERE c.state <> 'completed' AND l.state = ANY(${wanted}::text[])
        ORDER BY l.campaign_lead_id
        FOR NO KEY UPDATE OF l
      `.pipe(rows("campaigns.lockLeadsCovered", LeadRow)),

    namesAt: (workspaceId, domain, wanted, limit) =>
      sql`
        SELECT l.email, l.first_name AS "firstName", l.last_name AS "lastName"
        FROM (SELECT reverse(${domain}::text) AS prefix) d
        JOIN campaign_leads l ON l.workspace_id = ${workspaceId}
          AND reverse(l.email) COLLATE "C" >= d.prefix || '@' AND reverse(l.email) COLLATE "C" < d.prefix || 'A'
        WHERE l.state = ANY(${wanted}::text[])
        ORDER BY reverse(l.email) COLLATE "C", l.campaign_lead_id
        LIMIT ${limit}
      `.pipe(rows("campaigns.namesAt", NameRow)),

    // Leads may be added until the campaign is locked, so the statement after the lock decides. One short look per
    // active campaign: an anti-join would read every open lead each time.
    lockDone: (limit) =>
      sql`
        SELECT c.workspace_id AS "workspaceId", c.campaign_id AS "campaignId" FROM campaigns c
        WHERE c.state = 'active' AND (${stillOpen} LIMIT 1) IS NULL
        ORDER BY c.workspace_id, c.campaign_id
        LIMIT ${limit}
        FOR NO KEY UPDATE SKIP LOCKED
      `.pipe(
        rows("campaigns.lockDone", RefRow),
        Effect.flatMap((done) =>
          done.length === 0
            ? Effect.succeed([])
            : sql`
                SELECT ${campaignColumns}
                FROM json_to_recordset(${jsonRows(done)}::json) AS g ("workspaceId" uuid, "campaignId" uuid)
                JOIN campaigns c ON c.workspace_id = g."workspaceId" AND c.campaign_id = g."campaignId"
                WHERE c.state = 'active' AND NOT EXISTS (${stillOpen})
                ORDER BY c.workspace_id, c.campaign_id
              `.pipe(rows("campaigns.lockDone", CampaignRow))
        )
      ),

    lockActive: (workspaceId) =>
      all("campaigns.lockActive")(sql`
        c.workspace_id = ${workspaceId} AND c.state = 'active'
        ORDER BY c.campaign_id
        FOR NO KEY UPDATE
      `)
  }
})
