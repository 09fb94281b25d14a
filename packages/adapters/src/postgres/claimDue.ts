/**
 * Claims due messages in one transaction. The first statement takes the turns of some workspaces. The next one claims
 * for them (a second time if it found too little). Two more read what the messages are written from.
 *
 * The turn makes caps exact. Only its holder adds to what the workspace has sent today. The claiming statement's
 * snapshot begins after the lock, so it counts everything claimed before. We never wait for a turn: a workspace whose
 * turn another host holds is skipped. Turns rotate, so no workspace waits behind another's backlog; within one claim,
 * workspaces alternate too.
 */
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type { ClaimedMessage, ClaimOptions } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Schema } from "effect"
import { COMPANY_ALLOWS, COMPANY_LEFT } from "./campaignCompanies.js"
import { CAMPAIGN_COLUMNS, CampaignRow, LEAD_COLUMNS, LeadRow, SENDABLE_LEAD } from "./CampaignRows.js"
import { column, date, rows } from "./Columns.js"
import { crmUnread } from "./keptOut.js"
import { LEAD_FORBIDDEN } from "./PgSuppressionStore.js"
import { MAILBOX_COLUMNS, MailboxRow } from "./SendingRows.js"
import type { SqlClient } from "./Sql.js"
import { texts } from "./Table.js"

/** Most workspaces that one call claims for. */
export const TURNS_MAX = 64

/**
 * The first look at each campaign takes this multiple of the workspace's even share of the limit, not the whole limit.
 */
const LOOK_AHEAD = 4

const ClaimRow = Schema.Struct({
  ...LeadRow.fields,
  ...texts("mailboxId", "messageId"),
  workspaceKind: Schema.Literals(["sandbox", "live"]),
  postalAddress: Schema.NullOr(Schema.String),
  variant: Schema.NullOr(Schema.Int),
  thread: Schema.suspend(() => Thread),
  failedTries: Schema.Int
})

const OWN_WINDOW = "c.window_opens_at <= now.at AND now.at < c.window_closes_at"

const THEIR_WINDOW = `
  SELECT 1 FROM campaign_windows w
  WHERE w.workspace_id = c.workspace_id AND w.campaign_id = c.campaign_id
    AND w.opens_at <= now.at AND now.at < w.closes_at
`

/** Whether campaign `c` may send to somebody now. A campaign without windows always may. */
export const OPEN_WINDOW = `(c.window_opens_at IS NULL OR (${OWN_WINDOW}) OR EXISTS (${THEIR_WINDOW}))`

/** Whether it may send to lead `l` now, by their own hours or the campaign's. */
const LEAD_WINDOW = `
  (
    c.window_opens_at IS NULL
    OR CASE WHEN l.hours IS NULL THEN ${OWN_WINDOW} ELSE EXISTS (${THEIR_WINDOW} AND w.hours = l.hours) END
  )
`

/** No obstacle to emailing lead `l` of campaign `c` besides its own state, its campaign's and its mailbox's. */
export const UNHINDERED = `
  EXISTS (
    SELECT 1 FROM approvals a
    WHERE a.workspace_id = l.workspace_id AND a.approval_id = l.approval_id AND a.state = 'used'
  )
  AND EXISTS (
    SELECT 1 FROM campaign_mailboxes cm
    WHERE cm.workspace_id = l.workspace_id AND cm.campaign_id = l.campaign_id AND cm.mailbox_id = l.mailbox_id
  )
  AND NOT EXISTS (
    SELECT 1 FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
      AND ((m.step_index = l.steps_sent AND m.state <> 'failed') OR m.state = 'claimed')
  )
  AND NOT EXISTS (
    SELECT 1 FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.address_hash = l.address_hash AND m.state IN ('claimed', 'unknown')
      AND m.campaign_id <> l.campaign_id AND m.claimed_at >= now.since
  )
  AND NOT EXISTS (
    SELECT 1 FROM inbound_events i
    WHERE i.workspace_id = l.workspace_id AND i.from_email = l.email AND i.content IS NOT NULL
      AND i.received_at <= now.at
  )
  AND NOT EXISTS (
    SELECT 1 FROM messages m JOIN inbound_events i ON i.workspace_id = m.workspace_id AND i.answers = m.message_id
    WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id AND i.content IS NOT NULL
      AND i.received_at <= now.at
  )
  AND ${LEAD_WINDOW}
  AND ${LEAD_FORBIDDEN} IS NULL
  AND NOT ${crmUnread("l.workspace_id")}
  AND ${COMPANY_ALLOWS}
`

