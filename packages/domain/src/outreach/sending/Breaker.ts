import { Clock, Effect, Option, Result } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { type Campaign, type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import { isRefusal, reasonOfCode } from "../mail/bounceReasons.js"
import type { InboundEvent } from "../mail/Inbound.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import type { MessageOutcome } from "./MessageMachine.js"
import {
  evidenceOf,
  isPolicy,
  isRecipientsOwn,
  RECEIVER_FORGIVEN_MILLIS,
  REFUSALS_MILLIS,
  refusalVerdict,
  restWaits
} from "./refusals.js"
import { type Mailbox, type MailboxHealth, type MailboxRef, type Message, SendingStore } from "./SendingStore.js"
import { leftOf, type Span } from "../../kernel/Span.js"
import { operatorOf } from "../../kernel/people/Suffixes.js"
import { DomainRecords } from "../mail/DomainRecords.js"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { step } from "../../kernel/machine.js"
import { makeTell, type TrailSource } from "../../kernel/trail/TrailEvent.js"
import { MailboxMachine, type MailboxPauseReason } from "./MailboxMachine.js"
import { makeTellPause } from "./vendor/tellPause.js"

export interface MailboxPause {
  readonly reason: MailboxPauseReason
  /** Further detail for the trail. */
  readonly detail: Readonly<Record<string, unknown>>
  /** Which of its campaigns are paused with it: each, or only those without another mailbox. */
  readonly campaigns: "each" | "without_another"
  /** The actor; default: the system. */
  readonly source?: TrailSource
}

/**
 * Pauses a locked mailbox and, for lack of capacity, the campaigns that can't continue, in the caller's transaction.
 * Returns the ids of these campaigns.
 */
export const makePauseMailbox = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  const tellPause = yield* makeTellPause

  /** Whether the campaign sends from the paused mailbox and can't continue. */
  const isStopped = ({ campaignId, workspaceId }: Campaign, { mailboxId }: Mailbox, which: MailboxPause["campaigns"]) =>
    Effect.map(sendings.mailboxesOfCampaign(workspaceId, campaignId), (writing) => {
      if (!writing.some((one) => one.mailboxId === mailboxId)) return false
      return (
        which === "each" || writing.every((one) => one.mailboxId === mailboxId || !MailboxMachine.is.sending(one.state))
      )
    })

  return (mailbox: Mailbox, pause: MailboxPause, nowMillis: number) =>
    Effect.gen(function* () {
      const { operationId, workspaceId } = mailbox
      const paused = step(MailboxMachine, mailbox.state, "pause")
      if (Result.isFailure(paused) || paused.success === mailbox.state) return []
      yield* sendings.updateMailboxes([{ ...mailbox, state: paused.success, pauseReason: pause.reason }])
      yield* tell(nowMillis, {
        workspaceId,
        source: pause.source ?? "system",
        operationId,
        kind: "mailbox_paused",
        detail: { mailbox: mailbox.address, ...pause.detail }
      })
      const stoppedIds: Array<string> = []
      for (const campaign of yield* campaigns.lockActive(workspaceId)) {
        const stopped = step(CampaignMachine, campaign.state, "stop")
        if (Result.isFailure(stopped) || !(yield* isStopped(campaign, mailbox, pause.campaigns))) continue
        yield* campaigns.update({ ...campaign, state: stopped.success, pauseReason: "capacity" })
        yield* tellPause(campaign, "capacity", { source: "system" })
        stoppedIds.push(campaign.campaignId)
      }
      return stoppedIds
    })
})

/** How long an organisation is remembered, how many domains are, and how long we wait for name servers. */
const KEPT_MILLIS = 6 * 3_600_000
const KEPT_MAX = 5_000
const ANSWER_MILLIS = 4_000

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase()

/** The organisation that receives an address's mail if nothing is known of its servers: that of its domain. */
export const ownReceiver = (address: string): string => operatorOf(domainOf(address)) ?? domainOf(address)

/**
 * Finds the organisation that receives an address's mail: the registrable domain of its most preferred mail server, such
 * as `google.com` for all that Google hosts. Without an answer from name servers it is the address's own domain.
 */
