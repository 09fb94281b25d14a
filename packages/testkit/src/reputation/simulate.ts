/**
 * Mail to receivers that judge senders by rules nobody sees, sent by the service's own pure rules: the ramp, the rests and the
 * breaker. Everything follows from the seed; no store, no clock.
 */
import { backoff } from "@outbound/domain/kernel/backoff.js"
import { DAY_MILLIS, HOUR_MILLIS } from "@outbound/domain/kernel/durations.js"
import { DEFAULT_CAPS } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { REPORTERS_MIN, unhealthy } from "@outbound/domain/outreach/sending/Breaker.js"
import { DayRamps } from "@outbound/domain/outreach/sending/forecastRamp.js"
import { rampsOn, UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { RECEIVER_REST_MILLIS, REFUSALS_MILLIS, refusalVerdict } from "@outbound/domain/outreach/sending/refusals.js"
import { UseBook } from "@outbound/domain/outreach/sending/UseBook.js"
import { Chance } from "../simulation/Chance.js"
import { drawRule, HiddenPair, type Reaction } from "./HiddenReceiver.js"

/** `use`: the ramp of today. `age`: the one before it, by the days since a mailbox was added. */
export type Policy = "use" | "age"

const DOMAINS = 3
const MAILBOXES = 4
/** How much of the mail goes to each receiver: two large ones, as in life. */
const SHARES = [0.35, 0.3, 0.1, 0.08, 0.06, 0.05, 0.04, 0.02]
/** A run ends with so many messages, whatever the days that takes. */
const MESSAGES = 4_000
const DAYS_MAX = 400
/** An owner lets a paused mailbox go on after so long. */
const PAUSE_DAYS = 2
const SLOTS = 8

/** The steps of the ramp by age, of which the last held until the mailbox was 28 days old. */
const BY_AGE: ReadonlyArray<readonly [beforeDay: number, sends: number]> = [
  [3, 5],
  [7, 8],
  [14, 12],
  [21, 16],
  [28, 20]
]

interface Sent {
  readonly receiver: number
  readonly atMillis: number
  readonly isRefused: boolean
  readonly isBounced: boolean
  readonly isComplaint: boolean
}

interface Sender {
  readonly mailboxId: string
  readonly domain: string
  readonly of: number
  readonly sent: Array<Sent>
  readonly rests: Map<number, { untilMillis: number; times: number }>
  activeAtMillis: number
  pausedUntilDay: number
  /** It has nobody to write to in these days. */
  readonly idle: ReadonlyArray<readonly [from: number, until: number]>
}

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
  readonly complaints: number
  /** Complaints that the service heard of. */
  readonly heard: number
  readonly refused: number
  readonly junked: number
  readonly days: number
}

interface Pair {
  readonly hidden: HiddenPair
  worst: Reaction | null
  tried: number
  degradedAt: number | null
  foundAt: number | null
  isRested: boolean
  isSlowed: boolean
}

const nameOf = (receiver: number): string => `receiver-${receiver}.test`

/** A world, which is the same for both policies. */
const worldOf = (seed: number) => {
  const chance = new Chance(seed)
  const rules = SHARES.map(() => drawRule(chance))
  const hasFeedback = SHARES.map((_, receiver) => receiver !== 0 && chance.nextDoubleUnsafe() < 0.6)
  const pairs = Array.from({ length: DOMAINS }, () =>
    rules.map((rule): Pair => {
      const isResented = chance.nextDoubleUnsafe() < 0.15
      const resentment = isResented ? 0.01 + 0.02 * chance.nextDoubleUnsafe() : 0.0005
      const hidden = new HiddenPair(rule, resentment, chance)
      return { hidden, worst: null, tried: 0, degradedAt: null, foundAt: null, isRested: false, isSlowed: false }
    })
  )
  /** Days on which a receiver begins to shun a domain, for 20 days. */
  const shuns = pairs.map((of) => of.map(() => (chance.nextDoubleUnsafe() < 0.1 ? chance.integer(60) : null)))
  const senders = Array.from({ length: DOMAINS * MAILBOXES }, (_, index): Sender => {
    const pause = 5 + chance.integer(60)
    return {
      mailboxId: `mailbox-${index}`,
      domain: `domain-${index % DOMAINS}.test`,
      of: index % DOMAINS,
      sent: [],
      rests: new Map(),
      activeAtMillis: 0,
      pausedUntilDay: 0,
      idle: chance.nextDoubleUnsafe() < 0.5 ? [[pause, pause + 10 + chance.integer(15)]] : []
    }
  })
  return { hasFeedback, pairs, shuns, senders, chance: new Chance(seed + 1_000_003) }
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
  const last = sent.filter(({ atMillis, isRefused }) => atMillis >= activeAtMillis && !isRefused).slice(-500)
  return {
    sent: last.length,
    hardBounces: last.filter(({ isBounced }) => isBounced).length,
    complaints: last.filter(({ isComplaint }) => isComplaint).length
  }
}

