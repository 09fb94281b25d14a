import type { Effect, Option } from "effect"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import type { ProviderFailure } from "./Source.js"
import type { InterestMark, OutgoingReply, SendingCapacity, SentOutcome } from "./SendingProvider.js"

/** Literal text, or the place of a person's value. */
export type MessagePart = string | { readonly variable: string }

/** One message of a vendor's sequence. Without a subject it continues the thread. */
export interface VendorStep {
  readonly subject: ReadonlyArray<MessagePart> | null
  /** Plain text. */
  readonly body: ReadonlyArray<MessagePart>
  /** Days after the step before. */
  readonly waitDays: number
}

/** The full configuration of a vendor's campaign. */
export interface VendorTerms {
  /** For people. */
  readonly title: string
  /** Unique across workspaces, and part of the campaign's name there, so that we can find it. */
  readonly marker: string
  readonly steps: ReadonlyArray<VendorStep>
  readonly schedule: Schedule
  /** Senders. Empty before its launch. */
  readonly mailboxes: ReadonlyArray<string>
  /** The most messages a day: of the campaign, and of each mailbox. */
  readonly dailySends: number
  readonly mailboxDailySends: number
}

/** A person as pushed to the vendor. */
export interface VendorPerson {
  readonly campaignLeadId: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
  /** Values of the steps' variables, keyed by their place. */
  readonly subjectValues: Readonly<Record<string, string>>
  readonly bodyValues: Readonly<Record<string, string>>
}

/** The vendor's answer about pushed people. Those it doesn't name may or may not be there. */
export interface PushAnswer {
  readonly confirmed: ReadonlyArray<{ readonly campaignLeadId: string; readonly ref: string }>
  readonly refused: ReadonlyArray<{ readonly campaignLeadId: string; readonly why: string }>
}

/** What a campaign is read back for. */
export const TERMS_READ_BACK = [
  "timezone",
  "days",
  "hours",
  "senders",
  "copies",
  "messages",
  "tracking",
  "stop_on_reply",
  "daily_limit"
] as const

/** A campaign at its vendor that is not as its terms say. */
export interface TermsDifference {
  readonly member: (typeof TERMS_READ_BACK)[number]
  /** What the vendor tells, cut; null: it tells nothing of it. */
  readonly found: string | null
}

/** `ended`: nothing is left to send. `stopped`: nothing leaves. `gone`: no such campaign, which proves nothing. */
export type VendorStanding = "sending" | "ended" | "stopped" | "gone"

/** A mailbox of the vendor's account, whether we or others put it there. */
export interface ExistingMailbox {
  /** In lower case. */
  readonly address: string
  /** The sender's name; empty if the vendor doesn't tell. */
  readonly displayName: string
  /** Whether it can send now. */
  readonly isActive: boolean
}

/** A person in a vendor's campaign, by the vendor's names. One of the two may be missing. */
export interface PersonThere {
  readonly ref: string | null
  readonly email: string
}

/** A page of a campaign's people. Only a complete read proves who is absent. */
export interface PeopleThere {
  readonly people: ReadonlyArray<{
    readonly email: string
    readonly ref: string
    /** Whether it merges exactly these values. False where it doesn't tell: nobody could say what it would send. */
    readonly holds: (person: VendorPerson) => boolean
  }>
  /** The start of the next page. Null: this is the last. */
  readonly cursor: string | null
}

interface VendorEventOf<Kind extends string> {
  readonly kind: Kind
  /** The vendor's own event id, stable across reports. */
  readonly eventId: string
  readonly person: PersonThere
  readonly atMillis: number
}

/** An event in a vendor's campaign. Third-party text: data, never instructions. */
export type VendorEvent =
  | (VendorEventOf<"sent"> & {
      /** The step's position in its sequence, from 0. Null: the vendor doesn't tell. */
      readonly stepIndex: number | null
      readonly mailbox: string
    })
  | (VendorEventOf<"reply"> & {
      /** `Message-ID`, without angle brackets, if the vendor tells. */
      readonly messageId: string | null
      readonly fromEmail: string
      readonly mailbox: string
      readonly subject: string
      readonly text: string
      readonly html: string | null
      /** Whether the vendor says that a program wrote it. */
      readonly isAutomatic: boolean
    })
  | VendorEventOf<"bounced">
  | VendorEventOf<"unsubscribed">
  /** The vendor has nothing more to send them. */
  | VendorEventOf<"finished">

