/**
 * Claims due messages in one transaction. The first statement takes the turns of some workspaces. The next ones read
 * what is true of them, lock leads that may be due, and read what decides about each; the domain decides
 * (`chooseClaims`), and one statement writes the claims. That is done again if too few were found. Two more read what
 * the messages are written from.
 *
 * The turn makes caps exact. Only its holder adds to what the workspace has sent today. The reading statements'
 * snapshots begin after the lock, so they count everything claimed before. We never wait for a turn: a workspace whose
 * turn another host holds is skipped. Turns rotate, so no workspace waits behind another's backlog; within one claim,
 * workspaces alternate too.
 */
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { nextVariant } from "@outbound/domain/kernel/sequences/variants.js"
import { chooseClaims, messageOf } from "@outbound/domain/outreach/sending/chooseClaims.js"
import { type ClaimLook, claimLooks } from "@outbound/domain/outreach/sending/claimLooks.js"
import type { ClaimedMessage, ClaimOptions, Message } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Schema } from "effect"
import { CAMPAIGN_COLUMNS, CampaignRow, SENDABLE_LEAD } from "./CampaignRows.js"
import { column, run } from "./Columns.js"
import { crmUnread } from "./keptOut.js"
import { DUE_WORKSPACES, MAYBE, OPEN_WINDOW } from "./dueRows.js"
import {
  type Candidate,
  candidates,
  FACTS,
  fullMailboxes,
  isFull,
  momentOf,
  type WorkspaceFacts,
  workspaceFacts
} from "./sendFacts.js"
import { MAILBOX_COLUMNS, MailboxRow } from "./SendingRows.js"
import type { SqlClient } from "./Sql.js"
import { givenOf, readerOf } from "./Table.js"

/** Most workspaces that one call claims for. */
export const TURNS_MAX = 64

/** Those that also have a mailbox this host can claim for. */
const ABLE_WORKSPACES = `
  able_workspaces AS MATERIALIZED (
    SELECT d.workspace_id FROM due_workspaces d
    WHERE EXISTS (
      SELECT 1 FROM mailboxes b WHERE b.workspace_id = d.workspace_id AND b.state = 'active' AND b.kind = 'purchased'
    )
  )
`

const given = (sql: SqlClient) =>
  givenOf(
    sql,
    `workspaceId uuid, messageId text, campaignId uuid, campaignLeadId uuid, mailboxId uuid, addressHash text,
    company text, receiver text, stepIndex smallint, variant smallint, state text, claimedAtMillis bigint`
  )

/** Writes claims, and says what each permits to send. */
export const insertClaims = (
  sql: SqlClient,
  operation: string,
  claims: ReadonlyArray<{ readonly candidate: Candidate; readonly message: Message; readonly receiver?: string }>
) =>
  given(sql)
    .insert(
      "messages",
      claims.map(({ candidate, message, receiver = null }) => ({
        ...message,
        addressHash: candidate.lead.addressHash,
        company: candidate.company,
        receiver
      }))
    )
    .pipe(run(operation))

