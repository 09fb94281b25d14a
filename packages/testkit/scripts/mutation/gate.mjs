/** When what a sample's tests noticed says that files no longer hold what they are held to. */

/** Of the faults of held files that are not known to change nothing, so many must be noticed. */
export const HELD_SCORE_LEAST = 0.9

/** How rarely files that do hold may fail a sample by its draw alone. */
const UNLUCKY_MAX = 0.05

/** How likely it is that of `tried` faults `noticed` or fewer are noticed, where each is with a chance of `score`. */
export const chanceOfSoFew = ({ tried, noticed }, score) => {
  const ways = (count) => {
    let product = 1
    for (let each = 1; each <= count; each++) product *= (tried - count + each) / each
    return product
  }
  let chance = 0
  for (let count = 0; count <= noticed; count++) chance += ways(count) * score ** count * (1 - score) ** (tried - count)
  return Math.min(1, chance)
}

/**
 * A sample of some twenty faults is below 90 % in one of six draws from files that hold 93 %, so what it has to show is that
 * its files do not hold: so few would be noticed by its draw in less than one of twenty. All faults of a file have no draw.
 */
export const isHeld = ({ tried, noticed, isDrawn }) =>
  noticed >= HELD_SCORE_LEAST * tried || (isDrawn && chanceOfSoFew({ tried, noticed }, HELD_SCORE_LEAST) > UNLUCKY_MAX)