/** One run. Both policies meet the same receivers, people and idle weeks. */
export const simulateReputation = (seed: number, policy: Policy): ReputationRun => {
  const { chance, hasFeedback, pairs, senders, shuns } = worldOf(seed)
  const book = new UseBook(
    senders.map(({ domain, mailboxId }) => ({ mailboxId, domain, ...UNDECLARED })),
    []
  )
  const counts = { messages: 0, complaints: 0, heard: 0, refused: 0, junked: 0 }
  const { mailboxDailySends } = DEFAULT_CAPS

  const draw = (): number => {
    let left = chance.nextDoubleUnsafe()
    return Math.max(
      0,
      SHARES.findIndex((share) => (left -= share) < 0)
    )
  }

  let ramps = new DayRamps(book, 0)

  const leftOf = (sender: Sender, day: number, sentToday: number): number => {
    if (policy === "age") {
      const ramp = BY_AGE.find(([beforeDay]) => day < beforeDay)?.[1] ?? Infinity
      return Math.min(ramp, mailboxDailySends) - sentToday
    }
    return Math.min(Math.min(mailboxDailySends, ramps.capOf(sender)) - sentToday, ramps.domainLeft(sender))
  }

  const isOpen = (sender: Sender, receiver: number, nowMillis: number): boolean =>
    (sender.rests.get(receiver)?.untilMillis ?? 0) <= nowMillis &&
    (policy === "age" || ramps.hasRoomAt(sender, nameOf(receiver)))

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

  /** What the service does about what it heard of the last message. */
  const judge = (sender: Sender, receiver: number, pair: Pair, last: Sent, day: number) => {
    if (policy === "use") {
      const use = book.of(sender.mailboxId, nameOf(receiver))
      const slowed = use === null ? [] : (rampsOn(use, day).at?.domain.slowed ?? [])
      if (slowed.at(-1)?.day === day) {
        pair.isSlowed = true
        found(pair)
      }
    }
    if (last.isRefused) {
      const verdict = refusalVerdict(refusalsOf(sender, receiver, last.atMillis), DEFAULT_CAPS)
      if (verdict === "receiver") {
        const times = (sender.rests.get(receiver)?.times ?? 0) + 1
        sender.rests.set(receiver, { untilMillis: last.atMillis + backoff(times, RECEIVER_REST_MILLIS), times })
        pair.isRested = true
        found(pair)
      }
      if (verdict === "mailbox") sender.pausedUntilDay = day + PAUSE_DAYS
    }
    if (unhealthy(healthOf(sender), REPORTERS_MIN) !== null) sender.pausedUntilDay = day + PAUSE_DAYS
    if (sender.pausedUntilDay > day) sender.activeAtMillis = sender.pausedUntilDay * DAY_MILLIS
  }

  const send = (sender: Sender, receiver: number, day: number, atMillis: number) => {
    const pair = pairs[sender.of]?.[receiver]
    if (pair === undefined) throw new Error("there is no such receiver")
    const reaction = pair.hidden.reaction(day)
    if (reaction !== null) {
      pair.degradedAt ??= pair.tried
      pair.worst = reaction
    }
    const outcome = pair.hidden.receive(day, chance)
    // Who finds it in the junk folder reports it to nobody.
    const isComplaint = outcome === "inbox" && chance.nextDoubleUnsafe() < pair.hidden.resentment
    if (isComplaint) pair.hidden.complained()
    const isHeard = isComplaint && hasFeedback[receiver] === true
    const isRefused = outcome === "refused"
    const isBounced = outcome === "bounced"
    const last: Sent = { receiver, atMillis, isRefused, isBounced, isComplaint: isHeard }
    sender.sent.push(last)
    pair.tried += 1
    counts.messages += 1
    counts.complaints += isComplaint ? 1 : 0
    counts.heard += isHeard ? 1 : 0
    counts.refused += isRefused ? 1 : 0
    counts.junked += outcome === "junk" ? 1 : 0
    if (!isRefused && !isBounced && !isHeard) return ramps.note(sender, nameOf(receiver))
    book.add(sender.mailboxId, nameOf(receiver), {
      day,
      taken: isRefused ? 0 : 1,
      delivered: 0,
      refused: isRefused ? 1 : 0,
      bounced: isBounced ? 1 : 0,
      complained: isHeard ? 1 : 0
    })
    // What was known of the day may be over.
    ramps = new DayRamps(book, day)
    judge(sender, receiver, pair, last, day)
  }

  let day = 0
  for (; day < DAYS_MAX && counts.messages < MESSAGES; day += 1) {
    pairs.forEach((of, domain) =>
      of.forEach(({ hidden }, receiver) => shuns[domain]?.[receiver] === day && hidden.shun(day + 20))
    )
    if (day % 7 < 5) {
      const sentToday = new Map<string, number>()
      ramps = new DayRamps(book, day)
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const atMillis = day * DAY_MILLIS + (9 + slot) * HOUR_MILLIS
        for (const sender of senders) {
          if (sender.idle.some(([from, until]) => day >= from && day < until)) continue
          let before = sentToday.get(sender.mailboxId) ?? 0
          const share = Math.ceil(leftOf(sender, day, before) / (SLOTS - slot))
          for (let index = 0; index < share && sender.pausedUntilDay <= day; index += 1) {
            const receiver = leftOf(sender, day, before) > 0 ? next(sender, atMillis) : null
            if (receiver === null) break
            send(sender, receiver, day, atMillis)
            before += 1
          }
          sentToday.set(sender.mailboxId, before)
        }
      }
    }
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
