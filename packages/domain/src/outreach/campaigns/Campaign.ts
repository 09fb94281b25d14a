import { CampaignMachine, type CampaignState, type PauseReason } from "./CampaignMachine.js"
import type { CompanyRules } from "./companyRules.js"
import type { LeadState, ProviderSyncStatus } from "./LeadMachine.js"
import type { StepVariants } from "../../kernel/sequences/variants.js"
import type { WinnerRule } from "./winnerRule.js"
import type { InterestStatus, Recipient, Schedule, SequenceStep } from "../../kernel/sequences/Sequence.js"

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

export interface CampaignLead extends Recipient {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly state: LeadState
  readonly interestStatus: InterestStatus | null
  readonly providerSyncStatus: ProviderSyncStatus | null
  /** Keyed hash of the address; suppression checks use it. */
  readonly addressHash: string
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
