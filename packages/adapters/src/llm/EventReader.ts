import type { NowOrLater } from "@outbound/domain/kernel/NowOrLater.js"
import { Effect } from "effect"
import type { Arriving, Receiver } from "./UpstreamHttp.js"

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

const DONE = "[DONE]"

/** The most bytes after it, and how long to wait for them. */
const REST_BYTES_MAX = 1024
const REST_MILLIS_MAX = 1_000

/**
 * How long the body is held up after events were handed over. A fast stream then costs one look and one write for many
 * events; a slow one loses nothing, and the first event never waits.
 */
const GATHER_MILLIS = 2

type Ending = "done" | "cut off" | "closed" | { readonly cause: unknown }

const causeOf = (ending: Exclude<Ending, "done">): unknown =>
  typeof ending === "string" ? new Error(ending === "closed" ? "closed" : "ended without [DONE]") : ending.cause

/**
 * Reads a body's events until `[DONE]`, in plain code: many small pieces come, so none of them may cost a fiber. A body
 * that ends without that mark was cut off. Holds the body up while nobody takes its events.
 */
export class EventReader implements Receiver {
  readonly #text = new TextDecoder()
  readonly #lines = new EventLines(EVENT_CHARS_MAX)
  /** Arrived and not taken. */
  #events: Array<string> = []
  #ending: Ending | null = null
  #afterEnd = 0
  #timer: NodeJS.Timeout | undefined
  /** Who waits for more, and whether it is about to look. */
  #wake: (() => void) | null = null
  #isWaking = false
  #gathering: NodeJS.Timeout | undefined

  constructor(private readonly body: Arriving) {}

  data(bytes: Buffer): void {
    if (this.#ending !== null) return this.#discard(bytes)
    try {
      this.#add(this.#lines.feed(this.#text.decode(bytes, { stream: true })))
    } catch (cause) {
      this.#end({ cause })
      this.body.abort(new Error("an event makes no sense"))
    }
    this.#inform()
  }

  over(cause: unknown): void {
    clearTimeout(this.#timer)
    this.#end(cause === null ? "cut off" : { cause })
    this.#inform()
  }

  /** The data of the events that come next, at least one; null at the end. */
  readonly next: Effect.Effect<readonly [string, ...ReadonlyArray<string>] | null, unknown> = Effect.async((resume) => {
    const look = (): void => {
      const [first, ...others] = this.#take()
      if (first !== undefined) return resume(Effect.succeed([first, ...others]))
      if (!this.#finish(resume, null)) this.#await(look)
    }
    look()
  })

  /** Hands over the data of all further events. True: the stream has ended; false: `take` wants no more. */
  readonly each = (take: (events: ReadonlyArray<string>) => NowOrLater<boolean>): Effect.Effect<boolean, unknown> =>
    Effect.async((resume) => {
      let isOver = false
      const go = (wanted: boolean): void => {
        if (isOver) return
        if (wanted) return this.#gather(pump)
        resume(Effect.succeed(false))
      }
      const pump = (): void => {
        if (isOver) return
        if (this.#events.length > 0) {
          const wanted = take(this.#take())
          if (typeof wanted === "boolean") return go(wanted)
          return void wanted.then(go, (cause: unknown) => resume(Effect.die(cause)))
        }
        if (!this.#finish(resume, true)) this.#await(pump)
      }
      this.#gather(pump)
      return Effect.sync(() => void (isOver = true))
    })

  /** Aborts the request, unless its events have ended. */
  close(): void {
    this.#wake = null
    clearTimeout(this.#gathering)
    if (this.#ending === null) this.body.abort(new Error("nobody waits any more"))
    this.#end("closed")
  }

  #add(events: ReadonlyArray<string>): void {
    const end = events.indexOf(DONE)
    for (const event of end < 0 ? events : events.slice(0, end)) this.#events.push(event)
    if (end < 0) return
    this.#end("done")
    // A connection can be reused once its body is read to the end.
    this.#timer = setTimeout(() => this.body.abort(new Error("too late after the end")), REST_MILLIS_MAX).unref()
  }

  #discard(bytes: Buffer): void {
    this.#afterEnd += bytes.length
    if (this.#afterEnd > REST_BYTES_MAX) this.body.abort(new Error("too much after the end"))
  }

  #end(ending: Ending): void {
    this.#ending ??= ending
  }

  #take(): ReadonlyArray<string> {
    const events = this.#events
    this.#events = []
    return events
  }

  #await(look: () => void): void {
    this.#wake = look
    this.body.resume()
  }

  /** Looks again in a moment, at all that has come until then. */
  #gather(look: () => void): void {
    if (this.#events.length > 0 || this.#ending !== null) return look()
    this.body.pause()
    this.#gathering = setTimeout(() => {
      if (this.#ending !== null) return look()
      this.#await(look)
      this.#inform()
    }, GATHER_MILLIS)
  }

  #inform(): void {
    if (this.#wake === null) {
      if (this.#ending === null) this.body.pause()
      return
    }
    if (this.#isWaking || (this.#events.length === 0 && this.#ending === null)) return
    // One read brings several pieces, so look when all of it has been handed over.
    this.#isWaking = true
    queueMicrotask(() => {
      this.#isWaking = false
      const wake = this.#wake
      this.#wake = null
      wake?.()
    })
  }

  #finish<A>(resume: (result: Effect.Effect<A, unknown>) => void, ended: A): boolean {
    if (this.#ending === null) return false
    resume(this.#ending === "done" ? Effect.succeed(ended) : Effect.fail(causeOf(this.#ending)))
    return true
  }
}
