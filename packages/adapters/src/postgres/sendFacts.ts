/** All that decides whether a lead's next message may be sent, as `decideSend` asks for it. */
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { OVERLAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { CRM_STANDINGS, keptOutBy } from "@outbound/domain/outreach/suppression/keepingOut.js"
import { type ClaimCandidate, historyOf } from "@outbound/domain/outreach/sending/chooseClaims.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { leftToday } from "@outbound/domain/outreach/sending/planner.js"
import { dayOf, type SenderUse } from "@outbound/domain/outreach/sending/ramp.js"
import { windowFor } from "@outbound/domain/outreach/sending/sendRule.js"
import { SUPPRESSION_SOURCES } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { ClaimedMessage } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Schema } from "effect"
import { COMPANY_SENT, COMPANY_STOPPED, COMPANY_WROTE } from "./campaignCompanies.js"
import { isContacted, some, sources } from "./bars.js"
import { LeadRow } from "./CampaignRows.js"
import { date, rows } from "./Columns.js"
import { crmUnread, standings } from "./keptOut.js"
import type { SqlClient, SqlError } from "./Sql.js"
import { booleans, columnsOf, integers, texts, textsOrNull, timesOrNull } from "./Table.js"

export interface Moment {
  readonly nowMillis: number
  readonly dayStartMillis: number
  readonly contactedSinceMillis: number
}

/** The times that the expressions below compare with. Inlined: for a parameter the planner underestimates what is due. */
export const momentOf = (sql: SqlClient, { contactedSinceMillis, dayStartMillis, nowMillis }: Moment) => sql`
  now AS NOT MATERIALIZED (
    SELECT ${date(nowMillis)}::timestamptz AS at, ${date(dayStartMillis)}::timestamptz AS day_start,
      ${date(contactedSinceMillis)}::timestamptz AS since
  )
`

export const WorkspaceFactsRow = Schema.Struct({
  ...texts("workspaceId"),
  workspaceKind: Schema.Literals(["sandbox", "live"]),
  postalAddress: Schema.NullOr(Schema.String),
  ...integers("dailySends", "mailboxDailySends"),
  overlap: Schema.Literals(OVERLAPS),
  ...booleans("isSuspended", "isCrmUnread"),
  /** By each mailbox that sent something today. */
  sentToday: Schema.Array(Schema.Struct({ mailboxId: Schema.String, messages: Schema.Int }))
})

export interface WorkspaceFacts extends Omit<typeof WorkspaceFactsRow.Type, "sentToday"> {
  readonly sentToday: number
  readonly sentBy: ReadonlyMap<string, number>
}

/** Without all mailboxes, the workspace as a whole is a sender without a name. */
export const toFacts =
  (isOfAll: boolean) =>
  ({ sentToday, ...row }: typeof WorkspaceFactsRow.Type): WorkspaceFacts => {
    const sentBy = new Map(sentToday.map(({ mailboxId, messages }) => [mailboxId, messages]))
    const all = isOfAll ? sentToday.reduce((sum, { messages }) => sum + messages, 0) : (sentBy.get("") ?? 0)
    return { ...row, sentToday: all, sentBy }
  }

/** A workspace that sends no more today. */
export const isFull = (workspace: WorkspaceFacts): boolean => leftOf(workspace, "", null, 0).workspace <= 0

/** Its purchased mailboxes that send no more today. */
export const fullMailboxes = (workspace: WorkspaceFacts): ReadonlyArray<string> =>
  [...workspace.sentBy.keys()].filter((mailboxId) => leftOf(workspace, mailboxId, null, 0).mailbox <= 0)

/** `use`: of an own mailbox; null: a purchased one. */
export const leftOf = (workspace: WorkspaceFacts, mailboxId: string, use: SenderUse | null, nowMillis: number) =>
  leftToday(
    workspace,
    use,
    { workspace: workspace.sentToday, mailbox: workspace.sentBy.get(mailboxId) ?? 0 },
    nowMillis
  )

/** By each mailbox of workspace `w`. */
const SENT_TODAY = `
  SELECT m.mailbox_id AS sender, count(*) AS messages FROM messages m
  WHERE m.workspace_id = w.workspace_id AND m.claimed_at >= now.day_start AND m.state <> 'failed'
  GROUP BY m.mailbox_id
`

const sentTodayBy = (sql: SqlClient, mailboxId: string, { dayStartMillis }: Moment) => sql`
  SELECT u.sender, sum(u.taken) AS messages FROM mail_use_counts u
  WHERE u.workspace_id = w.workspace_id AND u.sender IN ('', ${mailboxId}) AND u.receiver = ''
    AND u.day = ${dayOf(dayStartMillis)}::integer
  GROUP BY u.sender
`

