import { backoff } from "../../kernel/backoff.js"
import { DAY_MILLIS } from "../../kernel/durations.js"
import { turns } from "../../kernel/rounds.js"
import { OWN_MAILBOX, type ConnectedMailbox, openAccount } from "./OwnMailboxes.js"
import {
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  FiberSet,
  Layer,
  Option,
  Result,
  type Scope,
  Semaphore
} from "effect"
import { CampaignStore } from "../campaigns/CampaignStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { MailReader } from "../mail/MailReader.js"
import type { MailAccount } from "../mail/MailTransport.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { leftOf, type Span } from "../../kernel/Span.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import { askProvider } from "./askProvider.js"
import { nextVariant } from "../../kernel/sequences/variants.js"
import { rfcMessageId } from "./compose.js"
import { makeMessageOutcome } from "./MessageOutcome.js"
import { CLAIM_STALE_MILLIS, dayStart, OWN_PACE } from "./Dispatcher.js"
import { messageOf } from "./chooseClaims.js"
import { HeldMailboxes } from "./HeldMailboxes.js"
import { MailboxMachine } from "./MailboxMachine.js"
import { sendNotes, workOf } from "./messageNotes.js"
import { isOfMailbox, isPutOff, makeOwnRecord, PUT_OFF_MAX, type ReceivedMessage, TROUBLES_MAX } from "./OwnRecord.js"
import { claimOptions, type Handing, makeOwnSession } from "./OwnSession.js"
import { domainOf, makeReceivers } from "./Breaker.js"
import { type Mailbox, type Message, type OwnCandidate, SendingStore } from "./SendingStore.js"

/** Timeout of a look-up in the folder of sent mail, and most look-ups per mailbox and round. */
const LOOK_UP_SECONDS = 60
const LOOK_UPS_MAX = 10

/** Most domains of recipients that one round puts off, and most of their leads, while their receivers take no more. */
const PUT_OFF_DOMAINS_MAX = 20
const PUT_OFF_LEADS_MAX = 500

/** How often we ask which held mailboxes have work: once for all of them. */
const TICK = Duration.seconds(1)

/** How soon a mailbox is looked at again that may write to nobody, though somebody is due: its caps are reached, for example. */
const IDLE_MILLIS = { first: 2_000, max: 30_000 }

/**
 * How long a stopping host waits for servers. Then it gives up: a message whose content had not begun is due as before;
 * the others have unknown outcomes.
 */
const LEAVE = Duration.seconds(10)

/** How often we look for unfinished claims, even while the mailbox rests. */
const STALE_LOOK_MILLIS = 30_000

/**
 * Sends from the own mailboxes that this host holds: each independently, one message at a time, in due order. The claim
 * comes after the mailbox's server accepted the recipient, and it alone decides. A message of unknown outcome keeps its
 * claim. Once it can't be in transit any more, we look it up by `Message-ID` in the folder of sent mail: found proves
 * that it was sent; otherwise a person decides.
 */
export class OwnDispatch extends Context.Service<
  OwnDispatch,
  {
    /** Sends at most one message of each held mailbox. Returns how many were sent. */
    readonly round: FromStore<number>
    /** Runs rounds forever; mailboxes never wait for each other's servers. Closing its scope waits 10 s for servers. */
    readonly run: Effect.Effect<never, never, Scope.Scope>
  }
>()("@outbound/domain/outreach/sending/OwnDispatch") {}

/**
 * How many mailboxes may ask the database at once who is next, and how many may record at once what became of a message. The
 * others wait here, so that replies and calls find free connections. Nobody waits here for mail servers.
 */
const LOOKING_MAX = 4
const RECORDING_MAX = 3

/** Most mailboxes that begin with a message at one tick: more than a host can claim for in that time. The others are found again. */
const BEGUN_MAX = 200

/** The same, of this host. */
export const BegunLimit = Context.Reference<number>("@outbound/domain/outreach/sending/OwnDispatch/BegunLimit", {
  defaultValue: () => BEGUN_MAX
})

