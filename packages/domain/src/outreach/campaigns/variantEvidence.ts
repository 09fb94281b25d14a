/**
 * Which variant of a step brings more answers. The test may be looked at at any time, as often as one likes.
 *
 * Chance gave each person one of the variants, each as likely. If two of them were equally good, then whose of their
 * answers comes next is a fair coin, however many messages are still under way and however slowly people answer. The
 * evidence is a bet against that coin: the likelihood of the answers so far if the share of one variant is unknown (a
 * Beta distribution around one half), divided by that of the coin. On average a bet against a fair coin wins nothing, so
 * it ever multiplies its stake by 20 with a probability of at most 1/20 (Ville's inequality).
 */

/** How likely a winner is named although all variants are equally good, at most. */
export const FALSE_WINNERS_MAX = 0.05

/** Both parameters of the Beta distribution: differences of a half to a double are found soonest. */
const PRIOR = 5

/** The logarithm of the gamma function at a whole number of 1 or more. */
const logGamma = (n: number): number => {
  if (n < 16) {
    let product = 1
    for (let i = 2; i < n; i += 1) product *= i
    return Math.log(product)
  }
  // Stirling's series.
  return (n - 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3)
}

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** By how much two variants' answers multiply a stake on their being different. */
export const evidenceBetween = (answers: number, others: number): number =>
  Math.exp((answers + others) * Math.LN2 + logBeta(PRIOR + answers, PRIOR + others) - logBeta(PRIOR, PRIOR))

export interface Evidence {
  /** The index of the variant with the most answers; null: several have as many. */
  readonly leader: number | null
  /** The evidence for the leader against whichever other variant it beats least. */
  readonly evidence: number
  /** The evidence from which the leader has won. */
  readonly needed: number
}

/**
 * Two variants have one winner too many with the probability of one bet. Of more variants each could be that winner, by
 * the half of the bet that is on its side; the other half, then behind, is worth at most 1.
 */
const neededAmong = (variants: number): number =>
  variants === 2 ? 1 / FALSE_WINNERS_MAX : (variants / FALSE_WINNERS_MAX + 1) / 2

/** What the answers to each variant of a step say. */
export const evidenceFor = (answers: ReadonlyArray<number>): Evidence => {
  const most = Math.max(...answers)
  const leader = answers.indexOf(most)
  const others = answers.filter((_, index) => index !== leader)
  return {
    leader: others.includes(most) ? null : leader,
    evidence: Math.min(...others.map((count) => evidenceBetween(most, count))),
    needed: neededAmong(answers.length)
  }
}

/** The variant that won; null: none has yet. */
export const winnerOf = (answers: ReadonlyArray<number>): number | null => {
  const { evidence, leader, needed } = evidenceFor(answers)
  return evidence >= needed ? leader : null
}
