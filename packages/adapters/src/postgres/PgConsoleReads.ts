import { SqlClient, type Statement } from "@effect/sql"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { CampaignMachine, PAUSE_REASONS } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { INTEREST_STATUSES, MEETING_INTEREST, POSITIVE_INTEREST } from "@outbound/domain/kernel/sequences/Sequence.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { ChangeRequestMachine } from "@outbound/domain/control/ChangeRequestMachine.js"
import {
  ConsoleReads,
  OPEN_REPLIES_MAX,
  type Part,
  type Standing
} from "@outbound/domain/control/console/ConsoleReads.js"
import { AUTOMATIC } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { OPEN_ALERTS_MAX } from "@outbound/domain/control/alerts/AlertStore.js"
import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { Effect, Layer, Option, Schema } from "effect"
import { CAMPAIGN_COLUMNS, CampaignRow } from "./CampaignRows.js"
import { date, firstRow, literals, Millis, rows } from "./Columns.js"
import { accountReads } from "./console/accountReads.js"
import { campaignDays } from "./console/campaignDays.js"
import { conversationReads } from "./console/conversationReads.js"
import { sendingReads } from "./console/sendingReads.js"
import { isOpenAlert } from "./openAlerts.js"
import { SUMMARY_COLUMNS, SUMMARY_JOINS, SummaryRow, toSummary } from "./PgApprovalStore.js"

const StandingRow = Schema.Struct({
  approvalsPending: Schema.Int,
  repliesOpen: Schema.Int,
  alertsOpen: Schema.Int,
  changeRequestsOpen: Schema.Int,
  suspendedAtMillis: Schema.NullOr(Millis)
})

const CampaignLineRow = Schema.Struct({
  campaignId: Schema.String,
  name: Schema.String,
  state: Schema.Literal(...CampaignMachine.states),
  pauseReason: Schema.NullOr(Schema.Literal(...PAUSE_REASONS)),
  createdAtMillis: Millis,
  launchedAtMillis: Schema.NullOr(Millis),
  leads: Schema.Int,
  contacted: Schema.Int,
  sent: Schema.Int,
  replied: Schema.Int,
  bounced: Schema.Int,
  unsubscribed: Schema.Int
})

const StepRow = Schema.Struct({
  stepIndex: Schema.Int,
  variant: Schema.NullOr(Schema.Int),
  sent: Schema.Int,
  claimed: Schema.Int,
  failed: Schema.Int,
  unknown: Schema.Int,
  replied: Schema.Int,
  interested: Schema.Int,
  meetings: Schema.Int,
  bounced: Schema.Int,
  unsubscribed: Schema.Int
})

const MailboxRow = Schema.Struct({
  mailboxId: Schema.String,
  address: Schema.String,
  state: Schema.Literal(...MailboxMachine.states),
  sent: Schema.Int
})

const CampaignViewRow = Schema.Struct({
  ...CampaignRow.fields,
  leads: Schema.Record({ key: Schema.Literal(...LeadMachine.states), value: Schema.Int }).pipe(
    Schema.partialWith({ exact: true })
  ),
  steps: Schema.Array(StepRow),
  mailboxes: Schema.Array(MailboxRow),
  covered: Schema.Int,
  uncovered: Schema.Int,
  withoutMailbox: Schema.Int,
  nextAtMillis: Schema.NullOr(Millis),
  hours: Schema.Array(
    Schema.Struct({
      hours: Schema.NullOr(Schema.String),
      people: Schema.Int,
      nextAtMillis: Schema.NullOr(Schema.Number)
    })
  )
})

const NameRow = Schema.Struct({ campaignId: Schema.String, name: Schema.String })

const LeadLineRow = Schema.Struct({
  campaignLeadId: Schema.String,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  companyName: Schema.NullOr(Schema.String),
  state: Schema.Literal(...LeadMachine.states),
  interestStatus: Schema.NullOr(Schema.Literal(...INTEREST_STATUSES)),
  stepsSent: Schema.Int,
  variant: Schema.NullOr(Schema.Int),
  lastSentAtMillis: Schema.NullOr(Millis),
  nextAtMillis: Schema.NullOr(Millis)
})

/** A lead that may still be emailed and has a step left. */
const OPEN_LEAD = `l.state IN (${literals([LeadMachine.initial, ...statesAllowing(LeadMachine, "send")])}) AND l.steps_sent < l.steps`

