/** A claim of an own mailbox as it was before there was a ramp, and with the ramp's first reading: each thing apart. */
import type { claimOne, nextOfOwn } from "@outbound/adapters/postgres/claimOwn.js"
import { othersOfOwn } from "@outbound/adapters/postgres/ownFacts.js"
import { insertClaims } from "@outbound/adapters/postgres/claimDue.js"
import { CAMPAIGN_COLUMNS, CampaignRow } from "@outbound/adapters/postgres/CampaignRows.js"
import { rows, run } from "@outbound/adapters/postgres/Columns.js"
import type { roomAt } from "@outbound/adapters/postgres/ownUse.js"
import { refusalsOf } from "@outbound/adapters/postgres/refusals.js"
import {
  candidates,
  FACTS,
  leftOf,
  momentOf,
  toFacts,
  workspaceColumns,
  WorkspaceFactsRow,
  WORKSPACES
} from "@outbound/adapters/postgres/sendFacts.js"
import { MAILBOX_COLUMNS, MailboxRow } from "@outbound/adapters/postgres/SendingRows.js"
import type { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { readerOf } from "@outbound/adapters/postgres/Table.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { chooseClaims, messageOf } from "@outbound/domain/outreach/sending/chooseClaims.js"
import { leastOf, receiverLeft } from "@outbound/domain/outreach/sending/planner.js"
import type { SenderUse } from "@outbound/domain/outreach/sending/ramp.js"
import { hindrances } from "@outbound/domain/outreach/sending/sendRule.js"
import type { OwnCandidateOptions } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Option } from "effect"

/** What a message takes of the database before it leaves. */
export interface Claims {
  readonly nextOfOwn: typeof nextOfOwn
  readonly roomAt: typeof roomAt
  readonly claimOne: typeof claimOne
}

/** How is read what a mailbox and its domain sent, and what of it to an organisation. */
export type UseRead = (
  sql: SqlClient,
  options: OwnCandidateOptions,
  receiver: string | null
) => Effect.Effect<SenderUse, StoreUnavailable>

const LOOK = 4

/** `today`: from what is read what was sent today. */
export const claimsBefore = (useOf: UseRead, today: "counts" | "messages"): Claims => {
  const factsOf = (sql: SqlClient, options: OwnCandidateOptions, lock: "" | "FOR SHARE OF s SKIP LOCKED") =>
    sql`
      WITH ${momentOf(sql, options)}
      SELECT ${workspaceColumns(sql, options, today === "counts" ? options.mailboxId : undefined)}
      FROM ${sql.literal(WORKSPACES)}
      WHERE w.workspace_id = ANY(${[options.workspaceId]}::uuid[])
      ${sql.literal(lock)}
    `.pipe(rows("bench", WorkspaceFactsRow, toFacts(today === "messages")))

  return {
    nextOfOwn: (sql, options) =>
      Effect.gen(function* () {
        const { mailboxId, nowMillis, workspaceId } = options
        const mailboxes = readerOf(sql, "mailboxes b", MailboxRow, MAILBOX_COLUMNS).one("bench")
        const found = yield* mailboxes({ workspaceId, mailboxId })
        if (Option.isNone(found)) return Option.none()
        const mailbox = found.value
        if (hindrances(["mailbox_not_sending", "mailbox_rests"], { mailbox, nowMillis }).length > 0)
          return Option.none()
        const [workspace] = yield* factsOf(sql, options, "")
        if (workspace === undefined) return Option.none()
        const use = yield* useOf(sql, options, null)
        const left = leftOf(workspace, mailboxId, use, nowMillis)
        if (hindrances(["suspended", "crm_unread", "cap_reached"], { ...workspace, left }).length > 0)
          return Option.none()
        const due = yield* othersOfOwn(sql, options, [], LOOK).pipe(candidates("bench", [workspace], options, use))
        const [next] = chooseClaims(due, 1)
        if (next === undefined) return Option.none()
        const campaigns = readerOf(sql, "campaigns c", CampaignRow, CAMPAIGN_COLUMNS).one("bench")
        const campaign = yield* campaigns({ workspaceId, campaignId: next.lead.campaignId })
        const known = { lead: next.lead, mailbox, ...next.written, left: leastOf(next.facts.left) }
        return Option.map(campaign, (one) => ({ ...known, campaign: one }))
      }),

    roomAt: (sql, options, receiver) =>
      Effect.gen(function* () {
        const { mailboxId, nowMillis, workspaceId } = options
        const rest = yield* refusalsOf(sql).receiverRest(workspaceId, mailboxId, receiver)
        const use = yield* useOf(sql, options, receiver)
        const restsUntilMillis = Option.getOrNull(Option.map(rest, (one) => one.restsUntilMillis))
        return { left: receiverLeft(use, nowMillis), restsUntilMillis }
      }),

    claimOne: (sql, options) =>
      Effect.gen(function* () {
        const { campaignLeadId, hostId, mailboxId, messageId, nowMillis, receiver, stepIndex, variant } = options
        const { workspaceId } = options
        yield* sql`
          SELECT 1 FROM sending_turns t WHERE t.workspace_id = ${workspaceId} FOR NO KEY UPDATE
        `.pipe(run("bench"))
        const [workspace] = yield* factsOf(sql, options, "FOR SHARE OF s SKIP LOCKED")
        if (workspace === undefined) return false
        const use = yield* useOf(sql, options, receiver)
        const found = yield* sql`
          WITH ${momentOf(sql, options)}
          SELECT ${sql.literal(FACTS)}
          FROM now CROSS JOIN campaign_leads l
          JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
          JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
          WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = ${campaignLeadId}
            AND l.mailbox_id = ${mailboxId} AND l.steps_sent = ${stepIndex} AND b.kind = 'own' AND EXISTS (
              SELECT 1 FROM own_mailboxes o
              WHERE o.workspace_id = l.workspace_id AND o.mailbox_id = l.mailbox_id AND o.held_by = ${hostId}
                AND o.held_until > clock_timestamp()
            )
          FOR NO KEY UPDATE OF l SKIP LOCKED
          FOR SHARE OF c, b SKIP LOCKED
        `.pipe(candidates("bench", [workspace], options, use))
        const [candidate] = chooseClaims(found, 1)
        if (candidate === undefined) return false
        const message = messageOf(candidate.lead, { messageId, mailboxId, variant, claimedAtMillis: nowMillis })
        yield* insertClaims(sql, "bench", [{ candidate, message, receiver }])
        return true
      })
  }
}
