import { UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { DEFAULT_SCHEDULE } from "@outbound/domain/kernel/sequences/Sequence.js"
import { NO_COMPANY_RULES } from "@outbound/domain/outreach/campaigns/companyRules.js"
import { type Campaign, CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import {
  type ClaimedMessage,
  type Mailbox,
  type Message,
  SendingStore
} from "@outbound/domain/outreach/sending/SendingStore.js"
import type { Workspace } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, Option } from "effect"
import { zero } from "@outbound/domain/kernel/money/Credits.js"
import { addressHashOf, DAY, freshId, givenWorkspace, HOUR, NOON } from "./fixtures.js"

/** The midnight before the stories begin, from which caps count. */
export const MIDNIGHT = NOON - 12 * HOUR

export const makeApproval = (given: Partial<Approval> & Pick<Approval, "workspaceId">): Approval => ({
  approvalId: freshId(),
  keyId: freshId(),
  verb: "launch_campaign",
  state: "pending",
  target: `campaign:${freshId()}`,
  baseFingerprint: "fingerprint",
  binding: "1",
  tokenHash: freshId(),
  snapshot: {
    kind: "launch",
    campaign_id: freshId(),
    campaign_name: "Spring",
    leads: 1,
    leads_removed: 0,
    recipients: [{ email: "ann@example.com", name: "Ann", company_name: null }],
    mailboxes: ["jo@acme-mail.test"],
    steps: [{ subject: "Hello", body: "Hi {{first_name}}", wait_days: 0 }],
    schedule: { timezone: "UTC", days: ["mon"], start_hour: 9, end_hour: 17 },
    daily_send_limit: 500,
    postal_address: "1 Main Street",
    credits: zero
  },
  snapshotDigest: "digest",
  requestId: freshId(),
  createdAtMillis: NOON,
  expiresAtMillis: NOON + DAY,
  decidedAtMillis: null,
  decidedByUserId: null,
  decidedBySession: null,
  approvesWinnerRule: false,
  declineReason: null,
  approversNeeded: 1,
  excludedUserId: null,
  askedByUserId: null,
  usedByIdempotencyKey: null,
  ...given
})

export const makeMailbox = (given: Partial<Mailbox> & Pick<Mailbox, "workspaceId">): Mailbox => {
  const mailboxId = freshId()
  return {
    mailboxId,
    kind: "purchased",
    operationId: freshId(),
    domain: "acme-mail.test",
    address: `jo-${mailboxId}@acme-mail.test`,
    displayName: "Jo Doe",
    state: "active",
    pauseReason: null,
    activeAtMillis: NOON - DAY,
    upkeepPaidUntilMillis: NOON + 30 * DAY,
    restsUntilMillis: null,
    createdAtMillis: NOON - DAY,
    ...UNDECLARED,
    ...given
  }
}

export const makeCampaign = (given: Partial<Campaign> & Pick<Campaign, "workspaceId">): Campaign => ({
  campaignId: freshId(),
  name: "Spring",
  state: "active",
  pauseReason: null,
  sequence: [
    { subject: "Hello", body: "Hi {{first_name}}", waitDays: 0 },
    { subject: null, body: "Any news?", waitDays: 3 }
  ],
  schedule: DEFAULT_SCHEDULE,
  ...NO_COMPANY_RULES,
  chosenVariants: null,
  winnerRule: null,
  recipientsVersion: 1,
  createdAtMillis: NOON - DAY,
  launchedAtMillis: NOON - HOUR,
  ...given
})

export const makeLead = (workspaceId: string, email: string) => ({
  campaignLeadId: freshId(),
  email,
  addressHash: addressHashOf(workspaceId, email),
  firstName: "Ann",
  lastName: null,
  companyName: "Acme",
  custom: { team: "Sales" },
  origin: {
    kind: "given" as const,
    how: "create_campaign",
    at: "2026-01-05T08:00:00.000Z",
    by: "agent",
    request_id: null,
    line: 7,
    file: "people.csv",
    sources: ["prospeo"],
    country: "DE"
  },
  evidence: null
})

export const givenMailboxes = (workspaceId: string, count: number, given: Partial<Mailbox> = {}) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const sending = yield* SendingStore
    const mailboxes = Array.from({ length: count }, () => makeMailbox({ workspaceId, ...given }))
    yield* atomically(sending.insertMailboxes(mailboxes))
    return mailboxes
  })

