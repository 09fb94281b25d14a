import type { LeftOutWrites } from "./recipients/leftOut.js"
import type { WaitingReads } from "./waiting.js"
import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { InterestStatus, Recipient, Schedule, SequenceStep } from "../../kernel/sequences/Sequence.js"
import type { LeadState, ProviderSyncStatus } from "./LeadMachine.js"
import type { CampaignRef, VariantAnswers, WinnerRule } from "./winnerRule.js"
import { CampaignMachine, type CampaignState, type PauseReason } from "./CampaignMachine.js"
import type { CompanyRules } from "./companyRules.js"
import type { LeadOrigin } from "../../kernel/people/origins.js"
import type { LeadWords } from "../../kernel/words/notice.js"
import type { StepVariants } from "../../kernel/sequences/variants.js"

export interface Campaign extends CompanyRules {
  readonly workspaceId: string
  readonly campaignId: string
  readonly name: string
  readonly state: CampaignState
  readonly pauseReason: PauseReason | null
  readonly sequence: ReadonlyArray<SequenceStep>
  /** Of each step, the variant chosen for everybody who has yet to get it, by a person or by the rule. Null: none. */
  readonly chosenVariants: StepVariants | null
  /** The rule that chooses variants. Null: nobody approved it. */
  readonly winnerRule: WinnerRule | null
  readonly schedule: Schedule
  /** Increases whenever recipients are added. An approval is bound to the version it was shown. */
  readonly recipientsVersion: number
  readonly createdAtMillis: number
  readonly launchedAtMillis: number | null
}

/** Whether the campaign was launched and may send now, or once it is resumed. */
export const mayStillSend = ({ pauseReason, state }: Campaign): boolean =>
  CampaignMachine.in.launched.some((launched) => launched === state) && pauseReason !== "killed"

/** A lead's name as it was given, and its address. */
export type LeadName = Pick<Recipient, "email" | "firstName" | "lastName">

export interface CampaignLead extends Recipient {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly state: LeadState
  readonly interestStatus: InterestStatus | null
  readonly providerSyncStatus: ProviderSyncStatus | null
  /** Keyed hash of the address; suppression checks use it. */
  readonly addressHash: string
  /** Where their address came from first. Null: they joined before this was kept. */
  readonly origin: LeadOrigin | null
  /** How their messages end, as their approval says. Null: in English, without a notice. */
  readonly words: LeadWords | null
  /** The executed approval that covers this person. Null: not approved, so nothing is sent. */
  readonly approvalId: string | null
  /** The mailbox that writes to this person; it never changes. */
  readonly mailboxId: string | null
  /** Their own sending hours (`hoursUnder`). Null: the campaign's. */
  readonly hours: string | null
  /** The variants that chance gave them (`assignedVariants`). Null: the campaign has none. */
  readonly variants: StepVariants | null
  /** How many steps have been sent. */
  readonly stepsSent: number
  /** When the next step is due, or when the wait after the last one ends. Null: nothing is due. */
  readonly nextAtMillis: number | null
}

/** A lead that a launch or an import removes, with the reason. */
export interface LeadAddress {
  readonly campaignLeadId: string
  readonly email: string
  readonly addressHash: string
}

export interface LeadCover {
  readonly campaignLeadId: string
  readonly mailboxId: string
  /** Null: nothing is due here, because its vendor schedules it. */
  readonly nextAtMillis: number | null
  /** How their messages end. Absent: as `CampaignLead.words` without any. */
  readonly words?: LeadWords | null
  /** Its vendor has not confirmed it; it stays `pending` until then. */
  readonly isUnconfirmed?: true
}

/** A person to add to a campaign. */
export interface NewLead extends Recipient {
  readonly campaignLeadId: string
  readonly addressHash: string
  readonly origin: LeadOrigin | null
}

