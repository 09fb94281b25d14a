/**
 * Claims for own mailboxes, one message at a time. First we look for the mailbox's next recipient; once its server
 * accepts that recipient, we claim. The claim waits for the workspace's turn, so that only one claim counts the caps at
 * a time, as in `claimDue`. What decides is read after the lock.
 */
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { chooseClaims, messageOf } from "@outbound/domain/outreach/sending/chooseClaims.js"
import { leastOf, receiverLeft } from "@outbound/domain/outreach/sending/planner.js"
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
import { LOOK_GROWTH, LOOKS_MAX, MAYBE, OPEN_WINDOW } from "./dueRows.js"
import { ownFacts } from "./ownFacts.js"
import { senderUse } from "./ownUse.js"
import { candidates, FACTS, leftOf, momentOf } from "./sendFacts.js"
import { MAILBOX_COLUMNS, MailboxRow } from "./SendingRows.js"
import type { SqlClient } from "./Sql.js"
import { readerOf } from "./Table.js"

/** How many leads the first look at a mailbox covers. */
const LOOK = 4

/** How is read what a mailbox and its workspace sent. A bench compares other ways with it. */
export interface SentReads {
  readonly facts: typeof ownFacts
  readonly use: typeof senderUse
}

const BY_COUNTS: SentReads = { facts: ownFacts, use: senderUse }

export const nextOfOwn = (
  sql: SqlClient,
  options: OwnCandidateOptions,
  reads: SentReads = BY_COUNTS
): Effect.Effect<Option.Option<OwnCandidate>, StoreUnavailable> => {
  const { mailboxId, nowMillis, workspaceId } = options
  const campaigns = readerOf(sql, "campaigns c", CampaignRow, CAMPAIGN_COLUMNS).one("sending.nextOfOwn")
  const mailboxes = readerOf(sql, "mailboxes b", MailboxRow, MAILBOX_COLUMNS).one("sending.nextOfOwn")

  const lookAt = (seen: ReadonlyArray<string>, look: number) => sql`
    WITH ${momentOf(sql, options)}, due AS MATERIALIZED (
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
    SELECT ${sql.literal(FACTS)}
    FROM now CROSS JOIN due
    JOIN campaign_leads l ON l.workspace_id = due.workspace_id AND l.campaign_lead_id = due.campaign_lead_id
    JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
    JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
    ORDER BY due.next_at, due.campaign_lead_id
  `

  return Effect.gen(function* () {
    const found = yield* mailboxes({ workspaceId, mailboxId })
    if (Option.isNone(found) || found.value.kind !== "own") return Option.none()
    const mailbox = found.value
    // Most of the time it rests.
    if (hindrances(["mailbox_not_sending", "mailbox_rests"], { mailbox, nowMillis }).length > 0) return Option.none()
    const facts = yield* reads.facts(sql, "sending.nextOfOwn", options, null, "")
    if (facts === null) return Option.none()
    const { use, workspace } = facts
    // What is cheap is asked first: most mailboxes have nobody to write to, or sent what they may.
    const left = leftOf(workspace, mailboxId, use, nowMillis)
    if (hindrances(["suspended", "crm_unread", "cap_reached"], { ...workspace, left }).length > 0) return Option.none()
    const seen: Array<string> = []
    for (let looks = 0, look = LOOK; looks < LOOKS_MAX; looks += 1, look *= LOOK_GROWTH) {
      const due = yield* lookAt(seen, look).pipe(candidates("sending.nextOfOwn", [workspace], options, use))
      const [next] = chooseClaims(due, 1)
      if (next !== undefined) {
        const { facts, lead, written } = next
        const campaign = yield* campaigns({ workspaceId, campaignId: lead.campaignId })
        return Option.map(campaign, (one) => ({ lead, campaign: one, mailbox, ...written, left: leastOf(facts.left) }))
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

/** How many messages the mailbox may still send to the organisation today. */
export const leftAt = (
  sql: SqlClient,
  options: OwnCandidateOptions,
  receiver: string,
  reads: SentReads = BY_COUNTS
): Effect.Effect<number, StoreUnavailable> =>
  Effect.map(reads.use(sql, "sending.leftAt", options, receiver, options.nowMillis), (use) =>
    receiverLeft(use, options.nowMillis)
  )

/** Must run in a transaction. */
export const claimOne = (
  sql: SqlClient,
  options: ClaimOneOptions,
  reads: SentReads = BY_COUNTS
): Effect.Effect<boolean, StoreUnavailable> => {
  const { campaignLeadId, hostId, mailboxId, messageId, nowMillis, receiver, stepIndex, variant, workspaceId } = options

  const turn = sql`
    SELECT 1 FROM sending_turns t WHERE t.workspace_id = ${workspaceId} FOR NO KEY UPDATE
  `.pipe(run("sending.claimOne"))

  const held = sql`
    WITH ${momentOf(sql, options)}
    SELECT ${sql.literal(FACTS)}
    FROM now CROSS JOIN campaign_leads l
    JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
    JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
    WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = ${campaignLeadId} AND l.mailbox_id = ${mailboxId}
      AND l.steps_sent = ${stepIndex} AND b.kind = 'own' AND EXISTS (
        SELECT 1 FROM own_mailboxes o
        WHERE o.workspace_id = l.workspace_id AND o.mailbox_id = l.mailbox_id AND o.held_by = ${hostId}
          AND o.held_until > clock_timestamp()
      )
    FOR NO KEY UPDATE OF l SKIP LOCKED
    FOR SHARE OF c, b SKIP LOCKED
  `

  return Effect.gen(function* () {
    yield* turn
    const facts = yield* reads.facts(sql, "sending.claimOne", options, receiver, "FOR SHARE OF s SKIP LOCKED")
    if (facts === null) return false
    const found = yield* held.pipe(candidates("sending.claimOne", [facts.workspace], options, facts.use))
    const [candidate] = chooseClaims(found, 1)
    if (candidate === undefined) return false
    const message = messageOf(candidate.lead, { messageId, mailboxId, variant, claimedAtMillis: nowMillis })
    yield* insertClaims(sql, "sending.claimOne", [{ candidate, message, receiver }])
    return true
  })
}
