import { DAY_MILLIS, HOUR_MILLIS } from "../../kernel/durations.js"
import type { Blocklist, ListAnswer } from "./blocklists.js"
import type { Issue } from "../../kernel/errors/Wire.js"
import { hostOf } from "../../kernel/people/Domain.js"

/** What a workspace does about the reputation of its sending domains. */
export interface ReputationRule {
  /** Owners are alerted if more than this percentage of the domain's own mail fails DMARC in seven days. */
  readonly failingPercentMax: number
  /** Fewer failing messages than this raise no alert. */
  readonly failingMessagesMin: number
  /** The same by proven reports pauses the domain's mailboxes. */
  readonly pausesForDmarc: boolean
  /** A newly listed domain or address pauses them. */
  readonly pausesForBlocklists: boolean
  /** The name with which the reports' mail server signs `Authentication-Results`; null: no report is proven. */
  readonly trustedServer: string | null
}

export const DEFAULT_RULE: ReputationRule = {
  failingPercentMax: 10,
  failingMessagesMin: 20,
  pausesForDmarc: false,
  pausesForBlocklists: false,
  trustedServer: null
}

export const FAILING_MESSAGES_MAX = 100_000

const isWithin = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most

/** Everything that is wrong with a rule. */
export const ruleIssues = (rule: ReputationRule): ReadonlyArray<Issue> => [
  ...(isWithin(rule.failingPercentMax, 1, 100)
    ? []
    : [{ path: "failing_percent", message: "must be a whole number from 1 to 100" }]),
  ...(isWithin(rule.failingMessagesMin, 1, FAILING_MESSAGES_MAX)
    ? []
    : [{ path: "failing_messages", message: `must be a whole number from 1 to ${FAILING_MESSAGES_MAX}` }]),
  ...(rule.trustedServer === null || hostOf(rule.trustedServer) === rule.trustedServer
    ? []
    : [{ path: "trusted_server", message: "must be the name of a mail server, such as mx.google.com" }]),
  ...(rule.pausesForDmarc && rule.trustedServer === null
    ? [{ path: "trusted_server", message: "is needed to pause by DMARC reports: anyone can send a report" }]
    : [])
]

/** What DMARC reports say of a domain's own mail. */

/** Over how many days own mail is judged, and for how many it is shown. */
export const JUDGED_DAYS = 7
export const SHOWN_DAYS = 30

/** The counts of one day, from one address. */
export interface SourceDay {
  /** As 2026-10-01, in UTC. */
  readonly day: string
  readonly ip: string
  readonly isProven: boolean
  readonly messages: number
  /** Passed by DKIM, by SPF, and by at least one of them. */
  readonly dkim: number
  readonly spf: number
  readonly aligned: number
  readonly quarantined: number
  readonly rejected: number
}

export type Counts = Omit<SourceDay, "day" | "isProven">

export const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The first day of the last `days`. */
export const sinceDay = (nowMillis: number, days: number): string => dayOf(nowMillis - (days - 1) * DAY_MILLIS)

/** Sums by address, those with the most failing messages first. */
export const bySource = (days: ReadonlyArray<SourceDay>): ReadonlyArray<Counts> => {
  const sums = new Map<string, Counts>()
  for (const { day: _day, isProven: _isProven, ...one } of days) {
    const sum = sums.get(one.ip)
    sums.set(
      one.ip,
      sum === undefined
        ? one
        : {
            ip: one.ip,
            messages: sum.messages + one.messages,
            dkim: sum.dkim + one.dkim,
            spf: sum.spf + one.spf,
            aligned: sum.aligned + one.aligned,
            quarantined: sum.quarantined + one.quarantined,
            rejected: sum.rejected + one.rejected
          }
    )
  }
  return [...sums.values()].sort(
    (a, b) => b.messages - b.aligned - (a.messages - a.aligned) || b.messages - a.messages || (a.ip < b.ip ? -1 : 1)
  )
}

interface Failing {
  readonly failed: number
  readonly messages: number
}

const sumOf = (sources: ReadonlyArray<Counts>): Failing => {
  const messages = sources.reduce((sum, one) => sum + one.messages, 0)
  return { messages, failed: messages - sources.reduce((sum, one) => sum + one.aligned, 0) }
}

const exceeds = ({ failed, messages }: Failing, rule: ReputationRule): boolean =>
  failed >= rule.failingMessagesMin && failed * 100 > messages * rule.failingPercentMax

/**
 * Whether own mail fails. An address counts as own if at least one message from it passed, since others forge the domain
 * too and that is no fault of ours. If nothing passed anywhere, own mail can't be told from forged: that alerts as well.
 */
