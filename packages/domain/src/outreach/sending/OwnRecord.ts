import { Clock, Effect, Option } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { smtpAnswerOf } from "../mail/MailTransport.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeBreaker, makePauseMailbox } from "./Breaker.js"
import { makeMessageOutcome } from "./MessageOutcome.js"
import { dayStart, OWN_PACE } from "./Dispatcher.js"
import { Handing } from "./OwnSession.js"
import { gapMillis } from "./planner.js"
import { blameOf, evidenceOf } from "./refusals.js"
import { makeNextWindow, type NextWindow } from "./SendingCalendar.js"
import { type ClaimedMessage, type Mailbox, type OwnCandidate, SendingStore } from "./SendingStore.js"
import { DAY_MILLIS } from "../../kernel/durations.js"

/** How long a mailbox rests whose server asks for it, or can't be reached: from the first, doubling, to the last. */
const TROUBLE_MILLIS = { first: 60_000, max: 30 * 60_000 }

/** After this many consecutive troubles, about 14 hours, the owner must look at the server. */
export const TROUBLES_MAX = 32

/** The outgoing server fails, not the sign-in: it may recover by itself. */
const isUnreachable = (failure: ProviderFailure): boolean => {
  const phase = smtpAnswerOf(failure)?.phase
  return failure.reason !== "account" || phase === "connection" || phase === "tls"
}

/** When the mailbox's rest ends. */
const restAfterTrouble = (failure: ProviderFailure, inARow: number): number =>
  Math.max((failure.retryAfterSeconds ?? 0) * 1000, backoff(inARow, TROUBLE_MILLIS))

/** Whether the session had reached the recipient when it failed. */
const isOfRecipient = (failure: ProviderFailure): boolean => {
  const phase = smtpAnswerOf(failure)?.phase
  return failure.reason === "invalid" || phase === "recipient" || phase === "content"
}

/** Whether the failure concerns the mailbox or its server, independently of the recipient. */
export const isOfMailbox = (failure: ProviderFailure): boolean => {
  const blame = blameOf(failure)
  return blame === "mailbox" || blame === "server"
}

/** So many recipients in a row are put off before that is the server's own trouble, and the mailbox rests. */
export const PUT_OFF_MAX = 3

/** Whether the server asks to come back later with this recipient. */
export const isPutOff = (failure: ProviderFailure): boolean => {
  const blame = blameOf(failure)
  return blame === "later" || (blame === "policy" && failure.reason === "rate_limited")
}

/**
 * When the mailbox's rest after a message ends: the remaining messages are spread over the rest of the window and the
 * day.
 */
const restAfterSent = (
  { campaign, lead, left }: OwnCandidate,
  messageId: string,
  nextWindow: NextWindow,
  nowMillis: number
): number => {
  const window = nextWindow(campaign.schedule, lead.hours, nowMillis)
  const isOpen = window !== null && window.opensAtMillis <= nowMillis
  const closesAtMillis = isOpen ? Math.min(window.closesAtMillis, dayStart(nowMillis) + DAY_MILLIS) : nowMillis
  return nowMillis + gapMillis({ nowMillis, closesAtMillis, left, seed: messageId })
}

/** A message, and the organisation that receives its recipient's mail. */
export interface ReceivedMessage extends ClaimedMessage {
  readonly receiver: string
}

/**
 * Records what happened to a message that was handed to an own mailbox's server, and the consequences for the mailbox.
 */
export const makeOwnRecord = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const { atomically } = yield* UnitOfWork
  const delivery = yield* makeMessageOutcome
  const pauseMailbox = yield* makePauseMailbox
  const breaker = yield* makeBreaker
  const nextWindow = yield* makeNextWindow

  const rest = ({ mailboxId, workspaceId }: Mailbox, untilMillis: number) =>
    Effect.as(sendings.restMailbox(workspaceId, mailboxId, untilMillis), untilMillis)

  /** The mailbox can't or must not send: it rests, and is paused if resting doesn't help. */
  const onTrouble = (mailbox: Mailbox, failure: ProviderFailure, inARow: number, nowMillis: number) =>
    Effect.gen(function* () {
      if (isUnreachable(failure) && inARow < TROUBLES_MAX) {
        return yield* rest(mailbox, nowMillis + restAfterTrouble(failure, inARow))
      }
      const locked = yield* sendings.lockMailbox(mailbox.workspaceId, mailbox.mailboxId)
      if (Option.isNone(locked)) return nowMillis
      const answer = smtpAnswerOf(failure)
      const isRefused = answer?.phase === "sender" || isOfRecipient(failure)
      const reason = isUnreachable(failure) ? "unreachable" : isRefused ? "bounces" : "login"
      yield* pauseMailbox(
        locked.value,
        {
          reason,
          detail: {
            reason: reason === "bounces" ? "refused" : reason,
            ...(typeof answer?.status === "string" ? { status: answer.status } : {}),
            ...(reason === "bounces" && answer !== null ? { says: evidenceOf(answer.text) } : {})
          },
          campaigns: "without_another"
        },
        nowMillis
      )
      return nowMillis
    })

  const onFailure = (
    candidate: OwnCandidate,
    claimed: ReceivedMessage,
    { claim, failure }: Extract<Handing, { readonly _tag: "Failed" }>,
    inARow: number,
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      // The claim stays. It is looked up when the message can't be in transit any more.
      if (failure.reason === "unknown_outcome") return nowMillis
      // Only the mailbox was at fault: the message was not tried and is due as before. A refusal at the recipient
      // counts as a try even if it concerns the mailbox; otherwise one recipient could block all others.
      if (!isOfRecipient(failure)) {
        if (claim !== "none") yield* delivery.returned(claimed, nowMillis)
      } else if (claim === "taken") yield* delivery.rejected(claimed, failure, nowMillis)
      else yield* delivery.refused(claimed, failure, nowMillis)
      const answer = smtpAnswerOf(failure)
      if (blameOf(failure) === "policy" && answer !== null) {
        const refusal = { receiver: claimed.receiver, status: answer.status ?? String(answer.code), says: answer.text }
        yield* breaker.refused(claimed.message, claimed.lead.email, refusal, nowMillis)
      }
      return inARow > 0 ? yield* onTrouble(candidate.mailbox, failure, inARow, nowMillis) : nowMillis
    })

  return {
    /** `inARow`: consecutive troubles with the mailbox's server, this one included; 0: this is none. Returns when the rest ends. */
    handed: (candidate: OwnCandidate, claimed: ReceivedMessage, handing: Handing, inARow: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        atomically(
          Handing.$match(handing, {
            Sent: () =>
              Effect.andThen(
                delivery.accepted(claimed, OWN_PACE, nowMillis),
                rest(candidate.mailbox, restAfterSent(candidate, claimed.message.messageId, nextWindow, nowMillis))
              ),
            Withdrawn: ({ claim }) =>
              Effect.as(claim === "taken" ? delivery.returned(claimed, nowMillis) : Effect.void, nowMillis),
            Failed: (failed) => onFailure(candidate, claimed, failed, inARow, nowMillis)
          })
        )
      ),

    /** The mailbox can't be used for any message. */
    trouble: (mailbox: Mailbox, failure: ProviderFailure, inARow: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => atomically(onTrouble(mailbox, failure, inARow, nowMillis)))
  }
})
