import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { Campaign, CampaignLead } from "./Campaign.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import type { LeadState } from "./LeadMachine.js"

/** A lead that a launch or an import takes out, with its reason. */
export interface LeadAddress {
  readonly campaignLeadId: string
  readonly email: string
  readonly addressHash: string
}

export interface LeadCover {
  readonly campaignLeadId: string
  readonly mailboxId: string
  /** Null: nothing is due here, as its vendor schedules it. */
  readonly nextAtMillis: number | null
  /** Its vendor has not confirmed it yet: it stays `pending` until then. */
  readonly isUnconfirmed?: true
}

/** A person who comes into a campaign. */
export interface NewLead extends Recipient {
  readonly campaignLeadId: string
  readonly addressHash: string
}

export class CampaignStore extends Context.Tag("@outbound/domain/outreach/campaigns/CampaignStore")<
  CampaignStore,
  {
    /** The campaign and its leads (state `pending`, covered by nothing), in set-based statements. */
    readonly insert: (campaign: Campaign, leads: ReadonlyArray<NewLead>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** More leads for a locked campaign, as `insert` makes them. None of them may be among its leads. */
    readonly addLeads: (campaign: Campaign, leads: ReadonlyArray<NewLead>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Which of these people are leads of the campaign, in whatever state, by keyed hash. */
    readonly present: (
      workspaceId: string,
      campaignId: string,
      addressHashes: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** How many leads the campaign holds, in whatever state. */
    readonly countLeads: (workspaceId: string, campaignId: string) => Effect.Effect<number, StoreUnavailable>
    /**
     * Says until the end of the transaction that a launch of the campaign executes. Waits for those who hold it to
     * extend. To be called before `lock`.
     */
    readonly holdToLaunch: (workspaceId: string, campaignId: string) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Keeps launches of the campaign away until the end of the transaction. False: one executes right now. */
    readonly holdToExtend: (workspaceId: string, campaignId: string) => Effect.Effect<boolean, StoreUnavailable, Tx>
    readonly get: (workspaceId: string, campaignId: string) => Effect.Effect<Option.Option<Campaign>, StoreUnavailable>
    /** Locks the campaign. Its leads change only under this lock, except for what their own messages bring about. */
    readonly lock: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<Option.Option<Campaign>, StoreUnavailable, Tx>
    readonly update: (campaign: Campaign) => Effect.Effect<void, StoreUnavailable, Tx>
    /** The addresses of its leads in these states, by id. */
    readonly leadsIn: (
      workspaceId: string,
      campaignId: string,
      states: ReadonlyArray<LeadState>
    ) => Effect.Effect<ReadonlyArray<LeadAddress>, StoreUnavailable>
    /** The first `limit` leads in these states, by id, for a person to look at. */
    readonly firstLeads: (
      workspaceId: string,
      campaignId: string,
      states: ReadonlyArray<LeadState>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CampaignLead>, StoreUnavailable>
    /** Moves leads to `removed`, where that is allowed from the state they are in. */
    readonly removeLeads: (
      workspaceId: string,
      campaignLeadIds: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /**
     * Marks leads as covered by an executed approval and due: `pending` ones become `ready`. A lead that was written
     * to keeps its mailbox and its due time.
     */
    readonly coverLeads: (
      workspaceId: string,
      campaignId: string,
      approvalId: string,
      covers: ReadonlyArray<LeadCover>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly lockLead: (
      workspaceId: string,
      campaignLeadId: string
    ) => Effect.Effect<Option.Option<CampaignLead>, StoreUnavailable, Tx>
    /**
     * The lead, locked with every other lead of its person, by id: whoever may change more than one of them begins so,
     * and two who do the same at once don't wait for each other.
     */
    readonly lockPerson: (
      workspaceId: string,
      campaignLeadId: string
    ) => Effect.Effect<Option.Option<CampaignLead>, StoreUnavailable, Tx>
    /** Locks the campaign's leads in these states, by id, for whoever changes many of them. */
    readonly lockLeads: (
      workspaceId: string,
      campaignId: string,
      states: ReadonlyArray<LeadState>
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly updateLead: (lead: CampaignLead) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locks this person's leads in every campaign of the workspace that has not ended, by id. */
    readonly lockLeadsOfAddress: (
      workspaceId: string,
      addressHash: string
    ) => Effect.Effect<ReadonlyArray<CampaignLead>, StoreUnavailable, Tx>
    /** The same of many people: their leads in these states alone. */
    readonly lockLeadsOfAddresses: (
      workspaceId: string,
      addressHashes: ReadonlyArray<string>,
      states: ReadonlyArray<LeadState>
    ) => Effect.Effect<ReadonlyArray<CampaignLead>, StoreUnavailable, Tx>
    /** Locks active campaigns of which no lead is `pending`, `ready` or `active`, skipping those others hold. */
    readonly lockDone: (limit: number) => Effect.Effect<ReadonlyArray<Campaign>, StoreUnavailable, Tx>
    /** Locks the workspace's active campaigns, by id. */
    readonly lockActive: (workspaceId: string) => Effect.Effect<ReadonlyArray<Campaign>, StoreUnavailable, Tx>
  }
>() {}
