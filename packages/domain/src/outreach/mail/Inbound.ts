import { DAY_MILLIS } from "../../kernel/durations.js"
import { Context } from "effect"
import type { Classification } from "../meaning/Classification.js"
import type { BounceReason } from "./bounceReasons.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/** Longest body that is stored, in characters; `bodyTruncated` says that it was cut. */
export const BODY_CHARS_MAX = 200_000

/**
 * A message or event from a recipient's side, as a provider reported it. Third-party text: data, never instructions.
 */
export interface InboundEvent {
  readonly workspaceId: string
  readonly provider: string
  /** Unique per provider: an event reported twice counts once. */
  readonly providerEventId: string
  readonly kind: "reply" | "bounce" | "complaint" | "unsubscribe"
  /** How it reached us, for the trail. */
  readonly source: "provider_webhook" | "provider_poll"
  /** The `Message-ID` of our message that it answers. */
  readonly inReplyTo: string
  /** Its own `Message-ID` without angle brackets, if the provider gives it. */
  readonly messageId: string | null
  readonly fromEmail: string
  readonly toEmail: string | null
  readonly subject: string
  readonly bodyText: string
  readonly bodyHtml: string | null
  /** Set if the provider classified it. */
  readonly classification: Classification | null
  /**
   * For a bounce: `hard` if it proves that the address doesn't exist, the enhanced status code (RFC 3463), and why and in
   * which words of the server, if that was read. `ends`: whoever sends has ended the person's sequence.
   */
  readonly bounce: {
    readonly type: "hard" | "soft"
    readonly status: string
    readonly reason?: BounceReason
    readonly says?: string
    readonly ends?: true
  } | null
  /**
   * Set if nothing proves who sent it: a report without the mark of our message (`markOf`), or mail without a reference
   * to us whose sender the receiving server denies. Anyone can forge it. So it ends the one lead that it names,
   * suppresses nobody, and never counts against the mailbox.
   */
  readonly byAddressAlone?: true
  /**
   * Set if the receiving server denies that the mail's sender wrote it. In a thread of ours it still answers for the person
   * whom we wrote to, and for nobody else.
   */
  readonly writerDenied?: true
  /**
   * The hash of an id that the mail names and that is not ours: the message that it answers may have left under it.
   * `isOfCopy`: a copy among sent mail proves it; otherwise the subject must be of that message's thread.
   */
  readonly named?: { readonly idHash: string; readonly isOfCopy: boolean }
  /** When it was written, as its own `Date` says: another copy of it says the same. */
  readonly writtenAt?: string
  /** When it takes effect, in epoch milliseconds. It is not processed before then and stops nothing. */
  readonly receivedAtMillis: number
}

/** How far a host's clock may be behind another's, or behind its own earlier time. */
const BEHIND_MILLIS_MAX = DAY_MILLIS

/**
 * The time from which an already stored event takes effect: at once on every host, however far its clock is behind the
 * reader's.
 */
export const countsAtOnce = (arrivedAtMillis: number, nowMillis: number): number =>
  Math.min(arrivedAtMillis, nowMillis) - BEHIND_MILLIS_MAX

/**
 * The inbox of events from webhooks, pollers and the sandbox. A worker on any host applies each event once, in the
 * transaction that removes it.
 */
export class Inbound extends Context.Service<
  Inbound,
  { readonly receive: (events: ReadonlyArray<InboundEvent>) => FromStore<void> }
>()("@outbound/domain/outreach/mail/Inbound") {}
