/**
 * `.ci/run` sets it, and then everything is checked. `npm test` alone checks a sample where cases are alike: cuts in code that
 * all vendors share, and long stories that differ by a seed. A fault between the samples is found only by the thorough run.
 */
export const isThorough = process.env["OUTBOUND_TESTS"] === "thorough"

/** The number of repetitions: thorough, or quick. */
export const rounds = (thorough: number, quick: number): number => (isThorough ? thorough : quick)

/** Prime, so that samples fall on different places of repeated structures. */
const STRIDE = 37

/** The offsets from 0 to `end` to check: all, or every 37th and those next to an edge. */
export const offsetsTo = (end: number, edges: ReadonlyArray<number>): ReadonlyArray<number> =>
  Array.from({ length: end + 1 }, (_none, at) => at).filter(
    (at) => isThorough || at % STRIDE === 0 || edges.some((edge) => Math.abs(at - edge) <= 1)
  )