export interface VendorEvents {
  readonly events: ReadonlyArray<VendorEvent>
  /** The start of the next read. */
  readonly cursor: string
  readonly hasMore: boolean
}

/** A reply in a thread of a vendor's campaign. */
export interface VendorReply extends OutgoingReply {
  /** The vendor's id of the campaign. */
  readonly ref: string
  /** The person we wrote to, even if a colleague answered. */
  readonly person: PersonThere
}

/**
 * A vendor that holds the campaign and sends by its own clock. `unknown_outcome` may have acted; every other failure
 * proves that nothing happened. *Proven* methods act, then look, and succeed only on what they saw. They look before
 * they act, so they can be repeated.
 */
export interface VendorScheduled {
  readonly schedules: "vendor"
  readonly name: string
  readonly capacity: SendingCapacity | null
  /** The most people in one push. */
  readonly pushMax: number
  /** The time zones it knows. Null: all. */
  readonly timezones: ReadonlyArray<string> | null
  /** Every mailbox of the account. Absent: existing ones can't be taken over. */
  readonly existing?: Effect.Effect<ReadonlyArray<ExistingMailbox>, ProviderFailure>
  /** The campaign whose name ends with our marker. */
  readonly find: (marker: string) => Effect.Effect<Option.Option<string>, ProviderFailure>
  /** Creates a campaign that doesn't send. Returns the vendor's id. */
  readonly create: (terms: VendorTerms) => Effect.Effect<string, ProviderFailure>
  /** Applies the terms. Idempotent; a sending campaign continues with them. */
  readonly configure: (ref: string, terms: VendorTerms) => Effect.Effect<void, ProviderFailure>
  /**
   * Reads the campaign back, and names where it is not as the terms say. What the vendor doesn't tell is a difference
   * too, because nobody could say that it is as approved. Fewer senders and a lower limit are none.
   */
  readonly differences: (
    ref: string,
    terms: VendorTerms
  ) => Effect.Effect<ReadonlyArray<TermsDifference>, ProviderFailure>
  /** Adds people. Those already in the campaign stay unchanged. */
  readonly push: (ref: string, people: ReadonlyArray<VendorPerson>) => Effect.Effect<PushAnswer, ProviderFailure>
  /** Sets a person's values, whatever it had of them. Idempotent; of a sending campaign, for messages yet to leave. */
  readonly amend: (ref: string, personRef: string, person: VendorPerson) => Effect.Effect<void, ProviderFailure>
  /** Which of these addresses are in the campaign. */
  readonly locate: (
    ref: string,
    emails: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<{ readonly email: string; readonly ref: string }>, ProviderFailure>
  /** All people in the campaign, in any state, page by page. A null cursor starts at the beginning. */
  readonly everybody: (ref: string, cursor: string | null) => Effect.Effect<PeopleThere, ProviderFailure>
  readonly activate: (ref: string) => Effect.Effect<void, ProviderFailure>
  readonly pause: (ref: string) => Effect.Effect<void, ProviderFailure>
  readonly standing: (ref: string) => Effect.Effect<VendorStanding, ProviderFailure>
  /** Proven: the campaign sends the person nothing more. `invalid`: the person has neither name. */
  readonly withdraw: (ref: string, person: PersonThere) => Effect.Effect<void, ProviderFailure>
  /** Proven: the vendor's campaign holds nothing about the person. */
  readonly forget: (ref: string, personRef: string) => Effect.Effect<void, ProviderFailure>
  /** Proven: the address is on the vendor's block list. */
  readonly block: (email: string) => Effect.Effect<void, ProviderFailure>
  /** Events since the cursor. Null: from the beginning. */
  readonly events: (ref: string, cursor: string | null) => Effect.Effect<VendorEvents, ProviderFailure>
  /** Sends one reply to the person who wrote, from the mailbox they wrote to. */
  readonly reply: (reply: VendorReply) => Effect.Effect<void, ProviderFailure>
  /** Resolves a reply requested at this time. `transient`: it can't tell yet. */
  readonly findSent: (reply: VendorReply, askedAtMillis: number) => Effect.Effect<SentOutcome, ProviderFailure>
  /** Idempotent: the last one wins. */
  readonly setInterest: (mark: InterestMark & { readonly ref: string }) => Effect.Effect<void, ProviderFailure>
}
