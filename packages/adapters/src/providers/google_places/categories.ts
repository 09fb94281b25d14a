import { fold } from "@outbound/domain/data/matching/verdicts.js"

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) =>
      word.length > 4 && word.endsWith("ies")
        ? `${word.slice(0, -3)}y`
        : word.length > 3 && /(ss|sh|ch|x)es$/.test(word)
          ? word.slice(0, -2)
          : word.length > 3 && word.endsWith("s") && !word.endsWith("ss")
            ? word.slice(0, -1)
            : word
    )

/**
 * Of the categories that were asked for, the one that a type of a place names: "dentists" is `dentist`, and
 * "Italian restaurant" `italian_restaurant`. Null: its types don't say.
 */
export const categoryAmong = (categories: ReadonlyArray<string>, types: ReadonlyArray<string>): string | null => {
  const named = types.map((type) => wordsOf(type).join(" "))
  return categories.find((category) => named.includes(wordsOf(category).join(" "))) ?? null
}

/** A type in words: `dental_clinic` is "dental clinic". */
export const inWords = (type: string | null): string | null => type?.replaceAll("_", " ") ?? null
