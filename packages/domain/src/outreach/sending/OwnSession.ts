import { OWN_MAILBOX } from "./OwnMailboxes.js"
import { Clock, Context, Data, Effect, Scope, Semaphore } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { markOf } from "../mail/mailMark.js"
import { type MailAccount, MailTransport, type OutgoingMail } from "../mail/MailTransport.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { makeUnsubscribeUrls } from "../suppression/links.js"
import { contactedSince } from "../suppression/Contactability.js"
import { askProvider, GIVEN_UP } from "./askProvider.js"
import { compose } from "./compose.js"
import { makeFooterWords } from "./footerWords.js"
import { dayStart, isClaimGood } from "./Dispatcher.js"
import { HeldMailboxes } from "./HeldMailboxes.js"
import { type ClaimedMessage, type Mailbox, type OwnCandidateOptions, SendingStore } from "./SendingStore.js"

/** Timeout of one message's session. */
const SESSION_SECONDS = 240

/** Most claims at once. Those of a workspace wait for its turn: more of them would only keep connections from others. */
const CLAIMING_MAX = 3

/**
 * How many sessions may wait for their claim before no more begin: the mail server waits too, and hangs up after a while. Most
 * servers wait for a minute or longer, and a host makes several claims a second even when it is slow.
 */
export const WaitingLimit = Context.Reference<number>("@outbound/domain/outreach/sending/OwnSession/WaitingLimit", {
  defaultValue: () => 100
})

/** The result of one session. */
export type Handing = Data.TaggedEnum<{
  Sent: {}
  /** The claim was refused or too late, or the session was abandoned before the content: nothing was sent. */
  Withdrawn: { readonly claim: "none" | "taken" }
  /** `claim` is `unsure` if its answer never came. Unless it was taken, nothing was sent. */
  Failed: { readonly claim: "none" | "unsure" | "taken"; readonly failure: ProviderFailure }
}>
export const Handing = Data.taggedEnum<Handing>()

/** The parameters of a claim for this mailbox at this time. */
export const claimOptions = (mailbox: Mailbox, nowMillis: number): OwnCandidateOptions => ({
  workspaceId: mailbox.workspaceId,
  mailboxId: mailbox.mailboxId,
  nowMillis,
  dayStartMillis: dayStart(nowMillis),
  contactedSinceMillis: contactedSince(nowMillis)
})

/**
 * `hand` gives one message to its mailbox's server, with a claim after the server accepted the recipient. `givenUp` completes
 * when time is up; an abandoned session makes no claim. `isCrowded`: as many sessions wait for their claim as may.
 */
export const makeOwnSession = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const transport = yield* MailTransport
  const { hostId } = yield* HeldMailboxes
  const crypto = yield* Crypto
  const urlsOf = yield* makeUnsubscribeUrls
  const wordsOf = yield* makeFooterWords
  const claiming = yield* Semaphore.make(CLAIMING_MAX)
  const waitingMax = yield* WaitingLimit
  let waiting = 0

  /** Makes a claim in its turn. */
  const inTurn = <A, E>(claim: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      waiting += 1
      return Effect.ensuring(
        claiming.withPermits(1)(claim),
        Effect.sync(() => (waiting -= 1))
      )
    })

  const mailOf = (claimed: ClaimedMessage): Effect.Effect<OutgoingMail, ProviderFailure> =>
    Effect.all({
      words: wordsOf(claimed.lead),
      urlFor: urlsOf({ workspaceId: claimed.mailbox.workspaceId, domain: claimed.mailbox.domain })
    }).pipe(
      Effect.catchTag("StoreUnavailable", (cause) =>
        Effect.fail(new ProviderFailure({ provider: OWN_MAILBOX, reason: "transient", cause }))
      ),
      Effect.map(({ urlFor, words }) => {
        const { workspaceId } = claimed.message
        const { from, mark, messageId, references, subject, text, to, unsubscribeUrl } = compose(
          claimed,
          words,
          urlFor(claimed.lead),
          markOf(crypto, workspaceId, claimed.message.messageId)
        )
        return { from, mark, messageId, references, subject, text, to, unsubscribeUrl, html: null }
      })
    )

  /** Runs one session. Doesn't wait for its end, which may have to store copies. */
  const withSession = (account: MailAccount, mail: OutgoingMail, claim: Effect.Effect<boolean, ProviderFailure>) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) =>
        Effect.flatMap(Scope.provide(transport.session(account), scope), (session) => session.send(mail, claim)),
      (scope, exit) => Effect.forkDetach(Scope.close(scope, exit))
    )

  const hand = (
    account: MailAccount,
    claimed: ClaimedMessage & { readonly receiver: string },
    givenUp: Effect.Effect<void>
  ): Effect.Effect<Handing> =>
    Effect.suspend(() => {
      const { campaignLeadId, messageId, stepIndex, variant } = claimed.message
      const session: { claim: "none" | "unsure" | "taken"; isOver: boolean } = { claim: "none", isOver: false }

      const claim = Effect.gen(function* () {
        if (session.isOver) return false
        session.claim = "unsure"
        // The time is taken when its turn has come: a claim that is granted late permits nothing.
        const askedMillis = yield* Clock.currentTimeMillis
        const options = claimOptions(claimed.mailbox, askedMillis)
        const isClaimed = yield* sendings.claimOne({
          ...options,
          campaignLeadId,
          stepIndex,
          variant,
          messageId,
          hostId,
          receiver: claimed.receiver
        })
        if (session.isOver) return false
        session.claim = isClaimed ? "taken" : "none"
        return isClaimed && isClaimGood(askedMillis, yield* Clock.currentTimeMillis)
      }).pipe(
        inTurn,
        // The claim could not be made: the connection is dropped and nothing is sent.
        Effect.mapError((cause) => new ProviderFailure({ provider: OWN_MAILBOX, reason: "transient", cause }))
      )

      const failed = (failure: ProviderFailure): Handing => {
        // Giving an unsure claim back tells whether it was granted.
        if (failure.cause === GIVEN_UP && session.claim !== "taken") {
          return Handing.Withdrawn({ claim: session.claim === "unsure" ? "taken" : "none" })
        }
        const isUnknown = failure.reason === "unknown_outcome" && session.claim !== "taken"
        return Handing.Failed({
          claim: session.claim,
          failure: isUnknown
            ? new ProviderFailure({ provider: OWN_MAILBOX, reason: "transient", cause: failure.cause })
            : failure
        })
      }

      return askProvider(OWN_MAILBOX, { seconds: SESSION_SECONDS, otherwise: "unknown_outcome", givenUp }, () =>
        Effect.flatMap(mailOf(claimed), (mail) => withSession(account, mail, claim))
      ).pipe(
        Effect.match({
          onSuccess: (answer): Handing => {
            if (answer === "sent") return Handing.Sent()
            return Handing.Withdrawn({ claim: session.claim === "taken" ? "taken" : "none" })
          },
          onFailure: failed
        }),
        Effect.ensuring(Effect.sync(() => (session.isOver = true)))
      )
    })

  return { hand, isCrowded: () => waiting >= waitingMax }
})
