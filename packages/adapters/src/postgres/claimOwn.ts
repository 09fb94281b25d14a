/**
 * Claims for own mailboxes, one message at a time. First we look for the mailbox's next recipient; once its server
 * accepts that recipient, we claim. The claim waits for the workspace's turn, so that only one claim counts the caps at
 * a time, as in `claimDue`. It decides in a statement whose snapshot begins after the lock.
 */
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import type {
  ClaimOneOptions,
  OwnCandidate,
  OwnCandidateOptions
} from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Option, Schema } from "effect"
import { CAMPAIGN_COLUMNS, CampaignRow, LEAD_COLUMNS, LeadRow, SENDABLE_LEAD } from "./CampaignRows.js"
import { FAILED_TRIES, OPEN_WINDOW, THREAD, Thread, UNHINDERED } from "./claimDue.js"
import { date, firstRow, hasRows, run } from "./Columns.js"
import { MAILBOX_COLUMNS, MailboxRow } from "./SendingRows.js"
import type { SqlClient } from "./Sql.js"
import { integers, readerOf } from "./Table.js"

const CandidateRow = Schema.Struct({
  ...LeadRow.fields,
  workspaceKind: Schema.Literals(["sandbox", "live"]),
  postalAddress: Schema.NullOr(Schema.String),
  thread: Thread,
  ...integers("failedTries", "left")
})

/** The time, and the mailbox with what it may still send today; no row if it may send nothing. */
const given = (sql: SqlClient, options: OwnCandidateOptions) => sql`
  now AS NOT MATERIALIZED (
    SELECT ${date(options.nowMillis)}::timestamptz AS at, ${date(options.dayStartMillis)}::timestamptz AS day_start,
      ${date(options.contactedSinceMillis)}::timestamptz AS since
  ), box AS MATERIALIZED (
    SELECT b.workspace_id, b.mailbox_id, w.kind, w.postal_address,
      LEAST(
        LEAST(w.mailbox_daily_sends, ${options.rampCap}::integer) - (
          SELECT count(*) FROM messages m
          WHERE m.workspace_id = b.workspace_id AND m.mailbox_id = b.mailbox_id AND m.claimed_at >= now.day_start
            AND m.state <> 'failed'
        ),
        w.daily_sends - (
          SELECT count(*) FROM messages m
          WHERE m.workspace_id = b.workspace_id AND m.claimed_at >= now.day_start AND m.state <> 'failed'
        )
      )::integer AS sends_left
    FROM now CROSS JOIN mailboxes b
    JOIN workspaces w ON w.workspace_id = b.workspace_id
    JOIN workspace_sending s ON s.workspace_id = b.workspace_id
    WHERE b.workspace_id = ${options.workspaceId} AND b.mailbox_id = ${options.mailboxId} AND b.kind = 'own'
      AND b.state = 'active' AND (b.rests_until IS NULL OR b.rests_until <= now.at) AND s.suspended_at IS NULL
  )
`

export const nextOfOwn = (
  sql: SqlClient,
  options: OwnCandidateOptions
): Effect.Effect<Option.Option<OwnCandidate>, StoreUnavailable> => {
  const { mailboxId, workspaceId } = options

  const candidate = sql`
    WITH ${given(sql, options)}
    SELECT ${sql.literal(LEAD_COLUMNS)}, box.kind AS "workspaceKind", box.postal_address AS "postalAddress",
      box.sends_left AS left, ${sql.literal(FAILED_TRIES)} AS "failedTries", ${sql.literal(THREAD)} AS thread
    FROM now CROSS JOIN box
    JOIN campaigns c ON c.workspace_id = box.workspace_id AND c.state = 'active' AND ${sql.literal(OPEN_WINDOW)}
    CROSS JOIN LATERAL (
      SELECT l.* FROM campaign_leads l
      WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.mailbox_id = box.mailbox_id
        AND l.next_at <= now.at AND ${sql.literal(SENDABLE_LEAD)} AND ${sql.literal(UNHINDERED)}
      ORDER BY l.next_at, l.campaign_lead_id
      LIMIT 1
    ) l
    WHERE box.sends_left > 0
    ORDER BY l.next_at, l.campaign_lead_id
    LIMIT 1
  `.pipe(firstRow("sending.nextOfOwn", CandidateRow))

  return Effect.gen(function* () {
    const found = yield* candidate
    if (Option.isNone(found)) return Option.none()
    const { failedTries, left, postalAddress, thread, workspaceKind, ...lead } = found.value
    const campaigns = readerOf(sql, "campaigns c", CampaignRow, CAMPAIGN_COLUMNS)
    const mailboxes = readerOf(sql, "mailboxes b", MailboxRow, MAILBOX_COLUMNS)
    const campaign = yield* campaigns.one("sending.nextOfOwn")({ workspaceId, campaignId: lead.campaignId })
    const mailbox = yield* mailboxes.one("sending.nextOfOwn")({ workspaceId, mailboxId })
    return Option.map(Option.all({ campaign, mailbox }), (of) => ({
      ...of,
      lead,
      workspaceKind,
      postalAddress,
      thread,
      failedTries,
      left
    }))
  })
}

/** Must run in a transaction. */
export const claimOne = (sql: SqlClient, options: ClaimOneOptions): Effect.Effect<boolean, StoreUnavailable> => {
  const { campaignLeadId, hostId, mailboxId, messageId, stepIndex, variant, workspaceId } = options

  const turn = sql`
    SELECT 1 FROM sending_turns t WHERE t.workspace_id = ${workspaceId} FOR NO KEY UPDATE
  `.pipe(run("sending.claimOne"))

  const claim = sql`
    WITH ${given(sql, options)}, held AS (
      SELECT l.workspace_id, l.campaign_id, l.campaign_lead_id, l.mailbox_id, l.address_hash, l.company,
        l.steps_sent
      FROM now CROSS JOIN box
      JOIN campaign_leads l ON l.workspace_id = box.workspace_id AND l.mailbox_id = box.mailbox_id
      JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
      JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
      JOIN workspace_sending s ON s.workspace_id = l.workspace_id
      WHERE l.campaign_lead_id = ${campaignLeadId} AND l.mailbox_id = ${mailboxId} AND l.steps_sent = ${stepIndex}
        AND ${sql.literal(SENDABLE_LEAD)} AND l.next_at <= now.at
        AND c.state = 'active' AND ${sql.literal(OPEN_WINDOW)}
        AND b.state = 'active' AND (b.rests_until IS NULL OR b.rests_until <= now.at)
        AND s.suspended_at IS NULL AND box.sends_left > 0
        AND EXISTS (
          SELECT 1 FROM own_mailboxes o
          WHERE o.workspace_id = l.workspace_id AND o.mailbox_id = l.mailbox_id AND o.held_by = ${hostId}
            AND o.held_until > clock_timestamp()
        )
        AND ${sql.literal(UNHINDERED)}
      FOR NO KEY UPDATE OF l SKIP LOCKED
      FOR SHARE OF c, b, s SKIP LOCKED
    )
    INSERT INTO messages (
      workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, company, step_index, variant,
      state, claimed_at
    )
    SELECT h.workspace_id, ${messageId}::text, h.campaign_id, h.campaign_lead_id, h.mailbox_id, h.address_hash,
      h.company, h.steps_sent, ${variant}::smallint, ${MessageMachine.initial}::text, now.at
    FROM now CROSS JOIN held h
    RETURNING 1
  `.pipe(hasRows("sending.claimOne"))

  return Effect.andThen(turn, claim)
}
