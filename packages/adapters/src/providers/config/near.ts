/** The largest edit distance of a suggestion. */
const DISTANCE_MAX = 3
const NEAR_MAX = 3

/** The edit distance: letters inserted, removed or changed. */
const distance = (a: string, b: string): number => {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const row = [i + 1]
    for (let j = 1; j <= b.length; j++) {
      const change = (before[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = row
  }
  return before[b.length] ?? 0
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Known names similar to this one, nearest first. */
export const near = (name: string, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = plain(name.slice(0, 64))
  return known
    .map((one) => ({
      one,
      far: plain(one).includes(wanted) && wanted.length > 2 ? 0 : distance(wanted, plain(one))
    }))
    .filter(({ far, one }) => far <= Math.min(DISTANCE_MAX, Math.ceil(one.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, NEAR_MAX)
    .map(({ one }) => one)
}

/** Suggestions for an unknown name: the similar names, else all known ones. */
export const knownInstead = (name: string, known: ReadonlyArray<string>): string => {
  const similar = near(name, known)
  return similar.length > 0 ? `Is ${similar.join(" or ")} meant?` : `Known: ${known.join(", ")}.`
}
