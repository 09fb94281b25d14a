import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { type MailboxRef, SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Layer, Option, Schema, Struct } from "effect"
import { CampaignRow, LEAD_COLUMNS, LeadRow, SENDABLE_LEAD } from "./CampaignRows.js"
import { claimDue } from "./claimDue.js"
import { claimOne, dueOfOwn, nextOfOwn } from "./claimOwn.js"
import {
  changes,
  column,
  date,
  dateOrNull,
  firstRow,
  firstValue,
  jsonRows,
  literals,
  mapOf,
  rows,
  run,
  statesInto
} from "./Columns.js"
import { dueLeads } from "./dueLeads.js"
import { receiversOf } from "./mailReceivers.js"
import { roomAt, useBook } from "./ownUse.js"
import { mailboxRests } from "./mailboxRests.js"
import { MAILBOX_COLUMNS, MailboxRow, MESSAGE_COLUMNS, MessageRow } from "./SendingRows.js"
import { refusalsOf } from "./refusals.js"
import { SqlClient } from "./Sql.js"
import { givenOf, lockNamed, readerOf, texts, valuesOf } from "./Table.js"

const ScheduleRow = Schema.Struct({
  ...texts("workspaceId", "campaignId"),
  schedule: CampaignRow.fields.schedule,
  hours: Schema.NullOr(Schema.String)
})

const SentRow = Schema.Struct({ company: Schema.String, sent: Schema.Int })

const HealthRow = Schema.Struct({ sent: Schema.Int, hardBounces: Schema.Int, complaints: Schema.Int })

/** What of a mailbox never changes, and what does. */
const KEPT =
  "workspaceId uuid, mailboxId uuid, kind text, operationId uuid, domain text, address text, createdAtMillis bigint"
const CHANGING = `state text, pauseReason text, displayName text, activeAtMillis bigint, upkeepPaidUntilMillis bigint,
    restsUntilMillis bigint, declaredSends integer, declaredSinceMillis bigint, declaredAtMillis bigint`

/** Guards an update of mailboxes: row `b` must be in a state from which the machine reaches the given `g.state`. */
const mailboxGuard = MailboxMachine.states
  .map((state) => `(g.state = '${state}' AND b.state IN (${literals(statesInto(MailboxMachine, state))}))`)
  .join(" OR ")

