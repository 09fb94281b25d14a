import type { Clock } from "effect"
import type { Events } from "../../calls/Calls.js"
import { deadlinesOf } from "./Deadlines.js"

/** Proxies on the way to a client cut off what is silent for a minute, and some for half of one. */
export const BEAT_SECONDS = 10

/** Events of which a client hears at least every ten seconds, even while there are none. */
export interface KeptAlive extends Pick<Events, "send" | "onLeft"> {
  readonly end: () => void
}

export const keptAlive = (events: Events, clock: Clock.Clock): KeptAlive => {
  let saidAtMillis = clock.currentTimeMillisUnsafe()
  // Who doesn't read what was sent needs no more of it.
  let isHeldUp = false
  const say = (): void => {
    saidAtMillis = clock.currentTimeMillisUnsafe()
  }
  const end = deadlinesOf(clock).add({
    dueMillis: () => (isHeldUp ? Infinity : saidAtMillis + BEAT_SECONDS * 1_000),
    onLate: () => {
      say()
      events.beat()
    }
  })
  return {
    end,
    onLeft: events.onLeft,
    send: (data) => {
      say()
      const sent = events.send(data)
      if (typeof sent === "boolean") return sent
      isHeldUp = true
      return sent.then((isThere) => {
        isHeldUp = false
        say()
        return isThere
      })
    }
  }
}
