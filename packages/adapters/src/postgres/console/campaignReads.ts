import type { CampaignView, ConsoleReads, Part, StepCounts } from "@outbound/domain/control/console/ConsoleReads.js"
import { INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import { CampaignMachine, PAUSE_REASONS } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { Schema } from "effect"
import { CAMPAIGN_COLUMNS, CampaignRow, LeadOriginRow } from "../CampaignRows.js"
import { date, firstRow, Millis, rows, literals } from "../Columns.js"
import type { SqlClient, Statement } from "../Sql.js"
import { columnsOf, integers, texts, textsOrNull, timesOrNull } from "../Table.js"
import { campaignDays } from "./campaignDays.js"

const Listed = Schema.Struct({
  ...texts("campaignId", "name"),
  state: Schema.Literals(CampaignMachine.states),
  pauseReason: Schema.NullOr(Schema.Literals(PAUSE_REASONS)),
  createdAtMillis: Millis,
  launchedAtMillis: Schema.NullOr(Millis)
})

const LineRow = Schema.Struct({
  ...Listed.fields,
  ...integers("leads", "contacted", "sent", "replied", "bounced", "unsubscribed")
})

/** Kept by the statements that change leads and messages (migration `campaign_counts`, which says what each means). */
const Count = Schema.Struct({
  what: Schema.Literals([
    "lead",
    "message",
    "last",
    "wants_more",
    "meets",
    "sent",
    "of_mailbox",
    "covered",
    "uncovered",
    "hours"
  ]),
  step: Schema.Int,
  variant: Schema.NullOr(Schema.Int),
  key: Schema.String,
  n: Schema.Int
})
type Count = typeof Count.Type

const ViewRow = Schema.Struct({
  ...CampaignRow.fields,
  counts: Schema.Array(Count),
  mailboxes: Schema.Array(
    Schema.Struct({
      ...texts("mailboxId", "address"),
      state: Schema.Literals(MailboxMachine.states)
    })
  ),
  nextAtMillis: Schema.NullOr(Millis),
  hours: Schema.Array(Schema.Struct({ key: Schema.String, nextAtMillis: Schema.NullOr(Schema.Number) }))
})

const LeadLineRow = Schema.Struct({
  ...texts("campaignLeadId", "email", "addressHash"),
  ...textsOrNull("name", "companyName", "approvalId", "mailboxId", "hours"),
  state: Schema.Literals(LeadMachine.states),
  interestStatus: Schema.NullOr(Schema.Literals(INTEREST_STATUSES)),
  stepsSent: Schema.Int,
  variant: Schema.NullOr(Schema.Int),
  origin: Schema.NullOr(LeadOriginRow),
  ...timesOrNull("lastSentAtMillis", "nextAtMillis")
})

const COUNTS = `
  SELECT k.what, k.step, k.variant, k.key, sum(k.n) AS n FROM campaign_counts k
  WHERE k.workspace_id = c.workspace_id AND k.campaign_id = c.campaign_id AND k.what NOT IN ('contacted', 'day')
  GROUP BY k.what, k.step, k.variant, k.key HAVING sum(k.n) <> 0
`

/** People whose answer counts, whose status nobody set and who wrote that they are interested; few, by an index. */
const SAID_SO = `
  SELECT 'wants_more', l.steps_sent - 1, l.last_variant, '', count(*) FROM campaign_leads l
  WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.said_interested
    AND l.state IN (${literals(LeadMachine.in.replied)}) AND l.interest_status IS NULL AND l.steps_sent > 0
  GROUP BY l.steps_sent, l.last_variant
`

/** When the first covered lead falls due, by an index. A vendor's people may be covered before they are confirmed. */
const firstDue = (which: string): string => `
  LEAST((
    SELECT min(l.next_at) FROM campaign_leads l
    WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.state IN (${literals(LeadMachine.in.covered)})
      AND l.steps_sent < l.steps AND l.approval_id IS NOT NULL AND ${which}
  ), CASE WHEN EXISTS (SELECT FROM counted WHERE counted.what = 'unconfirmed') THEN (
    SELECT min(l.next_at) FROM campaign_leads l
    WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.state = 'pending'
      AND l.steps_sent < l.steps AND l.approval_id IS NOT NULL AND ${which}
  ) END)
`

const sum = (counts: ReadonlyArray<Count>): number => counts.reduce((total, { n }) => total + n, 0)

type Outcome = Exclude<keyof StepCounts, "stepIndex" | "variant">

const NOTHING: Readonly<Record<Outcome, number>> = {
  sent: 0,
  claimed: 0,
  failed: 0,
  unknown: 0,
  replied: 0,
  interested: 0,
  meetings: 0,
  bounced: 0,
  unsubscribed: 0
}

/** What a count says of its step; null: that somebody's last message was of it. */
const outcomeOf = ({ key, what }: Count): Outcome | null => {
  if (what === "wants_more") return "interested"
  if (what === "meets") return "meetings"
  if (what === "message") return MessageMachine.states.find((state) => state === key) ?? null
  return (["replied", "bounced", "unsubscribed"] as const).find((state) => state === key) ?? null
}

const OF_STEP: ReadonlyArray<Count["what"]> = ["message", "last", "wants_more", "meets"]

/** By step and variant; a step without variants has null. */
const stepsOf = (counts: ReadonlyArray<Count>): ReadonlyArray<StepCounts> => {
  const steps = new Map<string, { stepIndex: number; variant: number | null; of: Record<Outcome, number> }>()
  for (const count of counts) {
    if (!OF_STEP.includes(count.what)) continue
    const { step: stepIndex, variant } = count
    const name = `${stepIndex} ${variant}`
    const { of } = steps.get(name) ?? { of: { ...NOTHING } }
    steps.set(name, { stepIndex, variant, of })
    const outcome = outcomeOf(count)
    if (outcome !== null) of[outcome] += count.n
  }
  return [...steps.values()]
    .map(({ of, ...step }) => ({ ...step, ...of }))
    .sort((a, b) => a.stepIndex - b.stepIndex || (a.variant ?? Infinity) - (b.variant ?? Infinity))
}

const toView = ({ counts, hours, mailboxes, nextAtMillis, ...campaign }: typeof ViewRow.Type): CampaignView => {
  const of = (what: Count["what"]) => counts.filter((count) => count.what === what)
  const people = new Map(of("lead").map(({ key, n }) => [key, n]))
  const sent = new Map(of("sent").map(({ key, n }) => [key, n]))
  const active = new Set(mailboxes.filter(({ state }) => MailboxMachine.is.sending(state)).map((box) => box.mailboxId))
  const nextOf = new Map(hours.map((one) => [one.key, one.nextAtMillis]))
  return {
    campaign,
    leads: Object.fromEntries(
      LeadMachine.states.flatMap((state) => (people.has(state) ? [[state, people.get(state)]] : []))
    ),
    steps: stepsOf(counts),
    mailboxes: mailboxes.map((mailbox) => ({ ...mailbox, sent: sent.get(mailbox.mailboxId) ?? 0 })),
    waiting: {
      covered: sum(of("covered")),
      uncovered: sum(of("uncovered")),
      withoutMailbox: sum(of("covered").filter(({ key }) => !active.has(key))),
      nextAtMillis
    },
    hours: of("hours")
      .map(({ key, n }) => ({ hours: key === "" ? null : key, people: n, nextAtMillis: nextOf.get(key) ?? null }))
      .sort((a, b) => b.people - a.people || ((a.hours ?? "\uffff") < (b.hours ?? "\uffff") ? -1 : 1))
  }
}

/** Reads for the pages and verbs about campaigns. They read kept counts; a list of leads reads what it shows. */
export const campaignReads = (
  sql: SqlClient,
  after: (part: Part, at: string, id: string) => Statement.Fragment
): Pick<ConsoleReads["Service"], "campaigns" | "campaign" | "campaignDays" | "leads"> => ({
  campaignDays: campaignDays(sql),

  campaigns: (workspaceId, part, { sinceMillis, state }) =>
    sql`
      SELECT ${sql.literal(columnsOf(Listed, "c"))}, counted.* FROM (
        SELECT * FROM campaigns c
        WHERE c.workspace_id = ${workspaceId} AND ${after(part, "c.created_at", "c.campaign_id")}
          AND ${state === null ? sql`true` : sql`c.state = ${state}`}
          AND ${sinceMillis === null ? sql`true` : sql`c.created_at >= ${date(sinceMillis)}`}
        ORDER BY c.created_at DESC, c.campaign_id DESC
        LIMIT ${part.limit}
      ) c CROSS JOIN LATERAL (
        SELECT coalesce(sum(k.n) FILTER (WHERE k.what = 'lead'), 0)::integer AS leads,
          coalesce(sum(k.n) FILTER (WHERE k.what = 'contacted'), 0)::integer AS contacted,
          coalesce(sum(k.n) FILTER (WHERE k.what = 'sent'), 0)::integer AS sent,
          coalesce(sum(k.n) FILTER (WHERE k.what = 'lead' AND k.key = 'replied'), 0)::integer AS replied,
          coalesce(sum(k.n) FILTER (WHERE k.what = 'lead' AND k.key = 'bounced'), 0)::integer AS bounced,
          coalesce(sum(k.n) FILTER (WHERE k.what = 'lead' AND k.key = 'unsubscribed'), 0)::integer AS unsubscribed
        FROM campaign_counts k
        WHERE k.workspace_id = c.workspace_id AND k.campaign_id = c.campaign_id AND k.what IN ('lead', 'contacted', 'sent')
      ) counted
      ORDER BY c.created_at DESC, c.campaign_id DESC
    `.pipe(rows("console.campaigns", LineRow)),

  campaign: (workspaceId, campaignId) =>
    sql`
      WITH c AS MATERIALIZED (
        SELECT * FROM campaigns c WHERE c.workspace_id = ${workspaceId} AND c.campaign_id = ${campaignId}
      ), counted AS MATERIALIZED (
        SELECT counted.* FROM c CROSS JOIN LATERAL (${sql.literal(COUNTS)}) counted
      ), all_counts AS (
        SELECT * FROM counted WHERE counted.what <> 'unconfirmed'
        UNION ALL SELECT said.* FROM c CROSS JOIN LATERAL (${sql.literal(SAID_SO)}) said
      )
      SELECT ${sql.literal(CAMPAIGN_COLUMNS)},
        (SELECT coalesce(json_agg(all_counts), '[]') FROM all_counts) AS counts,
        (
          SELECT coalesce(json_agg(json_build_object(
            'mailboxId', b.mailbox_id, 'address', b.address, 'state', b.state
          ) ORDER BY b.address), '[]')
          FROM counted JOIN mailboxes b ON b.workspace_id = c.workspace_id AND b.mailbox_id = counted.key::uuid
          WHERE counted.what = 'of_mailbox' AND counted.key <> ''
        ) AS mailboxes,
        ${sql.literal(firstDue("true"))} AS "nextAtMillis",
        (
          SELECT coalesce(json_agg(json_build_object('key', counted.key, 'nextAtMillis', (
            extract(epoch FROM CASE counted.key WHEN '' THEN ${sql.literal(firstDue("l.hours IS NULL"))}
              ELSE ${sql.literal(firstDue("l.hours = counted.key"))} END) * 1000
          )::float8)), '[]')
          FROM counted WHERE counted.what = 'hours'
        ) AS hours
      FROM c
    `.pipe(firstRow("console.campaign", ViewRow, toView)),

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
      SELECT l.campaign_lead_id AS "campaignLeadId", l.email, l.address_hash AS "addressHash",
        l.approval_id AS "approvalId", l.mailbox_id AS "mailboxId", l.hours, l.origin,
        nullif(concat_ws(' ', l.first_name, l.last_name), '') AS name, l.company_name AS "companyName", l.state,
        l.interest_status AS "interestStatus", l.steps_sent AS "stepsSent", l.last_variant AS variant,
        l.next_at AS "nextAtMillis", l.last_sent_at AS "lastSentAtMillis"
      FROM campaign_leads l
      WHERE ${sql.and(conditions)}
      ORDER BY l.campaign_lead_id
      LIMIT ${limit}
    `.pipe(rows("console.leads", LeadLineRow))
  }
})
