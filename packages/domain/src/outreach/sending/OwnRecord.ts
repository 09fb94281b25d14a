import { Clock, Effect, Option } from "effect"
import { backoff } from "../../kernel/backoff.js"
import { smtpAnswerOf } from "../mail/MailTransport.js"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import { StoreUnavailable, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeMessageOutcome } from "./MessageOutcome.js"
import { dayStart, OWN_PACE } from "./Dispatcher.js"
import { Handing } from "./OwnSession.js"
import { makePauseMailbox } from "./pauseMailbox.js"
import { gapMillis, nextWindow } from "./planner.js"
import { type ClaimedMessage, type Mailbox, type OwnCandidate, SendingStore } from "./SendingStore.js"
import { DAY_MILLIS } from "./zone.js"

/** How long a mailbox rests whose server asks for it, or can't be reached: from the first, doubling, to the last. */
const TROUBLE_MILLIS = { first: 60_000, max: 30 * 60_000 }

/** A server that took nothing so many times in a row is looked at by its owner; that is after some 14 hours. */
export const TROUBLES_MAX = 32

/** The server that the mailbox sends by, and not how one signs in to it, is what is wrong: it may come back by itself. */
const isUnreachable = (failure: ProviderFailure): boolean => {
  const phase = smtpAnswerOf(failure)?.phase
  return failure.reason !== "account" || phase === "connection" || phase === "tls"
}

/** Until then a mailbox rests. */
const restAfterTrouble = (failure: ProviderFailure, inARow: number): number =>
  Math.max((failure.retryAfterSeconds ?? 0) * 1000, backoff(inARow, TROUBLE_MILLIS))

/** Whether the server had come to the recipient when it failed. */
const isOfRecipient = (failure: ProviderFailure): boolean => {
  const phase = smtpAnswerOf(failure)?.phase
  return failure.reason === "invalid" || phase === "recipient" || phase === "content"
}

/** The failure says something of the mailbox or its server, whomever the message is for. */
export const isOfMailbox = (failure: ProviderFailure): boolean => {
  // Trouble with our own store says nothing of their server.
  if (failure.cause instanceof StoreUnavailable) return false
  if (failure.reason === "account" || failure.reason === "rate_limited") return true
  if (failure.reason === "unknown_outcome" || failure.reason === "invalid") return false
  const code = smtpAnswerOf(failure)?.code
  return code === 421 || code === 451 || !isOfRecipient(failure)
}

/** Until when the mailbox rests after a message: what is left of the window and of the day is shared out evenly. */
const restAfterSent = ({ campaign, left }: OwnCandidate, messageId: string, nowMillis: number): number => {
  const window = nextWindow(campaign.schedule, nowMillis)
  const isOpen = window !== null && window.opensAtMillis <= nowMillis
  const closesAtMillis = isOpen ? Math.min(window.closesAtMillis, dayStart(nowMillis) + DAY_MILLIS) : nowMillis
  return nowMillis + gapMillis({ nowMillis, closesAtMillis, left, seed: messageId })
}

/** Writes down what became of a message that was handed to an own mailbox's server, and what follows for the mailbox. */
export const makeOwnRecord = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const { atomically } = yield* UnitOfWork
  const delivery = yield* makeMessageOutcome
  const pauseMailbox = yield* makePauseMailbox

  const rest = ({ mailboxId, workspaceId }: Mailbox, untilMillis: number) =>
    Effect.as(sendings.restMailbox(workspaceId, mailboxId, untilMillis), untilMillis)

  /** The mailbox must not, or can't, send: it rests, and is paused where that does not help. */
  const onTrouble = (mailbox: Mailbox, failure: ProviderFailure, inARow: number, nowMillis: number) =>
    Effect.gen(function* () {
      if (isUnreachable(failure) && inARow < TROUBLES_MAX) {
        return yield* rest(mailbox, nowMillis + restAfterTrouble(failure, inARow))
      }
      const locked = yield* sendings.lockMailbox(mailbox.workspaceId, mailbox.mailboxId)
      if (Option.isNone(locked)) return nowMillis
      const answer = smtpAnswerOf(failure)
      const isRefused = answer !== null && (answer.phase === "sender" || isOfRecipient(failure))
      const reason = isUnreachable(failure) ? "unreachable" : isRefused ? "bounces" : "login"
      yield* pauseMailbox(
        locked.value,
        {
          reason,
          detail: {
            reason: reason === "bounces" ? "refused" : reason,
            ...(typeof answer?.status === "string" ? { status: answer.status } : {})
          },
          campaigns: "without_another"
        },
        nowMillis
      )
      return nowMillis
    })

  const onFailure = (
    candidate: OwnCandidate,
    claimed: ClaimedMessage,
    { claim, failure }: Extract<Handing, { readonly _tag: "Failed" }>,
    inARow: number,
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      // The claim stays. It is looked up when nothing of the message can be under way any more.
      if (failure.reason === "unknown_outcome") return nowMillis
      // The mailbox alone was at fault: the person's message was not tried, and is due as before. What a server says at
      // a recipient counts as a try, also where it is about the mailbox: else one person could hold all others up.
      if (!isOfRecipient(failure)) {
        if (claim !== "none") yield* delivery.returned(claimed, nowMillis)
      } else if (claim === "taken") yield* delivery.rejected(claimed, failure, nowMillis)
      else yield* delivery.refused(claimed, failure, nowMillis)
      return isOfMailbox(failure) ? yield* onTrouble(candidate.mailbox, failure, inARow, nowMillis) : nowMillis
    })

  return {
    /** `inARow`: how many troubles with the mailbox's server this is, one after the other. Until when it rests. */
    handed: (candidate: OwnCandidate, claimed: ClaimedMessage, handing: Handing, inARow: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        atomically(
          Handing.$match(handing, {
            Sent: () =>
              Effect.zipRight(
                delivery.accepted(claimed, OWN_PACE, nowMillis),
                rest(candidate.mailbox, restAfterSent(candidate, claimed.message.messageId, nowMillis))
              ),
            Withdrawn: ({ claim }) =>
              Effect.as(claim === "taken" ? delivery.returned(claimed, nowMillis) : Effect.void, nowMillis),
            Failed: (failed) => onFailure(candidate, claimed, failed, inARow, nowMillis)
          })
        )
      ),

    /** The mailbox can't be used, whatever there is to send. */
    trouble: (mailbox: Mailbox, failure: ProviderFailure, inARow: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => atomically(onTrouble(mailbox, failure, inARow, nowMillis)))
  }
})
