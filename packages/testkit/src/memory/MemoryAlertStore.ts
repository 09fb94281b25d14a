import {
  type AlertCause,
  ALERT_REPEAT_MILLIS,
  type AlertKind,
  AlertStore,
  CAP_SHARES,
  WEBHOOK_FAILING_MILLIS
} from "@outbound/domain/control/alerts/AlertStore.js"
import { available, monthOf } from "@outbound/domain/calls/decideAdmission.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import { format } from "@outbound/domain/kernel/money/Credits.js"
import { ALERTED_MILLIS, AUTHENTICATING } from "@outbound/domain/outreach/authentication/Look.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import { type ListStanding, MISSING_LOOKS_MIN } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { SendingDomainMachine } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import { memoryStore } from "./MemoryStore.js"
import { isOpenAlert, lowBelow } from "./openAlerts.js"
import { ascending, descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"

type Cause = Omit<AlertCause, "kind">

const lowBalances = (tables: Tables): ReadonlyArray<Cause> =>
  tables.workspaces
    .filter(() => true)
    .flatMap(({ workspaceId }) => {
      const account = tables.accounts.get(workspaceId)
      const [added] = tables.ledger
        .filter(
          (entry) =>
            entry.workspaceId === workspaceId &&
            (entry.kind === "grant" || entry.kind === "top_up") &&
            entry.micros > 0n
        )
        .sort(descending(({ entryId }) => entryId))
      if (account === undefined || added === undefined) return []
      const left = available(account)
      if (left >= lowBelow(tables, workspaceId, added.micros)) return []
      return [{ workspaceId, subject: "balance", period: added.entryId, name: "", says: format(left) }]
    })

const keyCaps = ({ keys, usage }: Tables, nowMillis: number): ReadonlyArray<Cause> =>
  keys
    .filter(({ key }) => !KeyMachine.is.revoked(key.state) && key.monthlySpendCap !== null && key.monthlySpendCap > 0n)
    .flatMap(({ key }) => {
      const used = usage.get(key.keyId)
      if (used === undefined || used.month !== monthOf(nowMillis) || key.monthlySpendCap === null) return []
      const cap: bigint = key.monthlySpendCap
      return CAP_SHARES.filter((share) => used.spent + used.reserved >= (cap * BigInt(share)) / 100n).map((share) => ({
        workspaceId: key.workspaceId,
        subject: `${key.keyId}/${share}`,
        period: used.month,
        name: key.name,
        says: String(share)
      }))
    })

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** A server's own words about the sender. */
const evidenceIn = (detail: Readonly<Record<string, unknown>>): string =>
  [detail["status"], detail["says"]]
    .map(textOf)
    .filter((part) => part !== "")
    .join(" ")

const pausedMailboxes = ({ trail }: Tables, nowMillis: number): ReadonlyArray<Cause> =>
  trail
    .filter(
      ({ detail, kind, observedAtMillis }) =>
        kind === "mailbox_paused" &&
        observedAtMillis > nowMillis - ALERT_REPEAT_MILLIS &&
        textOf(detail["mailbox"]) !== "" &&
        detail["reason"] !== "owner"
    )
    .map(({ detail, eventId, workspaceId }) => ({
      workspaceId,
      subject: textOf(detail["mailbox"]),
      period: eventId,
      name: textOf(detail["mailbox"]),
      says: [textOf(detail["reason"]), evidenceIn(detail)].filter((part) => part !== "").join(": ")
    }))

const stoppedCampaigns = ({ campaigns, trail }: Tables, nowMillis: number): ReadonlyArray<Cause> =>
  trail
    .filter(
      ({ detail, kind, observedAtMillis }) =>
        kind === "paused" && detail["reason"] === "capacity" && observedAtMillis > nowMillis - ALERT_REPEAT_MILLIS
    )
    .flatMap(({ campaignId, eventId, workspaceId }) => {
      const campaign = campaigns.get(keyOf(workspaceId, campaignId ?? ""))
      if (campaign === undefined) return []
      return [{ workspaceId, subject: campaign.campaignId, period: eventId, name: campaign.name, says: "" }]
    })

const failingWebhooks = ({ endpoints }: Tables, nowMillis: number): ReadonlyArray<Cause> =>
  endpoints
    .filter(({ endpoint }) => EndpointMachine.is.on(endpoint.state))
    .flatMap(({ endpoint: { endpointId, url, workspaceId }, failingSinceMillis }) =>
      failingSinceMillis === null || failingSinceMillis >= nowMillis - WEBHOOK_FAILING_MILLIS
        ? []
        : [
            {
              workspaceId,
              subject: endpointId,
              period: new Date(nowMillis).toISOString().slice(0, 10),
              name: url,
              says: `${new Date(failingSinceMillis).toISOString().slice(0, 16).replace("T", " ")} UTC`
            }
          ]
    )

const unsetDomains = ({ sendingDomains }: Tables): ReadonlyArray<Cause> =>
  sendingDomains
    .filter(({ state, stopped }) => SendingDomainMachine.is.late(state) || stopped !== null)
    .map(({ domain, domainId, sinceMillis, stopped, workspaceId }) => ({
      workspaceId,
      subject: domainId,
      period: String(sinceMillis),
      name: domain,
      says: stopped ?? ""
    }))

const watched = ({ domainWatches, sendingDomains }: Tables) =>
  domainWatches
    .filter(() => true)
    .map((watch) => ({ watch, domain: sendingDomains.get(keyOf(watch.workspaceId, watch.domainId))?.domain ?? "" }))

const missingRecords = (tables: Tables): ReadonlyArray<Cause> =>
  watched(tables).flatMap(({ domain, watch: { domainId, missing, workspaceId } }) =>
    missing === null || missing.looks < MISSING_LOOKS_MIN
      ? []
      : [
          {
            workspaceId,
            subject: domainId,
            period: String(missing.sinceMillis),
            name: domain,
            says: missing.records.join(", ")
          }
        ]
  )

const failingDomains = (tables: Tables): ReadonlyArray<Cause> =>
  watched(tables).flatMap(({ domain, watch: { domainId, failing, workspaceId } }) =>
    failing === null
      ? []
      : [
          {
            workspaceId,
            subject: domainId,
            period: String(failing.sinceMillis),
            name: domain,
            says: `${failing.failed} of ${failing.messages} messages`
          }
        ]
  )

const standings = (tables: Tables, which: (list: ListStanding) => boolean) =>
  watched(tables).flatMap(({ watch: { domainId, lists, workspaceId } }) =>
    lists.filter(which).map((list) => ({
      list,
      cause: {
        workspaceId,
        subject: `${domainId}/${list.zone}/${list.subject}`,
        period: String(list.sinceMillis),
        name: list.subject
      }
    }))
  )

const unauthenticated = ({ domainLooks, mailboxes }: Tables): ReadonlyArray<Cause> =>
  domainLooks
    .filter(
      ({ domain, failingSinceMillis, lookedAtMillis, workspaceId }) =>
        failingSinceMillis !== null &&
        lookedAtMillis >= failingSinceMillis + ALERTED_MILLIS &&
        mailboxes.some(
          (one) => one.workspaceId === workspaceId && one.domain === domain && MailboxMachine.is.sending(one.state)
        )
    )
    .map(({ domain, failingSinceMillis, findings, workspaceId }) => ({
      workspaceId,
      subject: domain,
      period: String(failingSinceMillis),
      name: domain,
      says: AUTHENTICATING.filter((check) => ["fail", "missing"].includes(findings[check].status))
        .map((check) => check.toUpperCase())
        .join(", ")
    }))

const bouncing = ({ bouncesHigh, mailboxes }: Tables): ReadonlyArray<Cause> =>
  mailboxes
    .filter(
      ({ mailboxId, state, workspaceId }) =>
        MailboxMachine.is.sending(state) && bouncesHigh.has(keyOf(workspaceId, mailboxId))
    )
    .map(({ address, mailboxId, workspaceId }) => ({
      workspaceId,
      subject: address,
      period: String(bouncesHigh.get(keyOf(workspaceId, mailboxId))),
      name: address,
      says: ""
    }))

const STANDING: Readonly<Record<AlertKind, (tables: Tables, nowMillis: number) => ReadonlyArray<Cause>>> = {
  low_balance: lowBalances,
  key_cap: keyCaps,
  mailbox_paused: pausedMailboxes,
  campaign_capacity: stoppedCampaigns,
  webhook_failing: failingWebhooks,
  payment_returned: ({ wings }) => wings.alertsOf("payment_returned"),
  domain_records: unsetDomains,
  records_missing: missingRecords,
  dmarc_failing: failingDomains,
  blocklisted: (tables) =>
    standings(tables, ({ isListed }) => isListed === true).map(({ cause, list: { says, zone } }) => ({
      ...cause,
      says: says === "" ? zone : `${zone}: ${says}`
    })),
  delisted: (tables, nowMillis) =>
    standings(
      tables,
      ({ isListed, sinceMillis, wasListed }) =>
        isListed === false && wasListed && sinceMillis > nowMillis - ALERT_REPEAT_MILLIS
    ).map(({ cause, list: { zone } }) => ({ ...cause, says: zone })),
  domain_not_authenticated: unauthenticated,
  bounces_high: bouncing,
  link_host: ({ wings }) => wings.alertsOf("link_host"),
  person_asked: ({ leads, personRequests }) =>
    personRequests
      .filter(
        ({ campaignLeadId, metAtMillis, workspaceId }) =>
          metAtMillis === null && (leads.get(keyOf(workspaceId, campaignLeadId))?.email ?? "") !== ""
      )
      .map(({ ask, askedAtMillis, campaignLeadId, workspaceId }) => ({
        workspaceId,
        subject: `${campaignLeadId}/${ask}`,
        period: String(askedAtMillis),
        name: "",
        says: ask
      }))
}

const keyOfAlert = ({ kind, period, subject, workspaceId }: AlertCause) => keyOf(workspaceId, kind, subject, period)

export const layer = memoryStore(AlertStore, "AlertStore", ({ read, write }) => ({
  causes: (kind, nowMillis, limit) =>
    read((tables) =>
      STANDING[kind](tables, nowMillis)
        .map((cause): AlertCause => ({ ...cause, kind }))
        .filter(
          (cause) =>
            !tables.alerts.some(
              ({ alert }) =>
                alert.workspaceId === cause.workspaceId &&
                alert.kind === kind &&
                alert.subject === cause.subject &&
                (alert.period === cause.period || alert.raisedAtMillis > nowMillis - ALERT_REPEAT_MILLIS)
            )
        )
        .slice(0, limit)
    ),
  raise: (raised) =>
    write(({ alerts }) => {
      for (const alert of raised) {
        if (!alerts.has(keyOfAlert(alert))) {
          alerts.set(keyOfAlert(alert), { alert, attempts: 0, dueAtMillis: alert.raisedAtMillis })
        }
      }
    }),
  list: (workspaceId, nowMillis, limit, before) =>
    read((tables) =>
      tables.alerts
        .filter(({ alert }) => alert.workspaceId === workspaceId && (before === null || alert.alertId < before))
        .map(({ alert }) => alert)
        .sort(descending(({ alertId }) => alertId))
        .slice(0, limit)
        .map((alert) => ({ ...alert, isOpen: isOpenAlert(tables, alert, nowMillis) }))
    ),
  takeUnmailed: ({ attemptsMax, limit, nowMillis, retryMillis, sinceMillis }) =>
    write(({ alerts, memberships, users, workspaces }) => {
      const due = alerts
        .filter(
          ({ alert, attempts, dueAtMillis }) =>
            alert.mailedAtMillis === null &&
            dueAtMillis <= nowMillis &&
            attempts < attemptsMax &&
            alert.raisedAtMillis > sinceMillis
        )
        .sort(ascending(({ dueAtMillis }) => dueAtMillis))
        .slice(0, limit)
      return due.map((row) => {
        const { workspaceId } = row.alert
        alerts.set(keyOfAlert(row.alert), {
          ...row,
          attempts: row.attempts + 1,
          dueAtMillis: nowMillis + retryMillis
        })
        const owners = memberships.filter((one) => one.workspaceId === workspaceId && one.role === "owner")
        return {
          alert: row.alert,
          workspaceName: workspaces.get(workspaceId)?.name ?? "",
          owners: users
            .filter(({ userId }) => owners.some((one) => one.userId === userId))
            .map(({ email }) => email)
            .sort()
        }
      })
    }),
  markMailed: (alert, nowMillis) =>
    write(({ alerts }) =>
      alerts.update(keyOfAlert(alert), (row) => ({ ...row, alert: { ...row.alert, mailedAtMillis: nowMillis } }))
    ),
  purge: (beforeMillis, limit) =>
    write(({ alerts }) =>
      alerts.deleteFirst(
        limit,
        ({ alert }) => alert.raisedAtMillis < beforeMillis,
        ascending(({ alert }) => alert.raisedAtMillis)
      )
    ),
  threshold: (workspaceId) => read(({ alertThresholds }) => alertThresholds.get(workspaceId) ?? null),
  setThreshold: (workspaceId, threshold) =>
    write(({ alertThresholds }) =>
      threshold === null ? alertThresholds.delete(workspaceId) : alertThresholds.set(workspaceId, threshold)
    )
}))
