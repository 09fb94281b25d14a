/** The longest search text. */
const SEARCH_CHARS_MAX = 200

/** The search text, or null if it is empty. Characters that no store holds are replaced. */
export const searchOf = (typed: string | null): string | null => {
  const text = (typed ?? "")
    .replaceAll(/[\0\p{Cs}]/gu, "\uFFFD")
    .trim()
    .slice(0, SEARCH_CHARS_MAX)
  return text === "" ? null : text
}
