import { Effect, Option } from "effect"
import type { CampaignLead } from "../campaigns/Campaign.js"
import { makeMoveLead } from "../campaigns/moveLead.js"
import type { InboundEvent } from "../mail/Inbound.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { makePauseMailbox } from "./pauseMailbox.js"
import { type MailboxHealth, type Message, type MessageOutcome, SendingStore } from "./SendingStore.js"

/** Of so many of a mailbox's last messages its health is told, and of no fewer than these. */
export const HEALTH_MESSAGES = 500
export const HEALTH_MESSAGES_MIN = 20

/** The shares that a mailbox must not pass, of what it sent. */
export const HARD_BOUNCES_MAX = 0.03
export const COMPLAINTS_MAX = 0.001

/** Whoever could not be reached for so many times is not written to any more. */
export const SOFT_BOUNCES_MAX = 3

/**
 * What a bounce says: the address is none (`hard`); it may be reached another time (`soft`); or who sends is refused
 * (`refused`, RFC 3463 class 5.7), which says nothing of the person.
 */
export const bounceVerdict = (bounce: InboundEvent["bounce"]): "hard" | "soft" | "refused" =>
  bounce?.status.startsWith("5.7.") === true ? "refused" : bounce?.type === "hard" ? "hard" : "soft"

/** Why a mailbox of such health must stop; null: it may go on. */
export const unhealthy = ({ complaints, hardBounces, sent }: MailboxHealth): "bounces" | "complaints" | null => {
  if (sent < HEALTH_MESSAGES_MIN) return null
  if (complaints / sent > COMPLAINTS_MAX) return "complaints"
  return hardBounces / sent > HARD_BOUNCES_MAX ? "bounces" : null
}

/**
 * A circuit breaker for mailboxes: one whose messages are not wanted, or reach nobody, stops by itself before whoever
 * receives them stops all of them. It holds live workspaces alone. In the transaction that applies what came in.
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
    /** A message turned out so: its mailbox stops where that is one too many. */
    record: ({ mailboxId, messageId, workspaceId }: Message, outcome: MessageOutcome, nowMillis: number) =>
      Effect.gen(function* () {
        if (!(yield* isLive(workspaceId))) return
        // The lock comes first: of two that come in at once, the later counts the earlier.
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

    /** A server takes nothing from the mailbox, for whomever it is. */
    refused: ({ mailboxId, workspaceId }: Message, status: string, nowMillis: number) =>
      Effect.gen(function* () {
        if (!(yield* isLive(workspaceId))) return
        const mailbox = yield* sendings.lockMailbox(workspaceId, mailboxId)
        if (Option.isNone(mailbox)) return
        const detail = { reason: "refused", status }
        yield* pauseMailbox(mailbox.value, { reason: "bounces", detail, campaigns: "without_another" }, nowMillis)
      }),

    /** A person could not be reached. After some times their sequence ends; they are not suppressed. */
    softBounce: (lead: CampaignLead, nowMillis: number) =>
      Effect.gen(function* () {
        if ((yield* sendings.bouncesOf(lead.workspaceId, lead.addressHash)) < SOFT_BOUNCES_MAX) return
        const tell = { nowMillis, kind: "stop", detail: { reason: "soft_bounces" } } as const
        yield* moveLead(lead, "bounce", { tell })
      })
  }
})
