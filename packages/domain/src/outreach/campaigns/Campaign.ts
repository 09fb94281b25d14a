import type { CampaignState, PauseReason } from "./CampaignMachine.js"
import type { InterestStatus, LeadState, ProviderSyncStatus } from "./LeadMachine.js"

/** One message of a sequence. Without a subject it continues the thread. `waitDays` after the step before. */
export interface SequenceStep {
  readonly subject: string | null
  readonly body: string
  readonly waitDays: number
}

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** When messages may leave: on these days, from `startHour` up to `endHour`, in the zone. */
export interface Schedule {
  readonly timezone: string
  readonly days: ReadonlyArray<Weekday>
  readonly startHour: number
  readonly endHour: number
}

export const DEFAULT_SCHEDULE: Schedule = {
  timezone: "UTC",
  days: ["mon", "tue", "wed", "thu", "fri"],
  startHour: 9,
  endHour: 17
}

export interface Recipient {
  /** Normalised. */
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
  readonly custom: Readonly<Record<string, string>>
}

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
