/**
 * How much an own mailbox may send today, by what was delivered of its mail in the last days: in all, from its domain, and to
 * one receiving organisation. Pure, and the only place that decides it (contract: campaigns, capacity). Documented in
 * docs/guides/own-mailboxes.md.
 */
import { DAY_MILLIS } from "../../kernel/durations.js"

/** What was sent on a day (UTC), and what became of it. */
export interface UseDay {
  /** Days since 1970-01-01. */
  readonly day: number
  /** Messages that left, may have left, or are about to. */
  readonly taken: number
  /** Messages that left, and of which nothing bad was heard since. */
  readonly delivered: number
  /** People whose server refused the sender by policy. */
  readonly refused: number
  /** Messages to addresses that proved not to exist. */
  readonly bounced: number
  readonly complained: number
}

/** At most one entry a day, in any order. Days without mail are left out. */
export type Use = ReadonlyArray<UseDay>

/** What its owner says that a mailbox sends a day, and the day of that statement. */
export interface Declared {
  readonly day: number
  readonly sends: number
}

export const dayOf = (atMillis: number): number => Math.floor(atMillis / DAY_MILLIS)

/** How many days (UTC) before today count. */
export const USE_DAYS = 14

/** On the day after, at most so much more than was delivered. */
export const GROWTH = 1.2

/** What is left of a level after a day that was used less: after two idle days of a weekend as much as before. */
export const IDLE = 0.93

/** Where a ramp begins, and how many complaints it takes before they count. */
export interface RampStart {
  /** What may be sent on the first day. */
  readonly first: number
  /**
   * A complaint by mail may be invented: towards the complainer's own organisation one counts, beyond it only what several
   * people say (as for the breaker's pause).
   */
  readonly complaintsMin: number
}

/** Of a mailbox, of a domain, and of both towards one organisation. */
export const STARTS = {
  mailbox: { first: 5, complaintsMin: 3 },
  domain: { first: 20, complaintsMin: 3 },
  mailboxAt: { first: 5, complaintsMin: 1 },
  domainAt: { first: 10, complaintsMin: 1 }
} as const satisfies Readonly<Record<string, RampStart>>

/** Of a statement so much counts towards a single organisation. */
const DECLARED_AT_RECEIVER = 0.5

/** A trouble is seen over so many days at most. */
const TROUBLE_DAYS = 3

/** So many refused people, and so many bounces, are a trouble from this share of what was tried on. */
export const REFUSED = { least: 3, percent: 15 } as const
export const BOUNCED = { least: 3, percent: 5 } as const

/** What large receivers publish as the share of complaints that must never be reached. Counted over the whole window. */
export const COMPLAINED_MAX = 0.003

/** What halved a level. */
export interface Slowed {
  readonly day: number
  readonly why: "refused" | "bounced" | "complained"
  /** So many of the messages, or people, of these days. */
  readonly count: number
  readonly of: number
  /** What may be sent a day from then on. */
  readonly cap: number
}

const triedOn = ({ bounced, complained, delivered, refused }: UseDay): number =>
  bounced + complained + delivered + refused

/** What happened on several days, added up. */
interface Sum {
  refused: number
  bounced: number
  complained: number
  tried: number
}

const noDays = (): Sum => ({ refused: 0, bounced: 0, complained: 0, tried: 0 })

const added = (sum: Sum, day: UseDay): Sum => {
  sum.refused += day.refused
  sum.bounced += day.bounced
  sum.complained += day.complained
  sum.tried += triedOn(day)
  return sum
}

/** Whether more of these days' mail was complained of than receivers bear. */
const areUnwanted = ({ complained, tried }: Sum, complaintsMin: number): boolean =>
  complained >= complaintsMin && complained > COMPLAINED_MAX * tried

type Trouble = Pick<Slowed, "why" | "count" | "of"> | null

const troubleIn = ({ bounced, refused, tried }: Sum): Trouble => {
  if (refused >= REFUSED.least && refused * 100 >= REFUSED.percent * tried) {
    return { why: "refused", count: refused, of: tried }
  }
  if (bounced >= BOUNCED.least && bounced * 100 >= BOUNCED.percent * tried) {
    return { why: "bounced", count: bounced, of: tried }
  }
  return null
}

/** What is wrong with the mail of these days, apart from complaints; null: nothing that proves anything. */
export const troubleOf = (days: Use): Trouble => troubleIn(days.reduce(added, noDays()))

/** The same of the last of these days, which good ones before may hide, or of more of them together. */
const newTrouble = (days: Use): Trouble => {
  const sum = noDays()
  for (const day of days.toReversed()) {
    const trouble = troubleIn(added(sum, day))
    if (trouble !== null) return trouble
  }
  return null
}

/** What a day's mail tells anew: complaints, of which the whole window is judged, or another trouble of the days before. */
const troubleWith = (used: UseDay, since: Use, window: Sum, isUnwanted: boolean): Trouble =>
  used.complained > 0 && isUnwanted
    ? { why: "complained", count: window.complained, of: window.tried }
    : newTrouble(since)

/** Sums of powers of 1.2 are not exact. */
const wholes = (level: number): number => Math.floor(level + 1e-9)

