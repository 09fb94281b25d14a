import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Layer, Option, type Scope } from "effect"
import { type ClaimedNotice, type NoticeAttempt, NoticeStore } from "../../calls/approvals/notices/NoticeStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { servingAside, turns } from "../../kernel/rounds.js"
import { WorkSignals } from "../../kernel/ports/WorkSignals.js"
import { Settings } from "../../kernel/Settings.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import { Mailer } from "../alerts/Mailer.js"
import { openUrl } from "./Notices.js"
import { ChatSender } from "./ChatSender.js"
import { chatMessage, noticeLetter, noticeWords } from "./noticeWords.js"
import { afterTrouble, chatTrouble, hopeless, mailTrouble, TIMED_OUT, type Trouble } from "./retrying.js"

/** How many notices one host sends at once. Each goes to another recipient. */
export const NOTICES_AT_ONCE_MAX = 16

/** Most notices that one claim sends in a row. */
const BURST_MAX = 50

/** How long a claim lasts; twice the longest attempt. */
export const NOTICE_LEASE_MILLIS = 60_000
const SEND_MILLIS_MAX = 30_000

/** Most notices that one look ends unsent. */
const ENDED_MAX = 500

/** The least pause between searches when nothing was due. */
const IDLE_MILLIS = 250

/** How long notices are kept, and how many one round deletes. */
export const NOTICES_KEPT_MILLIS = 30 * DAY_MILLIS
export const NOTICES_PURGE_MAX = 1_000

/** Deletes old notices, a bounded number. Returns how many. */
export const makeNoticePurge = Effect.gen(function* () {
  const store = yield* NoticeStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(store.purge(nowMillis - NOTICES_KEPT_MILLIS, NOTICES_PURGE_MAX))
  )
})

/**
 * Tells approvers of approvals, each once. A claim is what may be sent: whoever dies with it leaves a notice whose
 * outcome nobody knows, and which nobody repeats.
 */
export class NoticeRounds extends Context.Service<
  NoticeRounds,
  {
    /** Ends what nobody wants any more and sends what is due. Returns how many it ended or tried. */
    readonly round: FromStore<number>
    /** Runs rounds forever. Recipients never wait for each other. */
    readonly run: Effect.Effect<never, never, Scope.Scope>
  }
>()("@outbound/domain/control/notices/NoticeRounds") {}

export const layer = Layer.effect(
  NoticeRounds,
  Effect.gen(function* () {
    const store = yield* NoticeStore
    const chat = yield* ChatSender
    const crypto = yield* Crypto
    const ids = yield* Ids
    const settings = yield* Settings
    const { baseUrl } = settings
    const { atomically } = yield* UnitOfWork
    const { rest } = yield* WorkSignals
    const mailer = Option.getOrNull(yield* Effect.serviceOption(Mailer))

    const mail = (claimed: ClaimedNotice): Effect.Effect<void, Trouble> => {
      if (mailer === null || mailer.send === null) return Effect.fail(hopeless("no_mail_server"))
      const letter = noticeLetter(noticeWords(claimed, settings), claimed.address, baseUrl)
      return Effect.mapError(mailer.send(letter), mailTrouble)
    }

    const send = (claimed: ClaimedNotice): Effect.Effect<void, Trouble> => {
      const { address, channel, workspaceId, workspaceKind } = claimed
      if (channel === "mail") return mail(claimed)
      const url = openUrl(crypto, workspaceId, channel, address)
      if (url === null) return Effect.fail(hopeless("sealed"))
      const body = chatMessage(channel, noticeWords(claimed, settings))
      return Effect.mapError(chat.post({ url, workspaceKind, body }), chatTrouble)
    }

    const attempt = (claimed: ClaimedNotice) =>
      Effect.gen(function* () {
        const trouble = yield* send(claimed).pipe(
          inSpan("notice.deliver", { kind: "client", attributes: () => ({ "outbound.attempt": claimed.attempts }) }),
          Effect.timeoutOrElse({ duration: SEND_MILLIS_MAX, orElse: () => Effect.fail(TIMED_OUT) }),
          Effect.match({ onFailure: (failed) => failed, onSuccess: () => null })
        )
        const atMillis = yield* Clock.currentTimeMillis
        const made: NoticeAttempt =
          trouble === null
            ? { state: "sent", failure: null, status: null, atMillis, dueAtMillis: atMillis }
            : yield* afterTrouble(claimed, trouble, atMillis)
        if (trouble !== null) yield* Effect.logWarning(`a notice by ${claimed.channel} failed: ${trouble.failure}`)
        yield* atomically(store.record(claimed, made))
      }).pipe(about({ workspace_id: claimed.workspaceId, approval_id: claimed.approvalId }))

    /** One transaction, so that an idle host asks little. */
    const look = (limit: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        Effect.gen(function* () {
          const ended = yield* store.end(nowMillis, ENDED_MAX)
          const claimId = ids.next(nowMillis)
          const claimed = yield* store.claim({ claimId, nowMillis, leaseMillis: NOTICE_LEASE_MILLIS, limit })
          return { ended: ended.length, claimed }
        }).pipe(atomically)
      )

    /** Sends a notice, then whatever is due next. Returns how many. */
    const serve = (first: ClaimedNotice): FromStore<number> =>
      Effect.gen(function* () {
        let next: ClaimedNotice | undefined = first
        let made = 0
        while (next !== undefined) {
          yield* attempt(next)
          made += 1
          next = made < BURST_MAX ? (yield* look(1)).claimed[0] : undefined
        }
        return made
      })

    const round = Effect.gen(function* () {
      const { claimed, ended } = yield* look(NOTICES_AT_ONCE_MAX)
      const made = yield* Effect.forEach(claimed, serve, { concurrency: "unbounded" })
      return made.reduce((sum, one) => sum + one, ended)
    })

    const run = Effect.flatMap(
      servingAside({
        most: NOTICES_AT_ONCE_MAX,
        look,
        serve,
        trouble: ({ workspaceId }, cause) =>
          about({ workspace_id: workspaceId })(Effect.logWarning("telling approvers failed", cause))
      }),
      (round) => turns("notices", round, rest("notices", IDLE_MILLIS))
    )

    return NoticeRounds.of({ round, run })
  })
)