/**
 * Workspaces with a due lead: one short index look-up each. Only these get further queries, so idle hosts ask little.
 */
export const DUE_WORKSPACES = `
  due_workspaces AS MATERIALIZED (
    SELECT t.workspace_id FROM now CROSS JOIN sending_turns t
    WHERE EXISTS (
      SELECT 1 FROM campaign_leads l
      WHERE l.workspace_id = t.workspace_id AND l.next_at <= now.at AND ${SENDABLE_LEAD}
    )
  )
`

/** Those that also have a mailbox this host can claim for. */
const ABLE_WORKSPACES = `
  able_workspaces AS MATERIALIZED (
    SELECT d.workspace_id FROM due_workspaces d
    WHERE EXISTS (
      SELECT 1 FROM mailboxes b WHERE b.workspace_id = d.workspace_id AND b.state = 'active' AND b.kind = 'purchased'
    )
  )
`

/** How often the next step of lead `l` was tried without being sent. */
export const FAILED_TRIES = `
  (
    SELECT count(*)::integer FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
      AND m.step_index = l.steps_sent AND m.state = 'failed'
  )
`

/** Messages sent to lead `l`, in order. */
export const THREAD = `
  COALESCE((
    SELECT json_agg(json_build_object('messageId', m.message_id, 'variant', m.variant) ORDER BY m.step_index)
    FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id AND m.state = 'sent'
  ), '[]')
`

/** A row of `THREAD`. */
export const Thread = Schema.Array(Schema.Struct({ messageId: Schema.String, variant: Schema.NullOr(Schema.Int) }))

