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
  /** What twice the tolerated volume costs, and a complaint in a hundred messages. */
  readonly volumeCost: number
  readonly complaintCost: number
  /** Regained on a day without offence. */
  readonly recovery: number
}

const between = (chance: Chance, low: number, high: number): number => low + (high - low) * chance.nextDoubleUnsafe()

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
    recovery: between(chance, 0.02, 0.05)
  }
}

/** What a receiver thinks of one sending domain. */
export class HiddenPair {
  #reputation: number
  #usual = 0
  #today = { messages: 0, complaints: 0, bounces: 0 }
  #shunnedUntil = -1

  constructor(
    readonly rule: HiddenRule,
    /** How likely one of its people reports a message of the domain. */
    readonly resentment: number,
    chance: Chance
  ) {
    this.#reputation = between(chance, 0.6, 0.9)
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
    this.#today.messages += 1
    if (chance.nextDoubleUnsafe() < 0.01) {
      this.#today.bounces += 1
      return "bounced"
    }
    const reactions = this.#reactions(day)
    const refuses = reactions.includes("blocks") ? 0.9 : reactions.includes("throttles") ? 0.4 : 0.003
    if (chance.nextDoubleUnsafe() < refuses) return "refused"
    return reactions.includes("junks") && chance.nextDoubleUnsafe() < 0.8 ? "junk" : "inbox"
  }

  complained(): void {
    this.#today.complaints += 1
  }

  /** At midnight. */
  endDay(): void {
    const { bounces, complaints, messages } = this.#today
    const { allowed, complaintCost, growth, recovery, volumeCost } = this.rule
    const tolerated = Math.max(allowed, growth * this.#usual)
    const tooMany = Math.max(0, messages / tolerated - 1)
    const percent = messages === 0 ? 0 : (100 * complaints) / Math.max(20, messages)
    const unknown = messages === 0 ? 0 : Math.max(0, bounces / Math.max(20, messages) - 0.05)
    const cost = volumeCost * tooMany + complaintCost * percent + unknown
    this.#reputation = Math.min(1, Math.max(0, this.#reputation + (cost === 0 ? recovery : -cost)))
    // A week's memory.
    this.#usual += (messages - this.#usual) / 5
    this.#today = { messages: 0, complaints: 0, bounces: 0 }
  }
}
