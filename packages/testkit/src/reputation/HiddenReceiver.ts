import type { Chance } from "../simulation/Chance.js"

/** What a receiver does with mail of a sender that it thinks little of, mildest first. Each receiver does some of it. */
export const REACTIONS = ["junks", "throttles", "blocks"] as const
export type Reaction = (typeof REACTIONS)[number]

/** Rules that no sender knows. */
export interface HiddenRule {
  /** Below this reputation it does so; absent: it never does. */
  readonly below: Readonly<Partial<Record<Reaction, number>>>
  /** So many messages a day of one domain surprise nobody. */
  readonly allowed: number
  /** So many times its usual volume of a day neither. */
  readonly growth: number
  /** What twice the tolerated volume costs, and twice the tolerated complaints, each day. */
  readonly volumeCost: number
  readonly complaintCost: number
  /** Of the mail in the inbox so much may be complained of. */
  readonly complaintsMax: number
  /** Regained on a day without offence. */
  readonly recovery: number
}

export const between = (chance: Chance, low: number, high: number): number =>
  low + (high - low) * chance.nextDoubleUnsafe()

/** Which reactions a receiver has, and how often there is one like it. */
const KINDS: ReadonlyArray<readonly [share: number, ...reactions: ReadonlyArray<Reaction>]> = [
  [0.35, "junks", "throttles", "blocks"],
  [0.25, "throttles", "blocks"],
  [0.15, "throttles"],
  [0.15, "blocks"],
  [0.1, "junks"]
]

export const drawRule = (chance: Chance): HiddenRule => {
  let left = chance.nextDoubleUnsafe()
  const kind = KINDS.find(([share]) => (left -= share) < 0)
  const reactions = (kind?.slice(1) ?? REACTIONS) as ReadonlyArray<Reaction>
  const tops: Readonly<Record<Reaction, number>> = {
    junks: between(chance, 0.45, 0.55),
    throttles: between(chance, 0.35, 0.45),
    blocks: between(chance, 0.15, 0.3)
  }
  return {
    below: Object.fromEntries(reactions.map((one) => [one, tops[one]])),
    allowed: Math.round(between(chance, 5, 15)),
    growth: between(chance, 1.3, 1.8),
    volumeCost: between(chance, 0.1, 0.3),
    complaintCost: between(chance, 0.05, 0.15),
    complaintsMax: between(chance, 0.001, 0.003),
    recovery: between(chance, 0.02, 0.05)
  }
}

/** Of all mail that a receiver takes from senders that it thinks well of, so much is filed as junk, and of others. */
const JUNKED = { healthy: 0.02, degraded: 0.8 } as const
/** Addresses that do not exist. */
const UNKNOWN = 0.01
/** Complaints are remembered for a month, and fewer than two (one of today, one of lately) are none. */
const REMEMBERED_DAYS = 30
const COMPLAINTS_MIN = 1.5

/** What a receiver thinks of one sending domain. */
export class HiddenPair {
  #reputation: number
  #usual = 0
  #today = { messages: 0, bounces: 0, inbox: 0 }
  #month = { inbox: 0, complaints: 0 }
  #shunnedUntil = -1

  constructor(
    readonly rule: HiddenRule,
    /** How likely one of its people reports a message of the domain that lies in the inbox. */
    readonly resentment: number,
    chance: Chance
  ) {
    this.#reputation = between(chance, 0.6, 0.9)
  }

  get inboxedToday(): number {
    return this.#today.inbox
  }

  /** For reasons of its own it thinks nothing of the domain for some days. */
  shun(untilDay: number): void {
    this.#shunnedUntil = untilDay
  }

  #reactions(day: number): ReadonlyArray<Reaction> {
    const reputation = day < this.#shunnedUntil ? 0 : this.#reputation
    return REACTIONS.filter((one) => reputation < (this.rule.below[one] ?? -1))
  }

  /** What it does with the domain's mail: the most that applies; null: nothing. */
  reaction(day: number): Reaction | null {
    return this.#reactions(day).at(-1) ?? null
  }

  /** Takes one message, or does not. */
  receive(day: number, chance: Chance): "inbox" | "junk" | "refused" | "bounced" {
    if (chance.nextDoubleUnsafe() < UNKNOWN) {
      this.#today.messages += 1
      this.#today.bounces += 1
      return "bounced"
    }
    const place = this.place(day, chance)
    if (place === "inbox") {
      this.#month.inbox += 1
      this.#today.inbox += 1
    }
    return place
  }

  /** The same of a letter to a mailbox that the sender knows to exist. */
  place(day: number, chance: Chance): "inbox" | "junk" | "refused" {
    this.#today.messages += 1
    const reactions = this.#reactions(day)
    const refuses = reactions.includes("blocks") ? 0.9 : reactions.includes("throttles") ? 0.4 : 0.003
    if (chance.nextDoubleUnsafe() < refuses) return "refused"
    const junked = reactions.includes("junks") ? JUNKED.degraded : JUNKED.healthy
    return chance.nextDoubleUnsafe() < junked ? "junk" : "inbox"
  }

  complained(): void {
    this.#month.complaints += 1
  }

  /** At midnight. */
  endDay(): void {
    const { bounces, messages } = this.#today
    const { allowed, complaintCost, complaintsMax, growth, recovery, volumeCost } = this.rule
    const tolerated = Math.max(allowed, growth * this.#usual)
    const tooMany = Math.max(0, messages / tolerated - 1)
    const { complaints, inbox } = this.#month
    const isUnwanted = messages > 0 && complaints > COMPLAINTS_MIN
    const unwanted = isUnwanted ? Math.min(2, Math.max(0, complaints / inbox / complaintsMax - 1)) : 0
    const unknown = messages === 0 ? 0 : Math.max(0, bounces / Math.max(20, messages) - 0.05)
    const cost = volumeCost * tooMany + complaintCost * unwanted + unknown
    this.#reputation = Math.min(1, Math.max(0, this.#reputation + (cost === 0 ? recovery : -cost)))
    // A week's memory.
    this.#usual += (messages - this.#usual) / 5
    this.#today = { messages: 0, bounces: 0, inbox: 0 }
    const kept = 1 - 1 / REMEMBERED_DAYS
    this.#month = { inbox: inbox * kept, complaints: complaints * kept }
  }
}
