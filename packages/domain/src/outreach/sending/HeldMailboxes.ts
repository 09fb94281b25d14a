import { Clock, Context, Effect, Layer, Ref } from "effect"
import { leftOf, type Span } from "../../kernel/Span.js"
import { Ids } from "../../kernel/ports/Ids.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { type ConnectedMailbox, HOLD_MILLIS, OwnMailboxStore } from "./OwnMailboxes.js"

/**
 * Most own mailboxes that one host works on, unless its operator says otherwise. Each costs it a connection and some memory; so
 * many need less than the 512 MB that a host should have (`npm run bench -- mailboxes`).
 */
export const HELD_MAX = 1_000

/** The same, of this host. */
export const HeldLimit = Context.Reference<number>("@outbound/domain/outreach/sending/HeldMailboxes/Limit", {
  defaultValue: () => HELD_MAX
})

/**
 * Most that it takes at once, so that hosts which start together share what is free. A host with many renews rarely, so it takes a
 * share of what it has: otherwise ten thousand would take ten minutes.
 */
const takenAtOnceMax = (held: number): number => Math.max(250, Math.ceil(held / 4))

/** Renewals write a row for each mailbox. A host with more than so many renews more rarely, and holds for longer. */
const QUICKLY_RENEWED_MAX = 500

/** How much longer holds last, and how much more rarely they are renewed, for so many mailboxes. */
export const holdFactor = (mailboxes: number): number => Math.max(1, mailboxes / QUICKLY_RENEWED_MAX)

/** How often a hold is renewed before it would end. */
const RENEWALS_OF_A_HOLD = 4

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
    /** Renews the holds and takes free mailboxes. Call it every `renewMillis`. */
    readonly renew: FromStore<ReadonlyArray<ConnectedMailbox>>
    /** The same, but newly held mailboxes become visible only after `prepare`. */
    readonly renewWith: (
      prepare: (fresh: ReadonlyArray<ConnectedMailbox>) => FromStore<void>
    ) => FromStore<ReadonlyArray<ConnectedMailbox>>
    /** After how long to renew. */
    readonly renewMillis: Effect.Effect<number>
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
    const limit = yield* HeldLimit
    const hostId = ids.next(yield* Clock.currentTimeMillis)
    /** How long the next hold lasts, by how many were held last. */
    const nextMillis = yield* Ref.make(HOLD_MILLIS)
    const lastMillis = yield* Ref.make(HOLD_MILLIS)
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
        const millis = yield* Ref.get(nextMillis)
        const { mailboxes: had } = yield* Ref.get(last)
        const mailboxes = yield* store.hold({
          hostId,
          limit: Math.min(limit, had.length + takenAtOnceMax(had.length)),
          millis
        })
        yield* Ref.set(lastMillis, millis)
        yield* Ref.set(nextMillis, HOLD_MILLIS * holdFactor(mailboxes.length))
        const before = new Set((yield* held).map(({ own }) => own.mailboxId))
        const fresh = mailboxes.filter(({ own }) => !before.has(own.mailboxId))
        if (fresh.length > 0) yield* prepare(fresh)
        yield* Ref.set(last, { mailboxes, span: { from: nowMillis, until: nowMillis + millis - MARGIN_MILLIS } })
        return mailboxes
      })

    return HeldMailboxes.of({
      hostId,
      renew: renewWith(() => Effect.void),
      renewWith,
      renewMillis: Effect.map(Ref.get(lastMillis), (millis) => millis / RENEWALS_OF_A_HOLD),
      held
    })
  })
)
