import { Context, type Effect, type Option } from "effect"
import type { CampaignLead } from "../../campaigns/Campaign.js"
import type { StoreUnavailable, Tx } from "../../../kernel/ports/UnitOfWork.js"
import type { Message } from "../SendingStore.js"
import type { VendorCampaignState } from "./VendorCampaignMachine.js"
import type { VendorLeadState } from "./VendorLeadMachine.js"

/** Whose credential with a vendor: the service's, or the workspace's own. */
export const VENDOR_ACCOUNTS = ["service", "own"] as const
export type VendorAccount = (typeof VENDOR_ACCOUNTS)[number]

/** What stands of a campaign at its vendor. */
export interface VendorCampaign {
  readonly workspaceId: string
  readonly campaignId: string
  /** The provider's name: another one can't be asked about it. */
  readonly vendor: string
  /** By whose credential it was made there: with another one it can't be seen. */
  readonly account: VendorAccount
  readonly state: VendorCampaignState
  /** How the vendor names it; null before it is there. */
  readonly ref: string | null
  /** Digest of the terms that it was last given. */
  readonly terms: string | null
  /** What the vendor was asked for may be under way until then. Null: nothing is. */
  readonly askedUntilMillis: number | null
  /** Whether the trail is still to be told that it has stopped. */
  readonly owesPause: boolean
  /** How far its events were read, and when they are read again; null: they are not. */
  readonly cursor: string | null
  readonly readAtMillis: number | null
  /** How often in a row a turn ended in trouble. */
  readonly failures: number
  /** Grows with every turn: whoever holds an older one holds nothing any more. */
  readonly turn: number
}

/** A person in a campaign at its vendor. */
export interface VendorLead {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly state: VendorLeadState
  readonly ref: string | null
  readonly pushes: number
  /** How often they were looked for and not found, since the last push. */
  readonly looks: number
  /** When they are to be looked for, or pushed. */
  readonly dueAtMillis: number
  /** Since when nothing may be sent to them; null: something may. */
  readonly leavingAtMillis: number | null
  /** Whether they are on the vendor's block list for certain. */
  readonly blocked: boolean
}

export interface VendorLeadAt {
  readonly vendorLead: VendorLead
  readonly lead: CampaignLead
}

/** A person to whom nothing may be sent any more. `blocks`: they said no, to all of it. */
export interface Leaving extends VendorLeadAt {
  readonly blocks: boolean
}

export interface TurnOptions {
  readonly nowMillis: number
  /** Nobody else takes the campaign before then. */
  readonly heldUntilMillis: number
}

