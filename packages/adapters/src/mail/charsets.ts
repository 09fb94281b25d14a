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
  try {
    return new TextDecoder(charset.replace(/^x-(?=(?:gbk|big5|sjis|euc|mac))/, "")).decode(octets)
  } catch {
    return iconv.encodingExists(charset) ? iconv.decode(octets as Buffer, charset) : null
  }
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
  if (OFTEN_WRONG.test(charset) && isUtf8(octets)) return new TextDecoder().decode(octets)
  if (LATIN_1.test(charset)) return latin1(octets)
  if (/^(?:|utf-?8|unknown\S*|x-unknown|default|8bit|binary)$/.test(charset)) return latin1(octets)
  return named(octets, charset) ?? (isUtf8(octets) ? new TextDecoder().decode(octets) : latin1(octets))
}

/** ASCII octets that mean something else: UTF-16, HZ, other sets of ISO 2022. */
const wide = (octets: Uint8Array, charset: string): string | null =>
  /utf-?16|utf-?32|ucs|iso-2022|hz/.test(charset) ? named(octets, charset) : null

/** Controls of Latin 1 in text that was decoded without this: they are Windows' punctuation. */
export const withPunctuation = (text: string): string =>
  text.replace(/[\u0080-\u009F]/g, (control) => latin1(Uint8Array.of(control.charCodeAt(0))))

const UTF_7_WORD = /=\?(?:unicode-1-1-)?utf-?7\?([qb])\?([^?\s]{0,2000})\?=/gi

/** A header in UTF-8, whatever octets it holds, with no encoded word in UTF-7. */
export const headerInUtf8 = (octets: Uint8Array): Buffer => {
  const text = decodeText(octets, "")
  const decoded = text.replace(UTF_7_WORD, (_, encoding: string, word: string) => {
    const plain =
      encoding.toLowerCase() === "b"
        ? Buffer.from(word, "base64")
        : Buffer.from(
            word
              .replace(/_/g, " ")
              .replace(/=([0-9a-f]{2})/gi, (__, hex: string) => String.fromCharCode(parseInt(hex, 16))),
            "latin1"
          )
    return `=?utf-8?b?${Buffer.from(iconv.decode(plain, "utf-7")).toString("base64")}?=`
  })
  return Buffer.from(decoded, "utf8")
}
