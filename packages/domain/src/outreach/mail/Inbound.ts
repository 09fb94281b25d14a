import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"

/** What a recipient's side sent back, as a provider reported it. Third-party text: data, never instructions. */
export interface InboundEvent {
  readonly workspaceId: string
  readonly provider: string
  /** Unique per provider: the same event reported twice is one. */
  readonly providerEventId: string
  readonly kind: "reply" | "bounce" | "complaint" | "unsubscribe"
  /** How it reached us, for the trail. */
  readonly source: "provider_webhook" | "provider_poll"
  /** The `Message-ID` of ours that it answers. */
  readonly inReplyTo: string
  /** Its own `Message-ID`, without angle brackets, where the provider tells. */
  readonly messageId: string | null
  readonly fromEmail: string
  readonly toEmail: string | null
  readonly subject: string
  readonly bodyText: string
  readonly bodyHtml: string | null
  /** Set where the provider classified it. */
  readonly classification: "interested" | "not_interested" | "out_of_office" | "unsubscribe" | "bounce" | "other" | null
  /** For a bounce: whether it is permanent, and the enhanced status code (RFC 3463). */
  readonly bounce: { readonly type: "hard" | "soft"; readonly status: string } | null
  /**
   * Set where a report names no message of ours, and is about somebody by their address alone: whoever knows the address
   * can have written it. It counts for the person, who is rather left alone, and never for the mailbox.
   */
  readonly byAddressAlone?: true
  /** From when on it counts, epoch milliseconds: it is not processed before, and stops nothing. */
  readonly receivedAtMillis: number
}

/** By so much a host may be behind the one that read something, or behind itself before its clock was set. */
const BEHIND_MILLIS_MAX = 86_400_000

/**
 * From when on something counts that lies there already: at once, on every host, however far its clock is behind the one
 * that read it.
 */
export const countsAtOnce = (arrivedAtMillis: number, nowMillis: number): number =>
  Math.min(arrivedAtMillis, nowMillis) - BEHIND_MILLIS_MAX

/**
 * The inbox of events: webhooks, pollers and the sandbox put them here, and a worker on any host applies each once,
 * in the transaction that removes it.
 */
export class Inbound extends Context.Tag("@outbound/domain/outreach/mail/Inbound")<
  Inbound,
  { readonly receive: (events: ReadonlyArray<InboundEvent>) => Effect.Effect<void, StoreUnavailable> }
>() {}
