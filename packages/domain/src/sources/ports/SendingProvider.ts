import type { Effect } from "effect"
import type { InterestStatus } from "../../kernel/sequences/Sequence.js"
import type { ProviderFailure } from "./ProviderFailure.js"

/** An order for sending capacity, as the human approved it. */
export interface CapacityOrder {
  readonly workspaceId: string
  /** Our own marker (the operation's id): ordering twice under one marker is ordering once. */
  readonly marker: string
  readonly brand: string
  readonly identity: { readonly firstName: string; readonly lastName: string }
  /** Domains to register, and the mailboxes to open on each, as `local@domain`. */
  readonly domains: ReadonlyArray<{ readonly domain: string; readonly mailboxes: ReadonlyArray<string> }>
  readonly orderedAtMillis: number
}

export type ProvisioningStatus = "pending" | "active" | "failed"

export interface CapacityProgress {
  readonly domains: ReadonlyArray<{
    readonly domain: string
    readonly status: ProvisioningStatus
    /** Why it failed, for a person to read. */
    readonly detail: string | null
    readonly mailboxes: ReadonlyArray<{ readonly address: string; readonly status: ProvisioningStatus }>
  }>
}

/** One message to one person, ready to send. */
export interface OutgoingMessage {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  /** The position of the step in its sequence, from 0. */
  readonly stepIndex: number
  /** RFC 5322 `Message-ID`, without angle brackets; stable, and our marker at the provider. */
  readonly messageId: string
  readonly from: { readonly address: string; readonly name: string }
  readonly to: { readonly address: string; readonly name: string | null }
  readonly subject: string
  readonly text: string
  /** Message-IDs of the thread so far, oldest first. Empty: a new thread. */
  readonly references: ReadonlyArray<string>
  readonly unsubscribeUrl: string
}

/** An answer in a thread: a person's own words to one person, as another person approved them. */
export interface OutgoingReply {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  /** RFC 5322 `Message-ID`, without angle brackets; stable, and our marker at the provider. */
  readonly messageId: string
  readonly from: { readonly address: string; readonly name: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Message-IDs of the thread so far, oldest first; the last one is what it answers (`In-Reply-To`). */
  readonly references: ReadonlyArray<string>
}

/**
 * What became of a message that may have been sent. `not_sent` is proof: it did not leave and never will. `unknowable`:
 * the provider can't tell, and never will.
 */
export type SentOutcome = "sent" | "not_sent" | "unknowable"

/** What a workspace says of a person in one of its campaigns. */
export interface InterestMark {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly email: string
  readonly interest: InterestStatus
}

/** Sells domains and mailboxes. */
export interface SendingCapacity {
  /** How long capacity usually takes to be ready, for a person to read. */
  readonly readyEstimate: string
  /** Domain names derived from the brand that can be had now, best first. */
  readonly suggestDomains: (brand: string, count: number) => Effect.Effect<ReadonlyArray<string>, ProviderFailure>
  /** Places the order. Idempotent by its marker, unless `placed` is there. */
  readonly order: (order: CapacityOrder) => Effect.Effect<void, ProviderFailure>
  /**
   * Whether the order was placed. Where a provider has this, it does not know an order by its marker: `order` is called
   * once for each, and once more only if it said that nothing happened.
   */
  readonly placed?: (order: CapacityOrder) => Effect.Effect<boolean, ProviderFailure>
  /** How far the order has come. */
  readonly progress: (order: CapacityOrder) => Effect.Effect<CapacityProgress, ProviderFailure>
}

/** How long a day of `wait_days` lasts, and whether windows hold. */
export interface Pace {
  readonly dayMillis: number
  readonly windows: boolean
}

/** Provides mailboxes and delivers from them what outbound schedules. */
export interface OutboundScheduled extends SendingCapacity {
  readonly schedules: "outbound"
  readonly name: string
  readonly pace: Pace
  /**
   * Sends one message. Success: the provider has accepted it. `unknown_outcome`: it may have; the caller never
   * sends it again. Every other failure proves that nothing left.
   */
  readonly deliver: (message: OutgoingMessage) => Effect.Effect<void, ProviderFailure>
  /**
   * Stops whatever the provider itself still holds of a campaign, and looks whether it has stopped: success is proof
   * that nothing of it leaves any more. Idempotent.
   */
  readonly pauseCampaign: (campaign: {
    readonly workspaceId: string
    readonly campaignId: string
  }) => Effect.Effect<void, ProviderFailure>
  /** Sends one answer; its outcomes are those of `deliver`. */
  readonly reply: (reply: OutgoingReply) => Effect.Effect<void, ProviderFailure>
  /** What became of an answer whose outcome is unknown. `transient`: it can't tell yet. */
  readonly findSent: (reply: OutgoingReply) => Effect.Effect<SentOutcome, ProviderFailure>
  /** Records a person's interest. Idempotent: the last one counts. */
  readonly setInterest: (mark: InterestMark) => Effect.Effect<void, ProviderFailure>
}