/** Whether lead `l` wants to go on: by its status if somebody set one, otherwise by what the person wrote. */
const WANTS_MORE = `coalesce(l.interest_status IN (${literals(POSITIVE_INTEREST)}), EXISTS (
  SELECT FROM replies r WHERE r.workspace_id = l.workspace_id AND r.campaign_lead_id = l.campaign_lead_id
    AND r.classification = 'interested'
))`

/** The variant of the last message that lead `l` was sent. */
const LAST_VARIANT = `CASE WHEN l.variants IS NOT NULL THEN (
  SELECT m.variant FROM messages m WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
    AND m.step_index = l.steps_sent - 1 AND m.state = 'sent'
) END`

/** What became of each step of campaign `c`, by variant. An event counts for the last step that the person was sent. */
const STEP_COUNTS = `
  SELECT one.step_index AS "stepIndex", one.variant, count(*) FILTER (WHERE one.what = 'sent') AS sent,
    count(*) FILTER (WHERE one.what = 'claimed') AS claimed, count(*) FILTER (WHERE one.what = 'failed') AS failed,
    count(*) FILTER (WHERE one.what = 'unknown') AS unknown, count(*) FILTER (WHERE one.what = 'lead replied') AS replied,
    count(*) FILTER (WHERE one.wants_more) AS interested, count(*) FILTER (WHERE one.meets) AS meetings, count(*) FILTER (WHERE one.what = 'lead bounced') AS bounced,
    count(*) FILTER (WHERE one.what = 'lead unsubscribed') AS unsubscribed
  FROM (
    SELECT m.step_index, m.variant, m.state AS what, false AS wants_more, false AS meets
    FROM campaign_leads l
    JOIN messages m ON m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
    WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
    UNION ALL
    SELECT l.steps_sent - 1, ${LAST_VARIANT}, 'lead ' || l.state, ${WANTS_MORE},
      l.interest_status IN (${literals(MEETING_INTEREST)})
    FROM campaign_leads l
    WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.steps_sent > 0
  ) one
  GROUP BY one.step_index, one.variant
`

const toView = ({
  leads,
  mailboxes,
  steps,
  covered,
  uncovered,
  withoutMailbox,
  nextAtMillis,
  hours,
  ...campaign
}: typeof CampaignViewRow.Type) => ({
  campaign,
  leads,
  mailboxes,
  steps,
  waiting: { covered, uncovered, withoutMailbox, nextAtMillis },
  hours
})

const NOTHING_STANDS: Standing = {
  approvalsPending: 0,
  repliesOpen: 0,
  changeRequestsOpen: 0,
  alertsOpen: 0,
  suspendedAtMillis: null
}