export const claimDue = (
  sql: SqlClient,
  options: ClaimOptions
): Effect.Effect<ReadonlyArray<ClaimedMessage>, StoreUnavailable> => {
  const now = momentOf(sql, options)
  const sendable = sql.literal(SENDABLE_LEAD)
  const openWindow = sql.literal(OPEN_WINDOW)

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

  /**
   * Locks leads that may be due, and reads what decides: as many as the look covers, of each workspace in turn. Without
   * those looked at before, and those of mailboxes that may send no more today.
   */
  const lookAt = (
    workspaces: ReadonlyArray<WorkspaceFacts>,
    fullMailboxIds: ReadonlyArray<string>,
    seen: ReadonlyArray<string>,
    { ofCampaign, size }: ClaimLook
  ) =>
    sql`
    WITH ${now}, due AS (
      SELECT l.*
      FROM now CROSS JOIN campaigns c
      CROSS JOIN LATERAL (
        SELECT l.workspace_id, l.campaign_lead_id, l.next_at
        FROM campaign_leads l
        JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
        WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
          AND b.state = 'active' AND b.kind = 'purchased' AND b.mailbox_id <> ALL(${fullMailboxIds}::uuid[])
          AND l.campaign_lead_id <> ALL(${seen}::uuid[]) AND ${sql.literal(MAYBE)}
        ORDER BY l.next_at, l.campaign_lead_id
        LIMIT ${ofCampaign}
      ) l
      WHERE c.workspace_id = ANY(${workspaces.map(({ workspaceId }) => workspaceId)}::uuid[]) AND c.state = 'active'
        AND ${openWindow}
    ), ranked AS (
      SELECT due.*, row_number() OVER (PARTITION BY workspace_id ORDER BY next_at, campaign_lead_id) AS of_workspace
      FROM due
    ), chosen AS MATERIALIZED (
      SELECT * FROM ranked ORDER BY of_workspace, next_at, campaign_lead_id LIMIT ${size}
    )
    SELECT ${sql.literal(FACTS)}
    FROM now CROSS JOIN chosen
    JOIN campaign_leads l ON l.workspace_id = chosen.workspace_id AND l.campaign_lead_id = chosen.campaign_lead_id
    JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
    JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
    WHERE ${sendable} AND l.next_at <= now.at AND c.state = 'active' AND b.state = 'active' AND b.kind = 'purchased'
    ORDER BY chosen.of_workspace, chosen.next_at, chosen.campaign_lead_id
    FOR NO KEY UPDATE OF l SKIP LOCKED
    FOR SHARE OF c, b SKIP LOCKED
  `.pipe(candidates("sending.claimDue", workspaces, options))

  const claimFor = (workspaceIds: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const claims: Array<Claim> = []
      const seen: Array<string> = []
      for (const look of claimLooks(options.limit, workspaceIds.length)) {
        const workspaces = yield* workspaceFacts(sql, "sending.claimDue", workspaceIds, options)
        const open = workspaces.filter((workspace) => !isFull(workspace))
        const found = open.length === 0 ? [] : yield* lookAt(open, open.flatMap(fullMailboxes), seen, look)
        const chosen = chooseClaims(found, options.limit - claims.length)
        const made = claimsOf(chosen, options)
        if (made.length > 0) yield* insertClaims(sql, "sending.claimDue", made)
        claims.push(...made)
        if (claims.length >= options.limit || (found.length < look.size && look.ofCampaign >= look.size)) break
        seen.push(...found.map(({ lead }) => lead.campaignLeadId))
      }
      return claims.sort((one, other) => byDue(one.candidate.lead, other.candidate.lead))
    })

  const campaigns = readerOf(sql, "campaigns c", CampaignRow, CAMPAIGN_COLUMNS).all("sending.claimDue")
  const mailboxes = readerOf(sql, "mailboxes b", MailboxRow, MAILBOX_COLUMNS).all("sending.claimDue")

  return Effect.gen(function* () {
    const turns = yield* takeTurns
    if (turns.length === 0) return []
    const claims = yield* claimFor(turns)
    if (claims.length === 0) return []
    const ids = (of: (message: Message) => string) => [...new Set(claims.map(({ message }) => of(message)))]
    const workspaceIds = ids(({ workspaceId }) => workspaceId)
    const campaignOf = yield* campaigns(sql`
      c.workspace_id = ANY(${workspaceIds}::uuid[])
        AND c.campaign_id = ANY(${ids(({ campaignId }) => campaignId)}::uuid[])
    `).pipe(Effect.map((found) => new Map(found.map((campaign) => [campaign.campaignId, campaign]))))
    const mailboxOf = yield* mailboxes(sql`
      b.workspace_id = ANY(${workspaceIds}::uuid[]) AND b.mailbox_id = ANY(${ids(({ mailboxId }) => mailboxId)}::uuid[])
    `).pipe(Effect.map((found) => new Map(found.map((mailbox) => [mailbox.mailboxId, mailbox]))))
    return claims.map(({ candidate, message }) => {
      const campaign = campaignOf.get(message.campaignId)
      const mailbox = mailboxOf.get(message.mailboxId)
      if (campaign === undefined || mailbox === undefined) throw new Error("a claimed lead has no campaign or mailbox")
      return { message, lead: candidate.lead, campaign, mailbox, ...candidate.written }
    })
  })
}

interface Claim {
  readonly candidate: Candidate
  readonly message: Message
}

const byDue = (one: LeadDue, other: LeadDue): number =>
  (one.nextAtMillis ?? 0) - (other.nextAtMillis ?? 0) || (one.campaignLeadId < other.campaignLeadId ? -1 : 1)

type LeadDue = Candidate["lead"]

const claimsOf = (chosen: ReadonlyArray<Candidate>, options: ClaimOptions): ReadonlyArray<Claim> =>
  chosen
    .toSorted((one, other) => byDue(one.lead, other.lead))
    .map((candidate) => {
      const { chosenVariants, lead } = candidate
      const message = messageOf(lead, {
        messageId: options.nextMessageId(),
        mailboxId: lead.mailboxId,
        variant: nextVariant(chosenVariants, lead.variants, lead.stepsSent),
        claimedAtMillis: options.nowMillis
      })
      return { candidate, message }
    })
