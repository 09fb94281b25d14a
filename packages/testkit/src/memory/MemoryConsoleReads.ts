import type { Approval, ApprovalSummary } from "@outbound/domain/approvals/ApprovalStore.js"
import type { CampaignLead } from "@outbound/domain/campaigns/Campaign.js"
import { LeadMachine, type LeadState } from "@outbound/domain/campaigns/LeadMachine.js"
import {
  type AnswerLine,
  type CampaignView,
  ConsoleReads,
  CONVERSATION_ANSWERS_MAX,
  CONVERSATION_TEXT_CHARS,
  type LeadLine,
  type OurAnswerLine,
  type Part,
  type StepCounts
} from "@outbound/domain/console/ConsoleReads.js"
import { allows } from "@outbound/domain/machine.js"
import type { Reply } from "@outbound/domain/replies/ReplyStore.js"
import type { SentReply } from "@outbound/domain/replies/SentReplyStore.js"
import { mailboxCap } from "@outbound/domain/sending/planner.js"
import { MailboxMachine, type MailboxState } from "@outbound/domain/sending/MailboxMachine.js"
import { Option } from "effect"
import { usageByDay, usageByKey } from "./consoleUsage.js"
import { memoryStore } from "./MemoryStore.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { LedgerRow, Tables } from "./Tables.js"

interface Placed {
  readonly at: number
  readonly id: string
}

/** The part of a list, newest first. */
const part = <Row>(
  rows: ReadonlyArray<Row>,
  placeOf: (row: Row) => Placed,
  { after, limit }: Part
): ReadonlyArray<Row> => {
  const newestFirst = descending<Row>(
    (row) => placeOf(row).at,
    (row) => placeOf(row).id
  )
  const isAfter = (row: Row): boolean => {
    if (after === null) return true
    const { at, id } = placeOf(row)
    return at < after.atMillis || (at === after.atMillis && id < after.id)
  }
  return [...rows].filter(isAfter).sort(newestFirst).slice(0, limit)
}

const summaryOf = (tables: Tables, approval: Approval): ApprovalSummary => ({
  approval,
  keyName: tables.keys.get(approval.keyId)?.key.name ?? "",
  decidedByEmail: tables.users.filter((user) => user.userId === approval.decidedByUserId)[0]?.email ?? null
})

const placeOfApproval = (approval: Approval): Placed => ({ at: approval.createdAtMillis, id: approval.approvalId })

const leadsOf = (tables: Tables, workspaceId: string, campaignId: string): ReadonlyArray<CampaignLead> =>
  tables.leads.where("campaign", keyOf(workspaceId, campaignId))

