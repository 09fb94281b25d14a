/** Members of these names, all of one value. */
export const membersOf = <N extends string, A>(value: A, names: ReadonlyArray<N>): Readonly<Record<N, A>> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<N, A>
