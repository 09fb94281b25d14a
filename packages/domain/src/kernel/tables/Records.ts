/** Splits the text of a table into records. */

export interface TableRecord {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** Lines that a quoted cell of it encloses and that look like lines of their own, by number. */
  readonly inner: ReadonlyArray<InnerLine>
  /** Why it can't be read; it has no cells then. */
  readonly flaw: "too_long" | null
}

export interface InnerLine {
  readonly line: number
  readonly text: string
}

/** A longer record is left out as a whole. */
export const RECORD_CHARS_MAX = 100_000

/** Further cells of a record belong to its last one. */
export const CELLS_MAX = 1_000

/** Lines of a quoted cell that are looked at. */
const INNER_LINES_MAX = 200

/** Records are read from at least so much text, so that short pieces don't begin one again and again. */
const READ_CHARS_MIN = 4 * RECORD_CHARS_MAX

const QUOTE = 34
const LF = 10
const CR = 13
const SPACE = 32
const BYTE_ORDER = 0xfeff

interface Cell {
  readonly value: string
  /** Where its delimiter or line end is. */
  readonly end: number
  readonly isQuoted: boolean
}

const linesIn = (text: string): number => text.match(/\r+\n|\r|\n/g)?.length ?? 0

/**
 * Reads records of any length piece by piece, in time linear in the text. Lines end in CRLF, LF or CR, in any mixture.
 *
 * A quote opens a cell only where a cell begins, and closes it before a delimiter or line end. A quote that nothing
 * closes, or whose cell would span lines and then hold a single quote, is a sign like any other: its line is read
 * without quoting, so it can't enclose the rows after it.
 */
export class Records {
  readonly #delimiter: number
  #text = ""
  /** The line at which `#text` begins. */
  #line = 1
  /** Characters before `#text`. */
  #offset = 0
  /** Up to here quotes are signs like any other: nothing closes them. Counted from the first character of all. */
  #plainUntil = 0
  /** Whether a record that is too long goes on. */
  #isSkipping = false
  #isLast = false

  /** The empty text: nothing delimits, each line is one cell. */
  constructor(delimiter: string) {
    this.#delimiter = delimiter === "" ? -1 : delimiter.charCodeAt(0)
  }

  push(text: string): ReadonlyArray<TableRecord> {
    this.#text += text
    return this.#text.length < READ_CHARS_MIN ? [] : this.#read()
  }

  end(): ReadonlyArray<TableRecord> {
    this.#isLast = true
    return this.#read()
  }

