/** `.ci/run` says `thorough`, `npm test` alone `quick`; a file that is named to vitest is run whatever it is. */
const asked = process.env["OUTBOUND_TESTS"]

/**
 * Everything is checked. Otherwise a sample where cases are alike: cuts in code that all vendors share, and long stories that
 * differ by a seed. A fault between the samples is found only by the thorough run.
 */
export const isThorough = asked === "thorough"

/** Without the files that only `.ci/run` runs (`vitest.share.ts`). */
export const isQuick = asked === "quick"

/** The number of repetitions: thorough, or quick. */
export const rounds = (thorough: number, quick: number): number => (isThorough ? thorough : quick)

/** Prime, so that samples fall on different places of repeated structures. */
const STRIDE = 37

/** Of the offsets from 0 to `end` every 37th, and those next to an edge. */
export const sampleTo = (end: number, edges: ReadonlyArray<number>): ReadonlyArray<number> =>
  Array.from({ length: end + 1 }, (_none, at) => at).filter(
    (at) => at % STRIDE === 0 || edges.some((edge) => Math.abs(at - edge) <= 1)
  )

/** The offsets from 0 to `end` to check: all, or a sample. */
export const offsetsTo = (end: number, edges: ReadonlyArray<number>): ReadonlyArray<number> =>
  isThorough ? Array.from({ length: end + 1 }, (_none, at) => at) : sampleTo(end, edges)
