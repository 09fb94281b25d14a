import {
  type Alert,
  type AlertKind,
  CAP_SHARES,
  THRESHOLD_LEAST,
  THRESHOLD_SHARE,
  WEBHOOK_FAILING_MILLIS
} from "@outbound/domain/control/alerts/AlertStore.js"
import { available, monthOf } from "@outbound/domain/calls/decideAdmission.js"
import { CampaignMachine } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import { keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"

const LEAST: bigint = credits(THRESHOLD_LEAST)

/** Below which balance a workspace is told of it, where so much was added last. */
export const lowBelow = ({ alertThresholds }: Tables, workspaceId: string, addedMicros: bigint): bigint => {
  const share = (addedMicros * BigInt(THRESHOLD_SHARE)) / 100n
  return alertThresholds.get(workspaceId) ?? (share > LEAST ? share : LEAST)
}

/** What only a wing knows. */
const ofWing = ({ wings }: Tables, alert: Alert): boolean => wings.isOpen(alert)

/** Whether what an alert told of still is so. */
const STANDS: Readonly<Record<AlertKind, (tables: Tables, alert: Alert, nowMillis: number) => boolean>> = {
  low_balance: (tables, { period, workspaceId }) => {
    const account = tables.accounts.get(workspaceId)
    const [added] = tables.ledger.filter(
      (entry) =>
        entry.workspaceId === workspaceId &&
        entry.entryId === period &&
        (entry.kind === "grant" || entry.kind === "top_up")
    )
    if (account === undefined || added === undefined) return false
    return available(account) < lowBelow(tables, workspaceId, added.micros)
  },
  // Of a key's shares the highest that it has used.
  key_cap: ({ keys, usage }, { period, subject }, nowMillis) => {
    const [keyId = "", share] = subject.split("/")
    const key = keys.get(keyId)?.key
    const used = usage.get(keyId)
    if (key === undefined || KeyMachine.is.revoked(key.state) || used === undefined) return false
    if (used.month !== period || period !== monthOf(nowMillis)) return false
    const cap: bigint = key.monthlySpendCap ?? 0n
    const reached = CAP_SHARES.filter((one) => cap > 0n && used.spent + used.reserved >= (cap * BigInt(one)) / 100n)
    return reached.at(-1) === Number(share)
  },
  mailbox_paused: ({ mailboxes }, { subject, workspaceId }) =>
    mailboxes.some(
      ({ address, pauseReason, state, ...mailbox }) =>
        mailbox.workspaceId === workspaceId &&
        address === subject &&
        MailboxMachine.is.paused(state) &&
        pauseReason !== "owner"
    ),
  campaign_capacity: ({ campaigns }, { subject, workspaceId }) => {
    const campaign = campaigns.get(keyOf(workspaceId, subject))
    return CampaignMachine.is.paused(campaign?.state) && campaign.pauseReason === "capacity"
  },
  webhook_failing: ({ endpoints }, { subject, workspaceId }, nowMillis) => {
    const row = endpoints.get(keyOf(workspaceId, subject))
    if (row === undefined || !EndpointMachine.is.on(row.endpoint.state) || row.failingSinceMillis === null) return false
    return row.failingSinceMillis < nowMillis - WEBHOOK_FAILING_MILLIS
  },
  payment_returned: ofWing,
  domain_records: ({ sendingDomains }, { subject, workspaceId }) => {
    const domain = sendingDomains.get(keyOf(workspaceId, subject))
    return domain !== undefined && (SendingDomainMachine.is.late(domain.state) || domain.stopped !== null)
  },
  records_missing: ({ domainWatches }, { subject, workspaceId }) =>
    (domainWatches.get(keyOf(workspaceId, subject))?.missing ?? null) !== null,
  dmarc_failing: ({ domainWatches }, { subject, workspaceId }) =>
    (domainWatches.get(keyOf(workspaceId, subject))?.failing ?? null) !== null,
  blocklisted: ({ domainWatches }, { subject, workspaceId }) => {
    const [domainId = "", zone, listed] = subject.split("/")
    const lists = domainWatches.get(keyOf(workspaceId, domainId))?.lists ?? []
    return lists.some((one) => one.isListed === true && one.zone === zone && one.subject === listed)
  },
  domain_not_authenticated: ({ domainLooks }, { subject, workspaceId }) =>
    (domainLooks.get(keyOf(workspaceId, subject))?.failingSinceMillis ?? null) !== null,
  bounces_high: ({ bouncesHigh, mailboxes }, { subject, workspaceId }) =>
    mailboxes.some(
      ({ address, mailboxId, state, ...mailbox }) =>
        mailbox.workspaceId === workspaceId &&
        address === subject &&
        MailboxMachine.is.sending(state) &&
        bouncesHigh.has(keyOf(workspaceId, mailboxId))
    ),
  link_host: ofWing,
  person_asked: ({ leads, personRequests }, { subject, workspaceId }) => {
    const [campaignLeadId = "", ask = ""] = subject.split("/")
    const isOpen = personRequests.get(keyOf(workspaceId, campaignLeadId, ask))?.metAtMillis === null
    return isOpen && (leads.get(keyOf(workspaceId, campaignLeadId))?.email ?? "") !== ""
  },
  // Good news asks for nothing.
  delisted: () => false
}

/** Whether it is the newest about its subject, and what it told of still is so. */
export const isOpenAlert = (tables: Tables, alert: Alert, nowMillis: number): boolean =>
  STANDS[alert.kind](tables, alert, nowMillis) &&
  !tables.alerts.some(
    ({ alert: { alertId, kind, subject, workspaceId } }) =>
      workspaceId === alert.workspaceId && kind === alert.kind && subject === alert.subject && alertId > alert.alertId
  )
