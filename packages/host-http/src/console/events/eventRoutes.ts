import { Changes } from "@outbound/domain/control/console/Changes.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { pages } from "../pages.js"
import { Clock, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import { LIMITS } from "../../http/Limits.js"
import { text } from "../../http/Pages.js"
import { EVENT_STREAM } from "../../http/Reply.js"
import { type Inside, member, type Page } from "../Visit.js"

/** Wakes a stream: rung while it is busy, it is heard once afterwards. */
class Bell {
  #isRung = false
  #isOver = false
  #wake: (() => void) | null = null

  readonly ring = (): void => {
    this.#isRung = true
    this.#wake?.()
  }

  /** For good: there is no more to wait for. */
  readonly end = (): void => {
    this.#isOver = true
    this.#wake?.()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether it was rung since the last answer. */
  answer(): boolean {
    const wasRung = this.#isRung
    this.#isRung = false
    return wasRung
  }

  /** Until it is rung, but not longer. */
  heard(millisMax: number): Effect.Effect<void> {
    return this.#until(millisMax, () => this.#isRung || this.#isOver)
  }

  /** The whole time, unless it is over. */
  rest(millis: number): Effect.Effect<void> {
    return this.#until(millis, () => this.#isOver)
  }

  #until(millisMax: number, isDone: () => boolean): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const end = () => {
        clearTimeout(timer)
        this.#wake = null
        resume(Effect.void)
      }
      const timer = setTimeout(end, millisMax)
      this.#wake = () => isDone() && end()
      this.#wake()
    })
  }
}

export const EVENTS_PATH = "/console/events"

/** The least time between two events of a stream. */
export const EVENTS_APART_MILLIS = 1_000

/** After so long without an event, a stream says that it lives, and looks whether its session does. */
const HEARTBEAT_MILLIS = 15_000

const RETRY_SECONDS = 30

/** How many streams one session, one address and the host have open. */
class Places {
  readonly #taken = new Map<string, number>()

  constructor(private readonly most: ReadonlyArray<number>) {}

  /** Takes one for each name, whose limits are in the same order; null if one of them has none left. */
  take(names: ReadonlyArray<string>): (() => void) | null {
    if (names.some((name, index) => (this.#taken.get(name) ?? 0) >= (this.most[index] ?? 0))) return null
    for (const name of names) this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1)
    return () => {
      for (const name of names) {
        const left = (this.#taken.get(name) ?? 1) - 1
        if (left === 0) this.#taken.delete(name)
        else this.#taken.set(name, left)
      }
    }
  }
}

/**
 * The stream that says that the workspace changed, and nothing else: who hears it asks for the page again. It ends with its
 * session, when the host stops, or when the browser leaves.
 */
export const eventPages = pages({ changes: Changes, console: Console }, ({ changes, console }, onStop) => {
  const places = new Places([LIMITS.watchersMax, LIMITS.watchersPerAddressMax, LIMITS.watchersPerSessionMax])

  const isStillIn = ({ secret, workspaceId }: Inside) =>
    Effect.map(
      console.session(secret),
      Option.exists(({ session }) => session.workspaceId === workspaceId)
    )

  const open = (visit: Inside): Page =>
    Effect.sync(() => {
      const session = createHash("sha256").update(visit.secret).digest("hex")
      const leave = places.take(["host", `address ${visit.client}`, `session ${session}`])
      if (leave === null) {
        const full = text(429, "Too many pages are open. They stay as they are; reload them to see what changed.\n")
        return { ...full, headers: { ...full.headers, "retry-after": String(RETRY_SECONDS) } }
      }
      const bell = new Bell()
      const ends = [leave, changes.watch(visit.workspaceId, bell.ring), onStop(bell.end)]
      const isIn = isStillIn(visit)
      const stream = (write: (piece: string) => Effect.Effect<boolean>) =>
        Effect.gen(function* () {
          let isOpen = yield* write(": open\n\n")
          while (isOpen && !bell.isOver) {
            yield* bell.heard(HEARTBEAT_MILLIS)
            if (bell.isOver || !(yield* isIn)) return
            if (bell.answer()) {
              isOpen = yield* write(`event: changed\nid: ${yield* Clock.currentTimeMillis}\ndata: changed\n\n`)
              yield* bell.rest(EVENTS_APART_MILLIS)
            } else isOpen = yield* write(": still open\n\n")
          }
        })
      return {
        headers: { "content-type": EVENT_STREAM },
        produce: (write, onLeft) => {
          ends.push(onLeft(bell.end))
          return stream(write)
        },
        release: () => {
          for (const end of ends) end()
        }
      }
    })

  return [member(EVENTS_PATH, { get: open, isForScripts: true })]
})