export const layer = Layer.effect(
  SendingStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { atomically } = yield* UnitOfWork
    const { all: mailboxes, one: mailbox } = readerOf(sql, "mailboxes b", MailboxRow, MAILBOX_COLUMNS)
    const { all: messages, one: message } = readerOf(sql, "messages m", MessageRow, MESSAGE_COLUMNS)
    const { all: leads } = readerOf(sql, "campaign_leads l", LeadRow, LEAD_COLUMNS)
    const changing = givenOf(sql, CHANGING)
    const newMailboxes = givenOf(sql, `${KEPT}, ${CHANGING}`)
    const sendable = sql.literal(SENDABLE_LEAD)
    const behind = (after: MailboxRef | null) =>
      after === null
        ? sql`true`
        : sql`(b.workspace_id, b.mailbox_id) > (${after.workspaceId}::uuid, ${after.mailboxId}::uuid)`

    return SendingStore.of({
      insertMailboxes: (mailboxes) =>
        sql`
          WITH given AS (SELECT * FROM ${newMailboxes.from(mailboxes)}), turns AS (
            INSERT INTO sending_turns (workspace_id)
            SELECT DISTINCT g."workspaceId" FROM given g ORDER BY 1
            ON CONFLICT (workspace_id) DO NOTHING
          )
          INSERT INTO mailboxes (${newMailboxes.columns}) SELECT ${newMailboxes.values} FROM given g
        `.pipe(run("sending.insertMailboxes")),

      lockMailboxesOfOperation: (workspaceId, operationId) =>
        mailboxes("sending.lockMailboxesOfOperation")(sql`
          b.workspace_id = ${workspaceId} AND b.operation_id = ${operationId}
          ORDER BY b.address
          FOR NO KEY UPDATE
        `),

      lockAddresses: (addresses) =>
        Effect.andThen(
          lockNamed(sql, "sending.lockAdoption", "outbound/adopted mailboxes"),
          mailboxes("sending.lockAddresses")(sql`
            b.address = ANY (${[...addresses]}::text[]) AND b.state <> 'failed'
            ORDER BY b.workspace_id, b.mailbox_id
          `)
        ),

      updateMailboxes: (mailboxes) =>
        sql`
          UPDATE mailboxes b
          SET (${changing.columns}) = ROW(${changing.values})
          FROM ${newMailboxes.from(mailboxes)}
          WHERE b.workspace_id = g."workspaceId" AND b.mailbox_id = g."mailboxId" AND (${sql.literal(mailboxGuard)})
          RETURNING b.mailbox_id
        `.pipe(changes("sending.updateMailboxes", mailboxes.length)),

      domains: (workspaceId) =>
        sql`
          SELECT DISTINCT b.domain FROM mailboxes b WHERE b.workspace_id = ${workspaceId} ORDER BY b.domain
        `.pipe(column("sending.domains", Schema.String)),

      lockUpkeepDue: (nowMillis, limit, after) =>
        mailboxes("sending.lockUpkeepDue")(sql`
          b.state = 'active' AND b.upkeep_paid_until <= ${date(nowMillis)}
            AND ${behind(after)}
          ORDER BY b.workspace_id, b.mailbox_id
          LIMIT ${limit}
          FOR NO KEY UPDATE SKIP LOCKED
        `),

      activeMailboxes: (workspaceId) =>
        mailboxes("sending.activeMailboxes")(sql`
          b.workspace_id = ${workspaceId} AND b.state = 'active'
          ORDER BY b.address
        `),

      mailbox: (workspaceId, mailboxId) => mailbox("sending.mailbox")({ workspaceId, mailboxId }),

      lockMailbox: (workspaceId, mailboxId) =>
        mailbox("sending.lockMailbox")({ workspaceId, mailboxId }, "FOR NO KEY UPDATE"),

      mailboxesOfCampaign: (workspaceId, campaignId) =>
        mailboxes("sending.mailboxesOfCampaign")(sql`
          b.workspace_id = ${workspaceId} AND EXISTS (
            SELECT 1 FROM campaign_leads l
            WHERE l.workspace_id = b.workspace_id AND l.campaign_id = ${campaignId} AND l.mailbox_id = b.mailbox_id
              AND ${sendable}
          )
          ORDER BY b.address
        `),

      lockUpkeepPaused: (limit, after) =>
        mailboxes("sending.lockUpkeepPaused")(sql`
          b.state = 'paused' AND b.pause_reason = 'upkeep'
            AND ${behind(after)}
          ORDER BY b.workspace_id, b.mailbox_id
          LIMIT ${limit}
          FOR NO KEY UPDATE SKIP LOCKED
        `),

      ...mailboxRests(sql),

      bouncesOf: (workspaceId, addressHash) =>
        sql`
          SELECT count(*)::integer AS bounces
          FROM campaign_leads l
          JOIN replies r ON r.workspace_id = l.workspace_id AND r.campaign_id = l.campaign_id
            AND r.campaign_lead_id = l.campaign_lead_id AND r.classification = 'bounce'
          WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash}
        `.pipe(firstValue("sending.bouncesOf", Schema.Int, 0)),

      health: (workspaceId, mailboxId, last) =>
        sql`
          WITH latest AS (
            SELECT m.outcome, m.address_hash FROM messages m
            WHERE m.workspace_id = ${workspaceId} AND m.mailbox_id = ${mailboxId} AND m.state = 'sent'
            ORDER BY m.sent_at DESC
            LIMIT ${last}
          )
          SELECT count(*)::integer AS sent,
            (count(DISTINCT latest.address_hash) FILTER (WHERE latest.outcome = 'hard_bounce'))::integer AS "hardBounces",
            (count(DISTINCT latest.address_hash) FILTER (WHERE latest.outcome = 'complaint'))::integer AS complaints
          FROM latest
        `.pipe(
          firstRow("sending.health", HealthRow),
          Effect.map(Option.getOrElse(() => ({ sent: 0, hardBounces: 0, complaints: 0 })))
        ),

      ...refusalsOf(sql),

      setWindows: (windows) =>
        sql`
          WITH given AS (
            SELECT g."workspaceId", g."campaignId", g.hours, to_timestamp(g."opensAtMillis" / 1000.0) AS opens_at,
              to_timestamp(g."closesAtMillis" / 1000.0) AS closes_at
            FROM json_to_recordset(${jsonRows(windows)}::json) AS g (
              "workspaceId" uuid, "campaignId" uuid, hours text, "opensAtMillis" double precision,
              "closesAtMillis" double precision
            )
          ), own AS (
            UPDATE campaigns c SET window_opens_at = g.opens_at, window_closes_at = g.closes_at
            FROM given g
            WHERE g.hours IS NULL AND c.workspace_id = g."workspaceId" AND c.campaign_id = g."campaignId"
            RETURNING 1
          )
          INSERT INTO campaign_windows AS w (workspace_id, campaign_id, hours, opens_at, closes_at)
          SELECT g."workspaceId", g."campaignId", g.hours, g.opens_at, g.closes_at
          FROM given g CROSS JOIN (SELECT count(*) FROM own) AS first
          WHERE g.hours IS NOT NULL
          ORDER BY g."workspaceId", g."campaignId", g.hours
          ON CONFLICT (workspace_id, campaign_id, hours)
          DO UPDATE SET opens_at = EXCLUDED.opens_at, closes_at = EXCLUDED.closes_at
        `.pipe(run("sending.setWindows")),

      lockClosedWindows: (nowMillis, limit) =>
        Effect.gen(function* () {
          const own = yield* sql`
            SELECT c.workspace_id AS "workspaceId", c.campaign_id AS "campaignId", c.schedule, NULL AS hours
            FROM campaigns c
            WHERE c.state = 'active' AND c.window_closes_at <= ${date(nowMillis)}
            ORDER BY c.window_closes_at, c.campaign_id
            LIMIT ${limit}
            FOR NO KEY UPDATE SKIP LOCKED
          `.pipe(rows("sending.lockClosedWindows", ScheduleRow))
          const theirs = yield* sql`
            SELECT c.workspace_id AS "workspaceId", c.campaign_id AS "campaignId", c.schedule, w.hours
            FROM campaigns c
            JOIN campaign_windows w ON w.workspace_id = c.workspace_id AND w.campaign_id = c.campaign_id
            WHERE c.state = 'active' AND w.closes_at <= ${date(nowMillis)}
            ORDER BY w.closes_at, w.campaign_id, w.hours
            LIMIT ${limit - own.length}
            FOR NO KEY UPDATE OF w SKIP LOCKED
          `.pipe(rows("sending.lockClosedWindows", ScheduleRow))
          return [...own, ...theirs]
        }),

      claimDue: (options) => atomically(claimDue(sql, options)),

      dueOfOwn: (options) => dueOfOwn(sql, options),
      nextOfOwn: (options) => nextOfOwn(sql, options),

      roomAt: (options, receiver) => roomAt(sql, options, receiver),
      uses: (workspaceId, nowMillis, by) => useBook(sql, workspaceId, nowMillis, by),
      ...receiversOf(sql),

      claimOne: (options) => atomically(claimOne(sql, options)),

      inFlight: (workspaceId, campaignId) =>
        sql`
          SELECT count(*)::integer AS count FROM messages m
          WHERE m.workspace_id = ${workspaceId} AND m.campaign_id = ${campaignId} AND m.state = 'claimed'
        `.pipe(
          column("sending.inFlight", Schema.Int),
          Effect.map(([claimed]) => claimed ?? 0)
        ),

      sentToCompanies: (workspaceId, campaignId, sinceMillis) =>
        sql`
          SELECT m.company, count(*)::integer AS sent FROM messages m
          WHERE m.workspace_id = ${workspaceId} AND m.campaign_id = ${campaignId} AND m.company IS NOT NULL
            AND m.claimed_at >= ${date(sinceMillis)} AND m.state <> 'failed'
          GROUP BY m.company
        `.pipe(mapOf("sending.sentToCompanies", SentRow, ({ company, sent }) => [company, sent])),

      ...dueLeads(sql),

      lockMessage: (workspaceId, messageId) =>
        message("sending.lockMessage")({ workspaceId, messageId }, "FOR NO KEY UPDATE"),

      insertFailed: (message, addressHash, handover) =>
        sql`
          INSERT INTO messages ${sql.insert({
            ...valuesOf(MessageRow.mapFields(Struct.omit(["sentAtMillis"])), { ...message, state: "failed" }),
            address_hash: addressHash,
            receiver: handover?.receiver ?? null,
            outcome: handover?.isRefused === true ? "refused" : null
          })}
        `.pipe(run("sending.insertFailed")),

      setOutcome: (workspaceId, messageId, outcome) =>
        sql`
          UPDATE messages m SET outcome = ${outcome}
          WHERE m.workspace_id = ${workspaceId} AND m.message_id = ${messageId}
            AND (m.outcome IS NULL OR m.outcome = 'refused' OR (m.outcome = 'hard_bounce' AND ${outcome} = 'complaint'))
        `.pipe(run("sending.setOutcome")),

      endMessage: (message, addressHash, handover) =>
        sql`
          WITH ended AS (
            UPDATE messages m
            SET state = ${message.state}, sent_at = ${dateOrNull(message.sentAtMillis)},
              receiver = COALESCE(${handover?.receiver ?? null}, m.receiver),
              outcome = CASE WHEN ${handover?.isRefused === true} THEN 'refused' ELSE m.outcome END
            WHERE m.workspace_id = ${message.workspaceId} AND m.message_id = ${message.messageId}
              AND m.state IN (${sql.literal(literals(statesInto(MessageMachine, message.state)))})
            RETURNING m.workspace_id, m.message_id, m.campaign_id, m.state, m.sent_at
          ), contact AS (
            INSERT INTO contact_history AS h (workspace_id, address_hash, campaign_id, last_contacted_at)
            SELECT e.workspace_id, ${addressHash}::text, e.campaign_id, e.sent_at FROM ended e WHERE e.state = 'sent'
            ON CONFLICT (workspace_id, address_hash, campaign_id)
              DO UPDATE SET last_contacted_at = GREATEST(h.last_contacted_at, EXCLUDED.last_contacted_at)
          )
          SELECT e.message_id FROM ended e
        `.pipe(changes("sending.endMessage")),

      staleClaimsOf: (workspaceId, mailboxId, beforeMillis, limit) =>
        messages("sending.staleClaimsOf")(sql`
          m.state = 'claimed' AND m.workspace_id = ${workspaceId} AND m.mailbox_id = ${mailboxId}
            AND m.claimed_at < ${date(beforeMillis)}
          ORDER BY m.claimed_at
          LIMIT ${limit}
        `),

      lockStaleClaims: (beforeMillis, ownBeforeMillis, limit) =>
        sql`
          SELECT ${sql.literal(MESSAGE_COLUMNS)} FROM messages m
          JOIN mailboxes b ON b.workspace_id = m.workspace_id AND b.mailbox_id = m.mailbox_id
          WHERE m.state = 'claimed' AND m.claimed_at < ${date(beforeMillis)}
            AND (b.kind = 'purchased' OR m.claimed_at < ${date(ownBeforeMillis)})
          ORDER BY m.claimed_at
          LIMIT ${limit}
          FOR NO KEY UPDATE OF m SKIP LOCKED
        `.pipe(rows("sending.lockStaleClaims", MessageRow)),

      lockWaitedOut: (nowMillis, limit) =>
        leads("sending.lockWaitedOut")(sql`
          l.state = 'active' AND l.steps_sent >= l.steps AND l.next_at <= ${date(nowMillis)}
          ORDER BY l.next_at
          LIMIT ${limit}
          FOR NO KEY UPDATE SKIP LOCKED
        `)
    })
  })
)
