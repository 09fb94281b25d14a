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

/** A mailbox that this host reads. */
interface Watched {
  readonly mailbox: Mailbox
  /** Its connection. When it changes, watching starts over. */
  readonly by: string
  /** Whether it is paused because its server refused the sign-in. */
  isPaused: boolean
  /** Whether the server refuses the sign-in, so that nothing is tried before its owner acts. */
  isShut: boolean
  /** When it was last read to its end; null: not yet. */
  readMillis: number | null
}

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

    /** In one transaction, however many they are. */
    const restAll = (all: ReadonlyArray<Mailbox>) =>
      all.length === 0
        ? Effect.void
        : Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
            atomically(sendings.restMailboxes(all, nowMillis + UNREAD_REST_MILLIS))
          )

    const renew = mailboxes.renewWith((fresh) => restAll(fresh.map(({ mailbox }) => mailbox)))

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
    const watch = (connected: ConnectedMailbox, watched: Watched): Effect.Effect<void> => {
      const { mailbox } = connected
      let failures = 0
      let refusals = 0
      let failingSinceMillis: number | null = null
      const onRead = (nowMillis: number) => {
        failures = 0
        refusals = 0
        failingSinceMillis = null
        watched.isShut = false
        watched.readMillis = nowMillis
      }
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
          watched.isShut = true
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
      return always(once).pipe(about(workOf(mailbox)))
    }

    /** Those that were not read for long, or never by this host, although replies may wait there. They send nothing. */
    const unread = (all: Iterable<Watched>, nowMillis: number): ReadonlyArray<Mailbox> =>
      [...all].flatMap(({ isShut, mailbox, readMillis }) =>
        // Shut, it is paused. Resuming it starts a new watch.
        isShut || (readMillis !== null && nowMillis - readMillis <= UNREAD_MILLIS_MAX) ? [] : [mailbox]
      )

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
      const watched = new Map<string, Watched>()
      const guard = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => restAll(unread(watched.values(), nowMillis)))
      const tend = Effect.gen(function* () {
        const held = new Map((yield* renew).map((one) => [one.own.mailboxId, one]))
        for (const mailboxId of watched.keys()) {
          if (held.has(mailboxId)) continue
          watched.delete(mailboxId)
          yield* FiberMap.remove(fibers, mailboxId)
        }
        for (const [mailboxId, connected] of held) {
          const before = watched.get(mailboxId)
          const by = fingerprint(connected)
          const isPaused = connected.mailbox.pauseReason === "login"
          // A resumed mailbox starts over too: it may not have been read for long.
          if (before?.by === by && !(before.isPaused && !isPaused)) {
            before.isPaused = isPaused
            continue
          }
          const now = { mailbox: connected.mailbox, by, isPaused, isShut: false, readMillis: null }
          watched.set(mailboxId, now)
          yield* FiberMap.run(fibers, mailboxId, watch(connected, now))
        }
      })
      yield* Effect.forkScoped(turns("unread mailboxes", Effect.as(guard, 0), Effect.sleep(UNREAD_REST_MILLIS / 3)))
      const renewal = Effect.flatMap(mailboxes.renewMillis, (millis) => signals.rest("mailboxes", millis))
      return yield* turns("mailboxes", Effect.as(tend, 0), renewal)
    })

    return MailReading.of({ round, run })
  })
)
