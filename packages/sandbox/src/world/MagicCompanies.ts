import { fold } from "./Text.js"

const MAGIC = /^magic-(\d{1,4})$/

/** How many companies a phrase such as `magic-12` asks for; null where it is no such phrase. */
export const magicCount = (phrase: string): number | null => {
  const found = MAGIC.exec(fold(phrase))
  return found === null ? null : Number(found[1])
}

/** The first of the phrases that is magic. */
export const magicPhrase = (
  phrases: ReadonlyArray<string>
): { readonly phrase: string; readonly count: number } | null =>
  phrases
    .flatMap((phrase) => {
      const count = magicCount(phrase)
      return count === null ? [] : [{ phrase: phrase.trim(), count }]
    })
    .at(0) ?? null
