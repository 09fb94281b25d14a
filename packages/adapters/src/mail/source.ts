/** A message's octets made ready for the parser: its header in UTF-8, its multipart as it really is, its size bounded. */
import { headerInUtf8 } from "./charsets.js"

/**
 * Real mail has some dozens of parts, some hundred fields, and lines of some dozen characters. What is beyond is cut off: each
 * costs the parser far more than its octets.
 */
const PARTS_MAX = 1_000
const FIELDS_MAX = 2_000
const LINES_MAX = 10_000

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d

/** Where the header ends: behind its empty line; the length of all if there is none. Fields beyond the limit end it too. */
const headerEnd = (source: Uint8Array): { readonly end: number; readonly isCut: boolean } => {
  let lines = 0
  for (let at = source.indexOf(LF); at !== -1; at = source.indexOf(LF, at + 1)) {
    lines += 1
    const next = source[at + 1] === CR ? at + 2 : at + 1
    if (source[next] === LF) return { end: next + 1, isCut: false }
    if (lines >= FIELDS_MAX) return { end: at + 1, isCut: true }
  }
  return { end: source.length, isCut: false }
}

/** Where the lines or the parts beyond their limits begin. A line that begins with two dashes may begin a part. */
const bodyEnd = (body: Uint8Array): number => {
  let [parts, at] = [0, 0]
  for (let lines = 0; at < body.length; lines++) {
    if (lines === LINES_MAX) return at
    if (body[at] === DASH && body[at + 1] === DASH && ++parts > PARTS_MAX) return at
    const line = body.indexOf(LF, at)
    if (line === -1) return body.length
    at = line + 1
  }
  return body.length
}

const BOUNDARY = /boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i
const MULTIPART = /^content-type:\s*multipart\/[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/im

/** The first delimiter that is in a body: two dashes, and a field below. */
const DELIMITER = /^--(\S{1,70})[ \t]*\r?\n(?=content-[a-z-]{1,30}:)/im

/** How much of a body we search for delimiters. */
const SEARCHED_OCTETS = 64 * 1024

/** A header whose multipart names a delimiter that the body lacks gets the one that is there, or is plain text. */
const withDelimiter = (header: string, body: Uint8Array): string => {
  const type = MULTIPART.exec(header)?.[0]
  if (type === undefined || body.length === 0) return header
  const found = BOUNDARY.exec(type)
  const boundary = found?.[1] ?? found?.[2]
  const text = Buffer.from(body.subarray(0, SEARCHED_OCTETS)).toString("latin1")
  if (boundary !== undefined && text.includes(`--${boundary}`)) return header
  const real = DELIMITER.exec(text)?.[1]
  const meant =
    real === undefined
      ? "Content-Type: text/plain"
      : `${type.replace(BOUNDARY, "")}; boundary="${real.replace(/"/g, "")}"`
  return header.replace(type, () => meant)
}

/** A type without a subtype says nothing (RFC 2045 §5.2). */
const NO_TYPE = /^(content-type:)[ \t]{0,20}(?:text[ \t]{0,20})?(?=;|\r?\n(?![ \t]))/im

/** Words with spaces between in the first line: no base64. */
const WORDS = /^\s*[\p{L}\p{P}]+(?: [\p{L}\p{P}]+){2,}/u
const BASE64 = /^content-transfer-encoding:[ \t]*base64\b[^\r\n]*/im

/** A header whose fields say something about the body that isn't so. */
const truthful = (header: string, body: Uint8Array): string => {
  const typed = header.replace(NO_TYPE, "$1 text/plain")
  if (!BASE64.test(typed) || !WORDS.test(Buffer.from(body.subarray(0, SEARCHED_OCTETS)).toString("utf8"))) return typed
  return typed.replace(BASE64, "Content-Transfer-Encoding: 8bit")
}

/** Spaces behind the mark of a soft line break, which gateways add (RFC 2045 §6.7, rule 3). */
const withoutPadding = (body: Uint8Array): Uint8Array => {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1")
  return /=[ \t]{1,76}\r?\n/.test(text) ? Buffer.from(text.replace(/=[ \t]{1,76}(?=\r?\n)/g, "="), "latin1") : body
}

/** The message as the parser gets it, and whether something was cut off. Reads each octet a bounded number of times. */
export const prepared = (source: Uint8Array): { readonly octets: Uint8Array; readonly isCut: boolean } => {
  const { end, isCut } = headerEnd(source)
  const body = source.subarray(end)
  const kept = body.subarray(0, bodyEnd(body))
  const header = truthful(withDelimiter(headerInUtf8(source.subarray(0, end)).toString("utf8"), kept), kept)
  return {
    octets: Buffer.concat([Buffer.from(isCut ? `${header}\r\n` : header), withoutPadding(kept)]),
    isCut: isCut || kept.length < body.length
  }
}