export const layer = Layer.effect(
  ConsoleReads,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** The rows after the previous page's last one, newest first. */
    const after = (part: Part, at: string, id: string): Statement.Fragment =>
      part.after === null
        ? sql`true`
        : sql`(${sql.literal(at)}, ${sql.literal(id)}) < (${date(part.after.atMillis)}, ${part.after.id}::uuid)`

    return ConsoleReads.of({
      campaignDays: campaignDays(sql),
      ...sendingReads(sql, after),
      ...conversationReads(sql),
      ...accountReads(sql),

      standing: (workspaceId, nowMillis) =>
        sql`
          SELECT s.suspended_at AS "suspendedAtMillis", (
            SELECT count(*)::integer FROM approvals a
            WHERE a.workspace_id = s.workspace_id AND a.state = ${sql.literal(`'${ApprovalMachine.initial}'`)}
              AND a.expires_at > ${date(nowMillis)}
          ) AS "approvalsPending", (
            SELECT count(*)::integer FROM (
              SELECT 1 FROM replies r
              WHERE r.workspace_id = s.workspace_id AND r.handled_at IS NULL
                AND (r.classification IN (${sql.literal(literals(AUTOMATIC))})) IS NOT TRUE
              LIMIT ${OPEN_REPLIES_MAX}
            ) AS open
          ) AS "repliesOpen", (
            SELECT count(*)::integer FROM change_requests r
            WHERE r.workspace_id = s.workspace_id AND r.state = ${sql.literal(`'${ChangeRequestMachine.initial}'`)}
          ) AS "changeRequestsOpen", (
            SELECT count(*)::integer FROM (
              SELECT n.workspace_id, n.alert_id, n.kind, n.subject, n.period FROM alerts n
              WHERE n.workspace_id = s.workspace_id ORDER BY n.alert_id DESC LIMIT ${OPEN_ALERTS_MAX}
            ) AS a
            WHERE ${isOpenAlert(sql, nowMillis)}
          ) AS "alertsOpen"
          FROM workspace_sending s WHERE s.workspace_id = ${workspaceId}
        `.pipe(firstRow("console.standing", StandingRow), Effect.map(Option.getOrElse(() => NOTHING_STANDS))),

      approvals: (workspaceId, which, part) =>
        sql`
          SELECT ${sql.literal(SUMMARY_COLUMNS)} FROM approvals a ${sql.literal(SUMMARY_JOINS)}
          WHERE a.workspace_id = ${workspaceId} AND a.state ${sql.literal(which === "pending" ? "=" : "<>")} 'pending'
            AND ${after(part, "a.created_at", "a.approval_id")}
          ORDER BY a.created_at DESC, a.approval_id DESC
          LIMIT ${part.limit}
        `.pipe(
          rows("console.approvals", SummaryRow),
          Effect.map((found) => found.map(toSummary))
        ),

      approvedBy: (workspaceId, userId, approvalIds) =>
        sql`
          SELECT v.approval_id AS "approvalId" FROM approval_votes v
          WHERE v.workspace_id = ${workspaceId} AND v.user_id = ${userId}
            AND v.approval_id = ANY(${approvalIds}::uuid[])
        `.pipe(
          rows("console.approvedBy", Schema.Struct({ approvalId: Schema.String })),
          Effect.map((found) => found.map(({ approvalId }) => approvalId))
        ),

      earlierApproval: (workspaceId, approvalId) =>
        sql`
          SELECT ${sql.literal(SUMMARY_COLUMNS)}
          FROM approvals this
          JOIN approvals a ON a.workspace_id = this.workspace_id AND a.target = this.target AND a.verb = this.verb
            AND (a.created_at, a.approval_id) < (this.created_at, this.approval_id)
          ${sql.literal(SUMMARY_JOINS)}
          WHERE this.workspace_id = ${workspaceId} AND this.approval_id = ${approvalId}
          ORDER BY a.created_at DESC, a.approval_id DESC
          LIMIT 1
        `.pipe(firstRow("console.earlierApproval", SummaryRow), Effect.map(Option.map(toSummary))),

      campaigns: (workspaceId, part, { sinceMillis, state }) =>
        sql`
          SELECT c.campaign_id AS "campaignId", c.name, c.state, c.pause_reason AS "pauseReason",
            c.created_at AS "createdAtMillis", c.launched_at AS "launchedAtMillis", counted.leads, counted.contacted,
            counted.sent, counted.replied, counted.bounced, counted.unsubscribed
          FROM (
            SELECT * FROM campaigns c
            WHERE c.workspace_id = ${workspaceId} AND ${after(part, "c.created_at", "c.campaign_id")}
              AND ${state === null ? sql`true` : sql`c.state = ${state}`}
              AND ${sinceMillis === null ? sql`true` : sql`c.created_at >= ${date(sinceMillis)}`}
            ORDER BY c.created_at DESC, c.campaign_id DESC
            LIMIT ${part.limit}
          ) c CROSS JOIN LATERAL (
            SELECT count(*)::integer AS leads, (count(*) FILTER (WHERE l.steps_sent > 0))::integer AS contacted,
              coalesce(sum(l.steps_sent), 0)::integer AS sent,
              (count(*) FILTER (WHERE l.state = 'replied'))::integer AS replied,
              (count(*) FILTER (WHERE l.state = 'bounced'))::integer AS bounced,
              (count(*) FILTER (WHERE l.state = 'unsubscribed'))::integer AS unsubscribed
            FROM campaign_leads l WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
          ) counted
          ORDER BY c.created_at DESC, c.campaign_id DESC
        `.pipe(rows("console.campaigns", CampaignLineRow)),

      campaign: (workspaceId, campaignId) =>
        sql`
          SELECT ${sql.literal(CAMPAIGN_COLUMNS)}, people.leads, stepped.steps, writing.mailboxes, waiting.covered, waiting.uncovered,
            waiting."withoutMailbox", waiting."nextAtMillis", theirs.hours
          FROM campaigns c
          CROSS JOIN LATERAL (
            SELECT coalesce(json_object_agg(counted.state, counted.n), '{}') AS leads FROM (
              SELECT l.state, count(*) AS n FROM campaign_leads l
              WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
              GROUP BY l.state
            ) counted
          ) people
          CROSS JOIN LATERAL (
            SELECT coalesce(json_agg(counted ORDER BY counted."stepIndex", counted.variant), '[]') AS steps FROM (
              ${sql.literal(STEP_COUNTS)}
            ) counted
          ) stepped
          CROSS JOIN LATERAL (
            SELECT coalesce(json_agg(counted ORDER BY counted.address), '[]') AS mailboxes FROM (
              SELECT b.mailbox_id AS "mailboxId", b.address, b.state, sum(l.steps_sent) AS sent
              FROM campaign_leads l
              JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
              WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
              GROUP BY b.mailbox_id, b.address, b.state
            ) counted
          ) writing
          CROSS JOIN LATERAL (
            SELECT (count(*) FILTER (WHERE l.approval_id IS NOT NULL))::integer AS covered,
              (count(*) FILTER (WHERE l.approval_id IS NULL))::integer AS uncovered,
              (count(*) FILTER (WHERE l.approval_id IS NOT NULL AND b.state IS DISTINCT FROM 'active'))::integer
                AS "withoutMailbox",
              min(l.next_at) FILTER (WHERE l.approval_id IS NOT NULL) AS "nextAtMillis"
            FROM campaign_leads l
            LEFT JOIN mailboxes b ON b.workspace_id = l.workspace_id AND b.mailbox_id = l.mailbox_id
            WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND ${sql.literal(OPEN_LEAD)}
          ) waiting
          CROSS JOIN LATERAL (
            SELECT coalesce(json_agg(counted ORDER BY counted.people DESC, counted.hours), '[]') AS hours FROM (
              SELECT l.hours, count(*) AS people, (
                extract(epoch FROM min(l.next_at) FILTER (WHERE l.approval_id IS NOT NULL)) * 1000
              )::float8 AS "nextAtMillis"
              FROM campaign_leads l
              WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND ${sql.literal(OPEN_LEAD)}
              GROUP BY l.hours
            ) counted
          ) theirs
          WHERE c.workspace_id = ${workspaceId} AND c.campaign_id = ${campaignId}
        `.pipe(firstRow("console.campaign", CampaignViewRow), Effect.map(Option.map(toView))),

      campaignNames: (workspaceId, campaignIds, newest) =>
        sql`
          SELECT c.campaign_id AS "campaignId", c.name FROM campaigns c
          WHERE c.workspace_id = ${workspaceId} AND (
            c.campaign_id = ANY(${campaignIds}::uuid[]) OR c.campaign_id IN (
              SELECT n.campaign_id FROM campaigns n WHERE n.workspace_id = ${workspaceId}
              ORDER BY n.created_at DESC, n.campaign_id DESC LIMIT ${newest}
            )
          )
          ORDER BY c.created_at DESC, c.campaign_id DESC
        `.pipe(rows("console.campaignNames", NameRow)),

      leads: (workspaceId, campaignId, { after: last, email, limit, state, text }) => {
        const conditions: Array<Statement.Fragment> = [
          sql`l.workspace_id = ${workspaceId}`,
          sql`l.campaign_id = ${campaignId}`
        ]
        if (last !== null) conditions.push(sql`l.campaign_lead_id > ${last}::uuid`)
        if (state !== null) conditions.push(sql`l.state = ${state}`)
        if (email !== undefined) conditions.push(sql`l.email = ${email}`)
        if (text !== null) {
          conditions.push(sql`
            position(lower(${text}) in lower(concat_ws(' ', l.email, l.first_name, l.last_name, l.company_name, (
              SELECT string_agg(c.value, ' ') FROM json_each_text(l.custom) AS c
            )))) > 0
          `)
        }
        return sql`
          SELECT l.campaign_lead_id AS "campaignLeadId", l.email,
            nullif(concat_ws(' ', l.first_name, l.last_name), '') AS name, l.company_name AS "companyName", l.state,
            l.interest_status AS "interestStatus", l.steps_sent AS "stepsSent", ${sql.literal(LAST_VARIANT)} AS variant,
            l.next_at AS "nextAtMillis", (
              SELECT max(m.sent_at) FROM messages m
              WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id AND m.state = 'sent'
            ) AS "lastSentAtMillis"
          FROM campaign_leads l
          WHERE ${sql.and(conditions)}
          ORDER BY l.campaign_lead_id
          LIMIT ${limit}
        `.pipe(rows("console.leads", LeadLineRow))
      }
    })
  })
)