/** A campaign under way: its leads are covered by an executed approval, spread over the mailboxes, and due. */
export const givenLaunched = (
  workspaceId: string,
  mailboxes: ReadonlyArray<Mailbox>,
  emails: ReadonlyArray<string>,
  given: {
    readonly campaign?: Partial<Campaign>
    readonly approval?: Partial<Approval>
    readonly nextAtMillis?: number
  } = {}
) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const campaigns = yield* CampaignStore
    const approvals = yield* ApprovalStore
    const campaign = makeCampaign({ workspaceId, ...given.campaign })
    const approval = makeApproval({
      workspaceId,
      state: "used",
      target: `campaign:${campaign.campaignId}`,
      decidedAtMillis: NOON,
      usedByIdempotencyKey: "launch",
      ...given.approval
    })
    const leads = emails.map((email) => makeLead(workspaceId, email))
    const covers = leads.map(({ campaignLeadId }, i) => ({
      campaignLeadId,
      mailboxId: mailboxes[i % mailboxes.length]?.mailboxId ?? freshId(),
      nextAtMillis: given.nextAtMillis ?? NOON - HOUR
    }))
    yield* atomically(
      Effect.gen(function* () {
        yield* approvals.insert(approval)
        yield* campaigns.insert(campaign, leads)
        const addresses = mailboxes.map(({ address }) => address)
        yield* campaigns.bindMailboxes(workspaceId, campaign.campaignId, addresses, NOON)
        yield* campaigns.coverLeads(workspaceId, campaign.campaignId, approval.approvalId, covers)
      })
    )
    return { campaign, approval, leads }
  })

/** A workspace that sends: `people` leads of one campaign on `mailboxes` mailboxes. */
export const givenSending = (
  people: number,
  given: { readonly workspace?: Partial<Workspace>; readonly mailboxes?: number } = {}
) =>
  Effect.gen(function* () {
    const { workspaceId } = yield* givenWorkspace(given.workspace)
    const mailboxes = yield* givenMailboxes(workspaceId, given.mailboxes ?? 1)
    const emails = Array.from({ length: people }, (_, i) => `person-${i}@example.com`)
    return { workspaceId, mailboxes, ...(yield* givenLaunched(workspaceId, mailboxes, emails)) }
  })

export const claimAt = (nowMillis: number, limit = 100) =>
  Effect.flatMap(SendingStore, (sending) =>
    sending.claimDue({
      nowMillis,
      dayStartMillis: nowMillis - (nowMillis % DAY),
      limit,
      nextMessageId: freshId,
      contactedSinceMillis: nowMillis - 30 * DAY
    })
  )

/** What is claimed for the workspace; others' claims may come along, and are left to the tests they belong to. */
export const claimsOf = (workspaceId: string, nowMillis: number = NOON) =>
  Effect.map(claimAt(nowMillis), (claims) => claims.filter((claim) => claim.message.workspaceId === workspaceId))

/** The message ends; the lead goes on as if the planner had set its next step for `nextAtMillis`. */
export const end = (
  { message, lead }: ClaimedMessage,
  state: Message["state"],
  nextAtMillis: number | null = null,
  atMillis: number = NOON
) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const sending = yield* SendingStore
    const campaigns = yield* CampaignStore
    yield* atomically(
      Effect.gen(function* () {
        const locked = Option.getOrThrow(yield* sending.lockMessage(message.workspaceId, message.messageId))
        yield* sending.endMessage(
          { ...locked, state, sentAtMillis: state === "sent" ? atMillis : null },
          lead.addressHash,
          null
        )
        if (state !== "sent") return
        const current = Option.getOrThrow(yield* campaigns.lockLead(lead.workspaceId, lead.campaignLeadId))
        yield* campaigns.updateLead({ ...current, state: "active", stepsSent: current.stepsSent + 1, nextAtMillis })
      })
    )
  })
