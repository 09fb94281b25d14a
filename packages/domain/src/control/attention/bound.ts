/** How often, at most, a bound is too low: it is right in 95 of 100 draws. */
export const CONFIDENCE = 0.95
const ALPHA = 1 - CONFIDENCE

/** Floats round: a probability that is so close counts as large enough, which only makes a bound higher. */
const ROUNDING = 1e-9

const made = { values: new Float64Array([0]) }

/** Logarithms of factorials up to `n`, kept: each page asks for the same ones. */
const logFactorials = (n: number): Float64Array => {
  if (made.values.length > n) return made.values
  const values = new Float64Array(Math.max(n + 1, 8_192))
  for (let i = 1; i < values.length; i += 1) values[i] = (values[i - 1] ?? 0) + Math.log(i)
  made.values = values
  return values
}

/** What was drawn at random, without putting back, out of how many. */
export interface Drawn {
  readonly population: number
  readonly looked: number
  /** Of those looked at. */
  readonly wrong: number
}

/** The probability to find at most so many wrong ones if there are `wrongInAll` (hypergeometric). */
export const chanceOfAtMost = ({ looked, population, wrong }: Drawn, wrongInAll: number): number => {
  const log = logFactorials(population)
  const choose = (n: number, k: number): number => (log[n] ?? 0) - (log[k] ?? 0) - (log[n - k] ?? 0)
  const rightInAll = population - wrongInAll
  let sum = 0
  for (let found = Math.max(0, looked - rightInAll); found <= Math.min(wrong, wrongInAll, looked); found += 1) {
    sum += Math.exp(choose(wrongInAll, found) + choose(rightInAll, looked - found) - choose(population, looked))
  }
  return sum
}

/**
 * The most that can be wrong in the whole population, of what is not very unlikely after what was found: the exact upper
 * bound of one side. It counts the wrong ones that were found.
 */
export const wrongAtMost = (drawn: Drawn): number => {
  let low = drawn.wrong
  let high = drawn.population - drawn.looked + drawn.wrong
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (chanceOfAtMost(drawn, middle) >= ALPHA - ROUNDING) low = middle
    else high = middle - 1
  }
  return low
}

/** The fewest to look at so that, if none of them is wrong, at most this share of all can be. */
export const enoughFor = (population: number, share: number): number => {
  let low = 0
  let high = population
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (wrongAtMost({ population, looked: middle, wrong: 0 }) <= share * population) high = middle
    else low = middle + 1
  }
  return low
}
