/** Turns the bytes of a table into text, whatever program wrote them, and says what they were. */
import { Data } from "effect"
import iconv from "iconv-lite"
import { guessEncoding } from "./guessEncoding.js"

/** The file is not a table of text. */
export class NotText extends Data.TaggedError("NotText")<{ readonly message: string }> {}

/** Byte order marks. */
const MARKS: ReadonlyArray<readonly [encoding: string, ...bytes: ReadonlyArray<number>]> = [
  ["utf-8", 0xef, 0xbb, 0xbf],
  ["utf-16le", 0xff, 0xfe],
  ["utf-16be", 0xfe, 0xff]
]

const UTF32: ReadonlyArray<ReadonlyArray<number>> = [
  [0xff, 0xfe, 0, 0],
  [0, 0, 0xfe, 0xff]
]

/** What people bring instead of a table of text, by its first bytes. */
const OTHERS: ReadonlyArray<readonly [what: string, ...bytes: ReadonlyArray<number>]> = [
  ["an Excel workbook or another ZIP archive", 0x50, 0x4b, 0x03, 0x04],
  ["an empty ZIP archive", 0x50, 0x4b, 0x05, 0x06],
  ["an old Excel workbook", 0xd0, 0xcf, 0x11, 0xe0],
  ["a PDF", 0x25, 0x50, 0x44, 0x46],
  ["compressed (gzip)", 0x1f, 0x8b],
  ["a picture", 0x89, 0x50, 0x4e, 0x47],
  ["a picture", 0xff, 0xd8, 0xff],
  ["an SQLite database", 0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]
]

const begins = (bytes: Uint8Array, with_: ReadonlyArray<number>): boolean =>
  with_.every((byte, index) => bytes[index] === byte)

/** How much decides. */
export const SNIFFED_BYTES = 64 * 1024

const SAVE = 'Save it as "CSV UTF-8" and bring it again.'

/** Which half of the bytes is NUL tells UTF-16 without a mark, if most of its text is Latin. */
const utf16Of = (bytes: Uint8Array): "utf-16le" | "utf-16be" | null => {
  const sample = bytes.subarray(0, Math.min(bytes.length - (bytes.length % 2), 4_096))
  if (sample.length < 4) return null
  let [even, odd] = [0, 0]
  for (let at = 0; at < sample.length; at += 2) {
    if (sample[at] === 0) even += 1
    if (sample[at + 1] === 0) odd += 1
  }
  const most = sample.length / 2
  if (odd > most * 0.6 && even < most * 0.1) return "utf-16le"
  if (even > most * 0.6 && odd < most * 0.1) return "utf-16be"
  return null
}

/** Whether the bytes are text of other scripts in UTF-16: lines and delimiters in it, and nothing that is no text. */
const isTextIn = (form: "utf-16le" | "utf-16be", head: Uint8Array): boolean => {
  if (!head.includes(0)) return false
  const text = new TextDecoder(form).decode(head.subarray(0, head.length - (head.length % 2)))
  return /[\r\n]/.test(text) && !/[^\P{Cc}\t\r\n]|\uFFFD|\p{Cn}|\p{Co}/u.test(text)
}

/** How the file's text is encoded, as far as its beginning shows: UTF-16, or an encoding by line. */
export const formOf = (head: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" => {
  if (UTF32.some((mark) => begins(head, mark))) throw new NotText({ message: `the file is UTF-32. ${SAVE}` })
  const other = OTHERS.find(([, ...bytes]) => begins(head, bytes))
  if (other !== undefined) throw new NotText({ message: `the file is ${other[0]}, not a table of text. ${SAVE}` })
  const mark = MARKS.find(([, ...bytes]) => begins(head, bytes))
  if (mark !== undefined) return mark[0] as "utf-8"
  const wide = utf16Of(head)
  if (wide !== null) return wide
  const unmarked = (["utf-16le", "utf-16be"] as const).find((form) => isTextIn(form, head))
  if (unmarked !== undefined) return unmarked
  const nuls = head.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0)
  if (nuls > head.length / 50 && nuls > 2)
    throw new NotText({ message: `the file is not text: ${nuls} of its first ${head.length} bytes are zero. ${SAVE}` })
  return "utf-8"
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    utf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** A piece ends after its last line end, so that each line is decoded as a whole. */
const lastBreak = (bytes: Uint8Array): number => Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13))

/** A longer line is decoded in parts. */
const LINE_BYTES_MAX = 1024 * 1024

/**
 * Decodes piece by piece, in constant memory. UTF-8 is read line by line: merged files hold lines of several encodings.
 * A line that is not UTF-8 is read in the encoding that such lines of the file's beginning are most likely in.
 */
export class TableDecoder {
  #wide: InstanceType<typeof TextDecoder> | null = null
  #isBegun = false
  #rest: Uint8Array = new Uint8Array()
  #guess: string | null = null
  #form = "utf-8"
  /** Lines that were not UTF-8. */
  converted = 0

  /** What the bytes were, in words; after the last piece it is final. */
  get encoding(): string {
    if (this.#wide !== null) return this.#form.toUpperCase()
    return this.converted === 0 ? "UTF-8" : `${this.#guess ?? "windows-1252"} (${this.converted} lines are not UTF-8)`
  }

  /** Throws `NotText`. */
  push(bytes: Uint8Array): string {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    if (!this.#isBegun) {
      if (all.length < SNIFFED_BYTES) {
        this.#rest = all
        return ""
      }
      this.#begin(all)
    }
    if (this.#wide !== null) {
      this.#rest = new Uint8Array()
      return this.#wide.decode(all, { stream: true })
    }
    const end = lastBreak(all) + 1 || (all.length > LINE_BYTES_MAX ? all.length : 0)
    // The caller may use its bytes again.
    this.#rest = all.slice(end)
    return this.#decoded(all.subarray(0, end))
  }

  end(): string {
    const all = this.#rest
    if (!this.#isBegun) this.#begin(all)
    this.#rest = new Uint8Array()
    return this.#wide === null ? this.#decoded(all) : this.#wide.decode(all)
  }

  #begin(head: Uint8Array): void {
    this.#isBegun = true
    this.#form = formOf(head.subarray(0, SNIFFED_BYTES))
    if (this.#form !== "utf-8") this.#wide = new TextDecoder(this.#form)
  }

  #decoded(bytes: Uint8Array): string {
    if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")
    const lines: Array<Uint8Array> = []
    let from = 0
    for (let at = 0; at < bytes.length; at += 1) {
      if (bytes[at] !== 10 && bytes[at] !== 13) continue
      lines.push(bytes.subarray(from, at + 1))
      from = at + 1
    }
    lines.push(bytes.subarray(from))
    const foreign = lines.filter((line) => !isUtf8(line))
    this.#guess ??= guessEncoding(Buffer.concat(foreign.slice(0, 500)).subarray(0, SNIFFED_BYTES))
    const legacy = this.#guess
    const isForeign = new Set(foreign)
    this.converted += foreign.length
    return lines.map((line) => iconv.decode(Buffer.from(line), isForeign.has(line) ? legacy : "utf-8")).join("")
  }
}

/** The whole text of a table, and what its bytes were. Throws `NotText`. */
export const decodeTable = (bytes: Uint8Array): { readonly text: string; readonly encoding: string } => {
  const decoder = new TableDecoder()
  const text = decoder.push(bytes) + decoder.end()
  return { text, encoding: decoder.encoding }
}
