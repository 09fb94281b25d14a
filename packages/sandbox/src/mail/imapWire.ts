/** The syntax of IMAP4rev1 (RFC 3501 §9), as far as a server for tests needs it. */

/** A part of a command: an atom as it stands, a string's octets, or a list in parentheses. */
export type Token = { readonly atom: string } | { readonly text: Buffer } | { readonly list: ReadonlyArray<Token> }

/** What a token says as text; empty for a list. */
export const said = (token: Token | undefined): string =>
  token === undefined || "list" in token ? "" : "atom" in token ? token.atom : token.text.toString("utf8")

export const listOf = (token: Token | undefined): ReadonlyArray<Token> =>
  token !== undefined && "list" in token ? token.list : token === undefined ? [] : [token]

const isSpace = (char: string | undefined): boolean => char === " " || char === "\r" || char === "\n"

/** Splits a command, whose literals stand in `literals` in the order in which the text names them. */
export const tokensOf = (command: string, literals: ReadonlyArray<Buffer>): ReadonlyArray<Token> => {
  let at = 0
  let literal = 0

  const quoted = (): Token => {
    let text = ""
    at += 1
    while (at < command.length && command[at] !== '"') {
      if (command[at] === "\\") at += 1
      text += command[at] ?? ""
      at += 1
    }
    at += 1
    return { text: Buffer.from(text, "latin1") }
  }

  /** An atom may hold a bracket with anything in it: `BODY[HEADER.FIELDS (FROM)]<0.10>`. */
  const atom = (): Token => {
    const start = at
    let brackets = 0
    while (at < command.length) {
      const char = command[at]
      if (char === "[") brackets += 1
      if (char === "]") brackets -= 1
      if (brackets === 0 && (isSpace(char) || char === "(" || char === ")")) break
      at += 1
    }
    return { atom: command.slice(start, at) }
  }

  const token = (): Token => {
    if (command[at] === '"') return quoted()
    if (command[at] === "(") {
      at += 1
      const list = tokens()
      at += 1
      return { list }
    }
    const size = /^\{\d+\+?\}\r\n/.exec(command.slice(at, at + 24))
    if (size !== null) {
      at += size[0].length
      literal += 1
      return { text: literals[literal - 1] ?? Buffer.alloc(0) }
    }
    return atom()
  }

  const tokens = (): ReadonlyArray<Token> => {
    const found: Array<Token> = []
    while (at < command.length && command[at] !== ")") {
      if (isSpace(command[at])) at += 1
      else found.push(token())
    }
    return found
  }

  return tokens()
}

/**
 * Takes commands out of a stream of octets. `ask` is called where a client waits to be asked for a literal; `take` with
 * each whole command, its literals apart.
 */
export const makeReader = (ask: () => void, take: (command: string, literals: ReadonlyArray<Buffer>) => void) => {
  let waiting = Buffer.alloc(0)
  let command = ""
  let literals: Array<Buffer> = []
  let wanted: number | null = null

  return (chunk: Buffer): void => {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      if (wanted !== null) {
        if (waiting.length < wanted) return
        literals.push(Buffer.from(waiting.subarray(0, wanted)))
        waiting = waiting.subarray(wanted)
        wanted = null
      }
      const end = waiting.indexOf("\r\n")
      if (end < 0) return
      const line = waiting.subarray(0, end).toString("latin1")
      waiting = waiting.subarray(end + 2)
      const literal = /\{(\d+)(\+?)\}$/.exec(line)
      if (literal !== null) {
        command += `${line}\r\n`
        wanted = Number(literal[1])
        if (literal[2] === "") ask()
        continue
      }
      const [whole, taken] = [command + line, literals]
      command = ""
      literals = []
      take(whole, taken)
    }
  }
}

/** A folder's name as it goes over the wire (RFC 3501 §5.1.3). */
export const encodeUtf7 = (name: string): string =>
  name.replace(/&|[^\x20-\x7e]+/g, (part) => {
    if (part === "&") return "&-"
    const octets = Buffer.from(part, "utf16le").swap16()
    return `&${octets.toString("base64").replace(/=+$/, "").replace(/\//g, ",")}-`
  })

export const decodeUtf7 = (wire: string): string =>
  wire.replace(/&([^&-]*)-/g, (_, part: string) => {
    if (part === "") return "&"
    const octets = Buffer.from(part.replace(/,/g, "/"), "base64")
    return octets
      .subarray(0, octets.length - (octets.length % 2))
      .swap16()
      .toString("utf16le")
  })

export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

/** The numbers of a set like `1,3:5,7:*`, of those that there are. */
export const inSet = (set: string, numbers: ReadonlyArray<number>): ReadonlyArray<number> => {
  const last = numbers.at(-1) ?? 0
  const bound = (text: string): number => (text === "*" ? last : Number(text))
  const ranges = set.split(",").map((range) => {
    const [from = "", to = from] = range.split(":")
    return [Math.min(bound(from), bound(to)), Math.max(bound(from), bound(to))] as const
  })
  return numbers.filter((number) => ranges.some(([from, to]) => number >= from && number <= to))
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const two = (number: number): string => String(number).padStart(2, "0")

/** `INTERNALDATE` (RFC 3501 §2.3.3), in UTC. */
export const imapDate = (date: Date): string =>
  `${two(date.getUTCDate())}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()} ` +
  `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`

/** The day of a search key, like `1-Feb-2026`, at its midnight in UTC. */
export const dayOf = (text: string): number => {
  const [, day = "", month = "", year = ""] = /^(\d{1,2})-(\w{3})-(\d{4})/.exec(text) ?? []
  return Date.UTC(Number(year), MONTHS.indexOf(month), Number(day))
}