export class CampaignStore extends Context.Service<
  CampaignStore,
  LeftOutWrites &
    WaitingReads & {
      /** Inserts the campaign and its leads (`pending`, not covered) in set-based statements. */
      readonly insert: (campaign: Campaign, leads: ReadonlyArray<NewLead>) => InTx<void>
      /** Adds leads to a locked campaign, as `insert` does. None may already be in it. */
      readonly addLeads: (campaign: Campaign, leads: ReadonlyArray<NewLead>) => InTx<void>
      /** Which of these people are leads of the campaign in any state, by keyed hash. */
      readonly present: (
        workspaceId: string,
        campaignId: string,
        addressHashes: ReadonlyArray<string>
      ) => FromStore<ReadonlySet<string>>
      /** Whether the campaign's rule that chooses variants is on. */
      readonly hasWinnerRule: (workspaceId: string, campaignId: string) => FromStore<boolean>
      /** The answers to each variant of a message. Omits those without any. */
      readonly answers: (workspaceId: string, campaignId: string) => FromStore<ReadonlyArray<VariantAnswers>>
      /** Launched campaigns, not over, whose rule is on, newest first. */
      readonly underWinnerRule: (limit: number) => FromStore<ReadonlyArray<CampaignRef>>
      /** How many leads the campaign has, in any state. */
      readonly countLeads: (workspaceId: string, campaignId: string) => FromStore<number>
      /**
       * Marks a launch of the campaign as executing until the transaction ends. Waits for extensions. Call it before
       * `lock`.
       */
      readonly holdToLaunch: (workspaceId: string, campaignId: string) => InTx<void>
      /** Keeps launches of the campaign out until the transaction ends. False: one is executing. */
      readonly holdToExtend: (workspaceId: string, campaignId: string) => InTx<boolean>
      readonly get: (workspaceId: string, campaignId: string) => FromStore<Option.Option<Campaign>>
      /** Those of these campaigns that the workspace has. */
      readonly these: (workspaceId: string, campaignIds: ReadonlyArray<string>) => FromStore<ReadonlyArray<Campaign>>
      /** Locks the campaign. Its leads change only under this lock, except through their own messages. */
      readonly lock: (workspaceId: string, campaignId: string) => InTx<Option.Option<Campaign>>
      readonly update: (campaign: Campaign) => InTx<void>
      /** The addresses of its leads in these states, by id. */
      readonly leadsIn: (
        workspaceId: string,
        campaignId: string,
        states: ReadonlyArray<LeadState>
      ) => FromStore<ReadonlyArray<LeadAddress>>
      /**
       * Names and addresses of the workspace's leads in these states whose address is at exactly this domain: at most `limit`
       * leads, by their address.
       */
      readonly namesAt: (
        workspaceId: string,
        domain: string,
        states: ReadonlyArray<LeadState>,
        limit: number
      ) => FromStore<ReadonlyArray<LeadName>>
      /** The first `limit` leads in these states, by id, for display. */
      readonly firstLeads: (
        workspaceId: string,
        campaignId: string,
        states: ReadonlyArray<LeadState>,
        limit: number
      ) => FromStore<ReadonlyArray<CampaignLead>>
      /** Moves leads to `removed` where their state allows it. */
      readonly removeLeads: (workspaceId: string, campaignLeadIds: ReadonlyArray<string>) => InTx<void>
      /**
       * Marks leads as covered by an executed approval and due; `pending` ones become `ready`. A lead that was already
       * emailed keeps its mailbox and its due time.
       */
      readonly coverLeads: (
        workspaceId: string,
        campaignId: string,
        approvalId: string,
        covers: ReadonlyArray<LeadCover>
      ) => InTx<void>
      /** The mailboxes that the launched campaign may send from, in any state; empty before its launch. */
      readonly mailboxIds: (workspaceId: string, campaignId: string) => FromStore<ReadonlySet<string>>
      /** Lets the campaign send from the workspace's mailboxes of these addresses too. Nothing takes one away. */
      readonly bindMailboxes: (
        workspaceId: string,
        campaignId: string,
        addresses: ReadonlyArray<string>,
        atMillis: number
      ) => InTx<void>
      /**
       * Gives every `share`-th person to whom nothing was sent, or may have been sent, to the mailbox. Skips leads locked
       * by others, so it may be called while the campaign is locked.
       */
      readonly shareLeads: (workspaceId: string, campaignId: string, mailboxId: string, share: number) => InTx<void>
      readonly lockLead: (workspaceId: string, campaignLeadId: string) => InTx<Option.Option<CampaignLead>>
      /**
       * Locks the lead and all other leads of its person, by id. Call it first when you may change more than one of them:
       * the order prevents deadlocks.
       */
      readonly lockPerson: (workspaceId: string, campaignLeadId: string) => InTx<Option.Option<CampaignLead>>
      /** Locks the campaign's leads in these states, by id, for changing many of them. */
      readonly lockLeads: (workspaceId: string, campaignId: string, states: ReadonlyArray<LeadState>) => InTx<void>
      readonly updateLead: (lead: CampaignLead) => InTx<void>
      /** Locks this person's leads in all unfinished campaigns of the workspace, by id. */
      readonly lockLeadsOfAddress: (workspaceId: string, addressHash: string) => InTx<ReadonlyArray<CampaignLead>>
      /**
       * Locks the leads, in these states and of unfinished campaigns, of people with these addresses, and of everybody who
       * has an address in these domains or below them.
       */
      readonly lockLeadsCovered: (
        workspaceId: string,
        covered: { readonly addressHashes: ReadonlyArray<string>; readonly domains: ReadonlyArray<string> },
        states: ReadonlyArray<LeadState>
      ) => InTx<ReadonlyArray<CampaignLead>>
      /**
       * Somebody of the company answered: stops the company in all launched, unfinished campaigns that stop for a company,
       * and locks its open leads there. Waits for the claims that are under way, so that no later claim misses the stop.
       * Skips leads that others have locked; the rule of sending ends those. Call it after locking other leads.
       */
      readonly stopCompany: (
        workspaceId: string,
        company: string,
        atMillis: number
      ) => InTx<ReadonlyArray<CampaignLead>>
      readonly stoppedCompanies: (workspaceId: string, campaignId: string) => FromStore<ReadonlySet<string>>
      /** Locks active campaigns without a `pending`, `ready` or `active` lead. Skips rows locked by other hosts. */
      readonly lockDone: (limit: number) => InTx<ReadonlyArray<Campaign>>
      /** Locks the workspace's active campaigns, by id. */
      readonly lockActive: (workspaceId: string) => InTx<ReadonlyArray<Campaign>>
    }
>()("@outbound/domain/outreach/campaigns/CampaignStore") {}
