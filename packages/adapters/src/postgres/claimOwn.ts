/**
 * Claims for own mailboxes, one message at a time. First we look for the mailbox's next recipient; once its server
 * accepts that recipient, we claim. The claim waits for the workspace's turn, so that only one claim counts the caps at
 * a time, as in `claimDue`. What decides is read after the lock.
 */
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { chooseClaims, messageOf } from "@outbound/domain/outreach/sending/chooseClaims.js"
import { leastOf, receiverLeft } from "@outbound/domain/outreach/sending/planner.js"
import type { SenderUse } from "@outbound/domain/outreach/sending/ramp.js"
import type {
  ClaimOneOptions,
  OwnCandidate,
  OwnCandidateOptions
} from "@outbound/domain/outreach/sending/SendingStore.js"
import { hindrances } from "@outbound/domain/outreach/sending/sendRule.js"
import { Effect, Option } from "effect"
import { CAMPAIGN_COLUMNS, CampaignRow } from "./CampaignRows.js"
import { insertClaims } from "./claimDue.js"
import { run } from "./Columns.js"
import { LOOK_GROWTH, LOOKS_MAX, MAYBE, OPEN_WINDOW } from "./dueRows.js"
import { senderUse } from "./ownUse.js"
import { candidates, FACTS, leftOf, momentOf, workspaceFacts } from "./sendFacts.js"
import { MAILBOX_COLUMNS, MailboxRow } from "./SendingRows.js"
import type { SqlClient } from "./Sql.js"
import { readerOf } from "./Table.js"

/** How many leads the first look at a mailbox covers. */
const LOOK = 4

export const nextOfOwn = (
  sql: SqlClient,
  options: OwnCandidateOptions
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
    const workspaces = yield* workspaceFacts(sql, "sending.nextOfOwn", [workspaceId], options)
    const workspace = workspaces[0]
    if (workspace === undefined) return Option.none()
    // What is cheap is asked first: most mailboxes have nobody to write to, or sent what they may.
    const isHindered = (use: SenderUse | null) => {
      const left = leftOf(workspace, mailboxId, use, nowMillis)
      return hindrances(["suspended", "crm_unread", "cap_reached"], { ...workspace, left }).length > 0
    }
    if (isHindered(null)) return Option.none()
    const use = yield* senderUse(sql, "sending.nextOfOwn", mailbox, null, nowMillis)
    if (isHindered(use)) return Option.none()
    const seen: Array<string> = []
    for (let looks = 0, look = LOOK; looks < LOOKS_MAX; looks += 1, look *= LOOK_GROWTH) {
      const due = yield* lookAt(seen, look).pipe(candidates("sending.nextOfOwn", workspaces, options, use))
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

/** How many messages the mailbox may still send to the organisation today. */
export const leftAt = (
  sql: SqlClient,
  options: OwnCandidateOptions,
  receiver: string
): Effect.Effect<number, StoreUnavailable> =>
  Effect.map(senderUse(sql, "sending.leftAt", options, receiver, options.nowMillis), (use) =>
    receiverLeft(use, options.nowMillis)
  )

/** Must run in a transaction. */
export const claimOne = (sql: SqlClient, options: ClaimOneOptions): Effect.Effect<boolean, StoreUnavailable> => {
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
    const workspaces = yield* workspaceFacts(
      sql,
      "sending.claimOne",
      [workspaceId],
      options,
      "FOR SHARE OF s SKIP LOCKED"
    )
    const use = yield* senderUse(sql, "sending.claimOne", options, receiver, nowMillis)
    const found = yield* held.pipe(candidates("sending.claimOne", workspaces, options, use))
    const [candidate] = chooseClaims(found, 1)
    if (candidate === undefined) return false
    const message = messageOf(candidate.lead, { messageId, mailboxId, variant, claimedAtMillis: nowMillis })
    yield* insertClaims(sql, "sending.claimOne", [{ candidate, message, receiver }])
    return true
  })
}
