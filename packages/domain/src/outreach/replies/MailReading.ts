import { OWN_MAILBOX, type ConnectedMailbox, openAccount, UNREAD_REST_MILLIS } from "../sending/OwnMailboxes.js"
import { Clock, Context, Effect, FiberMap, Layer, Option, Result, type Scope } from "effect"
import { jittered } from "../../kernel/backoff.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { MailReader, type MailboxSession } from "../mail/MailReader.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { type FromStore, type StoreUnavailable, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { turns } from "../../kernel/rounds.js"
import { WorkSignals } from "../../kernel/ports/WorkSignals.js"
import { HeldMailboxes } from "../sending/HeldMailboxes.js"
import { makePauseMailbox } from "../sending/Breaker.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import { makeReadMailbox } from "./readMailbox.js"

/** How often holds are renewed while there are own mailboxes. A hold lasts four times as long. */
const RENEW_MILLIS = 1_500

/** Each mailbox is checked at least this often, whatever its server reports. */
const POLL_MILLIS = 60_000

/** A mailbox that was not read for this long stops sending, even if the server is merely slow. */
const UNREAD_MILLIS_MAX = 2 * POLL_MILLIS

/** After a failure: twice as long each time, up to a bound. */
const BACKOFF_MILLIS = { first: 2_000, max: 5 * 60_000 }

/**
 * After this many consecutive sign-in refusals the owner is alerted. From then on we try rarely: repeated tries with a
 * wrong secret lock accounts.
 */
export const LOGIN_TRIES_MAX = 3
export const LOGIN_AGAIN_MILLIS = 60 * 60_000

/** After this long without a successful read, for any reason, the owner is alerted. We keep trying. */
export const UNREADABLE_MILLIS = 14 * 60 * 60_000

type Trouble = ProviderFailure | StoreUnavailable

/**
 * The alert for a mailbox that can't be read, and its pause reason. `login`: the server refuses the sign-in, so the
 * owner must set the secret again. Null: nothing yet.
 */
export const tellingOf = (of: {
  /** Consecutive sign-in refusals. */
  readonly refusals: number
  /** Whether it is already paused for that; then one refusal is enough. */
  readonly isShut: boolean
  readonly failingForMillis: number
}): "login" | "unreachable" | null => {
  if (of.refusals >= (of.isShut ? 1 : LOGIN_TRIES_MAX)) return "login"
  return of.failingForMillis >= UNREADABLE_MILLIS ? "unreachable" : null
}

/**
 * Reads the own mailboxes that this host holds. A mailbox that can't be read must not send: an unread reply would not
 * stop the next message.
 */
export class MailReading extends Context.Service<
  MailReading,
  {
    /** Takes mailboxes and reads each once, up to a limit. Returns how many replies it stored. */
    readonly round: FromStore<number>
    /** Runs forever: reads each mailbox when its server reports new mail, and at least every minute. */
    readonly run: Effect.Effect<never, never, Scope.Scope>
  }
>()("@outbound/domain/outreach/replies/MailReading") {}

/** Identifies a mailbox's connection. When it changes, watching starts over. */
const fingerprint = ({ own }: ConnectedMailbox): string => JSON.stringify(own)

const workOf = ({ mailboxId, workspaceId }: Mailbox) => ({ workspace_id: workspaceId, mailbox_id: mailboxId })

export const layer = Layer.effect(
  MailReading,
  Effect.gen(function* () {
    const reader = yield* MailReader
    const mailboxes = yield* HeldMailboxes
    const sendings = yield* SendingStore
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const signals = yield* WorkSignals
    const pauseMailbox = yield* makePauseMailbox
    const readMailbox = yield* makeReadMailbox

    const reading = (session: MailboxSession, mailbox: Mailbox) =>
      readMailbox(session, mailbox).pipe(
        inSpan("mailbox.read", {
          kind: "client",
          ended: ({ count }: { readonly count: number }) => ({ "outbound.received": count })
        }),
        about(workOf(mailbox))
      )

    const rest = ({ mailboxId, workspaceId }: Mailbox, millis: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        atomically(sendings.restMailbox(workspaceId, mailboxId, nowMillis + millis))
      )

    const renew = mailboxes.renewWith((fresh) =>
      Effect.forEach(fresh, ({ mailbox }) => rest(mailbox, UNREAD_REST_MILLIS), { discard: true })
    )

    const sessionOf = (connected: ConnectedMailbox) => {
      const account = openAccount(crypto, connected)
      return account === null
        ? Effect.fail(new ProviderFailure({ provider: OWN_MAILBOX, reason: "account" }))
        : reader.session(account)
    }

    /** The mailbox sends nothing until its owner has acted. */
    const tellOwner = ({ mailboxId, workspaceId }: Mailbox, reason: "login" | "unreachable") =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        Effect.gen(function* () {
          const mailbox = yield* sendings.lockMailbox(workspaceId, mailboxId)
          if (Option.isNone(mailbox)) return
          yield* pauseMailbox(mailbox.value, { reason, detail: { reason }, campaigns: "without_another" }, nowMillis)
        }).pipe(atomically)
      )

    const waitAfter = (failures: number, failure: Trouble) =>
      Effect.map(jittered(failures + 1, BACKOFF_MILLIS), (own) => {
        const asked = failure._tag === "ProviderFailure" ? (failure.retryAfterSeconds ?? 0) * 1000 : 0
        return Math.ceil(Math.max(asked, own))
      })

    /** Reads and waits for more until the session fails. */
    const follow = (
      session: MailboxSession,
      mailbox: Mailbox,
      onRead: (nowMillis: number) => void
    ): Effect.Effect<never, Trouble> =>
      Effect.gen(function* () {
        const { isWhole } = yield* reading(session, mailbox)
        if (!isWhole) return yield* rest(mailbox, UNREAD_REST_MILLIS)
        onRead(yield* Clock.currentTimeMillis)
        yield* session.waitForMail(POLL_MILLIS)
      }).pipe(Effect.forever)

    const logTrouble = (mailbox: Mailbox, failure: Trouble) =>
      Effect.logWarning("reading a mailbox failed", failure).pipe(about(workOf(mailbox)))

    /** Watches one mailbox while this host holds it. */
    const watch = (connected: ConnectedMailbox): Effect.Effect<void> => {
      const { mailbox } = connected
      let failures = 0
      let refusals = 0
      let readMillis: number | null = null
      let failingSinceMillis: number | null = null
      let isShut = false
      const onRead = (nowMillis: number) => {
        failures = 0
        refusals = 0
        failingSinceMillis = null
        isShut = false
        readMillis = nowMillis
      }
      const guard = Effect.gen(function* () {
        // It is paused. Resuming it starts a new watch.
        if (isShut) return yield* Effect.sleep(POLL_MILLIS)
        const nowMillis = yield* Clock.currentTimeMillis
        // Replies may have arrived before this host's first read.
        const isUnread = readMillis === null
        if (readMillis === null) yield* rest(mailbox, UNREAD_REST_MILLIS)
        else if (nowMillis - readMillis > UNREAD_MILLIS_MAX) yield* rest(mailbox, POLL_MILLIS)
        yield* Effect.sleep(isUnread ? UNREAD_REST_MILLIS / 3 : POLL_MILLIS / 2)
      })
      const once = Effect.gen(function* () {
        const failure = yield* Effect.flip(
          Effect.scoped(Effect.flatMap(sessionOf(connected), (session) => follow(session, mailbox, onRead)))
        )
        const wait = yield* waitAfter(failures, failure)
        failures += 1
        refusals = failure._tag === "ProviderFailure" && failure.reason === "account" ? refusals + 1 : 0
        yield* logTrouble(mailbox, failure)
        const nowMillis = yield* Clock.currentTimeMillis
        failingSinceMillis ??= nowMillis
        const isShutAlready = mailbox.pauseReason === "login"
        const failingForMillis = nowMillis - failingSinceMillis
        const telling = tellingOf({ refusals, isShut: isShutAlready, failingForMillis })
        if (telling !== null) yield* tellOwner(mailbox, telling)
        if (telling === "login") {
          isShut = true
          return yield* Effect.sleep(LOGIN_AGAIN_MILLIS)
        }
        yield* rest(mailbox, wait + UNREAD_REST_MILLIS)
        yield* Effect.sleep(wait)
      })
      const always = (effect: Effect.Effect<void, Trouble>) =>
        effect.pipe(
          Effect.catchCause((cause) =>
            Effect.andThen(Effect.logWarning("watching a mailbox failed", cause), Effect.sleep(BACKOFF_MILLIS.first))
          ),
          Effect.forever
        )
      return Effect.raceFirst(always(once), always(guard)).pipe(about(workOf(mailbox)))
    }

    const round = Effect.gen(function* () {
      const counts = yield* Effect.forEach(
        yield* renew,
        (connected) =>
          Effect.gen(function* () {
            const { mailbox } = connected
            const read = yield* Effect.result(
              Effect.scoped(Effect.flatMap(sessionOf(connected), (session) => reading(session, mailbox)))
            )
            if (Result.isFailure(read)) yield* logTrouble(mailbox, read.failure)
            if (Result.isFailure(read) || !read.success.isWhole) yield* rest(mailbox, UNREAD_REST_MILLIS)
            return Result.isSuccess(read) ? read.success.count : 0
          }),
        { concurrency: "unbounded" }
      )
      return counts.reduce((sum, count) => sum + count, 0)
    })

    const run = Effect.gen(function* () {
      const fibers = yield* FiberMap.make<string, void>()
      const watched = new Map<string, { readonly by: string; readonly isShut: boolean }>()
      const tend = Effect.gen(function* () {
        const held = new Map((yield* renew).map((one) => [one.own.mailboxId, one]))
        for (const mailboxId of watched.keys()) {
          if (held.has(mailboxId)) continue
          watched.delete(mailboxId)
          yield* FiberMap.remove(fibers, mailboxId)
        }
        for (const [mailboxId, connected] of held) {
          const before = watched.get(mailboxId)
          const now = { by: fingerprint(connected), isShut: connected.mailbox.pauseReason === "login" }
          watched.set(mailboxId, now)
          // A resumed mailbox starts over too: it may not have been read for long.
          if (before?.by === now.by && !(before.isShut && !now.isShut)) continue
          yield* FiberMap.run(fibers, mailboxId, watch(connected))
        }
      })
      return yield* turns("mailboxes", Effect.as(tend, 0), signals.rest("mailboxes", RENEW_MILLIS))
    })

    return MailReading.of({ round, run })
  })
)