export const claimDue = (
  sql: SqlClient,
  options: ClaimOptions
): Effect.Effect<ReadonlyArray<ClaimedMessage>, StoreUnavailable> => {
  // Inlined, so that the planner knows the time: for a parameter it underestimates what is due.
  const now = sql`
    now AS NOT MATERIALIZED (
      SELECT ${date(options.nowMillis)}::timestamptz AS at, ${date(options.dayStartMillis)}::timestamptz AS day_start,
        ${date(options.contactedSinceMillis)}::timestamptz AS since
    )
  `
  const sendable = sql.literal(SENDABLE_LEAD)
  const unhindered = sql.literal(UNHINDERED)
  const companyLeft = sql.literal(COMPANY_LEFT)
  const openWindow = sql.literal(OPEN_WINDOW)
  const leadColumns = sql.literal(LEAD_COLUMNS)

  const takeTurns = sql`
    WITH ${now}, ${sql.literal(DUE_WORKSPACES)}, ${sql.literal(ABLE_WORKSPACES)}, taken AS (
      SELECT t.workspace_id
      FROM now CROSS JOIN able_workspaces a
      JOIN sending_turns t ON t.workspace_id = a.workspace_id
      JOIN workspace_sending s ON s.workspace_id = t.workspace_id
      JOIN workspaces w ON w.workspace_id = t.workspace_id
      WHERE s.suspended_at IS NULL AND NOT ${sql.literal(crmUnread("t.workspace_id"))}
        AND EXISTS (
          SELECT 1 FROM campaigns c CROSS JOIN LATERAL (
            SELECT 1 FROM campaign_leads l
            WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.next_at <= now.at
              AND ${sendable}
            LIMIT 1
          ) due
          WHERE c.workspace_id = t.workspace_id AND c.state = 'active' AND ${openWindow}
        )
        AND w.daily_sends > (
          SELECT count(*) FROM messages m
          WHERE m.workspace_id = w.workspace_id AND m.claimed_at >= now.day_start AND m.state <> 'failed'
        )
      ORDER BY t.turn, t.workspace_id
      LIMIT ${TURNS_MAX}
      FOR NO KEY UPDATE OF t SKIP LOCKED
      FOR SHARE OF s SKIP LOCKED
    )
    UPDATE sending_turns t SET turn = nextval('sending_turns_turn')
    FROM taken WHERE t.workspace_id = taken.workspace_id
    RETURNING t.workspace_id
  `.pipe(column("sending.claimDue", Schema.String))

  /** Claims up to `limit`, looking at up to `look` sendable leads per campaign. */
  const claim = (workspaceIds: ReadonlyArray<string>, limit: number, look: number) => {
    const messageIds = Array.from({ length: limit }, options.nextMessageId)
    return sql`
      WITH ${now}, today AS (
        SELECT m.workspace_id, m.mailbox_id, count(*) AS claims
        FROM now JOIN messages m ON m.workspace_id = ANY(${workspaceIds}::uuid[]) AND m.claimed_at >= now.day_start
        WHERE m.state <> 'failed'
        GROUP BY m.workspace_id, m.mailbox_id
      ), turns AS MATERIALIZED (
        SELECT w.workspace_id, w.kind, w.postal_address, w.mailbox_daily_sends,
          w.daily_sends - COALESCE(
            (SELECT sum(today.claims) FROM today WHERE today.workspace_id = w.workspace_id), 0
          ) AS sends_left
        FROM workspaces w WHERE w.workspace_id = ANY(${workspaceIds}::uuid[])
      ), boxes AS MATERIALIZED (
        SELECT b.workspace_id, b.mailbox_id, turns.sends_left AS workspace_left,
          turns.mailbox_daily_sends - COALESCE(today.claims, 0) AS mailbox_left
        FROM turns JOIN mailboxes b
          ON b.workspace_id = turns.workspace_id AND b.state = 'active' AND b.kind = 'purchased'
        LEFT JOIN today ON today.workspace_id = b.workspace_id AND today.mailbox_id = b.mailbox_id
      ), due AS (
        SELECT l.workspace_id, l.campaign_lead_id, l.mailbox_id, l.address_hash, l.next_at, l.mailbox_left,
          l.workspace_left, l.campaign_id, l.company, ${companyLeft} AS company_left
        FROM now CROSS JOIN turns
        JOIN campaigns c ON c.workspace_id = turns.workspace_id AND c.state = 'active' AND ${openWindow}
        CROSS JOIN LATERAL (
          SELECT l.workspace_id, l.campaign_id, l.campaign_lead_id, l.mailbox_id, l.address_hash, l.company, l.next_at,
            boxes.mailbox_left, boxes.workspace_left
          FROM campaign_leads l
          JOIN boxes ON boxes.workspace_id = l.workspace_id AND boxes.mailbox_id = l.mailbox_id
          WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.next_at <= now.at
            AND ${sendable} AND boxes.mailbox_left > 0 AND boxes.workspace_left > 0 AND ${unhindered}
          ORDER BY l.next_at, l.campaign_lead_id
          LIMIT ${look}
        ) l
      ), ranked AS (
        SELECT due.*,
          row_number() OVER (PARTITION BY workspace_id, mailbox_id ORDER BY next_at, campaign_lead_id) AS of_mailbox,
          row_number() OVER (PARTITION BY workspace_id, address_hash ORDER BY next_at, campaign_lead_id) AS of_person,
          row_number() OVER (PARTITION BY workspace_id, campaign_id, company ORDER BY next_at, campaign_lead_id)
            AS of_company
        FROM due
      ), allowed AS (
        SELECT ranked.*,
          row_number() OVER (PARTITION BY workspace_id ORDER BY next_at, campaign_lead_id) AS of_workspace
        FROM ranked WHERE of_mailbox <= mailbox_left AND of_person = 1 AND of_company <= COALESCE(company_left, of_company)
      ), chosen AS MATERIALIZED (
        SELECT workspace_id, campaign_lead_id, mailbox_id FROM allowed
        WHERE of_workspace <= workspace_left
        ORDER BY of_workspace, next_at, campaign_lead_id
        LIMIT ${limit}
      ), held AS (
        SELECT l.workspace_id, l.campaign_id, l.campaign_lead_id, l.email, l.first_name, l.last_name, l.company_name,
          l.custom, l.state, l.interest_status, l.provider_sync_status, l.address_hash, l.company, l.approval_id,
          l.mailbox_id, l.hours, l.variants, l.steps_sent, l.next_at,
          COALESCE(c.chosen_variants[l.steps_sent + 1], l.variants[l.steps_sent + 1]) AS variant
        FROM now CROSS JOIN chosen
        JOIN campaign_leads l
          ON l.workspace_id = chosen.workspace_id AND l.campaign_lead_id = chosen.campaign_lead_id
          AND l.mailbox_id = chosen.mailbox_id
        JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
        JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
        WHERE ${sendable} AND l.next_at <= now.at AND c.state = 'active' AND b.state = 'active'
        FOR NO KEY UPDATE OF l SKIP LOCKED
        FOR SHARE OF c, b SKIP LOCKED
      ), numbered AS (
        SELECT held.*, (${messageIds}::text[])[row_number() OVER (ORDER BY next_at, campaign_lead_id)] AS message_id
        FROM held
      ), claimed AS (
        INSERT INTO messages (
          workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, company, step_index,
          variant, state, claimed_at
        )
        SELECT n.workspace_id, n.message_id, n.campaign_id, n.campaign_lead_id, n.mailbox_id, n.address_hash,
          n.company, n.steps_sent, n.variant, ${MessageMachine.initial}::text, now.at
        FROM now CROSS JOIN numbered n
        RETURNING workspace_id, message_id
      )
      SELECT ${leadColumns}, l.variant, l.message_id AS "messageId", turns.kind AS "workspaceKind",
        turns.postal_address AS "postalAddress", ${sql.literal(FAILED_TRIES)} AS "failedTries",
        ${sql.literal(THREAD)} AS thread
      FROM claimed
      JOIN numbered l ON l.workspace_id = claimed.workspace_id AND l.message_id = claimed.message_id
      JOIN turns ON turns.workspace_id = l.workspace_id
      ORDER BY l.next_at, l.campaign_lead_id
    `.pipe(rows("sending.claimDue", ClaimRow))
  }

  /** If some workspaces have few sendable leads, a second look gives the rest to the others. */
  const claimFor = (workspaceIds: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const { limit } = options
      const look = Math.min(limit, LOOK_AHEAD * Math.ceil(limit / workspaceIds.length))
      const first = yield* claim(workspaceIds, limit, look)
      if (first.length >= limit || look === limit) return first
      return [...first, ...(yield* claim(workspaceIds, limit - first.length, limit))]
    })

  const campaignsOf = (workspaceIds: ReadonlyArray<string>, campaignIds: ReadonlyArray<string>) =>
    sql`
      SELECT ${sql.literal(CAMPAIGN_COLUMNS)} FROM campaigns c
      WHERE c.workspace_id = ANY(${workspaceIds}::uuid[]) AND c.campaign_id = ANY(${campaignIds}::uuid[])
    `.pipe(rows("sending.claimDue", CampaignRow))

  const mailboxesOf = (workspaceIds: ReadonlyArray<string>, mailboxIds: ReadonlyArray<string>) =>
    sql`
      SELECT ${sql.literal(MAILBOX_COLUMNS)} FROM mailboxes b
      WHERE b.workspace_id = ANY(${workspaceIds}::uuid[]) AND b.mailbox_id = ANY(${mailboxIds}::uuid[])
    `.pipe(rows("sending.claimDue", MailboxRow))

  return Effect.gen(function* () {
    const turns = yield* takeTurns
    if (turns.length === 0) return []
    const claims = yield* claimFor(turns)
    if (claims.length === 0) return []
    const workspaceIds = unique(claims.map(({ workspaceId }) => workspaceId))
    const campaigns = yield* campaignsOf(workspaceIds, unique(claims.map(({ campaignId }) => campaignId)))
    const mailboxes = yield* mailboxesOf(workspaceIds, unique(claims.map(({ mailboxId }) => mailboxId)))
    const campaignOf = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign]))
    const mailboxOf = new Map(mailboxes.map((mailbox) => [mailbox.mailboxId, mailbox]))
    return claims.map(({ failedTries, messageId, workspaceKind, postalAddress, thread, variant, ...lead }) => {
      const { workspaceId, campaignId, campaignLeadId, mailboxId } = lead
      const campaign = campaignOf.get(campaignId)
      const mailbox = mailboxOf.get(mailboxId)
      if (campaign === undefined || mailbox === undefined) throw new Error("a claimed lead has no campaign or mailbox")
      const message = {
        workspaceId,
        messageId,
        campaignId,
        campaignLeadId,
        mailboxId,
        stepIndex: lead.stepsSent,
        variant,
        state: MessageMachine.initial,
        claimedAtMillis: options.nowMillis,
        sentAtMillis: null
      }
      return { message, lead, campaign, mailbox, workspaceKind, postalAddress, thread, failedTries }
    })
  })
}

const unique = (ids: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(ids)]
