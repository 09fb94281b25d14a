/** Latencies in buckets that grow by two per cent, so that those of several rounds add up. */

const GROWTH = Math.log(1.02)
const FIRST_MILLIS = 0.01

export const bucketOf = (millis: number): number =>
  Math.max(0, Math.round(Math.log(Math.max(millis, FIRST_MILLIS) / FIRST_MILLIS) / GROWTH))

const millisOf = (bucket: number): number => FIRST_MILLIS * Math.exp(bucket * GROWTH)

export type Counts = Readonly<Record<number, number>>

/** The latency that this share of the calls did not exceed, in milliseconds. */
export const percentile = (rounds: ReadonlyArray<Counts>, share: number): number => {
  const sums = new Map<number, number>()
  for (const counts of rounds) {
    for (const [bucket, count] of Object.entries(counts)) {
      sums.set(Number(bucket), (sums.get(Number(bucket)) ?? 0) + count)
    }
  }
  const sorted = [...sums].sort(([a], [b]) => a - b)
  const rank = sorted.reduce((sum, [, count]) => sum + count, 0) * share
  let below = 0
  for (const [bucket, count] of sorted) {
    below += count
    if (below >= rank) return millisOf(bucket)
  }
  return 0
}
