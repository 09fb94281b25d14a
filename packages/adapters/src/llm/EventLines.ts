/** An event exceeds the limit. */
export class EventTooLarge extends Error {
  constructor(charsMax: number) {
    super(`an event is larger than ${charsMax} characters`)
  }
}

/** The largest single event. Pictures come whole in one, as base64. */
export const EVENT_CHARS_MAX = 16 * 1024 * 1024

/** What an event may hold without asking whether there is room. */
const SMALL_CHARS = 1024 * 1024

/** What the large events of all streams may hold together while they arrive. */
export class Room {
  #free: number

  constructor(chars: number) {
    this.#free = chars
  }

  /** False: there is none. */
  take(chars: number): boolean {
    if (chars > this.#free) return false
    this.#free -= chars
    return true
  }

  give(chars: number): void {
    this.#free += chars
  }
}

const ROOM = new Room(256 * 1024 * 1024)

/** An event's data as that of an error, which everybody recognises. */
const asError = (data: string): string => {
  const text = data.trim()
  try {
    const told: unknown = JSON.parse(text)
    const isTold = typeof told === "object" ? Object.keys(told ?? {}).length > 0 : told !== ""
    if (isTold) return `{"error":${text}}`
  } catch {
    // Words.
  }
  return JSON.stringify({ error: text === "" ? "it told of an error" : text })
}

/** A line of JSON without the name of a field. */
const BARE = /^\[?\s{0,8}\{/

/**
 * Parses server-sent events (WHATWG HTML §9.2.6), however the text is split. Returns only data: names, ids and retry times
 * don't matter in a stream that is read once. But no error is lost for its form: the data of an event named `error`, a
 * field `error`, as llama.cpp wrote it, and JSON without a field, are returned too. Takes time linear in the text.
 */
export class EventLines {
  /** The last line, which has no end yet, as it came; and how much that is. */
  #pieces: Array<string> = []
  #pending = 0
  #data: Array<string> = []
  #size = 0
  /** The event under way tells of an error. */
  #isError = false
  /** What was taken of the room. */
  #taken = 0
  /** The last line ended with CR, so a following LF belongs to it. */
  #skipsLf = false

  constructor(
    private readonly charsMax: number = EVENT_CHARS_MAX,
    private readonly room: Room = ROOM
  ) {}

  /** The data of the events completed by this text. Empty data is none. */
  feed(text: string): ReadonlyArray<string> {
    const events: Array<string> = []
    if (text === "") return events
    const lines = this.#withLf(text)
    let from = 0
    for (let at = lines.indexOf("\n"); at >= 0; at = lines.indexOf("\n", from)) {
      if (this.#pending > 0) this.#endLine(this.#whole(lines.slice(from, at)))
      else if (at === from) this.#endEvent(events)
      else if (lines.startsWith("data:", from)) this.#add(lines.slice(from + 5, at))
      else if (!lines.startsWith(":", from)) this.#addOther(lines.slice(from, at))
      from = at + 1
    }
    if (from < lines.length) {
      this.#pieces.push(from === 0 ? lines : lines.slice(from))
      this.#pending += lines.length - from
    }
    this.#claim()
    return events
  }

  /** The data of the event that was under way when the text ended. */
  end(): ReadonlyArray<string> {
    const events: Array<string> = []
    if (this.#pending > 0) this.#endLine(this.#whole(""))
    this.#endEvent(events)
    return events
  }

  /** Forgets what it holds. */
  drop(): void {
    this.#pieces = []
    this.#pending = 0
    this.#data = []
    this.#size = 0
    this.#isError = false
    this.#free()
  }

  #whole(last: string): string {
    this.#pieces.push(last)
    const line = this.#pieces.join("")
    this.#pieces = []
    this.#pending = 0
    return line
  }

  #endLine(line: string): void {
    if (line.startsWith("data:")) this.#add(line.slice(5))
    else this.#addOther(line)
  }

  #addOther(line: string): void {
    if (line.startsWith("event:")) this.#isError = line.slice(6).trim().toLowerCase() === "error"
    else if (line.startsWith("error:")) {
      this.#isError = true
      this.#add(line.slice(6))
    } else if (BARE.test(line)) this.#add(line)
  }

  #add(value: string): void {
    const data = value.startsWith(" ") ? value.slice(1) : value
    this.#data.push(data)
    this.#size += data.length
  }

  #endEvent(events: Array<string>): void {
    const isError = this.#isError
    this.#isError = false
    if (this.#data.length === 0 && !isError) return
    const data = this.#data.length === 1 ? (this.#data[0] ?? "") : this.#data.join("\n")
    if (isError) events.push(asError(data))
    else if (data.trim() !== "") events.push(data)
    this.#data = []
    this.#size = 0
    this.#free()
  }

  /** Takes room for what is under way, or gives up. */
  #claim(): void {
    const held = this.#pending + this.#size
    if (held > this.charsMax) throw new EventTooLarge(this.charsMax)
    if (held <= SMALL_CHARS || held <= this.#taken) return
    if (!this.room.take(held - this.#taken)) throw new Error("the events under way are too large together")
    this.#taken = held
  }

  #free(): void {
    if (this.#taken > 0) this.room.give(this.#taken)
    this.#taken = 0
  }

  /** With LF as the only end of lines, each of which may also be CR or CRLF. */
  #withLf(text: string): string {
    const own = this.#skipsLf && text.startsWith("\n") ? text.slice(1) : text
    this.#skipsLf = text.endsWith("\r")
    return own.includes("\r") ? own.replaceAll(/\r\n?/g, "\n") : own
  }
}
