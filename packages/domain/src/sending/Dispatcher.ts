import { Clock, Context, Effect, Either, Layer, Option } from "effect"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { LeadMachine } from "../campaigns/LeadMachine.js"
import { allows, step } from "../machine.js"
import { Crypto } from "../ports/Crypto.js"
import { Ids } from "../ports/Ids.js"
import { ProviderFailure } from "../ports/providers/ProviderFailure.js"
import { Providers } from "../ports/providers/Providers.js"
import type { SendingProvider } from "../ports/providers/SendingProvider.js"
import { type StoreUnavailable, type Tx, UnitOfWork } from "../ports/UnitOfWork.js"
import { Settings, unsubscribeUrl } from "../Settings.js"
import { contactedSince } from "../suppression/Contactability.js"
import { eventOf } from "../trail/events.js"
import { TrailStore } from "../trail/TrailStore.js"
import { askProvider } from "./askProvider.js"
import { compose } from "./compose.js"
import { MessageMachine } from "./MessageMachine.js"
import { nextDue } from "./planNext.js"
import { type ClaimedMessage, type Message, SendingStore } from "./SendingStore.js"

const DAY_MILLIS = 86_400_000

/** How many messages one round claims, and how many of them leave side by side. */
const CLAIMS_MAX = 50
const DELIVERIES_AT_ONCE = 8

/** How many leads or claims one sweep ends. */
const SWEEP_MAX = 200

/** The longest that a provider is waited for; a claim older than the last is nobody's any more. */
const DELIVERY_TIMEOUT_SECONDS = 30
export const CLAIM_STALE_MILLIS = 120_000

/** A claim of an own mailbox is looked up by the host that holds it; where none does for so long, nobody will. */
export const OWN_CLAIM_STALE_MILLIS = 15 * 60_000

/** What was checked at the claim holds for so long: a message whose turn comes later goes back, unsent. */
const CLAIM_GOOD_MILLIS = 30_000

/** A message that provably did not leave is tried again after so long. */
const RETRY_MILLIS = 5 * 60_000

export const dayStart = (nowMillis: number): number => nowMillis - (nowMillis % DAY_MILLIS)

/**
 * Sends what is due. The claim is the permission to send, once: what happens to a claimed message is written down, and
 * what can't be known is never sent again.
 */
