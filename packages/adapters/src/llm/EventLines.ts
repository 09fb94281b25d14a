/** An event is larger than anything that makes sense. */
export class EventTooLarge extends Error {
  constructor(charsMax: number) {
    super(`an event is larger than ${charsMax} characters`)
  }
}

/**
 * Takes server-sent events (WHATWG HTML §9.2.6) apart, however the text is cut. Only the data matters here: names, ids
 * and retry times of events mean nothing in a stream that is read once.
 */
export class EventLines {
  #rest = ""
  /** Up to here the rest holds no end of a line. */
  #searched = 0
  #data: Array<string> = []
  #size = 0
  /** A line ended with CR: an LF that follows is part of the same end. */
  #skipsLf = false

  constructor(private readonly charsMax: number) {}

  /** The data of the events that the text completes. */
  feed(text: string): ReadonlyArray<string> {
    const events: Array<string> = []
    this.#rest += text
    for (let line = this.#line(); line !== null; line = this.#line()) {
      if (line === "") {
        if (this.#data.length > 0) events.push(this.#data.join("\n"))
        this.#data = []
        this.#size = 0
      } else if (line.startsWith("data:")) {
        const value = line.slice(line[5] === " " ? 6 : 5)
        this.#data.push(value)
        this.#size += value.length
      }
    }
    if (this.#rest.length + this.#size > this.charsMax) throw new EventTooLarge(this.charsMax)
    return events
  }

  #line(): string | null {
    if (this.#skipsLf && this.#rest !== "") {
      if (this.#rest.startsWith("\n")) this.#rest = this.#rest.slice(1)
      this.#skipsLf = false
    }
    for (let at = this.#searched; at < this.#rest.length; at++) {
      const code = this.#rest.charCodeAt(at)
      if (code !== 0x0a && code !== 0x0d) continue
      const line = this.#rest.slice(0, at)
      this.#rest = this.#rest.slice(at + 1)
      this.#searched = 0
      this.#skipsLf = code === 0x0d
      return line
    }
    this.#searched = this.#rest.length
    return null
  }
}
