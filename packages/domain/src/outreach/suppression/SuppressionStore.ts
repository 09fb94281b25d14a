import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** Why a person must not be written to again. Permanent: nothing lifts one. */
export const SUPPRESSION_SOURCES = [
  "reply",
  "unsubscribe",
  "hard_bounce",
  "complaint",
  "not_interested",
  "owner_import"
] as const
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number]

/** Why a recipient is removed. If several apply, the first of this list counts (contract: campaigns, recipients). */
export const REMOVAL_REASONS = ["invalid", "opted_out", "platform_blocked", "capped", "other"] as const
export type RemovalReason = (typeof REMOVAL_REASONS)[number]

/** The reason that counts for a person suppressed by these sources: their own no before their owner's; null: none. */
export const suppressionReason = (
  sources: ReadonlyArray<SuppressionSource>
): Extract<RemovalReason, "opted_out" | "platform_blocked"> | null =>
  sources.some((source) => source !== "owner_import") ? "opted_out" : sources.length > 0 ? "platform_blocked" : null

/** For how long a person is left alone by the workspace's other campaigns after a message. */
export const CONTACT_HISTORY_DAYS = 30

export interface ContactCheck {
  readonly workspaceId: string
  /** Keyed hashes of normalised addresses. */
  readonly addressHashes: ReadonlyArray<string>
  /** The campaign whose own messages do not count as contact history. */
  readonly campaignId: string
  readonly contactedSinceMillis: number
}

/**
 * Who said no. Keyed by workspace and a keyed hash of the normalised address, so that it outlives the erasure of the
 * address. It has no operation that removes one.
 */
export class SuppressionStore extends Context.Tag("@outbound/domain/outreach/suppression/SuppressionStore")<
  SuppressionStore,
  {
    /** Idempotent by workspace, person and source. True: this person was suppressed by nothing before. */
    readonly add: (suppression: {
      readonly workspaceId: string
      readonly addressHash: string
      readonly source: SuppressionSource
      readonly atMillis: number
    }) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /**
     * Adds many of one source, set-based. How many of them this source did not have before. Unlike `add` it does not
     * tell who is suppressed for the first time.
     */
    readonly addAll: (suppressions: {
      readonly workspaceId: string
      readonly addressHashes: ReadonlyArray<string>
      readonly source: SuppressionSource
      readonly atMillis: number
    }) => Effect.Effect<number, StoreUnavailable, Tx>
    /** How many of these people are suppressed by this source, set-based. */
    readonly countOf: (
      workspaceId: string,
      source: SuppressionSource,
      addressHashes: ReadonlyArray<string>
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Set-based: the addresses that must not be contacted, with the reason that counts. Fails rather than guess.
     * An address not in the answer may be contacted.
     */
    readonly check: (
      check: ContactCheck
    ) => Effect.Effect<ReadonlyMap<string, "opted_out" | "platform_blocked" | "capped">, StoreUnavailable>
    readonly sourcesOf: (
      workspaceId: string,
      addressHash: string
    ) => Effect.Effect<ReadonlyArray<SuppressionSource>, StoreUnavailable>
  }
>() {}
