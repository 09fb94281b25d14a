/**
 * What decides about an own mailbox's next message: what is true of the mailbox, its workspace and the lead, and what the
 * mailbox and its domain sent, in one statement. So a message costs few of them.
 */
import type { SenderUse } from "@outbound/domain/outreach/sending/ramp.js"
import type { ClaimOneOptions, Mailbox, OwnCandidateOptions } from "@outbound/domain/outreach/sending/SendingStore.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Campaign } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { Effect, Schema } from "effect"
import { CampaignRow } from "./CampaignRows.js"
import { rows } from "./Columns.js"
import { MAYBE, OPEN_WINDOW } from "./dueRows.js"
import { SENDER_USE_FIELDS, senderUseParts, toSenderUse } from "./ownUse.js"
import {
  type Candidate,
  candidateOf,
  FACTS,
  FactsRow,
  momentOf,
  toFacts,
  workspaceColumns,
  type WorkspaceFacts,
  WorkspaceFactsRow,
  WORKSPACES
} from "./sendFacts.js"
import { MailboxRow } from "./SendingRows.js"
import type { SqlClient } from "./Sql.js"
import { columnsOf, rowUnder } from "./Table.js"

const SENDER_FIELDS = { ...WorkspaceFactsRow.fields, ...SENDER_USE_FIELDS }
const SenderRow = Schema.Struct(SENDER_FIELDS)

/** `receiver`: also what was sent to that organisation. */
const senderParts = (sql: SqlClient, options: OwnCandidateOptions, receiver: string | null) => {
  const { columns, given } = senderUseParts(sql, options, receiver, options.nowMillis)
  return {
    given: sql`${momentOf(sql, options)}, ${given}`,
    columns: sql`${workspaceColumns(sql, options, options.mailboxId)}, ${columns}`
  }
}

/** A row's facts of the sender, and what else is in it. */
const split = <Row extends typeof SenderRow.Type>(row: Row, receiver: string | null) => {
  const { dailySends, days, declared, isCrmUnread, isSuspended, mailboxDailySends, overlap, ...others } = row
  const { postalAddress, refused, sentToday, workspaceKind, ...rest } = others
  const { workspaceId } = row
  const caps = { dailySends, mailboxDailySends }
  const workspace = { workspaceId, workspaceKind, postalAddress, ...caps, overlap, isSuspended, isCrmUnread, sentToday }
  return { workspace: toFacts(false)(workspace), use: toSenderUse({ days, declared, refused }, receiver), rest }
}

/** The mailbox's next leads that may be due, but for those looked at before. */
const dueOf = (
  sql: SqlClient,
  { mailboxId, workspaceId }: OwnCandidateOptions,
  seen: ReadonlyArray<string>,
  look: number
) => sql`
  due AS MATERIALIZED (
    SELECT l.* FROM now CROSS JOIN campaigns c
    CROSS JOIN LATERAL (
      SELECT l.workspace_id, l.campaign_lead_id, l.next_at FROM campaign_leads l
      WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.mailbox_id = ${mailboxId}
        AND l.campaign_lead_id <> ALL(${seen}::uuid[]) AND ${sql.literal(MAYBE)}
      ORDER BY l.next_at, l.campaign_lead_id
      LIMIT ${look}
    ) l
    WHERE c.workspace_id = ${workspaceId} AND c.state = 'active' AND ${sql.literal(OPEN_WINDOW)}
    ORDER BY l.next_at, l.campaign_lead_id
    LIMIT ${look}
  )
`

const OF_DUE = `
  JOIN campaign_leads l ON l.workspace_id = due.workspace_id AND l.campaign_lead_id = due.campaign_lead_id
  JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
  JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
`

const CandidateRow = Schema.Struct({ ...SENDER_FIELDS, ...FactsRow.fields })
const FirstRow = Schema.Struct({ candidate: CandidateRow, campaign: CampaignRow, mailbox: MailboxRow })

