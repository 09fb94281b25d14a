/** What others wrote, within a letter or a message of the service itself. */
import { codePointOf, partsOf } from "../../kernel/text/signs.js"

/** Longest quotation, in characters. */
const QUOTED_CHARS_MAX = 80
/** Longest text of others beside our own words, in characters. */
const INERT_CHARS_MAX = 500

/** Where mail and chat programs would make a link of a text: a scheme, and a dot within a name. */
const SCHEME = /(?<=\b[a-z][a-z0-9+.-]{1,30}):(?=\S)|:(?=\/\/)/giu
/** A mark belongs to the letter before it: a name may be written with its accents apart. */
const INNER_DOT =
  /(?<=[\p{L}\p{M}\p{N}_\p{Extended_Pictographic}-])[.\u3002\uFF0E\uFF61](?=\p{L}\p{M}*\p{L}|\p{Extended_Pictographic})/gu
/** Four numbers that a path or a port follows are an address too. */
const NUMBERS = /\d{1,3}(?:\.\d{1,3}){3}(?=[._\u3002\uFF0E\uFF61-]*[:/])/gu
const INNER_AT = /(?<=\S)@(?=[\p{L}\p{N}])/gu

const short = (text: string, charsMax: number): string => {
  const characters = [...text]
  return characters.length > charsMax ? `${characters.slice(0, charsMax - 1).join("")}…` : text
}

const made = (text: string, charsMax: number): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim()
  const visible = partsOf(line)
    .map((part) => (part.kind === "invisible" ? `[${codePointOf(part.text)}]` : part.text))
    .join("")
  return short(visible, charsMax)
    .replace(NUMBERS, (address) => address.replaceAll(".", "[.]"))
    .replace(SCHEME, "[:]")
    .replace(INNER_DOT, "[.]")
    .replace(INNER_AT, "[@]")
}

/**
 * A text of others on one line. Invisible characters stand as their code points, and an address in it is no link: it
 * could pass for ours.
 */
export const inert = (text: string): string => made(text, INERT_CHARS_MAX)

/** The same as a short quotation. It can't end its own quotation marks. */
export const quoted = (text: string): string => `“${made(text, QUOTED_CHARS_MAX).replace(/[“”]/gu, '"')}”`
