import { Clock, Context, Data, Effect, Layer, Option, Result } from "effect"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { Providers } from "../../sources/ports/Providers.js"
import type { OutboundScheduled, Pace } from "../../sources/ports/SendingProvider.js"
import { type FromStore, type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeUnsubscribeUrls } from "../suppression/links.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import { contactedSince } from "../suppression/Contactability.js"
import { shownReason } from "../suppression/SuppressionStore.js"
import { askProvider } from "./askProvider.js"
import { compose } from "./compose.js"
import { makeFooterWords } from "./footerWords.js"
import { markOf } from "../mail/mailMark.js"
import { makeMessageOutcome } from "./MessageOutcome.js"
import { sendNotes, workOf } from "./messageNotes.js"
import { type ClaimedMessage, type Message, SendingStore } from "./SendingStore.js"
import { DAY_MILLIS } from "../../kernel/durations.js"

/** Most messages that one round claims, and most sent at once. */
const CLAIMS_MAX = 50
const DELIVERIES_AT_ONCE = 8

/** Most leads or claims that one sweep ends. */
const SWEEP_MAX = 200

/** The provider's timeout, and the age from which a claim counts as lost. */
const DELIVERY_TIMEOUT_SECONDS = 30
export const CLAIM_STALE_MILLIS = 120_000

/** The host that holds an own mailbox resolves its claims. If no host did for this long, none will. */
export const OWN_CLAIM_STALE_MILLIS = 15 * 60_000

/** How long the checks of a claim stay valid. A message whose turn comes later is returned unsent. */
export const CLAIM_GOOD_MILLIS = 30_000

/** Whether the checks are still valid. If the clock went back since, their age is unknown. */
export const isClaimGood = (checkedAtMillis: number, nowMillis: number): boolean =>
  nowMillis >= checkedAtMillis && nowMillis - checkedAtMillis <= CLAIM_GOOD_MILLIS

/** Pace of mailboxes that outbound schedules. */
export const OWN_PACE: Pace = { dayMillis: DAY_MILLIS, windows: true }

export const dayStart = (nowMillis: number): number => nowMillis - (nowMillis % DAY_MILLIS)

/**
 * Sends what is due. A claim is the permission to send once. We record what happens to a claimed message; if we can't
 * tell, we never resend it.
 */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /** Claims what is due and sends it. Returns how many messages it claimed. */
    readonly round: FromStore<number>
    /** Removes leads that must not be emailed any more. */
    readonly takeOut: FromStore<number>
    /** Ends leads whose wait is over, and gives up lost claims. */
    readonly end: FromStore<number>
    /** Both, once. */
    readonly sweep: FromStore<number>
  }
>()("@outbound/domain/outreach/sending/Dispatcher") {}

const byLead = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> =>
  messages.toSorted((a, b) => (a.campaignLeadId < b.campaignLeadId ? -1 : 1))

/** The message's turn came too late; it was not handed to the provider. */
class Returned extends Data.TaggedClass("Returned")<{}> {}

type Outcome = Result.Result<void, ProviderFailure | Returned>

