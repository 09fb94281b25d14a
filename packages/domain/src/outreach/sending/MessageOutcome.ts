import { Effect, Option } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { type Campaign, type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import { LeadMachine } from "../campaigns/LeadMachine.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import { after, allows, changes } from "../../kernel/machine.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import type { Pace } from "../../sources/ports/SendingProvider.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { MessageMachine } from "./MessageMachine.js"
import { nextDue } from "./planner.js"
import { ownReceiver } from "./Breaker.js"
import { type Blame, blameOf, REFUSED_TRIES_MAX } from "./refusals.js"
import { type Handover, type Mailbox, type Message, SendingStore } from "./SendingStore.js"

/** After this many tries that provably sent nothing, the lead is given up. */
export const TRIES_MAX = 10

/** Between the first two tries; it doubles with each, up to the longest. */
const RETRY_MILLIS = { first: 5 * 60_000, max: 6 * 3_600_000 }

/** The same after a refusal by policy, which time alone rarely cures. */
const REFUSED_MILLIS = { first: 3_600_000, max: 6 * 3_600_000 }

/** How long after the `tries`-th try the next one may be. */
export const retryPause = (tries: number): number => backoff(tries, RETRY_MILLIS)

/** Respects the provider's requested pause. A short one must not use up the tries quickly. */
const pauseAfter = (failure: ProviderFailure, blame: Blame, tries: number): number => {
  if (blame === "policy" && failure.reason !== "rate_limited") return backoff(tries, REFUSED_MILLIS)
  if (failure.retryAfterSeconds === undefined) return retryPause(tries)
  const wished = failure.retryAfterSeconds * 1000
  return tries <= 1 ? wished : Math.max(wished, retryPause(tries - 1))
}

/** A message that was handed over, with the data to record it. */
export interface Handed {
  readonly message: Message
  readonly lead: Pick<CampaignLead, "email" | "addressHash" | "hours">
  readonly campaign: Pick<Campaign, "sequence" | "schedule">
  readonly mailbox: Pick<Mailbox, "address">
  /** The organisation that receives the person's mail; default: their address's own. */
  readonly receiver?: string
}

/** The same, of a step that failed so often before. */
type Tried = Handed & { readonly failedTries: number }

/** Where it was handed in. An erased person's receiver is not known. */
const handoverOf = ({ lead, receiver }: Handed, isRefused: boolean): Handover | null =>
  lead.email === "" ? null : { receiver: receiver ?? ownReceiver(lead.email), isRefused }

/** Records what happened to a message and the consequences for its lead, in the caller's transaction. */
export const makeMessageOutcome = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  const moveLead = yield* makeMoveLead

  /** Gives up a lead whose message can't be sent or may have been sent; a person decides. */
  const giveUpLead = (message: Message, nowMillis: number, reason: string) =>
    Effect.gen(function* () {
      const lead = yield* campaigns.lockLead(message.workspaceId, message.campaignLeadId)
      if (Option.isNone(lead)) return
      yield* moveLead(lead.value, "fail", { tell: { nowMillis, kind: "stop", detail: { reason } } })
    })

  /** The step may be tried again after this time. */
  const postpone = (message: Message, untilMillis: number) =>
    Effect.gen(function* () {
      const lead = yield* campaigns.lockLead(message.workspaceId, message.campaignLeadId)
      if (Option.isNone(lead) || !allows(LeadMachine, lead.value.state, "send")) return
      yield* campaigns.updateLead({ ...lead.value, nextAtMillis: untilMillis })
    })

  /** The consequences of a failure for the lead, after its message was recorded as unsent for the `tries`-th time. */
  const afterFailure = (message: Message, failure: ProviderFailure, tries: number, nowMillis: number) => {
    const blame = blameOf(failure)
    const isRefused = blame === "policy" && failure.reason !== "rate_limited"
    if (blame === "recipient" || (isRefused && tries >= REFUSED_TRIES_MAX)) {
      return giveUpLead(message, nowMillis, "refused_by_provider")
    }
    if (tries >= TRIES_MAX) return giveUpLead(message, nowMillis, "undeliverable")
    return postpone(message, nowMillis + pauseAfter(failure, blame, tries))
  }

  /** The message as the event leaves it. None: it is unknown, or ended before, so that nothing is recorded twice. */
  const ended = ({ messageId, workspaceId }: Message, event: "accept" | "reject" | "lose") =>
    Effect.map(sendings.lockMessage(workspaceId, messageId), (locked) =>
      locked.pipe(
        Option.filter(({ state }) => changes(MessageMachine, state, event)),
        Option.map((one) => ({ ...one, state: after(MessageMachine, one.state, event) }))
      )
    )

  /** Ends a claimed message as not sent; false: it already ended. */
  const endUnsent = (handed: Handed, isRefused: boolean) =>
    Effect.gen(function* () {
      const failed = yield* ended(handed.message, "reject")
      if (Option.isNone(failed)) return false
      yield* sendings.endMessage(failed.value, handed.lead.addressHash, handoverOf(handed, isRefused))
      return true
    })

  return {
    /** It was sent. */
    accepted: (handed: Handed, pace: Pace, nowMillis: number) =>
      Effect.gen(function* () {
        const { campaign, lead, mailbox, message } = handed
        const sent = yield* ended(message, "accept")
        if (Option.isNone(sent)) return
        yield* sendings.endMessage(
          { ...sent.value, sentAtMillis: nowMillis },
          lead.addressHash,
          handoverOf(handed, false)
        )
        // Read the lead again: the person may have been erased while the message was being sent.
        const current = yield* campaigns.lockLead(message.workspaceId, message.campaignLeadId)
        yield* tell(nowMillis, {
          workspaceId: message.workspaceId,
          source: "system",
          campaignId: message.campaignId,
          campaignLeadId: message.campaignLeadId,
          email: Option.isSome(current) ? current.value.email : null,
          kind: "sent",
          detail: { step: message.stepIndex + 1, mailbox: mailbox.address }
        })
        if (Option.isNone(current)) return
        const stepsSent = message.stepIndex + 1
        yield* moveLead(current.value, "send", {
          // If a reply arrived before this record, the sequence stays stopped.
          always: { stepsSent },
          and: { nextAtMillis: nextDue(campaign, stepsSent, nowMillis, pace, lead.hours) }
        })
      }),

    /** Certainly not sent: the step may be claimed again, later and not too often. */
    rejected: (handed: Tried, failure: ProviderFailure, nowMillis: number) =>
      Effect.gen(function* () {
        if (!(yield* endUnsent(handed, blameOf(failure) === "policy"))) return
        yield* afterFailure(handed.message, failure, handed.failedTries + 1, nowMillis)
      }),

    /** As `rejected`, for a message that was never claimed: its recipient was refused before. */
    refused: (handed: Tried, failure: ProviderFailure, nowMillis: number) =>
      Effect.gen(function* () {
        const { failedTries, lead, message } = handed
        const handover = handoverOf(handed, blameOf(failure) === "policy")
        yield* sendings.insertFailed({ ...message, state: "failed" }, lead.addressHash, handover)
        yield* afterFailure(message, failure, failedTries + 1, nowMillis)
      }),

    /** It was not tried, whether or not it was claimed: the step is due as before, and all checks run again. */
    returned: (handed: Handed, nowMillis: number) =>
      Effect.gen(function* () {
        if (yield* endUnsent(handed, false)) yield* postpone(handed.message, nowMillis)
      }),

    /** We can't tell whether it was sent: it is never resent, and a person decides. */
    lost: (message: Message, addressHash: string, nowMillis: number) =>
      Effect.gen(function* () {
        const unknown = yield* ended(message, "lose")
        if (Option.isNone(unknown)) return
        yield* sendings.endMessage(unknown.value, addressHash, null)
        yield* giveUpLead(message, nowMillis, "outcome_unknown")
      })
  }
})
