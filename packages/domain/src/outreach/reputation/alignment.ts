/** What DMARC reports say of a domain's own mail. */
import type { ReputationRule } from "./ReputationRule.js"

const DAY_MILLIS = 86_400_000

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

export interface Failing {
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
