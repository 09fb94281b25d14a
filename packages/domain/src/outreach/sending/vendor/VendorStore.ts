import { Context, type Option } from "effect"
import type { CampaignLead } from "../../campaigns/CampaignStore.js"
import type { FromStore, InTx } from "../../../kernel/ports/UnitOfWork.js"
import type { Message } from "../SendingStore.js"
import type { VendorCampaignState } from "./VendorCampaignMachine.js"
import type { VendorLeadState } from "./VendorLeadMachine.js"

/** Whose credential is used: the service's or the workspace's own. */
export const VENDOR_ACCOUNTS = ["service", "own"] as const
export type VendorAccount = (typeof VENDOR_ACCOUNTS)[number]

/** A campaign's state at its vendor. */
export interface VendorCampaign {
  readonly workspaceId: string
  readonly campaignId: string
  /** The provider's name; only this provider can be asked about it. */
  readonly vendor: string
  /** The owner of the credential that created it; other credentials can't see it. */
  readonly account: VendorAccount
  readonly state: VendorCampaignState
  /** The vendor's id of it; null before it exists. */
  readonly ref: string | null
  /** Digest of the last terms set. */
  readonly terms: string | null
  /** Until when a request to the vendor may be in transit. Null: none is. */
  readonly askedUntilMillis: number | null
  /** Whether the trail must still record that it stopped. */
  readonly owesPause: boolean
  /** How far its events were read, and when to read again; null: never. */
  readonly cursor: string | null
  readonly readAtMillis: number | null
  /** Consecutive turns that ended in trouble. */
  readonly failures: number
  /** Increases with every turn. A holder of an older one has lost the campaign. */
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
  /** Look-ups since the last push that did not find them. */
  readonly looks: number
  /** When to look them up or push them. */
  readonly dueAtMillis: number
  /** Since when they must get no messages; null: they may. */
  readonly leavingAtMillis: number | null
  /** Whether they are certainly on the vendor's block list. */
  readonly blocked: boolean
}

export interface VendorLeadAt {
  readonly vendorLead: VendorLead
  readonly lead: CampaignLead
}

/** A person who must get no more messages. `blocks`: they opted out of all mail. */
export interface Leaving extends VendorLeadAt {
  readonly blocks: boolean
}

export interface TurnOptions {
  readonly nowMillis: number
  /** Until then no other host takes the campaign. */
  readonly heldUntilMillis: number
}

