import type { CampaignState, PauseReason } from "./CampaignMachine.js"
import type { LeadState, ProviderSyncStatus } from "./LeadMachine.js"
import type { InterestStatus, Recipient, Schedule, SequenceStep } from "../../kernel/sequences/Sequence.js"

export interface Campaign {
  readonly workspaceId: string
  readonly campaignId: string
  readonly name: string
  readonly state: CampaignState
  readonly pauseReason: PauseReason | null
  readonly sequence: ReadonlyArray<SequenceStep>
  readonly schedule: Schedule
  /** Grows whenever recipients are added: an approval is bound to the number it saw. */
  readonly recipientsVersion: number
  readonly createdAtMillis: number
  readonly launchedAtMillis: number | null
}

export interface CampaignLead extends Recipient {
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly state: LeadState
  readonly interestStatus: InterestStatus | null
  readonly providerSyncStatus: ProviderSyncStatus | null
  /** Keyed hash of the address; what suppression is checked by. */
  readonly addressHash: string
  /** The executed approval that covers this person. Null: nobody approved writing to them, so nothing is sent. */
  readonly approvalId: string | null
  /** The mailbox that writes to this person, always the same. */
  readonly mailboxId: string | null
  /** How many steps have been sent. */
  readonly stepsSent: number
  /** When the next step is due, or the wait after the last one is over. Null: nothing is due. */
  readonly nextAtMillis: number | null
}