export const makeReceivers = Effect.gen(function* () {
  const records = Option.getOrNull(yield* Effect.serviceOption(DomainRecords))
  const sendings = yield* SendingStore
  const kept = new Map<string, { readonly receiver: string; readonly span: Span }>()
  const noted = new Map<string, string>()

  /** Forecasts and health know it too. */
  const note = (workspaceId: string, domain: string, receiver: string): FromStore<void> => {
    const key = `${workspaceId} ${domain}`
    if (noted.get(key) === receiver) return Effect.void
    if (noted.size >= KEPT_MAX) noted.clear()
    noted.set(key, receiver)
    return sendings.noteReceiver(workspaceId, domain, receiver)
  }

  const find = (address: string): Effect.Effect<{ readonly receiver: string; readonly isKnown: boolean }> =>
    Effect.gen(function* () {
      const own = ownReceiver(address)
      if (records === null) return { receiver: own, isKnown: false }
      const domain = domainOf(address)
      const nowMillis = yield* Clock.currentTimeMillis
      const known = kept.get(domain)
      if (known !== undefined && leftOf(known.span, nowMillis) > 0) return { receiver: known.receiver, isKnown: true }
      const found = yield* records.mx(domain).pipe(Effect.timeout(ANSWER_MILLIS), Effect.option)
      // Not kept, so that the next message asks again.
      if (Option.isNone(found)) return { receiver: own, isKnown: false }
      const receiver = operatorOf(found.value[0] ?? domain) ?? own
      if (kept.size >= KEPT_MAX) kept.clear()
      kept.set(domain, { receiver, span: { from: nowMillis, until: nowMillis + KEPT_MILLIS } })
      return { receiver, isKnown: true }
    })

  return (workspaceId: string, address: string): FromStore<string> =>
    Effect.gen(function* () {
      const { isKnown, receiver } = yield* find(address)
      if (isKnown) yield* note(workspaceId, domainOf(address), receiver)
      return receiver
    })
})

/** Health is computed over this many of a mailbox's last messages, and needs at least so many. */
export const HEALTH_MESSAGES = 500
export const HEALTH_MESSAGES_MIN = 20

/** Largest allowed shares of a mailbox's sent messages. */
export const HARD_BOUNCES_MAX = 0.03
export const COMPLAINTS_MAX = 0.001

/** From this share of hard bounces on owners are alerted, before the mailbox stops. */
export const HARD_BOUNCES_WATCHED = 0.02

/** A person with this many soft bounces gets no more messages. */
export const SOFT_BOUNCES_MAX = 3

/** Final codes that speak of this address or its mailbox. One that is full may have room for the next message. */
const OF_ADDRESS = /^5\.[12]\./

/**
 * The meaning of a bounce, by its reason, or by its code if nobody read a reason: the address doesn't exist (`hard`); it
 * may work another time (`soft`); it, its owner or a list takes no mail from us (`restricted`), which ends this lead
 * alone; or the sender is refused by policy, reputation or rate (`refused`), which says nothing about the person.
 */
export const bounceVerdict = (bounce: InboundEvent["bounce"]): "hard" | "soft" | "restricted" | "refused" => {
  if (bounce === null) return "soft"
  const { ends, status, type } = bounce
  const reason = bounce.reason ?? reasonOfCode(status)
  if (reason === "restricted" || isRecipientsOwn(status)) return "restricted"
  if (isRefusal(reason) || isPolicy(status)) return ends === true ? "restricted" : "refused"
  if (type === "hard") return "hard"
  return ends === true || (OF_ADDRESS.test(status) && reason !== "full") ? "restricted" : "soft"
}

/** A server's refusal of the sender. */
export interface Refusal {
  /** Where; null: at the recipient's own organisation. */
  readonly receiver: string | null
  readonly status: string
  /** The server's text. Third-party text. */
  readonly says: string
}

/**
 * A report that came by mail may be its recipient's own work, since he has read the mark that it quotes. So many people
 * must report before it stops more than their own leads.
 */
export const REPORTERS_MIN = 3

/** Why a mailbox with this health must stop; null: it may continue. `least`: so many reports of a kind count. */
export const unhealthy = (
  { complaints, hardBounces, sent }: MailboxHealth,
  least = 1
): "bounces" | "complaints" | null => {
  if (sent < HEALTH_MESSAGES_MIN) return null
  if (complaints >= least && complaints / sent > COMPLAINTS_MAX) return "complaints"
  return hardBounces >= least && hardBounces / sent > HARD_BOUNCES_MAX ? "bounces" : null
}

/** Whether so many of its messages bounce that somebody should look before it stops. */
export const bouncesHigh = ({ hardBounces, sent }: Pick<MailboxHealth, "hardBounces" | "sent">): boolean =>
  sent >= HEALTH_MESSAGES_MIN && hardBounces / sent >= HARD_BOUNCES_WATCHED

/** A mailbox writes to nobody at an organisation for a while; longer, if it rested there before. A longer rest goes on. */
export const makeRestAt = Effect.map(
  SendingStore,
  (sendings) =>
    (
      { mailboxId, workspaceId }: MailboxRef,
      receiver: string,
      why: Pick<Refusal, "status" | "says">,
      nowMillis: number
    ) =>
      Effect.gen(function* () {
        const before = Option.getOrNull(yield* sendings.receiverRest(workspaceId, mailboxId, receiver))
        const isForgiven = before === null || nowMillis - before.restsUntilMillis > RECEIVER_FORGIVEN_MILLIS
        const times = isForgiven ? 1 : before.times + 1
        const restsUntilMillis = nowMillis + backoff(times, restWaits(why.status))
        // One from a time to which the clock was not set back.
        const isLonger =
          before !== null && before.restsUntilMillis <= nowMillis + backoff(before.times, restWaits(before.status))
        if (isLonger && before.restsUntilMillis > restsUntilMillis) return
        yield* sendings.setReceiverRest({
          workspaceId,
          mailboxId,
          receiver,
          restsUntilMillis,
          times,
          status: why.status,
          says: evidenceOf(why.says)
        })
      })
)