/** State of an order that must be placed only once: it may have been, or certainly was. */
export const ORDER_STATES = ["asked", "placed"] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** Campaigns and people at vendors that schedule by themselves. */
export class VendorStore extends Context.Service<
  VendorStore,
  {
    readonly insert: (campaign: VendorCampaign) => InTx<void>
    /** Adds people as `waiting`, and makes their campaign due. */
    readonly addLeads: (
      campaign: Pick<VendorCampaign, "workspaceId" | "campaignId">,
      campaignLeadIds: ReadonlyArray<string>,
      nowMillis: number
    ) => InTx<void>
    readonly get: (workspaceId: string, campaignId: string) => FromStore<Option.Option<VendorCampaign>>
    readonly lock: (workspaceId: string, campaignId: string) => InTx<Option.Option<VendorCampaign>>
    /** Writes everything except its turn. */
    readonly update: (campaign: VendorCampaign) => InTx<void>
    /** Claims due campaigns that no host holds, the longest due first. */
    readonly takeTurns: (options: TurnOptions & { readonly limit: number }) => InTx<ReadonlyArray<VendorCampaign>>
    /** Claims this campaign, due or not; none: held, or at no vendor. */
    readonly takeTurn: (
      workspaceId: string,
      campaignId: string,
      options: TurnOptions
    ) => InTx<Option.Option<VendorCampaign>>
    /** Releases it, due at that time, or earlier if it was woken. No effect if the turn was lost. */
    readonly endTurn: (
      campaign: Pick<VendorCampaign, "workspaceId" | "campaignId" | "turn">,
      dueAtMillis: number | null
    ) => InTx<void>
    /** Makes them due. Ignores campaigns at no vendor. */
    readonly wake: (workspaceId: string, campaignIds: ReadonlyArray<string>, nowMillis: number) => InTx<void>
    /** Makes all campaigns of the workspace due. */
    readonly wakeAll: (workspaceId: string, nowMillis: number) => InTx<void>
    /** Which of these campaigns are at a vendor. */
    readonly among: (workspaceId: string, campaignIds: ReadonlyArray<string>) => FromStore<ReadonlySet<string>>
    /** The workspace's campaigns that the vendor may be sending, by id. */
    readonly mayBeSending: (workspaceId: string) => FromStore<ReadonlyArray<string>>
    /** How many active campaigns of the workspace are at a vendor. */
    readonly activeCampaigns: (workspaceId: string) => FromStore<number>
    /** The campaign's people in these states who are due by then, earliest first. */
    readonly leadsDue: (
      workspaceId: string,
      campaignId: string,
      states: ReadonlyArray<VendorLeadState>,
      options: { readonly byMillis: number; readonly limit: number }
    ) => FromStore<ReadonlyArray<VendorLeadAt>>
    /** How many of its people are in each state. */
    readonly counts: (workspaceId: string, campaignId: string) => FromStore<Readonly<Record<VendorLeadState, number>>>
    /** Those of its people who are proven to be there. */
    readonly presentLeads: (workspaceId: string, campaignId: string) => FromStore<ReadonlySet<string>>
    /** When the first person in these states is due. */
    readonly nextDue: (
      workspaceId: string,
      campaignId: string,
      states: ReadonlyArray<VendorLeadState>
    ) => FromStore<number | null>
    /** Makes those of its people who were not found due now. */
    readonly hurry: (workspaceId: string, campaignId: string, nowMillis: number) => InTx<void>
    readonly lockLeads: (workspaceId: string, campaignLeadIds: ReadonlyArray<string>) => InTx<ReadonlyArray<VendorLead>>
    readonly updateLeads: (leads: ReadonlyArray<VendorLead>) => InTx<void>
    /**
     * People to remove at the vendor: those whose lead ended other than by the end of its sequence and who are not
     * proven gone; those who opted out of all mail and are not proven blocked; and erased people whom the vendor still
     * has. A person who only replied is not blocked, because they may get an answer.
     */
    readonly leaving: (workspaceId: string, campaignId: string, limit: number) => FromStore<ReadonlyArray<Leaving>>
    /** The campaign's people whose lead is still open. The caller checks what else forbids emailing them. */
    readonly openLeads: (
      workspaceId: string,
      campaignId: string
    ) => FromStore<ReadonlyArray<Pick<CampaignLead, "campaignLeadId" | "addressHash" | "email">>>
    /** The campaign's people, not emailed yet, whom another campaign at a vendor may be emailing. */
    readonly elsewhere: (workspaceId: string, campaignId: string) => FromStore<ReadonlyArray<CampaignLead>>
    /** One of the campaign's people, by the vendor's id or by address. Erased people have no address. */
    readonly findLead: (
      workspaceId: string,
      campaignId: string,
      person: { readonly ref: string | null; readonly addressHash: string }
    ) => FromStore<Option.Option<VendorLeadAt>>
    readonly leadAt: (workspaceId: string, campaignLeadId: string) => FromStore<Option.Option<VendorLeadAt>>
    /** Records a message that the vendor sent, and its contact. False: that step was already recorded. */
    readonly recordSent: (message: Message, addressHash: string) => InTx<boolean>
    /** The last message sent to the person in the campaign. */
    readonly lastSent: (
      workspaceId: string,
      campaignLeadId: string
    ) => FromStore<Option.Option<Pick<Message, "messageId" | "mailboxId" | "stepIndex">>>
    readonly orderState: (workspaceId: string, operationId: string) => FromStore<OrderState | null>
    /** Null: it was certainly not placed. */
    readonly setOrderState: (workspaceId: string, operationId: string, state: OrderState | null) => InTx<void>
  }
>()("@outbound/domain/outreach/sending/vendor/VendorStore") {}
