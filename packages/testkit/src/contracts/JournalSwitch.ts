import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { Context, Effect, Layer } from "effect"

type Journal = CallJournal["Service"]

/** Whose journal the service runs on, and what happens right before an effect begins: for suites of hosts that die. */
export class JournalSwitch extends Context.Service<
  JournalSwitch,
  {
    /** From now on calls belong to the host of this journal; null: to the service's own. */
    readonly use: (journal: Journal | null) => Effect.Effect<void>
    /** What happens once, before the next effect begins. */
    readonly beforeNextEffect: (happens: Effect.Effect<void>) => Effect.Effect<void>
    /** What happens once, after the next effect was said to begin. */
    readonly afterNextEffect: (happens: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@outbound/testkit/contracts/JournalSwitch") {}

/** The journal beneath, under that control. */
export const layer: Layer.Layer<CallJournal | JournalSwitch, never, CallJournal> = Layer.effectContext(
  Effect.map(CallJournal, (own) => {
    let current: Journal = own
    let before: Effect.Effect<void> = Effect.void
    let after: Effect.Effect<void> = Effect.void
    const takeBefore = Effect.suspend(() => {
      const due = before
      before = Effect.void
      return due
    })
    const takeAfter = Effect.suspend(() => {
      const due = after
      after = Effect.void
      return due
    })
    const journal = CallJournal.of({
      locate: (keyHash) => current.locate(keyHash),
      admit: (attempt) => current.admit(attempt),
      settle: (settlement) => current.settle(settlement),
      acceptIn: (call, outcome) => current.acceptIn(call, outcome),
      held: (workspaceId, requestId) => current.held(workspaceId, requestId),
      splitIn: (from, calls, nowMillis) => current.splitIn(from, calls, nowMillis),
      mergeIn: (into, requestId, amount) => current.mergeIn(into, requestId, amount),
      settleIn: (settlement) => current.settleIn(settlement),
      reconcileIn: (reconciled) => current.reconcileIn(reconciled),
      effectStarts: (call) =>
        takeBefore.pipe(
          Effect.andThen(Effect.suspend(() => current.effectStarts(call))),
          Effect.tap(() => takeAfter)
        ),
      awaitOutcome: (workspaceId, requestId, waitMillis) => current.awaitOutcome(workspaceId, requestId, waitMillis),
      request: (workspaceId, requestId) => current.request(workspaceId, requestId),
      standing: (workspaceId, keyId, nowMillis) => current.standing(workspaceId, keyId, nowMillis),
      sweep: Effect.suspend(() => current.sweep)
    })
    const control = JournalSwitch.of({
      use: (next) => Effect.sync(() => void (current = next ?? own)),
      beforeNextEffect: (happens) => Effect.sync(() => void (before = happens)),
      afterNextEffect: (happens) => Effect.sync(() => void (after = happens))
    })
    return Context.make(CallJournal, journal).pipe(Context.add(JournalSwitch, control))
  })
)