const tally = <K extends string>(values: ReadonlyArray<K>): Partial<Record<K, number>> => {
  const counts: Partial<Record<K, number>> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** May still be written to. */
const isOpen = ({ state }: CampaignLead): boolean => state === LeadMachine.initial || allows(LeadMachine, state, "send")

const waitingOf = (tables: Tables, open: ReadonlyArray<CampaignLead>): CampaignView["waiting"] => {
  const covered = open.filter((lead) => lead.approvalId !== null)
  const due = covered.flatMap(({ nextAtMillis }) => (nextAtMillis === null ? [] : [nextAtMillis]))
  const hasMailbox = ({ mailboxId, workspaceId }: CampaignLead): boolean =>
    mailboxId !== null && tables.mailboxes.get(keyOf(workspaceId, mailboxId))?.state === "active"
  return {
    covered: covered.length,
    uncovered: open.length - covered.length,
    withoutMailbox: covered.filter((lead) => !hasMailbox(lead)).length,
    nextAtMillis: due.length === 0 ? null : Math.min(...due)
  }
}

const stepsOf = (tables: Tables, leads: ReadonlyArray<CampaignLead>): ReadonlyArray<StepCounts> => {
  const messages = leads.flatMap((lead) => tables.messages.where("lead", keyOf(lead.workspaceId, lead.campaignLeadId)))
  const indexes = [...new Set(messages.map(({ stepIndex }) => stepIndex))].sort((a, b) => a - b)
  return indexes.map((stepIndex) => {
    const counts = tally(messages.filter((message) => message.stepIndex === stepIndex).map(({ state }) => state))
    return { stepIndex, sent: 0, claimed: 0, failed: 0, unknown: 0, ...counts }
  })
}

const nameOf = ({ firstName, lastName }: CampaignLead): string | null =>
  [firstName, lastName].filter((name) => name !== null).join(" ") || null

const lineOf = (lead: CampaignLead): LeadLine => ({
  campaignLeadId: lead.campaignLeadId,
  email: lead.email,
  name: nameOf(lead),
  companyName: lead.companyName,
  state: lead.state,
  stepsSent: lead.stepsSent,
  nextAtMillis: lead.nextAtMillis
})

const holds = (lead: CampaignLead, text: string): boolean =>
  [lead.email, lead.firstName, lead.lastName, lead.companyName]
    .filter((one) => one !== null)
    .join(" ")
    .toLowerCase()
    .includes(text.toLowerCase())

/** How much each mailbox has claimed since then. */
const sendsSince = (tables: Tables, workspaceId: string, sinceMillis: number): ReadonlyMap<string, number> => {
  const claimed = tables.messages
    .where("workspace", workspaceId)
    .filter(({ claimedAtMillis, state }) => state !== "failed" && claimedAtMillis >= sinceMillis)
  return new Map(Object.entries(tally(claimed.map(({ mailboxId }) => mailboxId))) as Array<[string, number]>)
}

const cutText = (text: string): string => [...text].slice(0, CONVERSATION_TEXT_CHARS).join("")

const ourAnswerOf = (answer: SentReply): OurAnswerLine => ({
  sentReplyId: answer.sentReplyId,
  fromEmail: answer.fromEmail,
  subject: answer.subject,
  text: cutText(answer.bodyText),
  isCut: [...answer.bodyText].length > CONVERSATION_TEXT_CHARS,
  state: answer.state,
  atMillis: answer.sentAtMillis ?? answer.createdAtMillis
})

const answerOf = (reply: Reply): AnswerLine => ({
  replyId: reply.replyId,
  fromEmail: reply.fromEmail,
  subject: reply.subject,
  text: cutText(reply.bodyText),
  isCut: reply.bodyTruncated || [...reply.bodyText].length > CONVERSATION_TEXT_CHARS,
  classification: reply.classification,
  receivedAtMillis: reply.receivedAtMillis
})

const newestEntryFirst = descending(
  (row: LedgerRow) => row.entryId,
  (row: LedgerRow) => row.kind
)

export const layer = memoryStore(ConsoleReads, "ConsoleReads", ({ read }) => ({
  standing: (workspaceId, nowMillis) =>
    read(({ approvals, changeRequests, sending }) => ({
      approvalsPending: approvals.filter(
        (approval) =>
          approval.workspaceId === workspaceId && approval.state === "pending" && approval.expiresAtMillis > nowMillis
      ).length,
      changeRequestsOpen: changeRequests.filter(
        (request) => request.workspaceId === workspaceId && request.state === "open"
      ).length,
      suspendedAtMillis: sending.get(workspaceId)?.suspendedAtMillis ?? null
    })),

  approvals: (workspaceId, which, wanted) =>
    read((tables) => {
      const found = tables.approvals.filter(
        (approval) => approval.workspaceId === workspaceId && (approval.state === "pending") === (which === "pending")
      )
      return part(found, placeOfApproval, wanted).map((approval) => summaryOf(tables, approval))
    }),

  earlierApproval: (workspaceId, approvalId) =>
    read((tables) => {
      const current = tables.approvals.get(keyOf(workspaceId, approvalId))
      if (current === undefined) return Option.none()
      const same = tables.approvals.filter(
        (approval) =>
          approval.workspaceId === workspaceId && approval.target === current.target && approval.verb === current.verb
      )
      const after = { atMillis: current.createdAtMillis, id: approvalId }
      const [earlier] = part(same, placeOfApproval, { after, limit: 1 })
      return Option.map(Option.fromNullable(earlier), (approval) => summaryOf(tables, approval))
    }),

  campaigns: (workspaceId, wanted) =>
    read((tables) => {
      const own = tables.campaigns.filter((campaign) => campaign.workspaceId === workspaceId)
      const placeOf = ({ campaignId, createdAtMillis }: (typeof own)[number]) => ({
        at: createdAtMillis,
        id: campaignId
      })
      return part(own, placeOf, wanted).map(
        ({ campaignId, createdAtMillis, launchedAtMillis, name, pauseReason, state }) => {
          const leads = leadsOf(tables, workspaceId, campaignId)
          return {
            campaignId,
            name,
            state,
            pauseReason,
            createdAtMillis,
            launchedAtMillis,
            leads: leads.length,
            contacted: leads.filter(({ stepsSent }) => stepsSent > 0).length,
            replied: leads.filter((lead) => lead.state === "replied").length
          }
        }
      )
    }),

  campaign: (workspaceId, campaignId) =>
    read((tables) => {
      const campaign = tables.campaigns.get(keyOf(workspaceId, campaignId))
      if (campaign === undefined) return Option.none()
      const leads = leadsOf(tables, workspaceId, campaignId)
      const open = leads.filter((lead) => isOpen(lead) && lead.stepsSent < campaign.sequence.length)
      return Option.some({
        campaign,
        leads: tally<LeadState>(leads.map(({ state }) => state)),
        steps: stepsOf(tables, leads),
        waiting: waitingOf(tables, open)
      })
    }),

  campaignNames: (workspaceId, campaignIds, newest) =>
    read(({ campaigns }) =>
      campaigns
        .filter((campaign) => campaign.workspaceId === workspaceId)
        .sort(
          descending(
            ({ createdAtMillis }) => createdAtMillis,
            ({ campaignId }) => campaignId
          )
        )
        .filter(({ campaignId }, index) => index < newest || campaignIds.includes(campaignId))
        .map(({ campaignId, name }) => ({ campaignId, name }))
    ),

  leads: (workspaceId, campaignId, { after, limit, state, text }) =>
    read((tables) =>
      leadsOf(tables, workspaceId, campaignId)
        .filter(
          (lead) =>
            (after === null || lead.campaignLeadId > after) &&
            (state === null || lead.state === state) &&
            (text === null || holds(lead, text))
        )
        .sort(ascending(({ campaignLeadId }) => campaignLeadId))
        .slice(0, limit)
        .map(lineOf)
    ),

  sending: (workspaceId, dayStartMillis, nowMillis) =>
    read((tables) => {
      const workspace = tables.workspaces.get(workspaceId)
      if (workspace === undefined) throw new Error("there is no such workspace")
      const { suspendedAtMillis = null, suspendedReason = null } = tables.sending.get(workspaceId) ?? {}
      const mailboxes = tables.mailboxes.filter((mailbox) => mailbox.workspaceId === workspaceId)
      const today = sendsSince(tables, workspaceId, dayStartMillis)
      const none = Object.fromEntries(MailboxMachine.states.map((state) => [state, 0])) as Record<MailboxState, number>
      return {
        kind: workspace.kind,
        postalAddress: workspace.postalAddress,
        suspendedAtMillis,
        suspendedReason,
        dailySends: workspace.caps.dailySends,
        mailboxDailySends: workspace.caps.mailboxDailySends,
        sendsToday: [...today.values()].reduce((sum, sends) => sum + sends, 0),
        mailboxes: { ...none, ...tally(mailboxes.map(({ state }) => state)) },
        mailboxesWithRoom: mailboxes.filter(
          (mailbox) =>
            mailbox.state === "active" &&
            (today.get(mailbox.mailboxId) ?? 0) < mailboxCap(mailbox, workspace.caps.mailboxDailySends, nowMillis)
        ).length
      }
    }),

  mailboxes: (workspaceId, dayStartMillis, after, limit) =>
    read((tables) => {
      const today = sendsSince(tables, workspaceId, dayStartMillis)
      return tables.mailboxes
        .filter((mailbox) => mailbox.workspaceId === workspaceId && (after === null || mailbox.mailboxId > after))
        .sort(ascending(({ mailboxId }) => mailboxId))
        .slice(0, limit)
        .map((mailbox) => ({
          mailboxId: mailbox.mailboxId,
          kind: mailbox.kind,
          domain: mailbox.domain,
          address: mailbox.address,
          displayName: mailbox.displayName,
          state: mailbox.state,
          pauseReason: mailbox.pauseReason,
          createdAtMillis: mailbox.createdAtMillis,
          activeAtMillis: mailbox.activeAtMillis,
          upkeepPaidUntilMillis: mailbox.upkeepPaidUntilMillis,
          sendsToday: today.get(mailbox.mailboxId) ?? 0
        }))
    }),

  operations: (workspaceId, wanted) =>
    read(({ operations }) => {
      const own = operations.filter(({ operation }) => operation.workspaceId === workspaceId)
      const placeOf = ({ operation }: (typeof own)[number]) => ({
        at: operation.createdAtMillis,
        id: operation.operationId
      })
      return part(own, placeOf, wanted).map(({ operation }) => ({
        operationId: operation.operationId,
        kind: operation.kind,
        status: operation.status,
        brand: "order" in operation ? operation.order.brand : null,
        items: operation.items,
        error: operation.error,
        createdAtMillis: operation.createdAtMillis,
        finishedAtMillis: operation.finishedAtMillis
      }))
    }),

  conversation: (workspaceId, campaignLeadId) =>
    read((tables) => {
      const lead = tables.leads.get(keyOf(workspaceId, campaignLeadId))
      const campaign = lead && tables.campaigns.get(keyOf(workspaceId, lead.campaignId))
      if (lead === undefined || campaign === undefined) return Option.none()
      const sent = tables.messages
        .where("lead", keyOf(workspaceId, campaignLeadId))
        .filter(({ state }) => state === "sent")
        .sort(ascending(({ stepIndex }) => stepIndex))
        .map(({ mailboxId, sentAtMillis, stepIndex }) => ({
          stepIndex,
          sentAtMillis: sentAtMillis ?? 0,
          fromAddress: tables.mailboxes.get(keyOf(workspaceId, mailboxId))?.address ?? ""
        }))
      const answers = tables.replies
        .where("workspace", workspaceId)
        .filter((reply) => reply.campaignLeadId === campaignLeadId)
        .sort(
          descending(
            ({ receivedAtMillis }) => receivedAtMillis,
            ({ replyId }) => replyId
          )
        )
        .slice(0, CONVERSATION_ANSWERS_MAX)
        .reverse()
      const ours = tables.sentReplies
        .where("workspace", workspaceId)
        .filter((answer) => answer.campaignLeadId === campaignLeadId)
        .sort(
          ascending(
            ({ createdAtMillis }) => createdAtMillis,
            ({ sentReplyId }) => sentReplyId
          )
        )
        .slice(0, 2 * CONVERSATION_ANSWERS_MAX)
      return Option.some({ campaign, lead, sent, answers: answers.map(answerOf), ours: ours.map(ourAnswerOf) })
    }),

  usageByDay: (workspaceId, fromDayMillis) => read((tables) => usageByDay(tables, workspaceId, fromDayMillis)),

  usageByKey: (workspaceId, sinceMillis) => read((tables) => usageByKey(tables, workspaceId, sinceMillis)),

  ledger: (workspaceId, after, limit) =>
    read(({ calls, ledger }) =>
      ledger
        .filter((row) => row.workspaceId === workspaceId)
        .filter(
          ({ entryId, kind }) =>
            after === null || entryId < after.entryId || (entryId === after.entryId && kind < after.kind)
        )
        .sort(newestEntryFirst)
        .slice(0, limit)
        .map(({ atMillis, entryId, kind, micros, requestId }) => ({
          entryId,
          kind,
          micros,
          atMillis,
          requestId,
          verb: requestId === null ? null : (calls.get(requestId)?.record.verb ?? null)
        }))
    )
}))