export const WORKSPACES = "now CROSS JOIN workspaces w JOIN workspace_sending s ON s.workspace_id = w.workspace_id"

/** `mailboxId`: of that mailbox alone it says what it sent, and of all together, by the counts that are kept. */
export const workspaceColumns = (sql: SqlClient, moment: Moment, mailboxId?: string) => sql`
  w.workspace_id AS "workspaceId", w.kind AS "workspaceKind", w.postal_address AS "postalAddress", w.daily_sends AS "dailySends",
  w.mailbox_daily_sends AS "mailboxDailySends", w.overlap, s.suspended_at IS NOT NULL AS "isSuspended",
  ${sql.literal(crmUnread("w.workspace_id"))} AS "isCrmUnread", COALESCE((
    SELECT json_agg(json_build_object('mailboxId', sent.sender, 'messages', sent.messages)) FROM (
      ${mailboxId === undefined ? sql.literal(SENT_TODAY) : sentTodayBy(sql, mailboxId, moment)}
    ) sent
  ), '[]') AS "sentToday"
`

/** What is the same for all leads of a workspace. */
export const workspaceFacts = (
  sql: SqlClient,
  operation: string,
  workspaceIds: ReadonlyArray<string>,
  moment: Moment
) =>
  sql`
  WITH ${momentOf(sql, moment)}
  SELECT ${workspaceColumns(sql, moment)}
  FROM ${sql.literal(WORKSPACES)}
  WHERE w.workspace_id = ANY(${workspaceIds}::uuid[])
`.pipe(rows(operation, WorkspaceFactsRow, toFacts(true)))

export const FactsRow = Schema.Struct({
  ...LeadRow.fields,
  ...texts("mailboxId"),
  ...textsOrNull("company"),
  steps: Schema.Int,
  approval: Schema.NullOr(Schema.Literals(ApprovalMachine.states)),
  campaign: Schema.Literals(CampaignMachine.states),
  chosenVariants: LeadRow.fields.variants,
  ...timesOrNull("opensAtMillis", "closesAtMillis", "theirsOpensAtMillis", "theirsClosesAtMillis"),
  mailboxState: Schema.Literals(MailboxMachine.states),
  ...timesOrNull("restsUntilMillis"),
  ...booleans("isBound", "isContacted", "hasWritten", "isStopped", "companyWrote"),
  messages: Schema.Array(
    Schema.Struct({
      messageId: Schema.String,
      state: Schema.Literals(MessageMachine.states),
      stepIndex: Schema.Int,
      variant: Schema.NullOr(Schema.Int)
    })
  ),
  elsewhere: Schema.Array(Schema.Literals(MessageMachine.states)),
  sources: Schema.Array(Schema.Literals(SUPPRESSION_SOURCES)),
  standings: Schema.Array(Schema.Literals(CRM_STANDINGS)),
  maxPerCompanyPerDay: Schema.NullOr(Schema.Int),
  companySent: Schema.Int
})

const PERSON = {
  workspaceId: "l.workspace_id",
  addressHash: "l.address_hash",
  email: "l.email",
  campaignId: "l.campaign_id",
  since: "now.since"
}

/** Messages that lead `l` was sent, may have been sent, or was to be sent; by their steps. */
const MESSAGES = `
  COALESCE((
    SELECT json_agg(
      json_build_object('messageId', m.message_id, 'state', m.state, 'stepIndex', m.step_index, 'variant', m.variant)
      ORDER BY m.step_index
    )
    FROM messages m WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
  ), '[]')
`

/** Messages of other campaigns to the person, but for those that are known to have left, or not to have. */
const ELSEWHERE = `
  ARRAY(
    SELECT m.state FROM messages m
    WHERE m.workspace_id = l.workspace_id AND m.address_hash = l.address_hash AND m.state IN ('claimed', 'unknown')
      AND m.campaign_id <> l.campaign_id AND m.claimed_at >= now.since
  )
`

/** Mail from the person, or that answers one of the lead's messages, has arrived but is not applied yet. */
const HAS_WRITTEN = `
  (
    ${some(`
      inbound_events i
      WHERE i.workspace_id = l.workspace_id AND i.from_email = l.email AND i.content IS NOT NULL
        AND i.received_at <= now.at
    `)}
    OR ${some(`
      messages m JOIN inbound_events i ON i.workspace_id = m.workspace_id AND i.answers = m.message_id
      WHERE m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id AND i.content IS NOT NULL
        AND i.received_at <= now.at
    `)}
  )
`

