import { Chunk, Effect, Option } from "effect"
import type { UpstreamBody } from "./UpstreamHttp.js"

/** An event exceeds the limit. */
export class EventTooLarge extends Error {
  constructor(charsMax: number) {
    super(`an event is larger than ${charsMax} characters`)
  }
}

/**
 * Parses server-sent events (WHATWG HTML §9.2.6), however the text is split. Returns only data: event names, ids and
 * retry times don't matter in a stream that is read once.
 */
export class EventLines {
  #rest = ""
  /** The remainder has no line end before this index. */
  #searched = 0
  #data: Array<string> = []
  #size = 0
  /** The last line ended with CR, so a following LF belongs to it. */
  #skipsLf = false

  constructor(private readonly charsMax: number) {}

  /** The data of the events completed by this text. */
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

/** The most bytes after the last event, and how long to wait for them. */
const REST_BYTES_MAX = 1024
const REST_MILLIS_MAX = 1_000

const DONE = "[DONE]"

/** The available part of a body, once there is some; null at its end. Never reads ahead. */
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

/** Reads a body's events until `[DONE]`. A body that ends without it was cut off. */
export class EventReader {
  #isDone = false
  readonly #text = new TextDecoder()
  readonly #lines = new EventLines(EVENT_CHARS_MAX)

  constructor(private readonly body: UpstreamBody) {}

  /** The data of all events that have arrived; fails with none after the last. */
  readonly pull: Effect.Effect<Chunk.Chunk<string>, Option.Option<unknown>> = Effect.suspend(() => {
    if (this.#isDone) return Effect.fail(Option.none())
    return read(this.body).pipe(
      Effect.flatMap((bytes) => Effect.try({ try: () => this.#take(bytes), catch: (cause) => cause })),
      Effect.mapError(Option.some),
      Effect.flatMap((events) => (events.length > 0 ? Effect.succeed(Chunk.unsafeFromArray(events)) : this.pull))
    )
  })

  /** Aborts the request, unless it has ended. */
  close(): void {
    if (!this.#isDone) this.body.on("error", () => undefined).destroy()
  }

  #take(bytes: Buffer | null): ReadonlyArray<string> {
    if (bytes === null) throw new Error("ended without [DONE]")
    const events = this.#lines.feed(this.#text.decode(bytes, { stream: true }))
    const end = events.indexOf(DONE)
    if (end < 0) return events
    this.#isDone = true
    // A connection can be reused once its body is read to the end.
    const rest = { limit: REST_BYTES_MAX, signal: AbortSignal.timeout(REST_MILLIS_MAX) }
    void this.body.dump(rest).catch(() => undefined)
    return events.slice(0, end)
  }
}
