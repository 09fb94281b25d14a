/**
 * What can be known of mail that a receiver files as junk without a word. Answers come from the inbox alone, or hardly ever
 * from junk; so fewer of them come back. How many messages must have been silent before that says anything?
 */

/** Of `trials`, each with the chance `p`, how likely is it that exactly `hits` succeed. */
export const binomial = (trials: number, p: number, hits: number): number => {
  if (p <= 0 || p >= 1) return hits === (p <= 0 ? 0 : trials) ? 1 : 0
  let log = hits * Math.log(p) + (trials - hits) * Math.log(1 - p)
  for (let index = 1; index <= hits; index += 1) log += Math.log((trials - hits + index) / index)
  return Math.exp(log)
}

export interface Two {
  /** How often a message draws an answer where it lies in the inbox, and where the receiver files as junk. */
  readonly healthy: number
  readonly degraded: number
}

/**
 * The most that any rule finds of degraded pairs after so many messages, if it may suspect so many of the healthy ones. By
 * Neyman and Pearson no rule finds more than the one that suspects the fewest answers first, and draws lots at its edge.
 * A rule that looks after each message finds no more of them: it could wait until the last and know all that it knew.
 */
export const powerOf = (messages: number, { degraded, healthy }: Two, falseAlarms: number): number => {
  let left = falseAlarms
  let found = 0
  // Fewer answers speak for junk, more for the inbox, in this order.
  for (let answers = 0; answers <= messages && left > 0; answers += 1) {
    const alarm = binomial(messages, healthy, answers)
    const share = Math.min(1, left / alarm)
    found += share * binomial(messages, degraded, answers)
    left -= share * alarm
  }
  return found
}

/** After how many messages a rule may find so many; null: not within `most`. */
export const messagesFor = (power: number, two: Two, falseAlarms: number, most = 2_000): number | null => {
  for (let messages = 1; messages <= most; messages += 1) {
    if (powerOf(messages, two, falseAlarms) >= power) return messages
  }
  return null
}

/** The same of letters that were looked for in their mailbox: junk speaks for junk. */
export const placementPower = (letters: number, junk: Two, falseAlarms: number): number =>
  powerOf(letters, { healthy: 1 - junk.healthy, degraded: 1 - junk.degraded }, falseAlarms)
