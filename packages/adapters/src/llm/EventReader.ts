import type { NowOrLater } from "@outbound/domain/kernel/NowOrLater.js"
import { Effect } from "effect"
import { callback } from "../platform/callback.js"
import { type Arriving, LEFT, type Receiver } from "./Arriving.js"
import { EventLines } from "./EventLines.js"

const DONE = "[DONE]"
/** Around the mark some upstreams put spaces. */
const DONE_CHARS_MAX = 16

const isDone = (event: string): boolean => event.length <= DONE_CHARS_MAX && event.trim() === DONE

/** The most bytes after it, and how long to wait for them. */
const REST_BYTES_MAX = 1024
const REST_MILLIS_MAX = 1_000

/**
 * How long events wait for further ones after some were handed over. A fast stream then costs one look and one write for
 * many events. The first events never wait, nor does anything once the end is there.
 */
const GATHER_MILLIS = 2

/** The most text that may wait to be taken. Beyond it, the body is held up. */
const WAITING_CHARS_MAX = 64 * 1024

type Ending = "done" | "cut off" | "left" | { readonly cause: unknown }

/** The body ended in order, without the mark of an end. */
export class Unmarked extends Error {
  constructor() {
    super("ended without [DONE]")
  }
}

const causeOf = (ending: Exclude<Ending, "done">): unknown =>
  typeof ending === "string" ? (ending === "left" ? new Error(LEFT) : new Unmarked()) : ending.cause

/**
 * Reads a body's events until `[DONE]`, in plain code: many small pieces come, so none of them may cost a fiber. A body
 * that ends without that mark was cut off. Holds the body up while much of it waits to be taken.
 */
export class EventReader implements Receiver {
  readonly #text = new TextDecoder()
  readonly #lines = new EventLines()
  /** Arrived and not taken, and how much that is. */
  #events: Array<string> = []
  #waitingChars = 0
  #ending: Ending | null = null
  #afterEnd = 0
  #timer: NodeJS.Timeout | undefined
  /** Who waits for more, and whether it is about to look. */
  #wake: (() => void) | null = null
  #isWaking = false
  #gathering: NodeJS.Timeout | undefined
  /** Ends the wait for events at once. */
  #leave: (() => void) | null = null

  /** `heard` is told of all that arrives, of comments too. */
  constructor(
    private readonly body: Arriving,
    private readonly heard: () => void
  ) {}

  data(bytes: Buffer): void {
    if (this.#ending !== null) return this.#discard(bytes)
    this.heard()
    try {
      this.#add(this.#lines.feed(this.#text.decode(bytes, { stream: true })))
    } catch (cause) {
      this.#end({ cause })
      this.body.abort(new Error("an event makes no sense"))
    }
    this.#inform()
  }

  over(cause: unknown): void {
    // Some servers leave out the last blank line, or even the end of the last line.
    if (this.#ending === null) this.#add(this.#lines.end())
    clearTimeout(this.#timer)
    this.#end(cause === null ? "cut off" : { cause })
    this.#inform()
  }

  /** The data of the events that come next, at least one; null at the end. */
  readonly next: Effect.Effect<readonly [string, ...ReadonlyArray<string>] | null, unknown> = callback((resume) => {
    const end = this.#waits(resume)
    const look = (): void => {
      const [first, ...others] = this.#take()
      if (first !== undefined) return end(Effect.succeed([first, ...others]))
      if (!this.#finish(end, null)) this.#await(look)
    }
    look()
  })

  /** Hands over the data of all further events. True: the stream has ended; false: `take` wants no more. */
  readonly each = (take: (events: ReadonlyArray<string>) => NowOrLater<boolean>): Effect.Effect<boolean, unknown> =>
    callback((resume) => {
      const end = this.#waits(resume)
      const go = (wanted: boolean): void => {
        if (this.#leave === null) return
        if (wanted) return this.#gather(pump)
        end(Effect.succeed(false))
      }
      const pump = (): void => {
        if (this.#events.length > 0) {
          const wanted = take(this.#take())
          if (typeof wanted === "boolean") return go(wanted)
          return void wanted.then(go, (cause: unknown) => end(Effect.die(cause)))
        }
        if (!this.#finish(end, true)) this.#await(pump)
      }
      this.#gather(pump)
    })

  /** Ends what waits for events, and the request, unless its events have ended. */
  leave(): void {
    this.#wake = null
    clearTimeout(this.#gathering)
    if (this.#ending === null) this.body.abort(new Error(LEFT))
    this.#end("left")
    this.#leave?.()
  }

  #waits<A>(resume: (result: Effect.Effect<A, unknown>) => void): (result: Effect.Effect<A, unknown>) => void {
    this.#leave = () => {
      this.#leave = null
      resume(Effect.fail(new Error(LEFT)))
    }
    return (result) => {
      this.#leave = null
      resume(result)
    }
  }

  #add(events: ReadonlyArray<string>): void {
    const end = events.findIndex(isDone)
    for (const event of end < 0 ? events : events.slice(0, end)) {
      this.#events.push(event)
      this.#waitingChars += event.length
    }
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
    this.#lines.drop()
  }

  #take(): ReadonlyArray<string> {
    const events = this.#events
    this.#events = []
    this.#waitingChars = 0
    return events
  }

  #await(look: () => void): void {
    this.#wake = look
    this.body.resume()
  }

  /** Looks again in a moment, at all that has come until then. */
  #gather(look: () => void): void {
    if (this.#events.length > 0 || this.#ending !== null) return look()
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined
      this.#inform()
    }, GATHER_MILLIS)
    this.#await(look)
  }

  get #isTooMuch(): boolean {
    return this.#waitingChars > WAITING_CHARS_MAX
  }

  #inform(): void {
    if (this.#wake === null) {
      // What one read brings arrives before anybody can ask for it.
      if (this.#ending === null && this.#isTooMuch) this.body.pause()
      return
    }
    if (this.#isWaking || (this.#events.length === 0 && this.#ending === null)) return
    if (this.#gathering !== undefined && this.#ending === null && !this.#isTooMuch) return
    // One read brings several pieces, so look when all of it has been handed over.
    this.#isWaking = true
    queueMicrotask(() => {
      this.#isWaking = false
      clearTimeout(this.#gathering)
      this.#gathering = undefined
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
