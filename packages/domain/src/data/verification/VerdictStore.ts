import { Context } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { Verdict } from "./verdicts.js"

/** Somebody's address, and what is known of it. */
export interface JudgedAddress {
  readonly email: string
  readonly verdict: Verdict | null
}

/**
 * The newest verdict on each address that a workspace verified (`replaces`), by the keyed hash of the person. Written by
 * `CallJournal.settle` with the call that found it; an erasure deletes it, and so does time (`VERDICT_DAYS_MAX`).
 */
export class VerdictStore extends Context.Service<
  VerdictStore,
  {
    /** Those of these people, by hash, set-based. Who is missing was never verified. */
    readonly find: (
      workspaceId: string,
      addressHashes: ReadonlyArray<string>
    ) => FromStore<ReadonlyMap<string, Verdict>>
    /** The people of a campaign who may still be written to, in no order; erased ones are left out. At most `max`. */
    readonly ofCampaign: (
      workspaceId: string,
      campaignId: string,
      max: number
    ) => FromStore<ReadonlyArray<JudgedAddress>>
  }
>()("@outbound/domain/data/verification/VerdictStore") {}
