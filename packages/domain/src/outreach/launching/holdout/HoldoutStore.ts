import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../../kernel/ports/UnitOfWork.js"
import type { InterestStatus } from "../../../kernel/sequences/Sequence.js"
import type { KeptOut } from "../../suppression/SuppressionStore.js"

/** Some of a campaign's people, drawn by chance when it was launched, to whom it does not write. */
export interface Holdout {
  readonly percent: number
  /** With it anybody can draw again (`drawHoldout`). It is on the trail. */
  readonly seed: string
  readonly drawnAtMillis: number
}

/** So many people of a campaign of whom the same is known. */
export interface OutcomeRow {
  /** Of a campaign with a holdout, what was drawn at the launch. Null: nothing, or they joined later. */
  readonly arm: "written" | "held_out" | null
  /** Whether they were sent something. */
  readonly isWritten: boolean
  /** Whether their answer counts, as `get_campaign` counts it. */
  readonly hasReplied: boolean
  /** Whether their answer was read as interest, where nobody set a status. */
  readonly saidInterested: boolean
  readonly interestStatus: InterestStatus | null
  /** What the workspace's CRM says of dealings with them, as far as it keeps people out; null: nothing. */
  readonly dealing: KeptOut | null
  readonly people: number
}

/** What a campaign brought is read from these. */
export interface OutcomeFacts {
  /** All who were there at the launch of a campaign with a holdout, and all who were sent something. */
  readonly rows: ReadonlyArray<OutcomeRow>
  /** What all calls that named one of its people were charged, each once, in micro-credits. */
  readonly chargedMicros: bigint
  /** What vendors asked for these calls, in micro-dollars. */
  readonly costMicros: number
}

/** The people whom launches keep from being written to, and what became of them and of the others. */
export class HoldoutStore extends Context.Service<
  HoldoutStore,
  {
    /** Keeps who was drawn, once for a campaign. */
    readonly keep: (
      workspaceId: string,
      campaignId: string,
      holdout: Holdout,
      arms: ReadonlyArray<{ readonly campaignLeadId: string; readonly isHeldOut: boolean }>
    ) => InTx<void>
    readonly get: (workspaceId: string, campaignId: string) => FromStore<Option.Option<Holdout>>
    readonly outcomes: (workspaceId: string, campaignId: string) => FromStore<OutcomeFacts>
  }
>()("@outbound/domain/outreach/launching/holdout/HoldoutStore") {}