const windowOf = (column: string): string => `
  (
    SELECT w.${column} FROM campaign_windows w
    WHERE w.workspace_id = l.workspace_id AND w.campaign_id = l.campaign_id AND w.hours = l.hours
  )
`

/** Of lead `l` of campaign `c`, which mailbox `b` writes to, at the time `now`. */
export const FACTS = columnsOf(FactsRow, "l", {
  approval: `
    (SELECT a.state FROM approvals a WHERE a.workspace_id = l.workspace_id AND a.approval_id = l.approval_id)
  `,
  campaign: "c.state",
  chosenVariants: "c.chosen_variants",
  opensAtMillis: "c.window_opens_at",
  closesAtMillis: "c.window_closes_at",
  theirsOpensAtMillis: windowOf("opens_at"),
  theirsClosesAtMillis: windowOf("closes_at"),
  mailboxState: "b.state",
  restsUntilMillis: "b.rests_until",
  isBound: some(`
    campaign_mailboxes cm
    WHERE cm.workspace_id = l.workspace_id AND cm.campaign_id = l.campaign_id AND cm.mailbox_id = l.mailbox_id
  `),
  isContacted: isContacted(PERSON),
  hasWritten: HAS_WRITTEN,
  isStopped: COMPANY_STOPPED,
  companyWrote: COMPANY_WROTE,
  messages: MESSAGES,
  elsewhere: ELSEWHERE,
  sources: sources(PERSON),
  standings: standings(PERSON),
  maxPerCompanyPerDay: "c.max_per_company_per_day",
  companySent: COMPANY_SENT
})

const window = (opensAtMillis: number | null, closesAtMillis: number | null) =>
  opensAtMillis === null || closesAtMillis === null ? null : { opensAtMillis, closesAtMillis }

/** A lead with what decides, and what its message is written from. */
export interface Candidate extends ClaimCandidate {
  readonly lead: typeof LeadRow.Type & { readonly mailboxId: string }
  readonly chosenVariants: typeof FactsRow.Type.chosenVariants
  readonly written: Pick<ClaimedMessage, "workspaceKind" | "postalAddress" | "thread" | "failedTries">
}

export const candidateOf = (
  row: typeof FactsRow.Type,
  workspace: WorkspaceFacts,
  { nowMillis }: Moment,
  use: SenderUse | null
): Candidate => {
  const { approval, campaign, chosenVariants, closesAtMillis, company, companySent, companyWrote, ...others } = row
  const { elsewhere, hasWritten, isBound, isContacted, isStopped, ...rest } = others
  const { mailboxState, maxPerCompanyPerDay: max, messages, opensAtMillis, restsUntilMillis, sources, ...more } = rest
  const { standings, steps, theirsClosesAtMillis, theirsOpensAtMillis, ...lead } = more
  const { hours, mailboxId } = lead
  return {
    lead,
    company,
    chosenVariants,
    facts: {
      nowMillis,
      lead,
      steps,
      approval,
      campaign,
      window: windowFor(
        window(opensAtMillis, closesAtMillis),
        hours,
        window(theirsOpensAtMillis, theirsClosesAtMillis)
      ),
      isSuspended: workspace.isSuspended,
      mailbox: { state: mailboxState, restsUntilMillis },
      isBound,
      messages,
      elsewhere: elsewhere.map((state) => ({ state })),
      bars: { sources, isContacted, keptOut: keptOutBy(standings) },
      isCrmUnread: workspace.isCrmUnread,
      overlap: workspace.overlap,
      company:
        company === null
          ? null
          : { isStopped, hasWritten: companyWrote, left: max === null ? null : max - companySent },
      hasWritten,
      left: leftOf(workspace, mailboxId, use, nowMillis)
    },
    written: {
      workspaceKind: workspace.workspaceKind,
      postalAddress: workspace.postalAddress,
      ...historyOf(messages, lead.stepsSent)
    }
  }
}

/**
 * Runs a statement that selects `FACTS`. A lead of another workspace than these is left out. `use`: of the own mailbox that
 * writes to all of them; null: they are purchased mailboxes'.
 */
export const candidates =
  (operation: string, workspaces: ReadonlyArray<WorkspaceFacts>, moment: Moment, use: SenderUse | null = null) =>
  (
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>
  ): Effect.Effect<ReadonlyArray<Candidate>, StoreUnavailable> => {
    const of = new Map(workspaces.map((workspace) => [workspace.workspaceId, workspace]))
    return statement.pipe(
      rows(operation, FactsRow),
      Effect.map((found) =>
        found.flatMap((row) => {
          const workspace = of.get(row.workspaceId)
          return workspace === undefined ? [] : [candidateOf(row, workspace, moment, use)]
        })
      )
    )
  }
