/** Text from octets whose character set is missing, unknown, misnamed or misused, as in much of the mail that people send. */
import iconv from "iconv-lite"

const ESC = String.fromCharCode(0x1b)

/** Escapes of ISO-2022-JP, which is often sent without saying so. */
const ISO_2022_JP = new RegExp(`${ESC}\\$[@B]|${ESC}\\([BJ]`)

/** Names that are often wrong: the octets decide between UTF-8 and them. */
const OFTEN_WRONG =
  /^(?:|us-?ascii|ascii|ansi\S*|utf-?8|unknown\S*|x-unknown|default|8bit|binary|iso[-_]?8859[-_]?\d+|latin-?\d|(?:windows|cp|x-cp)-?125\d)$/

/** WHATWG reads Latin 1 as Windows 1252, which has letters where Latin 1 has controls. Node's own decoder does not. */
const LATIN_1 =
  /^(?:iso[-_]?8859[-_]?1(?:[-_:]\S*)?|latin-?1|l1|us-?ascii|ascii|windows-1252|cp-?1252|x-cp1252|ansi\S*)$/

const ASCII_MAX = 0x7f

/** Whether they are UTF-8 beyond ASCII. A message may be cut within a character. */
const isUtf8 = (octets: Uint8Array): boolean => {
  if (!octets.some((octet) => octet > ASCII_MAX)) return false
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(octets, { stream: true })
    return true
  } catch {
    return false
  }
}

const latin1 = (octets: Uint8Array): string => iconv.decode(octets as Buffer, "windows-1252")

const named = (octets: Uint8Array, charset: string): string | null => {
  for (const name of [charset, charset.replace(/^x-/, "")]) {
    try {
      return new TextDecoder(name).decode(octets)
    } catch {
      if (iconv.encodingExists(name)) return iconv.decode(octets as Buffer, name)
    }
  }
  return null
}

/** How many characters of several octets make UTF-8 out of what another name claims. */
const UTF_8_MIN = 2

const isSurelyUtf8 = (octets: Uint8Array): boolean =>
  isUtf8(octets) && octets.filter((octet) => octet >= 0xc2).length >= UTF_8_MIN

/** How much of a text is looked at for its character set, and the least of it that is beyond ASCII. */
const LOOKED_AT_OCTETS = 4_096
const FOREIGN_MIN = 6

const share = (text: string, of: RegExp): number => (text.match(of) ?? []).length / Math.max(1, text.length)

/**
 * Sets that mail is sent in without their name, and what text in them is nearly all of, beside ASCII. Cyrillic text is mostly in
 * small letters, which tells its two sets apart; Japanese has syllables between its signs.
 */
const UNNAMED: ReadonlyArray<readonly [charset: string, letters: RegExp, min: number]> = [
  ["windows-1251", /[а-яё]/gu, 0.8],
  ["koi8-r", /[а-яё]/gu, 0.8],
  ["shift_jis", /[\u3040-\u30FF]/gu, 0.3],
  ["euc-jp", /[\u3040-\u30FF]/gu, 0.3],
  ["euc-kr", /[\uAC00-\uD7AF]/gu, 0.8],
  ["gb18030", /[\u4E00-\u9FFF\u3000-\u303F\uFF00-\uFFEF]/gu, 0.95]
]

/** Text that names no set, or a Latin one, and whose letters are nearly all beyond ASCII: no Latin text is like that. */
const unnamed = (octets: Uint8Array): string | null => {
  const beginning = octets.subarray(0, LOOKED_AT_OCTETS)
  const foreign = beginning.filter((octet) => octet > ASCII_MAX).length
  const latin = beginning.filter((octet) => (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7a).length
  if (foreign < FOREIGN_MIN || latin > foreign) return null
  for (const [charset, letters, min] of UNNAMED) {
    try {
      const text = new TextDecoder(charset, { fatal: true }).decode(beginning, { stream: true })
      if (share(text.replace(/\p{ASCII}/gu, ""), letters) >= min) return new TextDecoder(charset).decode(octets)
    } catch {
      // Not this one.
    }
  }
  return null
}

/** The text of octets. `label`: the character set that the mail names, "" for none. Never fails. */
export const decodeText = (octets: Uint8Array, label: string): string => {
  const charset = label
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, "")
  if (/^(?:unicode-1-1-)?utf-?7$/.test(charset)) return iconv.decode(octets as Buffer, "utf-7")
  const ascii = octets.every((octet) => octet <= ASCII_MAX)
  if (ascii) {
    const text = Buffer.from(octets).toString("latin1")
    return ISO_2022_JP.test(text) ? new TextDecoder("iso-2022-jp").decode(octets) : (wide(octets, charset) ?? text)
  }
  if (OFTEN_WRONG.test(charset) ? isUtf8(octets) : isSurelyUtf8(octets)) return new TextDecoder().decode(octets)
  if (LATIN_1.test(charset) || /^(?:|utf-?8|unknown\S*|x-unknown|default|8bit|binary)$/.test(charset))
    return unnamed(octets) ?? latin1(octets)
  return named(octets, charset) ?? (isUtf8(octets) ? new TextDecoder().decode(octets) : latin1(octets))
}

/** ASCII octets that mean something else: UTF-16, HZ, other sets of ISO 2022. */
const wide = (octets: Uint8Array, charset: string): string | null =>
  /utf-?16|utf-?32|ucs|iso-2022|hz/.test(charset) ? named(octets, charset) : null

/** Controls of Latin 1 in text that was decoded without this: they are Windows' punctuation. */
export const withPunctuation = (text: string): string =>
  text.replace(/[\u0080-\u009F]/g, (control) => latin1(Uint8Array.of(control.charCodeAt(0))))

/** Encoded words (RFC 2047) of one set and encoding, one after the other. */
const WORDS =
  /=\?([^?\s*]{1,40})(?:\*[\w-]{0,20})?\?([qb])\?([^?\r\n]{0,2000})\?=(?:\s*=\?\1(?:\*[\w-]{0,20})?\?\2\?[^?\r\n]{0,2000}\?=){0,200}/gi
const WORD_TEXT = /\?[qb]\?([^?\r\n]*)\?=/gi

const octetsOf = (encoding: string, word: string): Buffer =>
  encoding.toLowerCase() === "b"
    ? Buffer.from(word, "base64")
    : Buffer.from(
        word.replace(/_/g, " ").replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        "latin1"
      )

/**
 * A header in UTF-8, whatever octets it holds, and so are its encoded words, which clients break within a character and name sets
 * for that no decoder but ours has.
 */
export const headerInUtf8 = (octets: Uint8Array): Buffer => {
  const decoded = decodeText(octets, "").replace(WORDS, (words: string, charset: string, encoding: string) => {
    const joined = Buffer.concat([...words.matchAll(WORD_TEXT)].map(([, word = ""]) => octetsOf(encoding, word)))
    return `=?utf-8?b?${Buffer.from(decodeText(joined, charset)).toString("base64")}?=`
  })
  return Buffer.from(decoded, "utf8")
}
