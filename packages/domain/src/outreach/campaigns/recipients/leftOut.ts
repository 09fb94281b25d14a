import type { FromStore, InTx } from "../../../kernel/ports/UnitOfWork.js"
import type { RecipientField } from "../../../verbs/campaignFields.js"
import type { RemovalReason } from "../../suppression/SuppressionStore.js"
import type { Fault } from "./readRecipient.js"

/** Somebody whom a call left out of a campaign. */
export interface LeftOutPerson {
  /** Ids are in the order of the calls and of their rows. */
  readonly leftOutId: string
  readonly addressHash: string
  readonly reason: RemovalReason
  readonly detail: {
    /** The normalised address, or what was given for one. */
    readonly email: string
    /** Where the call named them, from 0; null: they are not invalid. */
    readonly index: number | null
    /** What has to be mended; empty: nothing can be. */
    readonly faults: ReadonlyArray<Fault>
    /** The row as given, so that it can be mended and given again; null: they are not invalid. */
    readonly given: RecipientField | null
  }
}

export interface LeftOutWrites {
  /** Keeps whom a call left out of the campaign. */
  readonly leaveOut: (workspaceId: string, campaignId: string, people: ReadonlyArray<LeftOutPerson>) => InTx<void>
}

export interface LeftOutReads {
  /** By id. `after`: the last id of the previous page. */
  readonly leftOut: (
    workspaceId: string,
    campaignId: string,
    page: { readonly after: string | null; readonly limit: number }
  ) => FromStore<ReadonlyArray<LeftOutPerson>>
  /** How many were left out for each reason; only reasons that occur. */
  readonly leftOutCounts: (workspaceId: string, campaignId: string) => FromStore<ReadonlyMap<RemovalReason, number>>
}