/** A mailbox's next lead that may be due, and all that decides about its message and that it is written from. */
export interface FirstOfOwn {
  readonly candidate: Candidate
  readonly campaign: Campaign
  readonly mailbox: Mailbox
  readonly workspace: WorkspaceFacts
  readonly use: SenderUse
}

/** Null: it is no own mailbox, or nobody is due. */
export const firstOfOwn = (
  sql: SqlClient,
  options: OwnCandidateOptions
): Effect.Effect<FirstOfOwn | null, StoreUnavailable> => {
  const { columns, given } = senderParts(sql, options, null)
  return sql`
    WITH ${given}, ${dueOf(sql, options, [], 1)}
    SELECT ${columns}, ${sql.literal(FACTS)}, ${sql.literal(columnsOf(CampaignRow, "c", {}, "campaign "))},
      ${sql.literal(columnsOf(MailboxRow, "b", {}, "mailbox "))}
    FROM ${sql.literal(WORKSPACES)} JOIN due ON due.workspace_id = w.workspace_id ${sql.literal(OF_DUE)}
    WHERE w.workspace_id = ${options.workspaceId} AND b.kind = 'own'
  `.pipe(
    Effect.map((found) =>
      found.map((row) => ({
        candidate: row,
        campaign: rowUnder(row, "campaign "),
        mailbox: rowUnder(row, "mailbox ")
      }))
    ),
    rows("sending.nextOfOwn", FirstRow),
    Effect.map(([found]) => {
      if (found === undefined) return null
      const { campaign, candidate, mailbox } = found
      const { rest, use, workspace } = split(candidate, null)
      return { candidate: candidateOf(rest, workspace, options, use), campaign, mailbox, workspace, use }
    })
  )
}

/** The ones after them, with what decides (`candidates`). */
export const othersOfOwn = (
  sql: SqlClient,
  options: OwnCandidateOptions,
  seen: ReadonlyArray<string>,
  look: number
) => sql`
  WITH ${momentOf(sql, options)}, ${dueOf(sql, options, seen, look)}
  SELECT ${sql.literal(FACTS)} FROM now CROSS JOIN due ${sql.literal(OF_DUE)}
  ORDER BY due.next_at, due.campaign_lead_id
`

/**
 * Locks a lead of a mailbox that the host holds, and what it depends on, and reads what decides. A claim holds the
 * workspace's turn. Null: the lead is another's or has moved on, the hold is over, or a row is locked by another.
 */
export const lockOwnCandidate = (
  sql: SqlClient,
  options: ClaimOneOptions
): Effect.Effect<Candidate | null, StoreUnavailable> => {
  const { campaignLeadId, hostId, mailboxId, receiver, stepIndex, workspaceId } = options
  const { columns, given } = senderParts(sql, options, receiver)
  return sql`
    WITH ${given}
    SELECT ${columns}, ${sql.literal(FACTS)}
    FROM ${sql.literal(WORKSPACES)} JOIN campaign_leads l ON l.workspace_id = w.workspace_id
    JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
    JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
    WHERE w.workspace_id = ${workspaceId} AND l.campaign_lead_id = ${campaignLeadId} AND l.mailbox_id = ${mailboxId}
      AND l.steps_sent = ${stepIndex} AND b.kind = 'own' AND EXISTS (
        SELECT 1 FROM own_mailboxes o
        WHERE o.workspace_id = l.workspace_id AND o.mailbox_id = l.mailbox_id AND o.held_by = ${hostId}
          AND o.held_until > clock_timestamp()
      )
    FOR SHARE OF s SKIP LOCKED
    FOR NO KEY UPDATE OF l SKIP LOCKED
    FOR SHARE OF c, b SKIP LOCKED
  `.pipe(
    rows("sending.claimOne", CandidateRow),
    Effect.map(([found]) => {
      if (found === undefined) return null
      const { rest, use, workspace } = split(found, receiver)
      return candidateOf(rest, workspace, options, use)
    })
  )
}