export class Dispatcher extends Context.Tag("@outbound/domain/sending/Dispatcher")<
  Dispatcher,
  {
    /** Claims what is due now and sends it. How many messages it claimed. */
    readonly round: Effect.Effect<number, StoreUnavailable>
    /** Takes out who must not be written to any more, ends who has waited long enough, and gives up lost claims. */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>() {}

/** The pace of nobody: nothing was sent at it. */
const UNPACED: SendingProvider["pace"] = { dayMillis: DAY_MILLIS, windows: true }

type Delivery = Either.Either<void, ProviderFailure>

export const layer = Layer.effect(
  Dispatcher,
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const campaigns = yield* CampaignStore
    const trail = yield* TrailStore
    const providers = yield* Providers
    const crypto = yield* Crypto
    const ids = yield* Ids
    const settings = yield* Settings
    const { atomically } = yield* UnitOfWork

    const urlFor = (claimed: ClaimedMessage): string => {
      const { workspaceId, campaignLeadId } = claimed.message
      return unsubscribeUrl(
        settings.baseUrl,
        workspaceId,
        `${campaignLeadId}.${crypto.mac("unsubscribe", `${workspaceId}\n${campaignLeadId}`)}`
      )
    }

    const unsent = (provider: string, retryAfterSeconds?: number): Delivery =>
      Either.left(
        new ProviderFailure({
          provider,
          reason: "transient",
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
        })
      )

    const deliver = (claimed: ClaimedMessage, provider: SendingProvider): Effect.Effect<Delivery> =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        nowMillis - claimed.message.claimedAtMillis > CLAIM_GOOD_MILLIS
          ? Effect.succeed(unsent(provider.name, 0))
          : Effect.either(
              askProvider(provider.name, { seconds: DELIVERY_TIMEOUT_SECONDS, otherwise: "unknown_outcome" }, () =>
                provider.deliver(compose(claimed, urlFor(claimed)))
              )
            )
      )

    /** A lead whose message can't be sent, or nobody knows whether it was, is left to a human. */
    const giveUpLead = (message: Message, nowMillis: number, reason: string) =>
      Effect.gen(function* () {
        const lead = yield* campaigns.lockLead(message.workspaceId, message.campaignLeadId)
        if (Option.isNone(lead)) return
        const failed = step(LeadMachine, lead.value.state, "fail")
        if (Either.isLeft(failed)) return
        yield* campaigns.updateLead({ ...lead.value, state: failed.right, nextAtMillis: null })
        if (failed.right === lead.value.state) return
        yield* trail.append([
          eventOf(ids, nowMillis, {
            workspaceId: message.workspaceId,
            kind: "stop",
            source: "system",
            campaignId: message.campaignId,
            campaignLeadId: message.campaignLeadId,
            email: lead.value.email,
            detail: { reason }
          })
        ])
      })

    const accepted = (claimed: ClaimedMessage, pace: SendingProvider["pace"], nowMillis: number) =>
      Effect.gen(function* () {
        const { campaign, mailbox, message } = claimed
        const locked = yield* sendings.lockMessage(message.workspaceId, message.messageId)
        const sent = Option.map(locked, (one) => step(MessageMachine, one.state, "accept"))
        if (Option.isNone(locked) || Option.isNone(sent) || Either.isLeft(sent.value)) return
        yield* sendings.endMessage(
          { ...locked.value, state: sent.value.right, sentAtMillis: nowMillis },
          claimed.lead.addressHash
        )
        const common = {
          workspaceId: message.workspaceId,
          source: "system" as const,
          campaignId: message.campaignId,
          campaignLeadId: message.campaignLeadId,
          email: claimed.lead.email
        }
        const detail = { step: message.stepIndex + 1, mailbox: mailbox.address }
        yield* trail.append([eventOf(ids, nowMillis, { ...common, kind: "sent", detail })])
        const lead = yield* campaigns.lockLead(message.workspaceId, message.campaignLeadId)
        if (Option.isNone(lead)) return
        const next = step(LeadMachine, lead.value.state, "send")
        // An answer overtook the message's own record: the sequence stays stopped.
        if (Either.isLeft(next)) {
          return yield* campaigns.updateLead({ ...lead.value, stepsSent: message.stepIndex + 1 })
        }
        yield* campaigns.updateLead({
          ...lead.value,
          state: next.right,
          stepsSent: message.stepIndex + 1,
          nextAtMillis: nextDue(campaign, message.stepIndex + 1, nowMillis, pace)
        })
      })

    /** Nothing left, for certain: the step may be claimed again, later. */
    const rejected = (claimed: ClaimedMessage, failure: ProviderFailure, nowMillis: number) =>
      Effect.gen(function* () {
        const { message } = claimed
        const locked = yield* sendings.lockMessage(message.workspaceId, message.messageId)
        const failed = Option.map(locked, (one) => step(MessageMachine, one.state, "reject"))
        if (Option.isNone(locked) || Option.isNone(failed) || Either.isLeft(failed.value)) return
        yield* sendings.endMessage({ ...locked.value, state: failed.value.right }, claimed.lead.addressHash)
        if (failure.reason === "invalid") return yield* giveUpLead(message, nowMillis, "refused_by_provider")
        const lead = yield* campaigns.lockLead(message.workspaceId, message.campaignLeadId)
        if (Option.isNone(lead) || !allows(LeadMachine, lead.value.state, "send")) return
        const pause = failure.retryAfterSeconds === undefined ? RETRY_MILLIS : failure.retryAfterSeconds * 1000
        yield* campaigns.updateLead({ ...lead.value, nextAtMillis: nowMillis + pause })
      })

    const lost = (message: Message, addressHash: string, nowMillis: number) =>
      Effect.gen(function* () {
        const unknown = step(MessageMachine, message.state, "lose")
        if (Either.isLeft(unknown) || unknown.right === message.state) return
        yield* sendings.endMessage({ ...message, state: unknown.right }, addressHash)
        yield* giveUpLead(message, nowMillis, "outcome_unknown")
      })

    const lostNow = ({ lead, message }: ClaimedMessage, nowMillis: number) =>
      Effect.flatMap(
        sendings.lockMessage(message.workspaceId, message.messageId),
        Option.match({ onNone: () => Effect.void, onSome: (locked) => lost(locked, lead.addressHash, nowMillis) })
      )

    const record = (claimed: ClaimedMessage, pace: SendingProvider["pace"], delivery: Delivery) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        atomically(
          Either.match(delivery, {
            onRight: () => accepted(claimed, pace, nowMillis),
            onLeft: (failure): Effect.Effect<void, StoreUnavailable, Tx> =>
              failure.reason === "unknown_outcome" ? lostNow(claimed, nowMillis) : rejected(claimed, failure, nowMillis)
          })
        )
      )

    /** Once claimed, a message is delivered and recorded whatever happens around it. */
    const send = (claimed: ClaimedMessage) => {
      const provider = providers[claimed.workspaceKind].sending
      // Its configuration was taken away: nothing leaves, and nothing is lost by waiting for it.
      const delivered = provider === null ? Effect.succeed(unsent("none")) : deliver(claimed, provider)
      return delivered.pipe(
        Effect.flatMap((delivery) => record(claimed, provider?.pace ?? UNPACED, delivery)),
        Effect.uninterruptible,
        // The claim stays, and ends unknown: it is not sent again.
        Effect.catchAllCause((cause) => Effect.logError("a message's outcome could not be recorded", cause))
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
      atomically(
        Effect.gen(function* () {
          const forbidden = yield* sendings.lockForbiddenDue(nowMillis, contactedSince(nowMillis), SWEEP_MAX)
          for (const { lead, reason } of forbidden) {
            const removed = step(LeadMachine, lead.state, "remove")
            if (Either.isLeft(removed)) continue
            yield* campaigns.updateLead({ ...lead, state: removed.right, nextAtMillis: null })
            yield* trail.append([
              eventOf(ids, nowMillis, {
                workspaceId: lead.workspaceId,
                kind: "removed",
                source: "system",
                campaignId: lead.campaignId,
                campaignLeadId: lead.campaignLeadId,
                email: lead.email,
                detail: { reason }
              })
            ])
          }
          return forbidden.length
        })
      )

    const sweepLost = (nowMillis: number) =>
      atomically(
        Effect.gen(function* () {
          const stale = yield* sendings.lockStaleClaims(
            nowMillis - CLAIM_STALE_MILLIS,
            nowMillis - OWN_CLAIM_STALE_MILLIS,
            SWEEP_MAX
          )
          for (const message of stale) {
            const lead = yield* campaigns.lockLead(message.workspaceId, message.campaignLeadId)
            yield* lost(message, Option.match(lead, { onNone: () => "", onSome: (one) => one.addressHash }), nowMillis)
          }
          return stale.length
        })
      )

    const sweepWaitedOut = (nowMillis: number) =>
      atomically(
        Effect.gen(function* () {
          const leads = yield* sendings.lockWaitedOut(nowMillis, SWEEP_MAX)
          for (const lead of leads) {
            const finished = step(LeadMachine, lead.state, "finish")
            if (Either.isLeft(finished)) continue
            yield* campaigns.updateLead({ ...lead, state: finished.right, nextAtMillis: null })
          }
          return leads.length
        })
      )

    return Dispatcher.of({
      round,
      sweep: Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const forbidden = yield* sweepForbidden(nowMillis)
        const waited = yield* sweepWaitedOut(nowMillis)
        return forbidden + waited + (yield* sweepLost(nowMillis))
      })
    })
  })
)