/** What is known of an order that may be placed once: it may have been, or was for certain. */
export const ORDER_STATES = ["asked", "placed"] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** What stands at vendors that schedule by themselves. */
export class VendorStore extends Context.Tag("@outbound/domain/outreach/sending/vendor/VendorStore")<
  VendorStore,
  {
    readonly insert: (campaign: VendorCampaign) => Effect.Effect<void, StoreUnavailable, Tx>
    /** People who are to be there, `waiting`. Their campaign is due. */
    readonly addLeads: (
      campaign: Pick<VendorCampaign, "workspaceId" | "campaignId">,
      campaignLeadIds: ReadonlyArray<string>,
      nowMillis: number
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly get: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<Option.Option<VendorCampaign>, StoreUnavailable>
    readonly lock: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<Option.Option<VendorCampaign>, StoreUnavailable, Tx>
    /** Everything but its turn. */
    readonly update: (campaign: VendorCampaign) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Takes campaigns that are due and that nobody holds, the longest due first. */
    readonly takeTurns: (
      options: TurnOptions & { readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<VendorCampaign>, StoreUnavailable, Tx>
    /** Takes this one, due or not; none where it is held, or is at no vendor. */
    readonly takeTurn: (
      workspaceId: string,
      campaignId: string,
      options: TurnOptions
    ) => Effect.Effect<Option.Option<VendorCampaign>, StoreUnavailable, Tx>
    /** Gives it back, due then, or earlier where somebody woke it. Nothing where the turn is another's by now. */
    readonly endTurn: (
      campaign: Pick<VendorCampaign, "workspaceId" | "campaignId" | "turn">,
      dueAtMillis: number | null
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** They are due. Those that are at no vendor are passed over. */
    readonly wake: (
      workspaceId: string,
      campaignIds: ReadonlyArray<string>,
      nowMillis: number
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Every campaign of the workspace is due. */
    readonly wakeAll: (workspaceId: string, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Which of these campaigns are at a vendor. */
    readonly among: (
      workspaceId: string,
      campaignIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** The workspace's campaigns of which the vendor may be sending, by id. */
    readonly mayBeSending: (workspaceId: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** How many active campaigns of the workspace are at a vendor. */
    readonly activeCampaigns: (workspaceId: string) => Effect.Effect<number, StoreUnavailable>
    /** The campaign's people in these states who are due by then, the earliest first. */
    readonly leadsDue: (
      workspaceId: string,
      campaignId: string,
      states: ReadonlyArray<VendorLeadState>,
      options: { readonly byMillis: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<VendorLeadAt>, StoreUnavailable>
    /** How many of its people are in each state. */
    readonly counts: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<Readonly<Record<VendorLeadState, number>>, StoreUnavailable>
    /** Which of its people are proven to be there. */
    readonly presentLeads: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** The earliest time at which one in these states is due. */
    readonly nextDue: (
      workspaceId: string,
      campaignId: string,
      states: ReadonlyArray<VendorLeadState>
    ) => Effect.Effect<number | null, StoreUnavailable>
    /** Those of its people who were not found are due now. */
    readonly hurry: (
      workspaceId: string,
      campaignId: string,
      nowMillis: number
    ) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly lockLeads: (
      workspaceId: string,
      campaignLeadIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<VendorLead>, StoreUnavailable, Tx>
    readonly updateLeads: (leads: ReadonlyArray<VendorLead>) => Effect.Effect<void, StoreUnavailable, Tx>
    /**
     * People of the campaign whose own lead has ended otherwise than by the end of its sequence, and who are not proven
     * gone; those who said no to all mail and are not proven blocked; and those who were erased and whom the vendor still
     * knows. Whoever only answered is not blocked: a human may answer them.
     */
    readonly leaving: (
      workspaceId: string,
      campaignId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Leaving>, StoreUnavailable>
    /** The campaign's people to whom something may still be sent, whom none of its own reasons but another forbids. */
    readonly openLeads: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<ReadonlyArray<Pick<CampaignLead, "campaignLeadId" | "addressHash">>, StoreUnavailable>
    /** Those of the campaign's people, not written to yet, whom another campaign at a vendor may be writing to. */
    readonly elsewhere: (
      workspaceId: string,
      campaignId: string
    ) => Effect.Effect<ReadonlyArray<CampaignLead>, StoreUnavailable>
    /** One of the campaign's people, by the vendor's name for them, else by their address. Who was erased has none. */
    readonly findLead: (
      workspaceId: string,
      campaignId: string,
      person: { readonly ref: string | null; readonly addressHash: string }
    ) => Effect.Effect<Option.Option<VendorLeadAt>, StoreUnavailable>
    readonly leadAt: (
      workspaceId: string,
      campaignLeadId: string
    ) => Effect.Effect<Option.Option<VendorLeadAt>, StoreUnavailable>
    /** A message that the vendor sent, with its contact. False: that step of the person was recorded before. */
    readonly recordSent: (message: Message, addressHash: string) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** The last message that was sent to the person in the campaign. */
    readonly lastSent: (
      workspaceId: string,
      campaignLeadId: string
    ) => Effect.Effect<Option.Option<Pick<Message, "messageId" | "mailboxId" | "stepIndex">>, StoreUnavailable>
    readonly orderState: (
      workspaceId: string,
      operationId: string
    ) => Effect.Effect<OrderState | null, StoreUnavailable>
    /** Null: it was not placed, for certain. */
    readonly setOrderState: (
      workspaceId: string,
      operationId: string,
      state: OrderState | null
    ) => Effect.Effect<void, StoreUnavailable, Tx>
  }
>() {}
