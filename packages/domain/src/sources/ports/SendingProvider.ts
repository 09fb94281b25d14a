import type { Effect } from "effect"
import type { InterestStatus } from "../../kernel/sequences/Sequence.js"
import type { ProviderFailure } from "./Source.js"

/** An order for sending capacity, as approved. */
export interface CapacityOrder {
  readonly workspaceId: string
  /** The operation's id. Ordering twice with one marker orders once. */
  readonly marker: string
  readonly brand: string
  readonly identity: { readonly firstName: string; readonly lastName: string }
  /** Domains to register and mailboxes to open on each, as `local@domain`. */
  readonly domains: ReadonlyArray<{ readonly domain: string; readonly mailboxes: ReadonlyArray<string> }>
  readonly orderedAtMillis: number
}

export type ProvisioningStatus = "pending" | "active" | "failed"

export interface CapacityProgress {
  readonly domains: ReadonlyArray<{
    readonly domain: string
    readonly status: ProvisioningStatus
    /** Why it failed, for people. */
    readonly detail: string | null
    readonly mailboxes: ReadonlyArray<{ readonly address: string; readonly status: ProvisioningStatus }>
  }>
}

/** One message to one person, ready to send. */
export interface OutgoingMessage {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  /** The step's position in its sequence, from 0. */
  readonly stepIndex: number
  /** RFC 5322 `Message-ID`, without angle brackets. Stable: it is our marker at the provider. */
  readonly messageId: string
  readonly from: { readonly address: string; readonly name: string }
  readonly to: { readonly address: string; readonly name: string | null }
  readonly subject: string
  readonly text: string
  /** Message-IDs of the thread so far, oldest first. Empty: a new thread. */
  readonly references: ReadonlyArray<string>
  readonly unsubscribeUrl: string
  /** A header of its own, by which a report proves that it is about this message. */
  readonly mark: { readonly header: string; readonly value: string }
}

/** A reply in a thread to one person, with the approved text. */
export interface OutgoingReply extends Pick<
  OutgoingMessage,
  "workspaceId" | "campaignId" | "campaignLeadId" | "messageId" | "from" | "subject" | "text"
> {
  readonly to: string
  /** Message-IDs of the thread so far, oldest first. The last one is answered (`In-Reply-To`). */
  readonly references: ReadonlyArray<string>
}

/**
 * The outcome of a message that may have been sent. `not_sent` is proof that it didn't and won't leave. `unknowable`:
 * the provider will never be able to tell.
 */
export type SentOutcome = "sent" | "not_sent" | "unknowable"

/** A workspace's rating of a person in a campaign. */
export interface InterestMark {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly email: string
  readonly interest: InterestStatus
}

/** Sells domains and mailboxes. */
export interface SendingCapacity {
  /** How long capacity usually takes, for people. */
  readonly readyEstimate: string
  /** Available domain names derived from the brand, best first. */
  readonly suggestDomains: (brand: string, count: number) => Effect.Effect<ReadonlyArray<string>, ProviderFailure>
  /** Places the order. Idempotent by marker, unless `placed` exists. */
  readonly order: (order: CapacityOrder) => Effect.Effect<void, ProviderFailure>
  /**
   * Whether the order was placed. A provider with this method doesn't recognise markers: we call `order` once per
   * order, and again only if it said that nothing happened.
   */
  readonly placed?: (order: CapacityOrder) => Effect.Effect<boolean, ProviderFailure>
  readonly progress: (order: CapacityOrder) => Effect.Effect<CapacityProgress, ProviderFailure>
}

/** The length of a `wait_days` day, and whether schedules apply. */
export interface Pace {
  readonly dayMillis: number
  readonly windows: boolean
}

/** Provides mailboxes and delivers what outbound schedules. */
export interface OutboundScheduled extends SendingCapacity {
  readonly schedules: "outbound"
  readonly name: string
  readonly pace: Pace
  /**
   * Sends one message. Success: the provider accepted it. `unknown_outcome`: it may have, and we never send it again.
   * Every other failure proves that nothing left.
   */
  readonly deliver: (message: OutgoingMessage) => Effect.Effect<void, ProviderFailure>
  /** Stops what the provider holds of a campaign, then checks: success proves that nothing more leaves. Idempotent. */
  readonly pauseCampaign: (campaign: {
    readonly workspaceId: string
    readonly campaignId: string
  }) => Effect.Effect<void, ProviderFailure>
  /** Sends one reply, with the outcomes of `deliver`. */
  readonly reply: (reply: OutgoingReply) => Effect.Effect<void, ProviderFailure>
  /** Resolves a reply with an unknown outcome. `transient`: it can't tell yet. */
  readonly findSent: (reply: OutgoingReply) => Effect.Effect<SentOutcome, ProviderFailure>
  /** Records a person's interest. The last one wins. Idempotent. */
  readonly setInterest: (mark: InterestMark) => Effect.Effect<void, ProviderFailure>
}
