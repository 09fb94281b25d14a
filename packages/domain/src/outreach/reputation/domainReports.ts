import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Option } from "effect"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type SendingDomain, SendingDomainStore } from "../domains/SendingDomainStore.js"
import type { AggregateReport, AttachedReport } from "../mail/aggregateReport.js"
import type { MailHead } from "../mail/mail.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import {
  dayOf,
  type DomainWatch,
  failingMail,
  JUDGED_DAYS,
  provenFailing,
  SHOWN_DAYS,
  sinceDay,
  type SourceDay
} from "./DomainWatch.js"
import { isProvenReporter } from "./reporters.js"
import { ReputationStore } from "./ReputationStore.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { MailboxMachine, type MailboxPauseReason } from "../sending/MailboxMachine.js"
import { makePauseMailbox } from "../sending/Breaker.js"

/** Why mailboxes of a domain pause; null: this one goes on. */
export interface DomainPause {
  readonly reason: Extract<MailboxPauseReason, "dmarc" | "blocklist" | "authentication">
  readonly detail: Readonly<Record<string, unknown>>
}

/**
 * Pauses the active mailboxes of a domain for which there is a reason, in the caller's transaction. Returns the ids of the
 * campaigns that paused with them.
 */
export const makePauseDomain = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const pauseMailbox = yield* makePauseMailbox

  return (
    workspaceId: string,
    domain: string,
    reasonFor: (mailbox: Mailbox) => DomainPause | null,
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const isLive = Option.exists(yield* workspaces.get(workspaceId), ({ kind }) => kind === "live")
      const stopped: Array<string> = []
      if (!isLive) return stopped
      const active = (yield* sendings.activeMailboxes(workspaceId)).filter((one) => one.domain === domain)
      const sorted = active.toSorted((a, b) => (a.mailboxId < b.mailboxId ? -1 : 1))
      for (const { mailboxId } of sorted) {
        const mailbox = Option.getOrNull(yield* sendings.lockMailbox(workspaceId, mailboxId))
        if (mailbox === null || !MailboxMachine.is.sending(mailbox.state)) continue
        const pause = reasonFor(mailbox)
        if (pause === null) continue
        const { detail, reason } = pause
        const paused = { reason, detail: { reason, ...detail }, campaigns: "without_another" } as const
        stopped.push(...(yield* pauseMailbox(mailbox, paused, nowMillis)))
      }
      return stopped
    })
})

/**
 * Judges a domain by its reports of the last days. Returns the watch with the result, and pauses mailboxes if the
 * workspace wants that. A mailbox that a human resumed is judged by later days alone.
 */
export const makeJudging = Effect.gen(function* () {
  const store = yield* ReputationStore
  const pauseDomain = yield* makePauseDomain

  return (watch: DomainWatch, domain: string, nowMillis: number) =>
    Effect.gen(function* () {
      const { domainId, workspaceId } = watch
      const rule = yield* store.rule(workspaceId)
      const days = yield* store.sourceDays(workspaceId, domainId, sinceDay(nowMillis, JUDGED_DAYS))
      const failing = failingMail(days, rule)
      if (rule.pausesForDmarc) {
        yield* pauseDomain(
          workspaceId,
          domain,
          ({ activeAtMillis }) => {
            const fromDay = dayOf((activeAtMillis ?? 0) + DAY_MILLIS)
            const proven = provenFailing(
              days.filter(({ day }) => day >= fromDay),
              rule
            )
            return proven === null
              ? null
              : { reason: "dmarc", detail: { messages: proven.messages, failed: proven.failed } }
          },
          nowMillis
        )
      }
      return {
        ...watch,
        failing: failing === null ? null : { ...failing, sinceMillis: watch.failing?.sinceMillis ?? nowMillis }
      } satisfies DomainWatch
    })
})

/** Of one report only the addresses with the most messages are kept apart; the others are one line. */
export const SOURCES_PER_REPORT_MAX = 200
export const OTHERS = "others"

/** Most unproven reports on a domain that a day counts: anyone can send them. */
export const UNPROVEN_PER_DAY_MAX = 200

/** The result, for the log. */
export type Received = "counted" | "duplicate" | "not_ours" | "too_old" | "in_the_future" | "too_many" | "unreadable"

/** Longest time that a report covers, and how far a reporter's clock may be ahead. */
const COVERED_MILLIS_MAX = 8 * DAY_MILLIS
const AHEAD_MILLIS_MAX = DAY_MILLIS

const timing = ({ beginMillis, endMillis }: AggregateReport, nowMillis: number): "too_old" | "in_the_future" | null => {
  if (endMillis > nowMillis + AHEAD_MILLIS_MAX) return "in_the_future"
  return beginMillis < nowMillis - SHOWN_DAYS * DAY_MILLIS || endMillis - beginMillis > COVERED_MILLIS_MAX
    ? "too_old"
    : null
}

