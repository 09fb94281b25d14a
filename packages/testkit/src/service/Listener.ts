import { DONE, type EventSink } from "@outbound/domain/calls/Calls.js"
import { Effect } from "effect"

/** A client that reads an answer event by event. */
export interface Listener {
  readonly sink: EventSink
  /** The events so far, parsed; `[DONE]` as it stands. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  readonly events: ReadonlyArray<any>
  /** The texts of the events, as they came. */
  readonly texts: ReadonlyArray<string>
  /** How many signs of life it got that were no events. */
  readonly beats: () => number
  /** From here on it is gone. */
  readonly leave: Effect.Effect<void>
}

/** `leavesAfter`: so many events or more, then it goes. `before`: what it waits for before it takes one. */
export const makeListener = (
  options: { readonly leavesAfter?: number; readonly before?: Effect.Effect<void> } = {}
): Effect.Effect<Listener> =>
  Effect.sync((): Listener => {
    const texts: Array<string> = []
    const events: Array<unknown> = []
    const waiting = new Set<() => void>()
    let isGone = false
    let beats = 0
    const leave = Effect.sync(() => {
      isGone = true
      for (const told of waiting) told()
      waiting.clear()
    })
    /** As over HTTP, what is written at once arrives whole or not at all. */
    const take = (all: ReadonlyArray<string>): boolean => {
      if (isGone) return false
      texts.push(...all)
      events.push(...all.map((data) => (data === DONE ? data : JSON.parse(data))))
      if (texts.length >= (options.leavesAfter ?? Infinity)) Effect.runSync(leave)
      return true
    }
    const { before } = options
    return {
      texts,
      events,
      leave,
      beats: () => beats,
      sink: {
        beat: () => void beats++,
        onLeft: (told) => {
          if (isGone) told()
          else waiting.add(told)
          return () => void waiting.delete(told)
        },
        send: (_head, data) => {
          if (isGone) return false
          return before === undefined ? take(data) : Effect.runPromise(before).then(() => take(data))
        }
      }
    }
  })
