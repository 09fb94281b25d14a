import { Chance } from "../simulation/Chance.js"
import { drawRule, HiddenPair, type Reaction } from "./HiddenReceiver.js"

export const DOMAINS = 3
const MAILBOXES = 4
/** How much of the mail goes to each receiver: two large ones, as in life. */
export const SHARES = [0.35, 0.3, 0.1, 0.08, 0.06, 0.05, 0.04, 0.02]
/** The largest tells of no complaint, and publishes a rate of days with enough mail. */
export const TELLS_RATES = 0

/** Of complaints: the median of all rates, and how far those of lists lie apart, and those of their receivers (of logarithms). */
const RESENTED = { median: 0.001, ofList: 1.1, ofReceiver: 1.1 } as const

export interface Sent {
  readonly receiver: number
  readonly atMillis: number
  readonly isRefused: boolean
  readonly isBounced: boolean
  /** Heard of so far. */
  isComplaint: boolean
}

export interface Sender {
  readonly mailboxId: string
  readonly domain: string
  readonly of: number
  readonly sent: Array<Sent>
  readonly rests: Map<number, { readonly untilMillis: number; readonly times: number }>
  activeAtMillis: number
  pausedUntilDay: number
  /** It has nobody to write to in these days. */
  readonly idle: ReadonlyArray<readonly [from: number, until: number]>
}

export interface Pair {
  readonly hidden: HiddenPair
  worst: Reaction | null
  tried: number
  degradedAt: number | null
  foundAt: number | null
  isRested: boolean
  isSlowed: boolean
}

export const nameOf = (receiver: number): string => `receiver-${receiver}.test`

/** A number of the normal distribution (Box and Muller). */
const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance.nextDoubleUnsafe())) * Math.cos(2 * Math.PI * chance.nextDoubleUnsafe())

/** A world, which is the same for all policies. `times`: so many times the mailboxes. */
export const worldOf = (seed: number, times: number) => {
  const chance = new Chance(seed)
  const rules = SHARES.map(() => drawRule(chance))
  const hasFeedback = SHARES.map((_, receiver) => receiver !== TELLS_RATES && chance.nextDoubleUnsafe() < 0.6)
  const pairs = Array.from({ length: DOMAINS }, () => {
    const ofList = RESENTED.ofList * normal(chance)
    return rules.map((rule): Pair => {
      const resentment = RESENTED.median * Math.exp(ofList + RESENTED.ofReceiver * normal(chance))
      const hidden = new HiddenPair(rule, Math.min(0.2, resentment), chance)
      return { hidden, worst: null, tried: 0, degradedAt: null, foundAt: null, isRested: false, isSlowed: false }
    })
  })
  /** Days on which a receiver begins to shun a domain, for 20 days. */
  const shuns = pairs.map((of) => of.map(() => (chance.nextDoubleUnsafe() < 0.1 ? chance.integer(60) : null)))
  const senders = Array.from({ length: DOMAINS * MAILBOXES * times }, (_, index): Sender => {
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

export const isIdle = ({ idle }: Sender, day: number): boolean =>
  idle.some(([from, until]) => day >= from && day < until)
