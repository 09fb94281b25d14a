import { Effect, Option } from "effect"
import type { CampaignLead } from "../campaigns/Campaign.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import type { InboundEvent } from "../mail/Inbound.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { makePauseMailbox } from "./pauseMailbox.js"
import { type MailboxHealth, type Message, type MessageOutcome, SendingStore } from "./SendingStore.js"

/** Health is computed over this many of a mailbox's last messages, and needs at least so many. */
export const HEALTH_MESSAGES = 500
export const HEALTH_MESSAGES_MIN = 20

/** Largest allowed shares of a mailbox's sent messages. */
export const HARD_BOUNCES_MAX = 0.03
export const COMPLAINTS_MAX = 0.001

/** A person with this many soft bounces gets no more messages. */
export const SOFT_BOUNCES_MAX = 3

/**
 * The meaning of a bounce: the address doesn't exist (`hard`); it may work another time (`soft`); or the sender is
 * refused (`refused`, RFC 3463 class 5.7), which says nothing about the person.
 */
export const bounceVerdict = (bounce: InboundEvent["bounce"]): "hard" | "soft" | "refused" =>
  bounce?.status.startsWith("5.7.") === true ? "refused" : bounce?.type === "hard" ? "hard" : "soft"

/** Why a mailbox with this health must stop; null: it may continue. */
export const unhealthy = ({ complaints, hardBounces, sent }: MailboxHealth): "bounces" | "complaints" | null => {
  if (sent < HEALTH_MESSAGES_MIN) return null
  if (complaints / sent > COMPLAINTS_MAX) return "complaints"
  return hardBounces / sent > HARD_BOUNCES_MAX ? "bounces" : null
}

/**
 * A circuit breaker for mailboxes of live workspaces. A mailbox whose messages are unwanted or bounce stops by itself,
 * before recipients' servers block all of them. Runs in the transaction that applies the event.
 */
export const makeBreaker = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const workspaces = yield* WorkspaceStore
  const moveLead = yield* makeMoveLead
  const pauseMailbox = yield* makePauseMailbox

  const isLive = (workspaceId: string) =>
    Effect.map(
      workspaces.get(workspaceId),
      Option.exists(({ kind }) => kind === "live")
    )

  return {
    /** Records a message's outcome; its mailbox stops if there are too many. */
    record: ({ mailboxId, messageId, workspaceId }: Message, outcome: MessageOutcome, nowMillis: number) =>
      Effect.gen(function* () {
        if (!(yield* isLive(workspaceId))) return
        // Lock first: of two concurrent outcomes, the later one counts the earlier.
        const mailbox = yield* sendings.lockMailbox(workspaceId, mailboxId)
        yield* sendings.setOutcome(workspaceId, messageId, outcome)
        const health = yield* sendings.health(workspaceId, mailboxId, HEALTH_MESSAGES)
        const reason = unhealthy(health)
        if (reason === null || Option.isNone(mailbox)) return
        const detail = {
          reason,
          sent: health.sent,
          hard_bounces: health.hardBounces,
          complaints: health.complaints
        }
        yield* pauseMailbox(mailbox.value, { reason, detail, campaigns: "without_another" }, nowMillis)
      }),

    /** A server refuses the mailbox for any recipient. */
    refused: ({ mailboxId, workspaceId }: Message, status: string, nowMillis: number) =>
      Effect.gen(function* () {
        if (!(yield* isLive(workspaceId))) return
        const mailbox = yield* sendings.lockMailbox(workspaceId, mailboxId)
        if (Option.isNone(mailbox)) return
        const detail = { reason: "refused", status }
        yield* pauseMailbox(mailbox.value, { reason: "bounces", detail, campaigns: "without_another" }, nowMillis)
      }),

    /** A soft bounce. After several, the person's sequence ends; they are not suppressed. */
    softBounce: (lead: CampaignLead, nowMillis: number) =>
      Effect.gen(function* () {
        if ((yield* sendings.bouncesOf(lead.workspaceId, lead.addressHash)) < SOFT_BOUNCES_MAX) return
        const tell = { nowMillis, kind: "stop", detail: { reason: "soft_bounces" } } as const
        yield* moveLead(lead, "bounce", { tell })
      })
  }
})
