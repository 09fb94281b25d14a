import { Clock, Data, Effect, Scope } from "effect"
import { type MailAccount, MailTransport, type OutgoingMail } from "../mail/MailTransport.js"
import { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import { makeUnsubscribeUrls } from "../suppression/Unsubscribe.js"
import { contactedSince } from "../suppression/Contactability.js"
import { askProvider, GIVEN_UP } from "./askProvider.js"
import { compose } from "./compose.js"
import { dayStart, isClaimGood } from "./Dispatcher.js"
import { HeldMailboxes } from "./HeldMailboxes.js"
import { rampCap } from "./planner.js"
import { type ClaimedMessage, type Mailbox, type OwnCandidateOptions, SendingStore } from "./SendingStore.js"

/** What failures of own mailboxes name as their provider. */
export const OWN_MAILBOX = "own_mailbox"

/** The longest that one message's session is waited for. */
const SESSION_SECONDS = 240

/** What became of one session. */
export type Handing = Data.TaggedEnum<{
  Sent: {}
  /** The claim said no, or came too late, or its session was given up before the content: nothing left. */
  Withdrawn: { readonly claim: "none" | "taken" }
  /** `claim` is `unsure` where it was asked for and its answer never came. Without it taken, nothing has left. */
  Failed: { readonly claim: "none" | "unsure" | "taken"; readonly failure: ProviderFailure }
}>
export const Handing = Data.taggedEnum<Handing>()

/** What decides at this moment whom a mailbox may write to. */
export const claimOptions = (mailbox: Mailbox, nowMillis: number): OwnCandidateOptions => ({
  workspaceId: mailbox.workspaceId,
  mailboxId: mailbox.mailboxId,
  nowMillis,
  dayStartMillis: dayStart(nowMillis),
  contactedSinceMillis: contactedSince(nowMillis),
  rampCap: rampCap(mailbox.createdAtMillis, nowMillis)
})

/**
 * Hands one message to its mailbox's server, under a claim that is asked for when the server has accepted the
 * recipient. A session that is given up claims nothing any more: `givenUp` ends when there is no more time for one.
 */
export const makeOwnSession = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const transport = yield* MailTransport
  const { hostId } = yield* HeldMailboxes
  const urlFor = yield* makeUnsubscribeUrls

  const mailOf = (claimed: ClaimedMessage): OutgoingMail => {
    const { from, messageId, references, subject, text, to, unsubscribeUrl } = compose(claimed, urlFor(claimed.lead))
    return { from, messageId, references, subject, text, to, unsubscribeUrl, html: null }
  }

  /** One session. Its end, for which copies of what was sent may have to be made, is not waited for. */
  const withSession = (account: MailAccount, mail: OutgoingMail, claim: Effect.Effect<boolean, ProviderFailure>) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) =>
        Effect.flatMap(Scope.extend(transport.session(account), scope), (session) => session.send(mail, claim)),
      (scope, exit) => Effect.forkDaemon(Scope.close(scope, exit))
    )

  return (account: MailAccount, claimed: ClaimedMessage, givenUp: Effect.Effect<void>): Effect.Effect<Handing> =>
    Effect.suspend(() => {
      const { campaignLeadId, messageId, stepIndex } = claimed.message
      const session: { claim: "none" | "unsure" | "taken"; isOver: boolean } = { claim: "none", isOver: false }

      const claim = Effect.gen(function* () {
        if (session.isOver) return false
        session.claim = "unsure"
        const askedMillis = yield* Clock.currentTimeMillis
        const options = claimOptions(claimed.mailbox, askedMillis)
        const isClaimed = yield* sendings.claimOne({ ...options, campaignLeadId, stepIndex, messageId, hostId })
        if (session.isOver) return false
        session.claim = isClaimed ? "taken" : "none"
        return isClaimed && isClaimGood(askedMillis, yield* Clock.currentTimeMillis)
      }).pipe(
        // It could not be asked for: the connection is dropped, and nothing leaves.
        Effect.mapError((cause) => new ProviderFailure({ provider: OWN_MAILBOX, reason: "transient", cause }))
      )

      const failed = (failure: ProviderFailure): Handing => {
        // Whether an unsure claim was granted is found out when it is given back.
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
        withSession(account, mailOf(claimed), claim)
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
})
