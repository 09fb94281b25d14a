/** The most characters of a text that is searched for. */
const SEARCH_CHARS_MAX = 200

/** What was typed into a search; null where it was nothing. What no store holds is found nowhere. */
export const searchOf = (typed: string | null): string | null => {
  const text = (typed ?? "")
    .replaceAll(/[\0\p{Cs}]/gu, "\uFFFD")
    .trim()
    .slice(0, SEARCH_CHARS_MAX)
  return text === "" ? null : text
}