/**
 * A circuit breaker for mailboxes of live workspaces. A mailbox whose messages are unwanted or bounce stops by itself,
 * before recipients' servers block all of them. Runs in the transaction that applies the event.
 */
export const makeBreaker = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const moveLead = yield* makeMoveLead
  const pauseMailbox = yield* makePauseMailbox

  const liveOf = (workspaceId: string) =>
    Effect.map(
      workspaces.get(workspaceId),
      Option.filter(({ kind }) => kind === "live")
    )

  const restAt = yield* makeRestAt

  return {
    /**
     * Records a message's outcome; its mailbox stops if there are too many. `says`: the server's words, if there are any.
     * `isByMail`: a recipient may have written it.
     */
    record: (
      { mailboxId, messageId, workspaceId }: Message,
      outcome: MessageOutcome,
      { isByMail, says }: { readonly isByMail: boolean; readonly says?: string | undefined },
      nowMillis: number
    ) =>
      Effect.gen(function* () {
        // The sandbox's mailboxes don't stop, but their records show what became of their messages.
        if (Option.isNone(yield* liveOf(workspaceId)))
          return yield* sendings.setOutcome(workspaceId, messageId, outcome)
        // Lock first: of two concurrent outcomes, the later one counts the earlier.
        const mailbox = yield* sendings.lockMailbox(workspaceId, mailboxId)
        yield* sendings.setOutcome(workspaceId, messageId, outcome)
        const health = yield* sendings.health(workspaceId, mailboxId, HEALTH_MESSAGES)
        yield* sendings.noteBounces(workspaceId, mailboxId, bouncesHigh(health) ? nowMillis : null)
        const reason = unhealthy(health, isByMail ? REPORTERS_MIN : 1)
        if (reason === null || Option.isNone(mailbox)) return
        const detail = {
          reason,
          sent: health.sent,
          hard_bounces: health.hardBounces,
          complaints: health.complaints,
          ...(says === undefined ? {} : { says: evidenceOf(says) })
        }
        yield* pauseMailbox(mailbox.value, { reason, detail, campaigns: "without_another" }, nowMillis)
      }),

    /**
     * A server refused the sender of a message to this address by policy. One refusal decides nothing: what stops is
     * decided by how many people were refused, and where.
     */
    refused: ({ mailboxId, messageId, workspaceId }: Message, email: string, refusal: Refusal, nowMillis: number) =>
      Effect.gen(function* () {
        const workspace = yield* liveOf(workspaceId)
        // Lock first: of two concurrent refusals, the later one counts the earlier.
        const mailbox = yield* sendings.lockMailbox(workspaceId, mailboxId)
        if (Option.isNone(workspace) || Option.isNone(mailbox)) return
        yield* sendings.setOutcome(workspaceId, messageId, "refused")
        const known = refusal.receiver ?? Option.getOrNull(yield* sendings.receiverOf(workspaceId, messageId))
        const receiver = known ?? ownReceiver(email)
        const sinceMillis = Math.max(nowMillis - REFUSALS_MILLIS, mailbox.value.activeAtMillis ?? 0)
        const counts = yield* sendings.refusals(workspaceId, mailboxId, receiver, sinceMillis)
        const verdict = refusalVerdict(counts, workspace.value.caps)
        if (verdict === "receiver") return yield* restAt(mailbox.value, receiver, refusal, nowMillis)
        if (verdict === null) return
        const { people, receivers, refused } = counts.mailbox
        const says = evidenceOf(refusal.says)
        const detail = { reason: "refused", status: refusal.status, refused, people, receivers, says }
        yield* pauseMailbox(mailbox.value, { reason: "bounces", detail, campaigns: "without_another" }, nowMillis)
      }),

    /** Its owner, or a list, takes no mail from us. The lead ends; the person is not suppressed. */
    restricted: (lead: CampaignLead, status: string, nowMillis: number) => {
      const tell = { nowMillis, kind: "stop", detail: { reason: "refused_by_provider", status } } as const
      return Effect.asVoid(moveLead(lead, "bounce", { tell }))
    },

    /** A soft bounce. After several, the person's sequence ends; they are not suppressed. */
    softBounce: (lead: CampaignLead, nowMillis: number) =>
      Effect.gen(function* () {
        if ((yield* sendings.bouncesOf(lead.workspaceId, lead.addressHash)) < SOFT_BOUNCES_MAX) return
        const tell = { nowMillis, kind: "stop", detail: { reason: "soft_bounces" } } as const
        yield* moveLead(lead, "bounce", { tell })
      })
  }
})
