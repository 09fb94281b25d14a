import { Clock, Context, Effect, Layer, Ref } from "effect"
import { leftOf, type Span } from "../../kernel/Span.js"
import { Ids } from "../../kernel/ports/Ids.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { type ConnectedMailbox, HOLD_MILLIS, OwnMailboxStore } from "./OwnMailboxes.js"

/** Most own mailboxes that one host works on: each costs it two connections. */
export const HELD_MAX = 200

/** We treat a hold as expired this much earlier, so that work begun under it ends under it. */
const MARGIN_MILLIS = 2_000

/**
 * The own mailboxes that this host works on. One host at a time holds a mailbox, sends from it and reads it. The host's
 * workers share the hold.
 */
export class HeldMailboxes extends Context.Service<
  HeldMailboxes,
  {
    /** Identifies this process; a restarted host is another. */
    readonly hostId: string
    /** Renews the holds and takes free mailboxes. Call it well within `HOLD_MILLIS`. */
    readonly renew: FromStore<ReadonlyArray<ConnectedMailbox>>
    /** The same, but newly held mailboxes become visible only after `prepare`. */
    readonly renewWith: (
      prepare: (fresh: ReadonlyArray<ConnectedMailbox>) => FromStore<void>
    ) => FromStore<ReadonlyArray<ConnectedMailbox>>
    /** The mailboxes of the last renewal while they are certainly held; empty afterwards. */
    readonly held: Effect.Effect<ReadonlyArray<ConnectedMailbox>>
  }
>()("@outbound/domain/outreach/sending/HeldMailboxes") {}

/** Releases the mailboxes when its scope closes, so that another host can continue at once. */
export const layer = Layer.effect(
  HeldMailboxes,
  Effect.gen(function* () {
    const store = yield* OwnMailboxStore
    const ids = yield* Ids
    const hostId = ids.next(yield* Clock.currentTimeMillis)
    const last = yield* Ref.make<{ readonly mailboxes: ReadonlyArray<ConnectedMailbox>; readonly span: Span | null }>({
      mailboxes: [],
      span: null
    })

    const held = Effect.gen(function* () {
      const { mailboxes, span } = yield* Ref.get(last)
      return leftOf(span, yield* Clock.currentTimeMillis) > 0 ? mailboxes : []
    })

    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Ref.get(last), ({ mailboxes }) =>
        mailboxes.length === 0
          ? Effect.void
          : store.release(
              hostId,
              mailboxes.map(({ own }) => own.mailboxId)
            )
      ).pipe(Effect.catch((error) => Effect.logWarning("releasing own mailboxes failed", error)))
    )

    const renewWith = (prepare: (fresh: ReadonlyArray<ConnectedMailbox>) => FromStore<void>) =>
      Effect.gen(function* () {
        // Counted from before the request: the database's hold began later.
        const nowMillis = yield* Clock.currentTimeMillis
        const mailboxes = yield* store.hold({ hostId, limit: HELD_MAX, millis: HOLD_MILLIS })
        const before = new Set((yield* held).map(({ own }) => own.mailboxId))
        const fresh = mailboxes.filter(({ own }) => !before.has(own.mailboxId))
        if (fresh.length > 0) yield* prepare(fresh)
        yield* Ref.set(last, { mailboxes, span: { from: nowMillis, until: nowMillis + HOLD_MILLIS - MARGIN_MILLIS } })
        return mailboxes
      })

    return HeldMailboxes.of({ hostId, renew: renewWith(() => Effect.void), renewWith, held })
  })
)