export const failingMail = (days: ReadonlyArray<SourceDay>, rule: ReputationRule): Failing | null => {
  const sources = bySource(days)
  const own = sources.filter(({ aligned }) => aligned > 0)
  const sum = sumOf(own.length > 0 ? own : sources)
  return exceeds(sum, rule) ? sum : null
}

/**
 * Whether own mail fails so surely that mailboxes may pause: only proven reports count, and only addresses that passed
 * SPF for the domain. A recipient can send our signed message on from anywhere, but not from an address that our SPF
 * record allows.
 */
export const provenFailing = (days: ReadonlyArray<SourceDay>, rule: ReputationRule): Failing | null => {
  const own = bySource(days.filter(({ isProven }) => isProven)).filter(({ spf }) => spf > 0)
  const sum = sumOf(own)
  return exceeds(sum, rule) ? sum : null
}

/** Where a domain or an address stands on one list. */
export interface ListStanding {
  readonly zone: string
  readonly subject: string
  /** What the list last said; null: nothing yet. */
  readonly isListed: boolean | null
  /** Since when it says so. */
  readonly sinceMillis: number
  /** Whether it was listed before that. */
  readonly wasListed: boolean
  /** The list's own words. Third-party text. */
  readonly says: string
  /** What came of the last look. */
  readonly last: "answered" | "refused" | "silent"
}

/** What we know of a sending domain from looking at it again and again. */
export interface DomainWatch {
  readonly workspaceId: string
  readonly domainId: string
  /** Null: never. */
  readonly lookedAtMillis: number | null
  readonly nextLookAtMillis: number
  /** Records that were green and are so no more, and in how many looks in a row; null: none. */
  readonly missing: {
    readonly records: ReadonlyArray<string>
    readonly looks: number
    readonly sinceMillis: number
  } | null
  readonly lists: ReadonlyArray<ListStanding>
  /** Own mail that fails DMARC, by reports; null: too little. */
  readonly failing: (Failing & { readonly sinceMillis: number }) | null
}

/** How long until the next look; sooner after a look that found a record gone. */
export const LOOK_MILLIS = 6 * HOUR_MILLIS
export const LOOK_AGAIN_MILLIS = HOUR_MILLIS

/** Name servers may be wrong once. So many looks in a row must miss a record before owners are alerted. */
export const MISSING_LOOKS_MIN = 2

/** What one look found. */
export interface Look {
  /** Null: the domain isn't green, or some name servers did not answer. */
  readonly missing: ReadonlyArray<string> | null
  readonly answers: ReadonlyArray<{ readonly list: Blocklist; readonly subject: string; readonly answer: ListAnswer }>
}

const standingAfter = (
  before: ListStanding | undefined,
  { answer, list, subject }: Look["answers"][number],
  nowMillis: number
): ListStanding => {
  const known = before ?? {
    zone: list.zone,
    subject,
    isListed: null,
    sinceMillis: nowMillis,
    wasListed: false,
    says: "",
    last: "silent"
  }
  // A list that says nothing, or nothing to us, changes nothing.
  if (answer._tag === "refused" || answer._tag === "silent") return { ...known, last: answer._tag }
  const isListed = answer._tag === "listed"
  const says = answer._tag === "listed" ? answer.says : ""
  if (known.isListed === isListed) return { ...known, last: "answered", says }
  return { ...known, isListed, sinceMillis: nowMillis, wasListed: known.isListed === true, says, last: "answered" }
}

/** The watch after a look, and what is listed that was not before. */
export const afterLook = (
  watch: DomainWatch,
  look: Look,
  nowMillis: number
): { readonly watch: DomainWatch; readonly newlyListed: ReadonlyArray<ListStanding> } => {
  const beforeOf = (zone: string, subject: string) =>
    watch.lists.find((one) => one.zone === zone && one.subject === subject)
  const lists = look.answers.map((one) => standingAfter(beforeOf(one.list.zone, one.subject), one, nowMillis))
  const missing =
    look.missing === null
      ? watch.missing
      : look.missing.length === 0
        ? null
        : {
            records: look.missing,
            looks: (watch.missing?.looks ?? 0) + 1,
            sinceMillis: watch.missing?.sinceMillis ?? nowMillis
          }
  const isUnsure = missing !== null && missing.looks < MISSING_LOOKS_MIN
  return {
    watch: {
      ...watch,
      lookedAtMillis: nowMillis,
      nextLookAtMillis: nowMillis + (isUnsure ? LOOK_AGAIN_MILLIS : LOOK_MILLIS),
      missing,
      lists
    },
    newlyListed: lists.filter((one) => one.isListed === true && beforeOf(one.zone, one.subject)?.isListed !== true)
  }
}