/** What there is to do for a mailbox. */
interface Work {
  /** Somebody is due, and the mailbox does not rest. */
  readonly isDue: boolean
  /** A claim was not ended in time, and nobody looked lately what became of it. */
  readonly isStale: boolean
}

/** Span attributes of a session. A refused claim is not a failure. */
const handingNotes = (handing: Handing) => ({
  "outbound.handing": handing._tag,
  "error.type": handing._tag === "Failed" ? handing.failure.reason : null
})

export const layer = Layer.effect(
  OwnDispatch,
  Effect.gen(function* () {
    const sendings = yield* SendingStore
    const campaigns = yield* CampaignStore
    const reader = yield* MailReader
    const mailboxes = yield* HeldMailboxes
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork
    const delivery = yield* makeMessageOutcome
    const { hand, isCrowded } = yield* makeOwnSession
    const record = yield* makeOwnRecord

    /** Mailboxes in use by a fiber of this host, when to check each next, and its consecutive troubles. */
    const busy = new Set<string>()
    const quiet = new Map<string, Span>()
    const staleLooked = new Map<string, Span>()
    const idle = new Map<string, number>()
    const troubles = new Map<string, number>()
    const putOffs = new Map<string, number>()
    const receiverOf = yield* makeReceivers
    const looking = yield* Semaphore.make(LOOKING_MAX)
    const recording = yield* Semaphore.make(RECORDING_MAX)
    const begunMax = yield* BegunLimit

    const claimedOf = (
      { left: _left, ...known }: OwnCandidate,
      receiver: string,
      nowMillis: number
    ): ReceivedMessage => {
      const { campaign, lead, mailbox } = known
      const message = messageOf(lead, {
        messageId: ids.next(nowMillis),
        mailboxId: mailbox.mailboxId,
        variant: nextVariant(campaign.chosenVariants, lead.variants, lead.stepsSent),
        claimedAtMillis: nowMillis
      })
      return { message, receiver, ...known }
    }

    /** How many troubles in a row the mailbox's server gave, this one included; 0: this is none. */
    const troubleOf = (mailboxId: string, handing: Handing): number => {
      const isLater = handing._tag === "Failed" && isPutOff(handing.failure)
      const later = isLater ? (putOffs.get(mailboxId) ?? 0) + 1 : 0
      putOffs.set(mailboxId, later)
      if (handing._tag === "Sent") troubles.delete(mailboxId)
      const isTrouble = handing._tag === "Failed" && (isOfMailbox(handing.failure) || later >= PUT_OFF_MAX)
      if (!isTrouble) return 0
      const inARow = (troubles.get(mailboxId) ?? 0) + 1
      troubles.set(mailboxId, inARow)
      return inARow
    }

    /** Once a message is handed over, its outcome is recorded even if the caller is interrupted. */
    const send = (account: MailAccount, candidate: OwnCandidate, receiver: string, givenUp: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const { mailboxId } = candidate.mailbox
        const claimed = claimedOf(candidate, receiver, yield* Clock.currentTimeMillis)
        const handing = yield* hand(account, claimed, givenUp).pipe(
          inSpan("mail.send", {
            kind: "client",
            attributes: () => sendNotes(OWN_MAILBOX, claimed.message),
            ended: handingNotes
          }),
          about(workOf(claimed.message))
        )
        const inARow = troubleOf(mailboxId, handing)
        yield* recording.withPermits(1)(record.handed(candidate, claimed, handing, inARow))
        // It was paused, so its count starts over when it resumes.
        if (inARow >= TROUBLES_MAX) troubles.delete(mailboxId)
        const isSent = handing._tag === "Sent"
        const from = claimed.message.claimedAtMillis
        // How long it rests, the store says.
        quiet.set(mailboxId, { from, until: isSent ? from : from + IDLE_MILLIS.first })
        return isSent
      }).pipe(Effect.uninterruptible)

    const lookUp = (account: MailAccount, mailbox: Mailbox, message: Message, givenUp: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const { campaignId, campaignLeadId, messageId, workspaceId } = message
        const found = yield* Effect.result(
          askProvider(OWN_MAILBOX, { seconds: LOOK_UP_SECONDS, otherwise: "transient", givenUp }, () =>
            reader.findInSent(account, rfcMessageId(messageId, mailbox.domain))
          )
        )
        // The look-up failed. It is repeated until the sweep gives the claim up.
        if (Result.isFailure(found)) {
          return yield* Effect.logWarning("searching a folder of sent mail failed", found.failure)
        }
        const nowMillis = yield* Clock.currentTimeMillis
        yield* Effect.gen(function* () {
          yield* sendings.lockMessage(workspaceId, messageId)
          const lead = yield* campaigns.lockLead(workspaceId, campaignLeadId)
          const campaign = yield* campaigns.get(workspaceId, campaignId)
          if (Option.isNone(lead) || Option.isNone(campaign)) return
          yield* found.success === "found"
            ? delivery.accepted({ message, lead: lead.value, campaign: campaign.value, mailbox }, OWN_PACE, nowMillis)
            : delivery.lost(message, lead.value.addressHash, nowMillis)
        }).pipe(atomically)
      }).pipe(Effect.uninterruptible, about(workOf(message)))

    const lookUpStale = (account: MailAccount, mailbox: Mailbox, nowMillis: number, givenUp: Effect.Effect<void>) =>
      Effect.flatMap(
        sendings.staleClaimsOf(mailbox.workspaceId, mailbox.mailboxId, nowMillis - CLAIM_STALE_MILLIS, LOOK_UPS_MAX),
        (stale) => Effect.forEach(stale, (message) => lookUp(account, mailbox, message, givenUp), { discard: true })
      )

    /** Its secret was sealed with another server secret: only its owner can set it again. */
    const cannotOpen = (mailbox: Mailbox) =>
      record.trouble(mailbox, new ProviderFailure({ provider: OWN_MAILBOX, reason: "account" }), 1)

    /** Until when the mailbox writes to nobody at the organisation; a time that is over: it may now. */
    const closedUntil = (mailbox: Mailbox, receiver: string, nowMillis: number) =>
      Effect.gen(function* () {
        const { left, restsUntilMillis } = yield* sendings.roomAt(claimOptions(mailbox, nowMillis), receiver)
        if (restsUntilMillis !== null && restsUntilMillis > nowMillis) return restsUntilMillis
        return left > 0 ? 0 : dayStart(nowMillis) + DAY_MILLIS
      })

    /** The next recipient whose receiver takes more of the mailbox's mail today. Leads of those that don't wait. */
    const nextReceived = (mailbox: Mailbox, nowMillis: number) =>
      Effect.gen(function* () {
        for (let domains = 0; domains <= PUT_OFF_DOMAINS_MAX; domains += 1) {
          const next = yield* sendings.nextOfOwn(claimOptions(mailbox, nowMillis))
          if (Option.isNone(next)) return null
          const candidate = next.value
          const { email } = candidate.lead
          const receiver = yield* receiverOf(mailbox.workspaceId, email)
          const untilMillis = yield* closedUntil(mailbox, receiver, nowMillis)
          if (untilMillis <= nowMillis) return { candidate, receiver }
          yield* sendings.putOff(mailbox, domainOf(email), untilMillis, PUT_OFF_LEADS_MAX)
        }
        return null
      })

    /** It had nobody to write to, although somebody was due: it is asked again later each time. */
    const waitLonger = (mailboxId: string, nowMillis: number) => {
      const inARow = (idle.get(mailboxId) ?? 0) + 1
      idle.set(mailboxId, inARow)
      quiet.set(mailboxId, { from: nowMillis, until: nowMillis + backoff(inARow, IDLE_MILLIS) })
    }

    const serve = (connected: ConnectedMailbox, work: Work, givenUp: Effect.Effect<void>): FromStore<boolean> =>
      Effect.gen(function* () {
        const { mailbox } = connected
        const { mailboxId } = mailbox
        const nowMillis = yield* Clock.currentTimeMillis
        const account = openAccount(crypto, connected)
        if (account === null) {
          return MailboxMachine.is.sending(mailbox.state) && (yield* Effect.as(cannotOpen(mailbox), false))
        }
        if (work.isStale) {
          staleLooked.set(mailboxId, { from: nowMillis, until: nowMillis + STALE_LOOK_MILLIS })
          yield* lookUpStale(account, mailbox, nowMillis, givenUp)
        }
        if (!work.isDue) return false
        const next = yield* Effect.flatMap(Clock.currentTimeMillis, (atMillis) => {
          if (isCrowded()) return Effect.succeed(null)
          waitLonger(mailboxId, atMillis)
          return nextReceived(mailbox, atMillis)
        }).pipe(looking.withPermits(1))
        if (next === null) return false
        idle.delete(mailboxId)
        return yield* send(account, next.candidate, next.receiver, givenUp)
      })

    /** Does nothing if another fiber serves the mailbox. */
    const serveAlone = (connected: ConnectedMailbox, work: Work, givenUp: Effect.Effect<void>): FromStore<boolean> =>
      Effect.suspend(() => {
        const { mailboxId } = connected.mailbox
        if (busy.has(mailboxId)) return Effect.succeed(false)
        busy.add(mailboxId)
        return Effect.ensuring(
          serve(connected, work, givenUp),
          Effect.sync(() => busy.delete(mailboxId))
        )
      })

    /** What each held mailbox has to do now; without those that have nothing, or that a fiber serves already. */
    const look = Effect.gen(function* () {
      const held = yield* mailboxes.held
      if (held.length === 0) return []
      const nowMillis = yield* Clock.currentTimeMillis
      const { hostId } = mailboxes
      const { due, stale } = yield* sendings.dueOfOwn({
        hostId,
        nowMillis,
        staleBeforeMillis: nowMillis - CLAIM_STALE_MILLIS
      })
      const isOver = (span: Span | undefined) => leftOf(span, nowMillis) === 0
      return held.flatMap((connected) => {
        const { mailboxId } = connected.mailbox
        const isDue = due.has(mailboxId) && isOver(quiet.get(mailboxId))
        const isStale = stale.has(mailboxId) && isOver(staleLooked.get(mailboxId))
        return busy.has(mailboxId) || !(isDue || isStale) ? [] : [{ connected, work: { isDue, isStale } }]
      })
    })

    const round = Effect.gen(function* () {
      const sent = yield* Effect.forEach(
        yield* look,
        ({ connected, work }) => serveAlone(connected, work, Effect.never),
        { concurrency: "unbounded" }
      )
      return sent.filter((one) => one).length
    })

    const run = Effect.gen(function* () {
      const fibers = yield* FiberSet.make<void>()
      // Completed before the fibers' end is awaited.
      const leaving = yield* Deferred.make<void>()
      yield* Effect.addFinalizer(() => Deferred.succeed(leaving, undefined))
      const givenUp = Effect.andThen(Deferred.await(leaving), Effect.sleep(LEAVE))
      const serveAside = ({ connected, work }: { readonly connected: ConnectedMailbox; readonly work: Work }) =>
        FiberSet.run(
          fibers,
          serveAlone(connected, work, givenUp).pipe(
            Effect.catchCause((cause) => Effect.logWarning("a sending round of an own mailbox failed", cause)),
            about({ workspace_id: connected.mailbox.workspaceId, mailbox_id: connected.mailbox.mailboxId }),
            Effect.asVoid
          )
        )
      const begun = (found: Effect.Success<typeof look>) => [
        ...found.filter(({ work }) => work.isStale),
        ...found.filter(({ work }) => !work.isStale).slice(0, begunMax)
      ]
      const tick = Effect.flatMap(look, (found) => Effect.forEach(begun(found), serveAside, { discard: true }))
      return yield* turns("own mailboxes", Effect.as(tick, 0), Effect.sleep(TICK))
    })

    return OwnDispatch.of({ round, run })
  })
)
