import { Clock, Context, Effect, Latch, Layer, Option } from "effect"
import { TrailStore } from "../../kernel/trail/TrailEvent.js"
import { ConsoleReads } from "./ConsoleReads.js"

/** Tells who looks at a workspace that what the console shows of it may have changed. */
export class Changes extends Context.Service<
  Changes,
  {
    /**
     * Calls `told` after a change of the workspace, maybe for nothing, until the function that it returns is called. It
     * tells of no other workspace. After a signal that was lost, it tells within seconds.
     */
    readonly watch: (workspaceId: string, told: () => void) => () => void
  }
>()("@outbound/domain/control/console/Changes") {}

/** Who watches which workspace. */
export class Watchers {
  readonly #of = new Map<string, Set<() => void>>()

  constructor(private readonly onFirst: () => void = () => undefined) {}

  readonly watch = (workspaceId: string, told: () => void): (() => void) => {
    // Its own function, so that two watchers with one callback are two.
    const watcher = () => told()
    const watchers = this.#of.get(workspaceId) ?? new Set()
    this.#of.set(workspaceId, watchers.add(watcher))
    this.onFirst()
    return () => {
      if (watchers.delete(watcher) && watchers.size === 0) this.#of.delete(workspaceId)
    }
  }

  tell(workspaceId: string): void {
    for (const told of this.#of.get(workspaceId) ?? []) told()
  }

  get workspaceIds(): ReadonlyArray<string> {
    return [...this.#of.keys()]
  }
}

export const LOOK_MILLIS = 2_000

/**
 * Looks at the workspaces that somebody watches, for stores that can't signal. While nobody does, or `isNeeded` is false,
 * it does nothing. `wake` makes it ask again whether it is needed.
 */
export const makeLooking = (isNeeded: () => boolean) =>
  Effect.gen(function* () {
    const reads = yield* ConsoleReads
    const trail = yield* TrailStore
    const awake = yield* Latch.make(false)
    const wake = () => void awake.openUnsafe()
    const watchers = new Watchers(wake)
    const seen = new Map<string, string>()

    /** Whatever the console shows changes one of these. */
    const markOf = (workspaceId: string) =>
      Effect.gen(function* () {
        const nowMillis = (yield* Clock.Clock).currentTimeMillisUnsafe()
        const standing = yield* reads.standing(workspaceId, nowMillis)
        const newest = yield* trail.page({
          workspaceId,
          campaignId: null,
          email: null,
          kinds: [],
          sinceMillis: null,
          untilMillis: null,
          after: null,
          limit: 1
        })
        return JSON.stringify([standing, newest[0]?.eventId ?? null])
      })

    const look = Effect.gen(function* () {
      const watched = watchers.workspaceIds
      for (const known of seen.keys()) if (!watched.includes(known)) seen.delete(known)
      for (const workspaceId of watched) {
        const mark = yield* Effect.option(markOf(workspaceId))
        if (Option.isNone(mark)) continue
        const before = seen.get(workspaceId)
        seen.set(workspaceId, mark.value)
        // What changed before the first look is not known.
        if (before !== mark.value) watchers.tell(workspaceId)
      }
    })

    const turn = Effect.gen(function* () {
      if (watchers.workspaceIds.length === 0 || !isNeeded()) {
        seen.clear()
        yield* awake.close
      }
      yield* awake.await
      yield* look
      yield* Effect.sleep(LOOK_MILLIS)
    })
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.catchCause(turn, (cause) =>
          Effect.andThen(Effect.logWarning("looking for changes failed", cause), Effect.sleep(LOOK_MILLIS))
        )
      )
    )
    return { watchers, wake }
  })

export const looking = Layer.effect(
  Changes,
  Effect.map(
    makeLooking(() => true),
    ({ watchers }) => Changes.of({ watch: watchers.watch })
  )
)
