/**
 * `.ci/run` sets it. `npm test` looks at a sample of what is alike: of code that all vendors share, at every vendor, and
 * of long stories that differ by a seed. Nothing is left to the thorough run that no sample shows.
 */
const isThorough = process.env["OUTBOUND_TESTS"] === "thorough"

/** How often something is done over: so often, or, in a quick run, only so often. */
export const rounds = (thorough: number, quick: number): number => (isThorough ? thorough : quick)

/** No divisor of how wide things are, so that the samples fall on other places of each. */
const STRIDE = 13

/** Which of the offsets from 0 up to `end` to look at: all, or every 13th, and those next to an edge. */
export const offsetsTo = (end: number, edges: ReadonlyArray<number>): ReadonlyArray<number> =>
  Array.from({ length: end + 1 }, (_none, at) => at).filter(
    (at) => isThorough || at % STRIDE === 0 || edges.some((edge) => Math.abs(at - edge) <= 1)
  )
