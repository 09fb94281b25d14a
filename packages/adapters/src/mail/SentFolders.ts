import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Exit, Scope, Semaphore } from "effect"
import type { ImapFlow } from "imapflow"
import { connect, type ImapOptions } from "./ImapConnection.js"

/** A connection without work is closed after this time, before servers do it (RFC 3501 §5.4: 30 minutes). */
const IDLE_MILLIS = 25 * 60_000

/** Most connections that are kept. Beyond, the one that was idle the longest is closed. */
const KEPT_MAX = 200

/** Uses a mailbox's connection for its folder of sent mail. Its users take turns. */
export interface SentFolders {
  readonly use: <A>(
    account: MailAccount,
    work: (client: ImapFlow) => Effect.Effect<A, ProviderFailure>
  ) => Effect.Effect<A, ProviderFailure>
}

interface Kept {
  readonly turn: Semaphore.Semaphore
  open: { readonly client: ImapFlow; readonly scope: Scope.Closeable } | null
  usedAtMillis: number
}

/** The connection's identity. A renewed secret needs no new connection. */
const keyOf = ({ imap, mailboxId, username }: MailAccount): string => JSON.stringify([mailboxId, imap, username])

/**
 * One connection per mailbox for copies of sent messages and look-ups among them, kept between messages: a login for
 * each copy would look like an attack to the server. Closed with the scope.
 */
export const makeSentFolders = (options: ImapOptions): Effect.Effect<SentFolders, never, Scope.Scope> =>
  Effect.gen(function* () {
    const kept = new Map<string, Kept>()

    const close = (one: Kept) =>
      Effect.suspend(() => {
        const { open } = one
        one.open = null
        return open === null ? Effect.void : Scope.close(open.scope, Exit.void)
      })

    const opened = (one: Kept, account: MailAccount) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          if (one.open?.client.usable === true) return one.open.client
          yield* close(one)
          const scope = yield* Scope.make()
          const client = yield* restore(Scope.provide(connect(account, options, "sent"), scope)).pipe(
            Effect.onError(() => Scope.close(scope, Exit.void))
          )
          one.open = { client, scope }
          return client
        })
      )

    const closeIdle = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      Effect.forEach(
        [...kept].toSorted(([, a], [, b]) => a.usedAtMillis - b.usedAtMillis),
        ([key, one], index) => {
          const isOver = kept.size - index > KEPT_MAX || nowMillis - one.usedAtMillis >= IDLE_MILLIS
          // One that is in use is left alone.
          return isOver
            ? one.turn.withPermitsIfAvailable(1)(
                Effect.andThen(
                  Effect.sync(() => kept.delete(key)),
                  close(one)
                )
              )
            : Effect.void
        },
        { discard: true }
      )
    )
    // Time is watched only while a connection is kept.
    const scope = yield* Effect.scope
    let isWatched = false
    const watch = Effect.suspend(() => {
      if (isWatched) return Effect.void
      isWatched = true
      return Effect.andThen(Effect.sleep(IDLE_MILLIS / 5), closeIdle).pipe(
        Effect.repeat({ while: () => kept.size > 0 }),
        Effect.ensuring(Effect.sync(() => void (isWatched = false))),
        Effect.forkIn(scope)
      )
    })
    yield* Effect.addFinalizer(() => Effect.forEach(kept.values(), close, { discard: true }))

    return {
      use: (account, work) =>
        Effect.gen(function* () {
          const key = keyOf(account)
          const nowMillis = yield* Clock.currentTimeMillis
          const one = kept.get(key) ?? { turn: yield* Semaphore.make(1), open: null, usedAtMillis: nowMillis }
          kept.set(key, one)
          if (kept.size > KEPT_MAX) yield* closeIdle
          yield* watch
          return yield* one.turn.withPermits(1)(
            Effect.gen(function* () {
              one.usedAtMillis = yield* Clock.currentTimeMillis
              const isKept = one.open !== null
              const once = Effect.flatMap(opened(one, account), work)
              // The server may have closed a kept connection. A copy that is made twice does no harm.
              return yield* Effect.catchIf(
                once,
                ({ reason }) => isKept && reason === "transient",
                () => Effect.andThen(close(one), once)
              )
            })
          )
        })
    }
  })
