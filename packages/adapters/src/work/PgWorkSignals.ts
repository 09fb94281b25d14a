import { jittered } from "@outbound/domain/kernel/backoff.js"
import { ROUND_NAMES, type RoundName, WorkSignals } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { Clock, Context, Deferred, Effect, Layer, Queue, Random } from "effect"
import { callback } from "../platform/callback.js"
import { LibraryPool } from "../postgres/PgPool.js"
import { SqlClient } from "../postgres/Sql.js"
import { ChangeSignals, Heard } from "./ChangeSignals.js"
import { type DueTimes, dueTimes } from "./dueTimes.js"

/** Whatever was not signalled is found after so long, give or take a quarter. */
const SAFETY_MILLIS = 60_000
export const LOOKS_AGAIN_MILLIS_MAX = 1.25 * SAFETY_MILLIS

/** The least pause between two looks at the due times. */
const LOOK_MILLIS = 1_000

const TROUBLE_MILLIS = { first: 500, max: 30_000 }

const CHANNEL = "outbound_work"
const CHANGES = "outbound_changes"

/** What a host knows about one round. Times are of its monotonic clock. */
class Awaited {
  /** When it may find something; negative infinity: it may now. */
  dueAt = Number.NEGATIVE_INFINITY
  /** Rows were written since its last turn began. One turn follows, even if nothing is due any more. */
  isSignalled = false
  signals = 0
  readonly waiting = new Set<() => void>()

  wake(): void {
    for (const check of this.waiting) check()
  }
}

class Board {
  readonly #rounds = new Map<string, Awaited>(ROUND_NAMES.map((name) => [name, new Awaited()]))
  #isListening = false

  /** `requestLook`: after this turn, the due time may be another. */
  constructor(private readonly requestLook: () => void) {}

  signal(names: Iterable<string>): void {
    for (const name of names) {
      const awaited = this.#rounds.get(name)
      if (awaited === undefined) continue
      awaited.isSignalled = true
      awaited.signals += 1
      awaited.dueAt = Number.NEGATIVE_INFINITY
      awaited.wake()
    }
  }

  /** Without signals, rounds poll. What was missed meanwhile is looked for. */
  listening(isListening: boolean): void {
    this.#isListening = isListening
    this.signal(ROUND_NAMES)
  }

  /** Remembers which signals a look may have seen. Call what it returns with its result. */
  look(): (found: DueTimes) => void {
    const from = performance.now()
    const before = new Map([...this.#rounds].map(([name, { signals }]) => [name, signals]))
    return (found) => {
      for (const { inMillis, round } of found) {
        const awaited = this.#rounds.get(round)
        if (awaited === undefined || awaited.signals !== before.get(round)) continue
        awaited.dueAt = inMillis === null ? Number.POSITIVE_INFINITY : from + inMillis
        awaited.wake()
      }
    }
  }

  turn(name: RoundName): Effect.Effect<void> {
    return callback<void>((resume) => {
      const awaited = this.#rounds.get(name)
      if (awaited === undefined) return resume(Effect.void)
      let timer: NodeJS.Timeout | undefined
      const leave = () => {
        clearTimeout(timer)
        awaited.waiting.delete(check)
      }
      const check = () => {
        clearTimeout(timer)
        const isTime = !this.#isListening || awaited.isSignalled
        const left = isTime ? 0 : awaited.dueAt - performance.now()
        if (left > 0) {
          timer = setTimeout(check, Math.min(left, 2 * SAFETY_MILLIS))
          return
        }
        leave()
        awaited.isSignalled = false
        this.requestLook()
        resume(Effect.void)
      }
      awaited.waiting.add(check)
      check()
      return Effect.sync(leave)
    })
  }
}

/** Listens until the connection is lost. */
const listen = (board: Board, heard: Heard) =>
  Effect.gen(function* () {
    const pool = yield* Effect.flatMap(LibraryPool, ({ open }) => open(1))
    const client = yield* Effect.acquireRelease(
      Effect.tryPromise(() => pool.connect()),
      (connected) => Effect.sync(() => connected.release(true))
    )
    const lost = yield* Deferred.make<void>()
    // Not in the middle of what the client does about it.
    const onLost = () => queueMicrotask(() => Deferred.doneUnsafe(lost, Effect.void))
    client.on("error", onLost)
    client.on("end", onLost)
    client.on("notification", ({ channel, payload = "" }) =>
      channel === CHANGES ? heard.changed(payload) : board.signal(payload.split(","))
    )
    yield* Effect.tryPromise(() => client.query(`LISTEN ${CHANGES}`))
    yield* Effect.tryPromise(() => client.query(`LISTEN ${CHANNEL}`))
    board.listening(true)
    heard.listening(true)
    yield* Deferred.await(lost)
  }).pipe(
    Effect.scoped,
    Effect.ensuring(
      Effect.sync(() => {
        board.listening(false)
        heard.listening(false)
      })
    )
  )

/**
 * Signals by `NOTIFY`, sent by triggers (migration 25), and by the due times of rows, read once a minute and after each
 * turn. Without a connection to listen on, rounds poll. It uses one connection of its own.
 */
export const layer: Layer.Layer<WorkSignals | ChangeSignals, never, SqlClient | LibraryPool> = Layer.effectContext(
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const requests = yield* Queue.sliding<void>(1)
    const heard = new Heard()
    const board = new Board(() => void Queue.offerUnsafe(requests, undefined))

    const look = Effect.gen(function* () {
      const learn = board.look()
      learn(yield* dueTimes(sql, yield* Clock.currentTimeMillis))
      yield* Effect.sleep(LOOK_MILLIS)
      const untilNext = SAFETY_MILLIS * (yield* Random.nextBetween(0.75, 1.25))
      yield* Effect.timeoutOption(Queue.take(requests), untilNext)
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning("looking for due times failed; rounds poll meanwhile", cause).pipe(
          Effect.andThen(Effect.sync(() => board.signal(ROUND_NAMES))),
          Effect.andThen(Effect.sleep(LOOK_MILLIS))
        )
      )
    )

    let losses = 0
    const listening = listen(board, heard).pipe(
      Effect.tapCause((cause) => Effect.logWarning("listening for work failed; rounds poll meanwhile", cause)),
      Effect.exit,
      Effect.flatMap((exit) => {
        losses = exit._tag === "Success" ? 1 : losses + 1
        return Effect.flatMap(jittered(losses, TROUBLE_MILLIS), Effect.sleep)
      })
    )

    yield* Effect.forkScoped(Effect.forever(look))
    yield* Effect.forkScoped(Effect.forever(listening))
    return Context.make(WorkSignals, {
      rest: (round, restMillis) => Effect.andThen(Effect.sleep(restMillis), board.turn(round))
    }).pipe(Context.add(ChangeSignals, heard))
  })
)
