import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** Why a person must not be emailed again. Permanent: a suppression can't be removed. */
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

/** The deciding reason for a person suppressed by these sources: their own opt-out before their owner's; null: none. */
export const suppressionReason = (
  sources: ReadonlyArray<SuppressionSource>
): Extract<RemovalReason, "opted_out" | "platform_blocked"> | null =>
  sources.some((source) => source !== "owner_import") ? "opted_out" : sources.length > 0 ? "platform_blocked" : null

/** How long the workspace's other campaigns leave a person alone after a message. */
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
 * Suppressed people. Keyed by workspace and a keyed hash of the normalised address, so that it survives the erasure of
 * the address. No operation removes one.
 */
export class SuppressionStore extends Context.Tag("@outbound/domain/outreach/suppression/SuppressionStore")<
  SuppressionStore,
  {
    /** Idempotent by workspace, person and source. True: the person had no suppression before. */
    readonly add: (suppression: {
      readonly workspaceId: string
      readonly addressHash: string
      readonly source: SuppressionSource
      readonly atMillis: number
    }) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /**
     * Adds many of one source, set-based. Returns how many of them this source did not have yet. Unlike `add`, it
     * doesn't tell who is suppressed for the first time.
     */
    readonly addAll: (suppressions: {
      readonly workspaceId: string
      readonly addressHashes: ReadonlyArray<string>
      readonly source: SuppressionSource
      readonly atMillis: number
    }) => Effect.Effect<number, StoreUnavailable, Tx>
    /** How many of these people this source suppresses, set-based. */
    readonly countOf: (
      workspaceId: string,
      source: SuppressionSource,
      addressHashes: ReadonlyArray<string>
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * The addresses that must not be contacted, with the deciding reason, set-based. Fails rather than guess. An
     * address not in the answer may be contacted.
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