const NOTHING = { messages: 0, dkim: 0, spf: 0, aligned: 0, quarantined: 0, rejected: 0 }

/** The counts of one domain, one for each address. */
export const countsOf = (rows: AggregateReport["rows"], day: string, isProven: boolean): ReadonlyArray<SourceDay> => {
  const totals = new Map<string, number>()
  for (const { ip, messages } of rows) totals.set(ip, (totals.get(ip) ?? 0) + messages)
  const kept = new Set(
    [...totals]
      .sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1))
      .slice(0, SOURCES_PER_REPORT_MAX)
      .map(([ip]) => ip)
  )
  const sums = new Map<string, SourceDay>()
  for (const row of rows) {
    const ip = kept.has(row.ip) ? row.ip : OTHERS
    const sum = sums.get(ip) ?? { ...NOTHING, day, ip, isProven }
    sums.set(ip, {
      ...sum,
      messages: sum.messages + row.messages,
      dkim: sum.dkim + (row.dkim ? row.messages : 0),
      spf: sum.spf + (row.spf ? row.messages : 0),
      aligned: sum.aligned + (row.dkim || row.spf ? row.messages : 0),
      quarantined: sum.quarantined + (row.disposition === "quarantine" ? row.messages : 0),
      rejected: sum.rejected + (row.disposition === "reject" ? row.messages : 0)
    })
  }
  return [...sums.values()]
}

/** The rows of each of the workspace's domains: by the domain in From, else by the one whose policy was found. */
const byDomain = (report: AggregateReport, domains: ReadonlyArray<SendingDomain>) => {
  const named = (name: string) => domains.find(({ domain }) => domain === name)
  const found = new Map<SendingDomain, Array<AggregateReport["rows"][number]>>()
  for (const row of report.rows) {
    const domain = named(row.headerFrom) ?? named(report.domain)
    if (domain === undefined) continue
    const before = found.get(domain)
    if (before === undefined) found.set(domain, [row])
    else before.push(row)
  }
  return [...found].sort(([a], [b]) => (a.domainId < b.domainId ? -1 : 1))
}

/**
 * Counts an aggregate report that came by mail, once. It is a stranger's word: it may alert, and it pauses mailboxes
 * only if the workspace wants that and the reporter is proven (`isProvenReporter`).
 */
export const makeReceiveReport = Effect.gen(function* () {
  const store = yield* ReputationStore
  const sendingDomains = yield* SendingDomainStore
  const judge = yield* makeJudging
  const { atomically } = yield* UnitOfWork

  const count = (workspaceId: string, head: MailHead, report: AggregateReport) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const found = byDomain(report, yield* sendingDomains.list(workspaceId))
      if (found.length === 0) return "not_ours" as const
      const late = timing(report, nowMillis)
      if (late !== null) return late
      const isProven = isProvenReporter(head, (yield* store.rule(workspaceId)).trustedServer)
      const { domain, organisation, reportId } = report
      const watches = new Map<string, DomainWatch | null>()
      for (const [{ domainId }] of found) {
        watches.set(domainId, yield* store.lockWatch(workspaceId, domainId, nowMillis))
      }
      if (!isProven) {
        const counted = yield* store.unprovenSince(workspaceId, domain, nowMillis - DAY_MILLIS)
        if (counted >= UNPROVEN_PER_DAY_MAX) return "too_many" as const
      }
      const key = { workspaceId, domain, organisation, reportId, isProven }
      if (!(yield* store.addReport(key, nowMillis))) return "duplicate" as const
      const day = dayOf(Math.min(report.beginMillis, nowMillis))
      for (const [{ domain: name, domainId }, rows] of found) {
        yield* store.addCounts(workspaceId, domainId, countsOf(rows, day, isProven))
        const watch = watches.get(domainId) ?? null
        if (watch !== null) yield* store.updateWatch(yield* judge(watch, name, nowMillis))
      }
      return "counted" as const
    }).pipe(atomically)

  return (mailbox: Mailbox, head: MailHead, attached: AttachedReport | undefined) =>
    Effect.gen(function* () {
      const received: Received =
        attached?._tag === "Report" ? yield* count(mailbox.workspaceId, head, attached.report) : "unreadable"
      const why = attached?._tag === "Unreadable" ? attached.why : "it has no report"
      yield* received === "unreadable"
        ? Effect.logWarning(`could not read a DMARC report: ${why}`)
        : Effect.logInfo(`DMARC report: ${received}`)
      return received
    })
})
