import { Chunk, Effect, Option } from "effect"
import type { UpstreamBody } from "./UpstreamHttp.js"

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

/** The largest single event. */
const EVENT_CHARS_MAX = 1024 * 1024

/** What may follow the last event, and for how long it is waited for. */
const REST_BYTES_MAX = 1024
const REST_MILLIS_MAX = 1_000

const DONE = "[DONE]"

/** What is there of a body, once there is something; null at its end. Nothing is read ahead of who asks. */
const read = (body: UpstreamBody): Effect.Effect<Buffer | null, unknown> =>
  Effect.async((resume) => {
    const stop = (): void => {
      body.off("readable", onReadable).off("end", onEnd).off("error", onError).off("close", onClose)
    }
    const finish = (result: Effect.Effect<Buffer | null, unknown>): void => {
      stop()
      resume(result)
    }
    const onReadable = (): void => {
      const chunk = body.read() as Buffer | null
      if (chunk !== null) finish(Effect.succeed(chunk))
    }
    const onEnd = (): void => finish(Effect.succeed(null))
    const onError = (cause: unknown): void => finish(Effect.fail(cause))
    const onClose = (): void => finish(Effect.fail(new Error("closed before its end")))
    if (body.readableEnded) return onEnd()
    if (body.destroyed) return onClose()
    body.on("readable", onReadable).on("end", onEnd).on("error", onError).on("close", onClose)
    onReadable()
    return Effect.sync(stop)
  })

/** Reads the events of a body until `[DONE]`. A body that ends without it broke off. */
export class EventReader {
  #isDone = false
  readonly #text = new TextDecoder()
  readonly #lines = new EventLines(EVENT_CHARS_MAX)

  constructor(private readonly body: UpstreamBody) {}

  /** The data of the next events, all that have come; fails with none after the last one. */
  readonly pull: Effect.Effect<Chunk.Chunk<string>, Option.Option<unknown>> = Effect.suspend(() => {
    if (this.#isDone) return Effect.fail(Option.none())
    return read(this.body).pipe(
      Effect.flatMap((bytes) => Effect.try({ try: () => this.#take(bytes), catch: (cause) => cause })),
      Effect.mapError(Option.some),
      Effect.flatMap((events) => (events.length > 0 ? Effect.succeed(Chunk.unsafeFromArray(events)) : this.pull))
    )
  })

  /** Ends the request, unless it has come to its end. */
  close(): void {
    if (!this.#isDone) this.body.on("error", () => undefined).destroy()
  }

  #take(bytes: Buffer | null): ReadonlyArray<string> {
    if (bytes === null) throw new Error("ended without [DONE]")
    const events = this.#lines.feed(this.#text.decode(bytes, { stream: true }))
    const end = events.indexOf(DONE)
    if (end < 0) return events
    this.#isDone = true
    // Read to its end, a connection can be used again.
    const rest = { limit: REST_BYTES_MAX, signal: AbortSignal.timeout(REST_MILLIS_MAX) }
    void this.body.dump(rest).catch(() => undefined)
    return events.slice(0, end)
  }
}
