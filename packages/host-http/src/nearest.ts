/** The number of letters to add, drop, change or swap to make one word of the other. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(
        Math.min(
          (row[j - 1] ?? 0) + 1,
          (last[j] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
        )
      )
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

/** "Did you mean …?", where one of the words is what was probably meant; otherwise empty. */
export const didYouMean = (word: string, known: ReadonlyArray<string>): string => {
  const [closest] = known
    .map((name) => ({ name, letters: distance(word, name) }))
    .toSorted((a, b) => a.letters - b.letters)
  const isClose = closest !== undefined && closest.letters <= Math.max(1, Math.floor(closest.name.length / 3))
  return isClose ? ` Did you mean ${closest.name}?` : ""
}
