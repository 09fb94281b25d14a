/**
 * Claims for own mailboxes, one message at a time. First we look for the mailbox's next recipient; once its server
 * accepts that recipient, we claim. The claim waits for the workspace's turn, so that only one claim counts the caps at
 * a time, as in `claimDue`. What decides is read after the lock.
 */
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { Campaign } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { chooseClaims, messageOf } from "@outbound/domain/outreach/sending/chooseClaims.js"
import { LOOK_GROWTH, LOOKS_MAX } from "@outbound/domain/outreach/sending/claimLooks.js"
import { leastOf } from "@outbound/domain/outreach/sending/planner.js"
import type {
  ClaimOneOptions,
  DueOfOwn,
  DueOfOwnOptions,
  OwnCandidate,
  OwnCandidateOptions
} from "@outbound/domain/outreach/sending/SendingStore.js"
import { hindrances } from "@outbound/domain/outreach/sending/sendRule.js"
import { Effect, Option, Schema } from "effect"
import { CAMPAIGN_COLUMNS, CampaignRow, SENDABLE_LEAD } from "./CampaignRows.js"
import { insertClaims } from "./claimDue.js"
import { date, rows, run } from "./Columns.js"
import { OPEN_WINDOW } from "./dueRows.js"
import { firstOfOwn, lockOwnCandidate, othersOfOwn } from "./ownFacts.js"
import { type Candidate, candidates } from "./sendFacts.js"
import type { SqlClient } from "./Sql.js"
import { readerOf } from "./Table.js"

/** What hinders all of a mailbox's messages alike. */
const OF_MAILBOX = ["suspended", "crm_unread", "mailbox_not_sending", "mailbox_rests", "cap_reached"] as const

/** How many leads the first look covers after the one at the next of them. */
const LOOK = 4

export const nextOfOwn = (
  sql: SqlClient,
  options: OwnCandidateOptions
): Effect.Effect<Option.Option<OwnCandidate>, StoreUnavailable> => {
  const { workspaceId } = options
  const campaigns = readerOf(sql, "campaigns c", CampaignRow, CAMPAIGN_COLUMNS).one("sending.nextOfOwn")

  return Effect.gen(function* () {
    const first = yield* firstOfOwn(sql, options)
    if (first === null) return Option.none()
    const { candidate, mailbox, use, workspace } = first
    // Nobody else of its people could be written to either.
    if (hindrances(OF_MAILBOX, candidate.facts).length > 0) return Option.none()
    const chosen = ({ facts, lead, written }: Candidate, campaign: Campaign): OwnCandidate => ({
      lead,
      campaign,
      mailbox,
      ...written,
      left: leastOf(facts.left)
    })
    if (chooseClaims([candidate], 1).length > 0) return Option.some(chosen(candidate, first.campaign))
    const seen = [candidate.lead.campaignLeadId]
    for (let looks = 0, look = LOOK; looks < LOOKS_MAX; looks += 1, look *= LOOK_GROWTH) {
      const due = yield* othersOfOwn(sql, options, seen, look).pipe(
        candidates("sending.nextOfOwn", [workspace], options, use)
      )
      const [next] = chooseClaims(due, 1)
      if (next !== undefined) {
        const campaign = yield* campaigns({ workspaceId, campaignId: next.lead.campaignId })
        return Option.map(campaign, (one) => chosen(next, one))
      }
      if (due.length < look) break
      seen.push(...due.map(({ lead }) => lead.campaignLeadId))
    }
    return Option.none()
  })
}

const DueRow = Schema.Struct({ mailboxId: Schema.String, isStale: Schema.Boolean })

/** One short statement, however many mailboxes the host holds: each has one index look-up for each of its campaigns. */
export const dueOfOwn = (
  sql: SqlClient,
  { hostId, nowMillis, staleBeforeMillis }: DueOfOwnOptions
): Effect.Effect<DueOfOwn, StoreUnavailable> =>
  sql`
    WITH now AS NOT MATERIALIZED (SELECT ${date(nowMillis)}::timestamptz AS at), open AS MATERIALIZED (
      SELECT c.workspace_id, c.campaign_id FROM now CROSS JOIN campaigns c
      WHERE c.state = 'active' AND ${sql.literal(OPEN_WINDOW)}
    )
    SELECT o.mailbox_id AS "mailboxId", false AS "isStale"
    FROM now CROSS JOIN own_mailboxes o
    JOIN mailboxes b ON b.workspace_id = o.workspace_id AND b.mailbox_id = o.mailbox_id
    WHERE o.held_by = ${hostId} AND b.state = 'active' AND (b.rests_until IS NULL OR b.rests_until <= now.at)
      AND EXISTS (
        SELECT 1 FROM open c JOIN campaign_leads l ON l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
        WHERE c.workspace_id = o.workspace_id AND l.mailbox_id = o.mailbox_id AND ${sql.literal(SENDABLE_LEAD)}
          AND l.next_at <= now.at
      )
    UNION ALL
    SELECT m.mailbox_id, true FROM messages m
    JOIN own_mailboxes o ON o.workspace_id = m.workspace_id AND o.mailbox_id = m.mailbox_id
    WHERE m.state = 'claimed' AND m.claimed_at < ${date(staleBeforeMillis)} AND o.held_by = ${hostId}
  `.pipe(
    rows("sending.dueOfOwn", DueRow),
    Effect.map((found) => {
      const ids = (isStale: boolean) =>
        new Set(found.filter((one) => one.isStale === isStale).map(({ mailboxId }) => mailboxId))
      return { due: ids(false), stale: ids(true) }
    })
  )

/** Must run in a transaction. */
export const claimOne = (sql: SqlClient, options: ClaimOneOptions): Effect.Effect<boolean, StoreUnavailable> => {
  const { mailboxId, messageId, nowMillis, receiver, variant, workspaceId } = options

  const turn = sql`
    SELECT 1 FROM sending_turns t WHERE t.workspace_id = ${workspaceId} FOR NO KEY UPDATE
  `.pipe(run("sending.claimOne"))

  return Effect.gen(function* () {
    yield* turn
    const found = yield* lockOwnCandidate(sql, options)
    const [candidate] = found === null ? [] : chooseClaims([found], 1)
    if (candidate === undefined) return false
    const message = messageOf(candidate.lead, { messageId, mailboxId, variant, claimedAtMillis: nowMillis })
    yield* insertClaims(sql, "sending.claimOne", [{ candidate, message, receiver }])
    return true
  })
}
