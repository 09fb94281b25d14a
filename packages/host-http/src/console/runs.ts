/** Neighbours that belong together, in their order; each item is in exactly one run. */
export const runsOf = <A>(
  items: ReadonlyArray<A>,
  belongs: (last: A, next: A) => boolean
): ReadonlyArray<readonly [A, ...ReadonlyArray<A>]> => {
  const runs: Array<[A, ...Array<A>]> = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run !== undefined && belongs(run[run.length - 1] ?? run[0], item)) run.push(item)
    else runs.push([item])
  }
  return runs
}
