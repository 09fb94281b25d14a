import { fold } from "./phrases.js"

/** Letters of other scripts that look like Latin ones. Filters are evaded with them; we read what a person sees. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    ["абвекмнорстухіѕјԁոս", "abbekmhopctyxisjdnu"],
    ["αβεικνορτυχ", "abeikvoptux"]
  ].flatMap(([from = "", to = ""]) => Array.from(from, (letter, at) => [letter, to.charAt(at)] as const))
)

const LATIN = /[a-z]/
const HIDDEN = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|\u034F/g

/** A word with foreign letters among Latin ones is meant as Latin; a word of foreign letters alone is not. */
const latinised = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) =>
    /[^a-z]/.test(word) && LATIN.test(word)
      ? Array.from(word, (letter) => LOOKALIKES.get(letter) ?? letter).join("")
      : word
  )

/** A letter that was lost on its way is most often an e with an accent: "d\uFFFDsabonner". */
const LOST = /(?<=\p{L}|^|\s|['’])\uFFFD(?=\p{L})|(?<=\p{L})\uFFFD/gu

/** `s t o p`, as it is meant. */
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?: \p{L}){3,}(?![\p{L}\p{N}])/gu

/** The normal form (`fold`) of what a person sees: without hidden characters, lost and look-alike letters, and letters set apart. */
export const plainText = (text: string): string =>
  latinised(fold(text.replace(HIDDEN, "").replace(LOST, "e"))).replace(SPACED, (letters) => letters.replace(/ /g, ""))
