/**
 * Randomness without a state: every draw is a hash of a seed and of what is drawn, so that nothing depends on the
 * order in which the world is asked. 32-bit integer arithmetic only: the same on every machine.
 */

const scramble = (x: number): number => {
  let h = x | 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return (h ^ (h >>> 15)) >>> 0
}

/** An unsigned 32-bit hash of three integers. */
export const hash = (seed: number, what: number, index: number): number =>
  scramble(scramble(scramble(seed ^ 0x9e3779b9) + Math.imul(what, 0x85ebca6b)) + Math.imul(index, 0xc2b2ae35))

/** An unsigned 32-bit hash of a text and a seed. */
export const hashText = (seed: number, text: string): number => {
  let h = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return scramble(h)
}

/** A hash as a share, 0 inclusive to 1 exclusive. */
export const share = (hashed: number): number => hashed / 0x1_0000_0000

/** One of a list that is known not to be empty. */
export const pick = <A>(hashed: number, from: ReadonlyArray<A>): A => from[hashed % from.length] as A

/** The running totals of a list of weights, for `pickWeighted`. */
export const cumulate = (weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  let total = 0
  return weights.map((weight) => (total += weight))
}

/** An index, as often as its weight says. */
export const pickWeighted = (hashed: number, cumulated: ReadonlyArray<number>): number => {
  const total = cumulated[cumulated.length - 1] ?? 0
  const at = share(hashed) * total
  let low = 0
  let high = cumulated.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (at < (cumulated[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}
