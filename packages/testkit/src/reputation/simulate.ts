/**
 * Mail to receivers that judge senders by rules nobody sees, sent by the service's own pure rules: the ramp, the rests, the
 * breaker, and what it measures beside them. Everything follows from the seed; no store, no clock.
 */
import { type Backoff, backoff } from "@outbound/domain/kernel/backoff.js"
import { DAY_MILLIS, HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { HEALTH_MESSAGES, REPORTERS_MIN, unhealthy } from "@outbound/domain/outreach/sending/Breaker.js"
import { DayRamps } from "@outbound/domain/outreach/sending/forecastRamp.js"
import { leastOf } from "@outbound/domain/outreach/sending/planner.js"
import { rampsOn, UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import {
  MEASURED_REST_MILLIS,
  RECEIVER_FORGIVEN_MILLIS,
  RECEIVER_REST_MILLIS,
  REFUSALS_MILLIS,
  refusalVerdict
} from "@outbound/domain/outreach/sending/refusals.js"
import { UseBook } from "@outbound/domain/outreach/sending/UseBook.js"
import { REACTIONS, type Reaction } from "./HiddenReceiver.js"
import { measuresAt } from "../wings/measures.js"
import { DOMAINS, isIdle, nameOf, type Pair, type Sender, type Sent, SHARES, TELLS_RATES, worldOf } from "./World.js"

/** `use`: the ramp of today. `age`: the one before it, by the days since a mailbox was added. */
export interface Policy {
  readonly ramp: "use" | "age"
  /** At so many receivers, the largest first, the workspace has a mailbox of its own to which letters go. */
  readonly mailboxesAt: number
}

export const POLICIES = {
  age: { ramp: "age", mailboxesAt: 0 },
  use: { ramp: "use", mailboxesAt: 0 },
  two: { ramp: "use", mailboxesAt: 2 },
  all: { ramp: "use", mailboxesAt: SHARES.length }
} as const satisfies Readonly<Record<string, Policy>>
export type PolicyName = keyof typeof POLICIES

/** A run ends with so many messages in an inbox, whatever the days that takes. */
const INBOXED = 3_500
const DAYS_MAX = 400
/** An owner lets a paused mailbox go on after so long. */
const PAUSE_DAYS = 2
const NOTHING_SENT = { workspace: 0, mailbox: 0 }
const SLOTS = 8
/** Slots in which letters are planned: at nine and at two. */
const LETTER_SLOTS: ReadonlyArray<number> = [0, 5]

/** Of a day with fewer messages in its inboxes the largest receiver has no rate. */
const RATES_MIN = 100

/** So many reports come on the day of the message; the others after so many days on average. */
const HEARD = { atOnce: 0.7, laterDays: 4 } as const

/** The steps of the ramp by age, of which the last held until the mailbox was 28 days old. */
const BY_AGE: ReadonlyArray<readonly [beforeDay: number, sends: number]> = [
  [3, 5],
  [7, 8],
  [14, 12],
  [21, 16],
  [28, 20]
]

/** What became of one domain at one receiver. */
export interface PairResult {
  /** The worst that the receiver did; null: nothing. */
  readonly reaction: Reaction | null
  /** Messages tried from the first reaction until the service slowed or rested; null: it never did. */
  readonly foundAfter: number | null
  /** Messages tried since the first reaction. */
  readonly triedSince: number
  readonly isRested: boolean
  readonly isSlowed: boolean
}

export interface ReputationRun {
  readonly pairs: ReadonlyArray<PairResult>
  readonly messages: number
  readonly inboxed: number
  readonly complaints: number
  /** Complaints that the service heard of. */
  readonly heard: number
  /** Of all complaints those that came after the service had heard of one of the same domain at the same receiver, and at any. */
  readonly repeated: number
  readonly repeatedOfDomain: number
  readonly refused: number
  readonly junked: number
  readonly letters: number
  /** Days of a domain for which the largest receiver has a rate. */
  readonly rates: number
  readonly days: number
}

/** Counts as the store's `refusals` does: each person is written to once here. */
const refusalsOf = ({ activeAtMillis, rests, sent }: Sender, receiver: number, nowMillis: number) => {
  const since = Math.max(nowMillis - REFUSALS_MILLIS, activeAtMillis)
  const people = sent.filter(({ atMillis }) => atMillis >= since)
  const rested = rests.get(receiver)?.untilMillis ?? 0
  const there = people.filter((one) => one.receiver === receiver && one.atMillis >= rested)
  const refused = people.filter(({ isRefused }) => isRefused)
  return {
    mailbox: {
      people: people.length,
      refused: refused.length,
      receivers: new Set(refused.map((one) => one.receiver)).size
    },
    receiver: { people: there.length, refused: there.filter(({ isRefused }) => isRefused).length }
  }
}

const healthOf = ({ activeAtMillis, sent }: Sender) => {
  const last = sent
    .filter(({ atMillis, isRefused }) => atMillis >= activeAtMillis && !isRefused)
    .slice(-HEALTH_MESSAGES)
  return {
    sent: last.length,
    hardBounces: last.filter(({ isBounced }) => isBounced).length,
    complaints: last.filter(({ isComplaint }) => isComplaint).length
  }
}

interface Report {
  readonly day: number
  readonly sender: Sender
  readonly message: Sent
  readonly messageDay: number
}

/**
 * One run. All policies meet the same receivers, people and idle weeks. `times`: a sender that is so many times as large.
 */
export const simulateReputation = (seed: number, { mailboxesAt, ramp }: Policy, times = 1): ReputationRun => {
  const { chance, hasFeedback, pairs, senders, shuns } = worldOf(seed, times)
  const book = new UseBook(
    senders.map(({ domain, mailboxId }) => ({ mailboxId, domain, ...UNDECLARED })),
    []
  )
  const counts = {
    messages: 0,
    inboxed: 0,
    complaints: 0,
    heard: 0,
    repeated: 0,
    repeatedOfDomain: 0,
    refused: 0,
    junked: 0,
    letters: 0,
    rates: 0
  }
  const { mailboxDailySends } = DEFAULT_CAPS
  const measures = measuresAt(SHARES.slice(0, mailboxesAt).map((_, receiver) => nameOf(receiver)))
  let reports: Array<Report> = []
  const heardOf = new Set<string>()

  const pairOf = (sender: Sender, receiver: number): Pair => {
    const pair = pairs[sender.of]?.[receiver]
    if (pair === undefined) throw new Error("there is no such receiver")
    return pair
  }

  const draw = (): number => {
    let left = chance.nextDoubleUnsafe()
    return Math.max(
      0,
      SHARES.findIndex((share) => (left -= share) < 0)
    )
  }

  const caps = { dailySends: Infinity, mailboxDailySends }

  /** What each domain may still send today. What was known of a day may be over for a domain by what it heard. */
  let day = 0
  let ramps: Array<DayRamps> = []
  const startDay = () => {
    ramps = Array.from({ length: DOMAINS }, () => new DayRamps(caps, book, day))
  }
  const rampsFor = ({ of }: Sender): DayRamps => ramps[of] ?? new DayRamps(caps, book, day)

  const leftOf = (sender: Sender, sentToday: number): number => {
    if (ramp === "age") {
      const most = BY_AGE.find(([beforeDay]) => day < beforeDay)?.[1] ?? Infinity
      return Math.min(most, mailboxDailySends) - sentToday
    }
    return leastOf(rampsFor(sender).left(sender, null, { ...NOTHING_SENT, mailbox: sentToday }))
  }

  const isOpen = (sender: Sender, receiver: number, nowMillis: number): boolean =>
    (sender.rests.get(receiver)?.untilMillis ?? 0) <= nowMillis &&
    (ramp === "age" || (rampsFor(sender).left(sender, nameOf(receiver), NOTHING_SENT).receiver ?? 1) > 0)

  /** Whom to write to next: people whose receiver takes no more today stand behind. */
  const next = (sender: Sender, nowMillis: number): number | null => {
    for (let looks = 0; looks < 30; looks += 1) {
      const receiver = draw()
      if (isOpen(sender, receiver, nowMillis)) return receiver
    }
    return null
  }

  const found = (pair: Pair) => {
    if (pair.degradedAt !== null) pair.foundAt ??= pair.tried
  }

  const meet = (pair: Pair) => {
    const reaction = pair.hidden.reaction(day)
    if (reaction === null) return
    pair.degradedAt ??= pair.tried
    if (pair.worst === null || REACTIONS.indexOf(reaction) > REACTIONS.indexOf(pair.worst)) pair.worst = reaction
  }

  /** As `makeRestAt`. */
  const restAt = (sender: Sender, receiver: number, nowMillis: number, waits: Backoff) => {
    const before = sender.rests.get(receiver)
    const isForgiven = before === undefined || nowMillis - before.untilMillis > RECEIVER_FORGIVEN_MILLIS
    const times = isForgiven ? 1 : before.times + 1
    sender.rests.set(receiver, {
      untilMillis: Math.max(before?.untilMillis ?? 0, nowMillis + backoff(times, waits)),
      times
    })
    const pair = pairOf(sender, receiver)
    pair.isRested = true
    found(pair)
  }

  const looksSlowed = (sender: Sender, receiver: number, pair: Pair) => {
    const use = ramp === "use" ? book.of(sender.mailboxId, nameOf(receiver)) : null
    const slowed = use === null ? [] : (rampsOn(use, day).at?.domain.slowed ?? [])
    if (slowed.at(-1)?.day !== day) return
    pair.isSlowed = true
    found(pair)
  }

  const breakerOf = (sender: Sender) => {
    if (unhealthy(healthOf(sender), REPORTERS_MIN) !== null) sender.pausedUntilDay = day + PAUSE_DAYS
    if (sender.pausedUntilDay > day) sender.activeAtMillis = sender.pausedUntilDay * DAY_MILLIS
  }

  const note = (
    sender: Sender,
    receiver: number,
    changed: { readonly day: number } & Readonly<Record<string, number>>
  ) => {
    // What no rule of this run reads.
    if (ramp === "age") return
    book.add(sender.mailboxId, nameOf(receiver), {
      taken: 0,
      delivered: 0,
      refused: 0,
      bounced: 0,
      complained: 0,
      ...changed
    })
    ramps[sender.of] = new DayRamps(caps, book, day)
  }

  /** Reports that come today, about messages of today or before. */
  const hear = () => {
    for (const { message, messageDay, sender } of reports.filter((one) => one.day <= day)) {
      message.isComplaint = true
      counts.heard += 1
      heardOf.add(sender.domain).add(`${sender.domain} ${message.receiver}`)
      note(sender, message.receiver, { day: messageDay, delivered: -1, complained: 1 })
      const pair = pairOf(sender, message.receiver)
      const use = ramp === "use" ? book.of(sender.mailboxId, nameOf(message.receiver)) : null
      const slowed = use === null ? [] : (rampsOn(use, day).at?.domain.slowed ?? [])
      if (slowed.some((one) => one.day === messageDay && one.why === "complained")) {
        pair.isSlowed = true
        found(pair)
      }
      breakerOf(sender)
    }
    reports = reports.filter((one) => one.day > day)
  }

  const send = (sender: Sender, receiver: number, atMillis: number) => {
    const pair = pairOf(sender, receiver)
    meet(pair)
    const outcome = pair.hidden.receive(day, chance)
    // Who finds it in the junk folder reports it to nobody.
    const isComplaint = outcome === "inbox" && chance.nextDoubleUnsafe() < pair.hidden.resentment
    const message: Sent = {
      receiver,
      atMillis,
      isRefused: outcome === "refused",
      isBounced: outcome === "bounced",
      isComplaint: false
    }
    sender.sent.push(message)
    pair.tried += 1
    counts.messages += 1
    counts.inboxed += outcome === "inbox" ? 1 : 0
    counts.refused += outcome === "refused" ? 1 : 0
    counts.junked += outcome === "junk" ? 1 : 0
    if (isComplaint) {
      counts.complaints += 1
      counts.repeated += heardOf.has(`${sender.domain} ${receiver}`) ? 1 : 0
      counts.repeatedOfDomain += heardOf.has(sender.domain) ? 1 : 0
      pair.hidden.complained()
      const isLater = chance.nextDoubleUnsafe() >= HEARD.atOnce
      const later = isLater ? 1 + Math.floor(-(HEARD.laterDays - 0.5) * Math.log(1 - chance.nextDoubleUnsafe())) : 0
      if (hasFeedback[receiver] === true) reports.push({ day: day + later, sender, message, messageDay: day })
    }
    if (!message.isRefused && !message.isBounced) {
      if (ramp === "use") rampsFor(sender).note(sender, nameOf(receiver))
      return
    }
    note(sender, receiver, message.isRefused ? { day, refused: 1 } : { day, taken: 1, bounced: 1 })
    looksSlowed(sender, receiver, pair)
    if (message.isRefused) {
      const verdict = refusalVerdict(refusalsOf(sender, receiver, atMillis), DEFAULT_CAPS)
      if (verdict === "receiver") restAt(sender, receiver, atMillis, RECEIVER_REST_MILLIS)
      if (verdict === "mailbox") sender.pausedUntilDay = day + PAUSE_DAYS
    }
    breakerOf(sender)
  }

  const sendLetters = (nowMillis: number) => {
    const writing = senders.filter((sender) => !isIdle(sender, day) && sender.pausedUntilDay <= day)
    const place = (sender: Sender, receiver: number) => {
      if (!isOpen(sender, receiver, nowMillis)) return null
      const pair = pairOf(sender, receiver)
      meet(pair)
      counts.letters += 1
      return pair.hidden.place(day, chance)
    }
    const rest = ({ of }: Sender, receiver: number) => {
      for (const sender of senders) {
        if (sender.of === of && sender.pausedUntilDay <= day) restAt(sender, receiver, nowMillis, MEASURED_REST_MILLIS)
      }
    }
    for (const measure of measures) measure.send(writing, nowMillis, place, rest)
  }

  for (; day < DAYS_MAX && counts.inboxed < times * INBOXED; day += 1) {
    pairs.forEach((of, domain) =>
      of.forEach(({ hidden }, receiver) => shuns[domain]?.[receiver] === day && hidden.shun(day + 20))
    )
    startDay()
    hear()
    if (day % 7 < 5) {
      const sentToday = new Map<string, number>()
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const atMillis = day * DAY_MILLIS + (9 + slot) * HOUR_MILLIS
        if (LETTER_SLOTS.includes(slot)) sendLetters(atMillis)
        for (const sender of senders) {
          if (isIdle(sender, day)) continue
          let before = sentToday.get(sender.mailboxId) ?? 0
          const share = Math.ceil(leftOf(sender, before) / (SLOTS - slot))
          for (let index = 0; index < share && sender.pausedUntilDay <= day; index += 1) {
            const receiver = leftOf(sender, before) > 0 ? next(sender, atMillis) : null
            if (receiver === null) break
            send(sender, receiver, atMillis)
            before += 1
          }
          sentToday.set(sender.mailboxId, before)
        }
      }
      hear()
    }
    for (const of of pairs) counts.rates += (of[TELLS_RATES]?.hidden.inboxedToday ?? 0) >= RATES_MIN ? 1 : 0
    for (const { hidden } of pairs.flat()) hidden.endDay()
  }

  return {
    ...counts,
    days: day,
    pairs: pairs.flat().map(({ degradedAt, foundAt, isRested, isSlowed, tried, worst }) => ({
      reaction: worst,
      foundAfter: degradedAt === null || foundAt === null ? null : foundAt - degradedAt,
      triedSince: degradedAt === null ? 0 : tried - degradedAt,
      isRested,
      isSlowed
    }))
  }
}