export const layer = Layer.effect(
  Dispatcher,
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const campaigns = yield* CampaignStore
    const moveLead = yield* makeMoveLead
    const providers = yield* Providers
    const ids = yield* Ids
    const crypto = yield* Crypto
    const urlsOf = yield* makeUnsubscribeUrls
    const wordsOf = yield* makeFooterWords
    const delivery = yield* makeMessageOutcome
    const { atomically } = yield* UnitOfWork

    /** Without it nothing is sent, and the message is tried again. */
    const footerOf = ({ lead, mailbox }: ClaimedMessage) =>
      Effect.catchTag(
        Effect.all({
          words: wordsOf(lead),
          urlFor: urlsOf({ workspaceId: mailbox.workspaceId, domain: mailbox.domain })
        }),
        "StoreUnavailable",
        (cause) => Effect.fail(new ProviderFailure({ provider: "none", reason: "transient", cause }))
      )

    const deliver = (claimed: ClaimedMessage, provider: OutboundScheduled): Effect.Effect<Outcome> =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        isClaimGood(claimed.message.claimedAtMillis, nowMillis)
          ? Effect.result(
              Effect.flatMap(footerOf(claimed), ({ urlFor, words }) =>
                askProvider(provider.name, { seconds: DELIVERY_TIMEOUT_SECONDS, otherwise: "unknown_outcome" }, () =>
                  provider.deliver(
                    compose(
                      claimed,
                      words,
                      urlFor(claimed.lead),
                      markOf(crypto, claimed.message.workspaceId, claimed.message.messageId)
                    )
                  )
                ).pipe(
                  inSpan("mail.send", { kind: "client", attributes: () => sendNotes(provider.name, claimed.message) })
                )
              )
            )
          : Effect.succeed<Outcome>(Result.fail(new Returned()))
      )

    const recordFailure = (claimed: ClaimedMessage, failure: ProviderFailure | Returned, nowMillis: number) => {
      if (failure._tag === "Returned") return delivery.returned(claimed, nowMillis)
      return failure.reason === "unknown_outcome"
        ? delivery.lost(claimed.message, claimed.lead.addressHash, nowMillis)
        : delivery.rejected(claimed, failure, nowMillis)
    }

    const record = (claimed: ClaimedMessage, pace: Pace, outcome: Outcome) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        atomically(
          Result.match(outcome, {
            onSuccess: () => delivery.accepted(claimed, pace, nowMillis),
            onFailure: (failure): InTx<void> => recordFailure(claimed, failure, nowMillis)
          })
        )
      )

    /** A claimed message is delivered and recorded even if the caller is interrupted. */
    const send = (claimed: ClaimedMessage) => {
      const { sending } = providers[claimed.workspaceKind]
      // The provider's configuration was removed, or changed to one that schedules campaigns itself: send nothing.
      const provider = sending?.schedules === "outbound" ? sending : null
      const unsent = new ProviderFailure({ provider: "none", reason: "transient" })
      const delivered: Effect.Effect<Outcome> =
        provider === null ? Effect.succeed(Result.fail(unsent)) : deliver(claimed, provider)
      return delivered.pipe(
        Effect.flatMap((outcome) => record(claimed, provider?.pace ?? OWN_PACE, outcome)),
        Effect.uninterruptible,
        // The claim stays, and ends unknown: it is not sent again.
        Effect.catchCause((cause) => Effect.logError("recording a message's outcome failed", cause)),
        about(workOf(claimed.message))
      )
    }

    const round = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const claims = yield* sendings.claimDue({
        nowMillis,
        dayStartMillis: dayStart(nowMillis),
        limit: CLAIMS_MAX,
        nextMessageId: () => ids.next(nowMillis),
        contactedSinceMillis: contactedSince(nowMillis)
      })
      yield* Effect.forEach(claims, send, { concurrency: DELIVERIES_AT_ONCE, discard: true })
      return claims.length
    }).pipe(Effect.uninterruptible)

    const sweepForbidden = (nowMillis: number) =>
      Effect.gen(function* () {
        const forbidden = yield* sendings.lockForbiddenDue(nowMillis, contactedSince(nowMillis), SWEEP_MAX)
        for (const { lead, reason } of forbidden) {
          yield* moveLead(lead, "remove", { tell: { nowMillis, kind: "removed", detail: shownReason(reason) } })
        }
        return forbidden.length
      }).pipe(atomically)

    const sweepLost = (nowMillis: number) =>
      Effect.gen(function* () {
        const stale = yield* sendings.lockStaleClaims(
          nowMillis - CLAIM_STALE_MILLIS,
          nowMillis - OWN_CLAIM_STALE_MILLIS,
          SWEEP_MAX
        )
        const leads = yield* Effect.forEach(byLead(stale), (message) =>
          Effect.map(campaigns.lockLead(message.workspaceId, message.campaignLeadId), (lead) => ({ message, lead }))
        )
        for (const { lead, message } of leads) {
          const addressHash = Option.match(lead, { onNone: () => "", onSome: (one) => one.addressHash })
          yield* delivery.lost(message, addressHash, nowMillis)
        }
        return stale.length
      }).pipe(atomically)

    const sweepWaitedOut = (nowMillis: number) =>
      Effect.gen(function* () {
        const leads = yield* sendings.lockWaitedOut(nowMillis, SWEEP_MAX)
        for (const lead of leads) {
          yield* moveLead(lead, "finish")
        }
        return leads.length
      }).pipe(atomically)

    const sweepContacted = (nowMillis: number) =>
      atomically(sendings.putOffContacted(nowMillis, contactedSince(nowMillis), SWEEP_MAX))

    const takeOut = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      Effect.zipWith(sweepForbidden(nowMillis), sweepContacted(nowMillis), (barred, put) => barred + put)
    )
    const end = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      Effect.zipWith(sweepWaitedOut(nowMillis), sweepLost(nowMillis), (waited, lost) => waited + lost)
    )

    return Dispatcher.of({
      round,
      takeOut,
      end,
      sweep: Effect.zipWith(takeOut, end, (forbidden, ended) => forbidden + ended)
    })
  })
)
