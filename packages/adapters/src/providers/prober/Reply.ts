/** A server's complete reply to a command, or its greeting. */
export interface Reply {
  readonly code: number
  /** The enhanced status (RFC 3463), anywhere in the text; null: none. */
  readonly status: string | null
  /** All lines without codes; printable and bounded. */
  readonly text: string
}

/** RFC 5321 §4.5.3.1.5 allows 512 octets per line, but longer ones are common. */
export const LINE_OCTETS_MAX = 2_048
export const REPLY_LINES_MAX = 64
export const REPLY_OCTETS_MAX = 16_384

/** The text kept of a reply. The EHLO features must fit. */
const TEXT_CHARS_MAX = 4_096

const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s
const STATUS_FIRST = /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/
const STATUS_LATER = /#\s?([245]\.\d{1,3}\.\d{1,3})\b/

const LF = 0x0a
const CR = 0x0d

export const printable = (text: string, charsMax: number): string =>
  text
    .replace(/[^\P{C}\n]+/gu, " ")
    .trim()
    .slice(0, charsMax)

const replyOf = (code: number, lines: ReadonlyArray<string>): Reply => {
  const status = STATUS_FIRST.exec(lines[0] ?? "")?.[1] ?? STATUS_LATER.exec(lines.join(" "))?.[1] ?? null
  // A status whose class differs from the code is ignored.
  const isOfCode = status !== null && status[0] === String(code)[0]
  return { code, status: isOfCode ? status : null, text: printable(lines.join("\n"), TEXT_CHARS_MAX) }
}

/** Assembles replies from bytes. Invalid or oversized input ends it for good; `push` says why. */
export class ReplyReader {
  #pending: Buffer = Buffer.alloc(0)
  #lines: Array<string> = []
  #code = 0
  #octets = 0

  /** Whether all input belongs to returned replies. */
  get isBetweenReplies(): boolean {
    return this.#pending.length === 0 && this.#lines.length === 0
  }

  push(chunk: Buffer): { readonly replies: ReadonlyArray<Reply>; readonly broken: string | null } {
    const replies: Array<Reply> = []
    const broken = (why: string) => ({ replies, broken: why })
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    for (let end = this.#pending.indexOf(LF); end !== -1; end = this.#pending.indexOf(LF)) {
      if (end > LINE_OCTETS_MAX) return broken("a line is too long")
      const line = this.#pending.subarray(0, end > 0 && this.#pending[end - 1] === CR ? end - 1 : end)
      this.#pending = this.#pending.subarray(end + 1)
      this.#octets += end + 1
      if (this.#octets > REPLY_OCTETS_MAX) return broken("a reply is too long")
      const parts = LINE.exec(line.toString("utf8"))
      if (parts === null) return broken("what came is no reply")
      const code = Number(parts[1])
      if (this.#lines.length > 0 && code !== this.#code) return broken("the lines of a reply have different codes")
      this.#code = code
      this.#lines.push(parts[3] ?? "")
      if (this.#lines.length > REPLY_LINES_MAX) return broken("a reply has too many lines")
      if (parts[2] === "-") continue
      replies.push(replyOf(code, this.#lines))
      this.#lines = []
      this.#octets = 0
    }
    return this.#pending.length > LINE_OCTETS_MAX ? broken("a line is too long") : { replies, broken: null }
  }
}