  #read(): ReadonlyArray<TableRecord> {
    const found: Array<TableRecord> = []
    let at = 0
    while (at < this.#text.length) {
      const next = this.#isSkipping ? this.#skip(at) : (this.#emptyLine(at) ?? this.#record(at, found))
      if (next === null) break
      at = next
    }
    this.#text = this.#text.slice(at)
    this.#offset += at
    return found
  }

  /** Where the line after this line end begins. CR CR LF is one end, as some programs write it. Null: more may follow. */
  #afterBreak(at: number): number | null {
    const text = this.#text
    if (text.charCodeAt(at) === LF) return at + 1
    let next = at + 1
    while (next < text.length && text.charCodeAt(next) === CR && next - at < 4) next += 1
    if (next >= text.length && !this.#isLast) return null
    return text.charCodeAt(next) === LF ? next + 1 : at + 1
  }

  /** A line without anything is no record. Null: it is none. */
  #emptyLine(at: number): number | null {
    if (!this.#isBreak(this.#text.charCodeAt(at))) return null
    const next = this.#afterBreak(at)
    if (next !== null) this.#line += 1
    return next
  }

  #isBreak(code: number): boolean {
    return code === LF || code === CR
  }

  #lineEndFrom(at: number): number {
    const text = this.#text
    let end = at
    while (end < text.length && !this.#isBreak(text.charCodeAt(end))) end += 1
    return end
  }

  #skip(at: number): number | null {
    const end = this.#lineEndFrom(at)
    if (end === this.#text.length) return end
    const next = this.#afterBreak(end)
    if (next === null) return null
    this.#isSkipping = false
    this.#line += 1
    return next
  }

  #record(start: number, found: Array<TableRecord>): number | null {
    const text = this.#text
    const line = this.#line
    const cells: Array<string> = []
    const inner: Array<InnerLine> = []
    let lines = 0
    let at = start
    for (;;) {
      const cell = cells.length < CELLS_MAX - 1 ? this.#cell(at) : this.#rest(at)
      if (cell === null || cell.end - start > RECORD_CHARS_MAX) return this.#tooLong(start, line, found)
      if (cell.isQuoted && /[\r\n]/.test(cell.value)) {
        inner.push(...this.#innerOf(cell.value, line + lines))
        lines += linesIn(cell.value)
      }
      cells.push(cell.value)
      at = cell.end
      if (at >= text.length || this.#isBreak(text.charCodeAt(at))) break
      at += 1
    }
    // Without its line end, a record may go on in the next piece.
    if (at >= text.length && !this.#isLast) return null
    const next = at >= text.length ? at : this.#afterBreak(at)
    if (next === null) return null
    found.push({ line, cells, inner, flaw: null })
    this.#line = line + lines + 1
    return next
  }

  #innerOf(value: string, line: number): ReadonlyArray<InnerLine> {
    return value
      .split(/\r+\n|\r|\n/, INNER_LINES_MAX)
      .flatMap((text, index) => (index === 0 || text === "" ? [] : [{ line: line + index, text }]))
  }

  /** Null, unless the record is too long already or ends with the text. */
  #tooLong(start: number, line: number, found: Array<TableRecord>): number | null {
    if (!this.#isLast && this.#text.length - start <= 2 * RECORD_CHARS_MAX) return null
    found.push({ line, cells: [], inner: [], flaw: "too_long" })
    // What follows its first line is not read as often as it has lines.
    this.#plainUntil = Math.max(this.#plainUntil, this.#offset + start + RECORD_CHARS_MAX)
    this.#isSkipping = true
    return this.#skip(start + Math.min(RECORD_CHARS_MAX, this.#lineEndFrom(start) - start))
  }

  #rest(at: number): Cell {
    const end = this.#lineEndFrom(at)
    return { value: this.#text.slice(at, end), end, isQuoted: false }
  }

  /** Null: the text ends first, and more may follow. */
  #cell(at: number): Cell | null {
    const text = this.#text
    let open = at
    // Where files are joined, a mark of byte order stands before the quote.
    while (text.charCodeAt(open) === SPACE || text.charCodeAt(open) === BYTE_ORDER) open += 1
    if (text.charCodeAt(open) === QUOTE) {
      const quoted = this.#quoted(open)
      if (quoted !== "plain") return quoted
    }
    let end = at
    while (end < text.length) {
      const code = text.charCodeAt(end)
      if (code === this.#delimiter || this.#isBreak(code)) break
      end += 1
    }
    return { value: text.slice(at, end), end, isQuoted: false }
  }

  #quoted(open: number): Cell | null | "plain" {
    const text = this.#text
    const isPlain = this.#offset + open < this.#plainUntil
    let hasBare = false
    let hasBreak = false
    for (let at = open + 1; ; at += 1) {
      if (at >= text.length || at - open > RECORD_CHARS_MAX) {
        if (at >= text.length && !this.#isLast) return null
        this.#plainUntil = Math.max(this.#plainUntil, this.#offset + at)
        return "plain"
      }
      const code = text.charCodeAt(at)
      if (this.#isBreak(code)) {
        if (isPlain) return "plain"
        if (hasBare) {
          this.#plainUntil = Math.max(this.#plainUntil, this.#offset + at)
          return "plain"
        }
        hasBreak = true
      } else if (code === QUOTE) {
        if (text.charCodeAt(at + 1) === QUOTE) {
          at += 1
          continue
        }
        let end = at + 1
        while (text.charCodeAt(end) === SPACE) end += 1
        if (end >= text.length && !this.#isLast) return null
        const after = text.charCodeAt(end)
        if (end >= text.length || after === this.#delimiter || this.#isBreak(after)) {
          return { value: text.slice(open + 1, at).replaceAll('""', '"'), end, isQuoted: true }
        }
        if (hasBreak || isPlain) return "plain"
        hasBare = true
      }
    }
  }
}
