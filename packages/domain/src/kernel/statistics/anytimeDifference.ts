/**
 * How much more often an outcome comes to one group than to another, with an interval that holds at every look: however often
 * somebody looks, and whenever they stop, the interval misses the truth at any of the looks at most in `error` of cases.
 *
 * Both groups are drawn by chance at one moment and keep their size; outcomes come over time, each to a person at most once. Let
 * `F(t)` be the chance that a person of a group has had it by `t`, whatever its course. The moments of a group's outcomes, as
 * `F` of them, are the order statistics `U(i)` of `n` uniform numbers, and by Chernoff
 * `P(U(i) <= u) <= exp(-n KL(i/n, u))` for `u < i/n`, and the same from above. Weights `1 / (i (i + 1))` sum to one, so
 * the largest of all `n KL(i/n, U(i)) - log(i (i + 1))` exceeds `c` with a chance of at most `exp(-c)`, and the sum of one
 * such for each group, which are independent, with at most `(1 + c) exp(-c)`. What is within is the interval. It assumes
 * nothing else: no model, no even rate, no number of looks. It is wide for it.
 */

/** A group: how many people, and how many of them have had the outcome. */
export interface Arm {
  readonly people: number
  readonly outcomes: number
}

/** The share of the first group less that of the second. */
export interface Difference {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

const STEPS = 50

const term = (a: number, b: number): number => (a === 0 ? 0 : a * Math.log(a / b))

/** The relative entropy of two coins. */
const divergence = (a: number, b: number): number => term(a, b) + term(1 - a, 1 - b)

/** Halves until the place where a falling condition ends is known. */
const lastWhere = (from: number, to: number, holds: (at: number) => boolean): number => {
  let [inside, outside] = [from, to]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (inside + outside) / 2
    if (holds(middle)) inside = middle
    else outside = middle
  }
  // Outside, so that rounding makes no interval narrower.
  return outside
}

/** The chance farthest from the group's share, towards `end`, that costs at most `budget`. */
const farthest = ({ outcomes, people }: Arm, end: 0 | 1, budget: number): number => {
  const share = outcomes / people
  if (share === end || budget <= 0) return share
  return lastWhere(share, end, (at) => at === end || people * divergence(share, at) <= budget)
}

/** The `c` at which `(1 + c) exp(-c)` is `error`. */
const levelOf = (error: number): number => lastWhere(0, 1_000, (c) => (1 + c) * Math.exp(-c) >= error)

const logWeight = (i: number): number => (i < 1 ? 0 : Math.log(i * (i + 1)))

/** The lowest difference that the outcomes allow. */
const lowest = (first: Arm, second: Arm, level: number): number => {
  const budget = level + logWeight(first.outcomes) + logWeight(second.outcomes + 1)
  // Convex in how the budget is shared.
  const at = (share: number): number => farthest(first, 0, share) - farthest(second, 1, budget - share)
  let [from, to] = [0, budget]
  for (let step = 0; step < STEPS; step += 1) {
    const third = (to - from) / 3
    if (at(from + third) <= at(to - third)) to -= third
    else from += third
  }
  return Math.max(-1, at((from + to) / 2))
}

/** The difference of two groups so far. Null: one of them is empty, so nothing can be said. */
export const anytimeDifference = (first: Arm, second: Arm, error = 0.05): Difference | null => {
  if (first.people < 1 || second.people < 1) return null
  const level = levelOf(error / 2)
  return {
    estimate: first.outcomes / first.people - second.outcomes / second.people,
    low: lowest(first, second, level),
    high: -lowest(second, first, level)
  }
}
