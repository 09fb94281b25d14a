import type { ValueEvidence } from "./evidence.js"

/** A wording of a message. Without a subject it continues the thread. */
export interface Wording {
  readonly subject: string | null
  readonly body: string
}

/** One message of a sequence. */
export interface SequenceStep extends Wording {
  readonly waitDays: number
  /** The step's variants after its first, which is its own wording. Absent: everybody gets that one. */
  readonly otherVariants?: ReadonlyArray<Wording>
}

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Instead of countries: the public holidays of each person's own country are skipped. */
export const RECIPIENT = "recipient"

/** When messages may leave: on `days`, from `startHour` up to `endHour`, in the zone. */
export interface Schedule {
  readonly timezone: string
  readonly days: ReadonlyArray<Weekday>
  readonly startHour: number
  readonly endHour: number
  /** In each person's own zone, where it is known. */
  readonly recipientTimezone?: true
  /** Countries whose public holidays are skipped (alpha-2 codes), or `RECIPIENT` alone. Absent: none. */
  readonly skipHolidays?: ReadonlyArray<string>
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
  /** Where values come from; null or absent: nothing was given. */
  readonly evidence?: ReadonlyArray<ValueEvidence> | null
}

/** What an owner or agent says of a person (contract: campaigns, interest). */
export const INTEREST_STATUSES = [
  "interested",
  "meeting_booked",
  "won",
  "not_interested",
  "out_of_office",
  "neutral"
] as const
export type InterestStatus = (typeof INTEREST_STATUSES)[number]

/** The statuses of people who want to go on. */
export const POSITIVE_INTEREST: ReadonlyArray<InterestStatus> = ["interested", "meeting_booked", "won"]

/** The statuses of people with whom a meeting was booked, or more. */
export const MEETING_INTEREST: ReadonlyArray<InterestStatus> = ["meeting_booked", "won"]
