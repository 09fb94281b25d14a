/** Figures of how two lists of names agree: rules beside labels, or one person's labels beside another's. */

/** What is true and what was read, of one text. */
export type Pair<Name extends string> = readonly [truth: Name, read: Name]

export interface Score {
  readonly texts: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** A share of nothing is 1: nothing went wrong. */
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)

export const scoreOf = <Name extends string>(pairs: ReadonlyArray<Pair<Name>>, name: Name): Score => {
  const texts = pairs.filter(([truth]) => truth === name).length
  const read = pairs.filter(([, as]) => as === name).length
  const right = pairs.filter(([truth, as]) => truth === name && as === name).length
  return { texts, precision: share(right, read), recall: share(right, texts), f1: share(2 * right, texts + read) }
}

/** The mean of the names' F1, each with the same weight. */
export const macroF1 = <Name extends string>(pairs: ReadonlyArray<Pair<Name>>, names: ReadonlyArray<Name>): number =>
  names.reduce((sum, name) => sum + scoreOf(pairs, name).f1, 0) / names.length

/** The share of pairs that agree. */
export const agreement = <Name extends string>(pairs: ReadonlyArray<Pair<Name>>): number =>
  share(pairs.filter(([truth, read]) => truth === read).length, pairs.length)

/** Cohen's kappa: agreement beyond what chance would give. */
export const kappa = <Name extends string>(pairs: ReadonlyArray<Pair<Name>>, names: ReadonlyArray<Name>): number => {
  const byChance = names.reduce((sum, name) => {
    const first = pairs.filter(([one]) => one === name).length
    const second = pairs.filter(([, other]) => other === name).length
    return sum + (first / pairs.length) * (second / pairs.length)
  }, 0)
  return share(agreement(pairs) - byChance, 1 - byChance)
}

/** How often each name (row) was read as each name (column). */
export const confusion = <Name extends string>(
  pairs: ReadonlyArray<Pair<Name>>,
  names: ReadonlyArray<Name>
): ReadonlyArray<readonly [Name, ReadonlyArray<number>]> =>
  names.map((truth) => [truth, names.map((as) => pairs.filter(([one, other]) => one === truth && other === as).length)])