/** After a day without trouble. Below the first level it grows by one message for each day that was used. */
const after = (level: number, delivered: number, first: number): number => {
  const kept = level > first ? Math.max(first, level * IDLE) : level
  if (delivered === 0) return kept
  return Math.max(kept, GROWTH * delivered, Math.min(first, level + 1))
}

/** What was stated in the days before this one, this one included. */
const statedOn = (declared: ReadonlyArray<Declared>, day: number): number =>
  declared.some((one) => one.day === day)
    ? declared.reduce((sum, one) => sum + (one.day <= day && one.day > day - USE_DAYS ? one.sends : 0), 0)
    : 0

/**
 * What may be sent on a day, and what slowed it in the days before. It starts at `first`. Each day that was used raises it
 * to 1.2 times what was delivered, an idle one takes 7 % of what is above the first level, and a trouble halves it; the
 * trouble of today does so at once. While too much of the window's mail was complained of it does not grow. What an owner
 * declares counts as delivered that day.
 */
export const rampOn = (
  use: Use,
  { complaintsMin, first }: RampStart,
  today: number,
  declared: ReadonlyArray<Declared> = []
): { readonly cap: number; readonly slowed: ReadonlyArray<Slowed> } => {
  const from = today - USE_DAYS
  const of = new Map<number, UseDay>()
  for (const one of use) if (one.day >= from) of.set(one.day, one)
  const slowed: Array<Slowed> = []
  let level: number = first
  let since: Array<UseDay> = []
  const window = noDays()
  for (let day = from; day <= today; day += 1) {
    const used = of.get(day)
    if (declared.length > 0) level = Math.max(level, statedOn(declared, day))
    if (used !== undefined) {
      since = since.filter((one) => one.day > day - TROUBLE_DAYS)
      since.push(used)
      added(window, used)
    }
    const isUnwanted = areUnwanted(window, complaintsMin)
    const trouble = used === undefined ? null : troubleWith(used, since, window, isUnwanted)
    if (trouble !== null) {
      level = Math.max(1, level / 2)
      since = []
      slowed.push({ day, ...trouble, cap: wholes(level) })
    } else if (day < today) level = after(level, isUnwanted ? 0 : (used?.delivered ?? 0), first)
  }
  return { cap: wholes(level), slowed }
}

/** All that decides what an own mailbox may send today. */
export interface SenderUse {
  readonly mailbox: Use
  /** Of all own mailboxes of its domain. */
  readonly domain: Use
  /** The same to the organisation that receives the next message; null: not known yet. */
  readonly at: { readonly mailbox: Use; readonly domain: Use } | null
  readonly declared: { readonly mailbox: ReadonlyArray<Declared>; readonly domain: ReadonlyArray<Declared> }
}

/** How many messages may leave on a day. */
export interface RampCaps {
  readonly mailbox: number
  readonly domain: number
  readonly at: { readonly mailbox: number; readonly domain: number } | null
}

/** Of a statement about all of the mail, what counts towards one organisation. */
export const atReceiver = (declared: ReadonlyArray<Declared>): ReadonlyArray<Declared> =>
  declared.map(({ day, sends }) => ({ day, sends: sends * DECLARED_AT_RECEIVER }))

/** The four ramps of a mailbox on a day. */
export const rampsOn = ({ at, declared, domain, mailbox }: SenderUse, today: number) => ({
  mailbox: rampOn(mailbox, STARTS.mailbox, today, declared.mailbox),
  domain: rampOn(domain, STARTS.domain, today, declared.domain),
  at: at && {
    mailbox: rampOn(at.mailbox, STARTS.mailboxAt, today, atReceiver(declared.mailbox)),
    domain: rampOn(at.domain, STARTS.domainAt, today, atReceiver(declared.domain))
  }
})

export const rampCaps = (use: SenderUse, today: number): RampCaps => {
  const { at, domain, mailbox } = rampsOn(use, today)
  return {
    mailbox: mailbox.cap,
    domain: domain.cap,
    at: at && { mailbox: at.mailbox.cap, domain: at.domain.cap }
  }
}

/** A mailbox that sent elsewhere before, as its owner states it. */
export interface DeclaredUse {
  /** Messages a day; null: nothing was stated. */
  readonly declaredSends: number | null
  /** Since when it sends so much. */
  readonly declaredSinceMillis: number | null
  readonly declaredAtMillis: number | null
}

export const UNDECLARED: DeclaredUse = { declaredSends: null, declaredSinceMillis: null, declaredAtMillis: null }

/** A statement is believed as far as a mailbox of that age could have grown. */
export const declaredOf = ({
  declaredAtMillis,
  declaredSends,
  declaredSinceMillis
}: DeclaredUse): ReadonlyArray<Declared> => {
  if (declaredSends === null || declaredSinceMillis === null || declaredAtMillis === null) return []
  const ageDays = Math.max(0, dayOf(declaredAtMillis) - dayOf(declaredSinceMillis))
  const reachable = wholes(STARTS.mailbox.first * GROWTH ** Math.min(ageDays, 60))
  return [{ day: dayOf(declaredAtMillis), sends: Math.min(declaredSends, reachable) }]
}
