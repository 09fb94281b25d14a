import type { LookKind } from "../../calls/approvals/Snapshot.js"
import type { SequenceStep } from "../../kernel/sequences/Sequence.js"
import type { ShownPerson } from "../../outreach/launching/content/ContentStore.js"
import { enoughFor, wrongAtMost } from "./bound.js"
import { FAULTS, plant, type Planted } from "./Planted.js"

/** One message to look at: one of the riskiest, one drawn at random, or a planted one. */
export type Item = { readonly kind: "random" | "risky"; readonly shownId: string } | Planted

/** What one person is asked to look at, of one request. Drawn once. */
export interface Plan {
  readonly workspaceId: string
  readonly approvalId: string
  readonly userId: string
  /** What was asked for approval when it was drawn. */
  readonly snapshotDigest: string
  /** Whoever knows it can draw again and get the same. */
  readonly seed: string
  /** How many people the request writes to. */
  readonly people: number
  readonly items: ReadonlyArray<Item>
  readonly drawnAtMillis: number
}

/** What somebody says of an item, by its position. */
export interface Look {
  readonly position: number
  readonly isWrong: boolean
  readonly atMillis: number
}

/** How much may be wrong if nothing that was looked at is, at most. The first is what a rule asks for. */
export const SHARES = [0.1, 0.05, 0.03] as const
export type Share = (typeof SHARES)[number]

/** Most of the riskiest, and the planted ones. */
export const RISKY_MAX = 8
export const PLANTED = 3

const WEIGHTS: Readonly<Partial<Record<LookKind, number>>> = { link: 8, invisible: 8, look_alike: 8, rare: 1 }
const USUAL_WEIGHT = 4

const riskOf = ({ looks }: ShownPerson): number => looks.reduce((sum, look) => sum + (WEIGHTS[look] ?? USUAL_WEIGHT), 0)

/** In an order that only the seed decides. `hash`: a hash of a text, all of whose values are as likely. */
const shuffled = <A>(of: ReadonlyArray<A>, idOf: (one: A) => string, hash: (text: string) => string) =>
  of
    .map((one) => [hash(idOf(one)), one] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, one]) => one)

/** How many are drawn at random, and how many of the riskiest are shown, of so many people. */
export const sizesOf = (people: number, risky: number, share: Share) => {
  const shown = Math.min(RISKY_MAX, risky)
  return { risky: shown, random: enoughFor(people - shown, share) }
}

/** People who weigh more than somebody with a rare value. */
export const isRisky = (person: ShownPerson): boolean => riskOf(person) > 1

/**
 * Draws what to look at: the riskiest people, a random sample of all others, and planted messages, in an order that tells
 * nobody which is which.
 */
export const draw = (given: {
  readonly people: ReadonlyArray<ShownPerson>
  /** The messages as they are worded for a person. */
  readonly sequenceOf: (person: ShownPerson) => ReadonlyArray<SequenceStep>
  readonly share: Share
  readonly seed: string
  readonly sha256: (text: string) => string
}): ReadonlyArray<Item> => {
  const { people, seed, sequenceOf, sha256, share } = given
  const mixed = shuffled(
    people,
    ({ shownId }) => shownId,
    (text) => sha256(`${seed} ${text}`)
  )
  const sizes = sizesOf(people.length, people.filter(isRisky).length, share)
  const risky = mixed
    .filter(isRisky)
    .sort((a, b) => riskOf(b) - riskOf(a))
    .slice(0, sizes.risky)
  const isShown = new Set(risky.map(({ shownId }) => shownId))
  const others = mixed.filter(({ shownId }) => !isShown.has(shownId))
  const random = others.slice(0, sizes.random)
  // Those around whom a fault is planted are not shown themselves, where there are enough people.
  const lenders = [...others.slice(sizes.random), ...random]
  const faults = shuffled(
    FAULTS,
    (fault) => fault,
    (text) => sha256(`${seed} ${text}`)
  )
  const planted = faults
    .flatMap((fault, index) => {
      const lender = lenders[index]
      return lender === undefined ? [] : (plant(fault, sequenceOf(lender), lender) ?? [])
    })
    .slice(0, PLANTED)
  const items: ReadonlyArray<Item> = [
    ...risky.map(({ shownId }) => ({ kind: "risky", shownId }) as const),
    ...random.map(({ shownId }) => ({ kind: "random", shownId }) as const),
    ...planted
  ]
  return shuffled(
    items,
    (item) => `${item.kind} ${item.kind === "planted" ? item.fault : item.shownId}`,
    (text) => sha256(`${seed} order ${text}`)
  )
}

/** What came of looking. */
export interface Found {
  readonly items: number
  readonly looked: number
  readonly isDone: boolean
  /** The position of the first one that nobody has looked at; null: all were. */
  readonly next: number | null
  /** Real messages that were looked at, and those said to be wrong. */
  readonly real: { readonly looked: number; readonly wrong: number }
  readonly planted: { readonly looked: number; readonly caught: number }
  /** The most people whose messages can be wrong, with 95 % confidence, if each fault that was looked at was seen. */
  readonly wrongAtMost: number
  readonly people: number
}

export const foundBy = ({ items, people }: Pick<Plan, "items" | "people">, looks: ReadonlyArray<Look>): Found => {
  const said = new Map(looks.map(({ isWrong, position }) => [position, isWrong]))
  const count = (kind: Item["kind"], isWrong?: boolean): number =>
    items.filter(
      (item, position) =>
        item.kind === kind && said.has(position) && (isWrong === undefined || said.get(position) === isWrong)
    ).length
  const [risky, riskyWrong] = [count("risky"), count("risky", true)]
  const [random, randomWrong] = [count("random"), count("random", true)]
  const looked = items.filter((_, position) => said.has(position)).length
  const next = items.findIndex((_, position) => !said.has(position))
  return {
    items: items.length,
    looked,
    isDone: looked === items.length,
    next: next < 0 ? null : next,
    real: { looked: risky + random, wrong: riskyWrong + randomWrong },
    planted: { looked: count("planted"), caught: count("planted", true) },
    wrongAtMost: riskyWrong + wrongAtMost({ population: people - risky, looked: random, wrong: randomWrong }),
    people
  }
}
