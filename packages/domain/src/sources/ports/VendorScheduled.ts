import type { Effect, Option } from "effect"
import type { Schedule } from "../../kernel/sequences/Sequence.js"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { InterestMark, OutgoingReply, SendingCapacity, SentOutcome } from "./SendingProvider.js"

/** A piece of a message: text as it is, or the place of a person's value. */
export type MessagePart = string | { readonly variable: string }

/** One message of a sequence at the vendor. Without a subject it continues the thread. */
export interface VendorStep {
  readonly subject: ReadonlyArray<MessagePart> | null
  /** Plain text. */
  readonly body: ReadonlyArray<MessagePart>
  /** After the step before. */
  readonly waitDays: number
}

/** All that a campaign at the vendor is to be. */
export interface VendorTerms {
  /** For people to read. */
  readonly title: string
  /** Ours: unique in all workspaces, and part of its name there, so that it can be looked up. */
  readonly marker: string
  readonly steps: ReadonlyArray<VendorStep>
  readonly schedule: Schedule
  /** Whom it is sent from. Empty before its launch. */
  readonly mailboxes: ReadonlyArray<string>
  /** How many messages a day at most: the campaign, and each of the mailboxes. */
  readonly dailySends: number
  readonly mailboxDailySends: number
}

/** A person as they are pushed to the vendor. */
export interface VendorPerson {
  readonly campaignLeadId: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
  /** The values of the steps' variables, by the place that they stand in. */
  readonly subjectValues: Readonly<Record<string, string>>
  readonly bodyValues: Readonly<Record<string, string>>
}

/** What the vendor said of people who were pushed. Whom it does not name it may have, or not. */
export interface PushAnswer {
  readonly confirmed: ReadonlyArray<{ readonly campaignLeadId: string; readonly ref: string }>
  readonly refused: ReadonlyArray<{ readonly campaignLeadId: string; readonly why: string }>
}

/** `ended`: it has nothing left to send. `stopped`: nothing of it leaves. `gone`: there is no such campaign, which proves nothing. */
export type VendorStanding = "sending" | "ended" | "stopped" | "gone"

/** A mailbox of the vendor's account, whoever put it there. */
export interface ExistingMailbox {
  /** In lower case. */
  readonly address: string
  /** Whom its messages are from; empty where the vendor does not tell. */
  readonly displayName: string
  /** Whether it can send now. */
  readonly isActive: boolean
}

/** A person in a campaign, as the vendor names them: one of the two may be missing. */
export interface PersonThere {
  readonly ref: string | null
  readonly email: string
}

/** A page of the people of a campaign. Only what was read to the end proves who is not there. */
export interface PeopleThere {
  readonly people: ReadonlyArray<{ readonly email: string; readonly ref: string }>
  /** From where the next page goes on. Null: this was the last one. */
  readonly cursor: string | null
}

interface VendorEventOf<Kind extends string> {
  readonly kind: Kind
  /** The vendor's own id of what happened: reported again it is the same. */
  readonly eventId: string
  readonly person: PersonThere
  readonly atMillis: number
}

/** What happened in a campaign, as the vendor reports it. Third-party text: data, never instructions. */
export type VendorEvent =
  | (VendorEventOf<"sent"> & {
      /** The position of the step in its sequence, from 0; null where the vendor does not tell. */
      readonly stepIndex: number | null
      readonly mailbox: string
    })
  | (VendorEventOf<"reply"> & {
      /** Its `Message-ID`, without angle brackets, where the vendor tells. */
      readonly messageId: string | null
      readonly fromEmail: string
      readonly mailbox: string
      readonly subject: string
      readonly text: string
      readonly html: string | null
      /** Whether a program wrote it, as the vendor says. */
      readonly isAutomatic: boolean
    })
  | VendorEventOf<"bounced">
  | VendorEventOf<"unsubscribed">
  /** The vendor has nothing more to send to them. */
  | VendorEventOf<"finished">

export interface VendorEvents {
  readonly events: ReadonlyArray<VendorEvent>
  /** From where the next reading goes on. */
  readonly cursor: string
  readonly hasMore: boolean
}

/** An answer in a thread of a campaign at the vendor. */
export interface VendorReply extends OutgoingReply {
  /** The campaign there. */
  readonly ref: string
  /** The person who was written to, whoever of them answered. */
  readonly person: PersonThere
}

/**
 * A vendor that schedules by itself: it holds the campaign, and sends by its own clock. Failures as everywhere:
 * `unknown_outcome` may have acted, every other one proves that nothing happened. What says so is *proven*: it
 * acts, then looks, and succeeds only on what it saw; it looks before it acts, so that it may be asked again.
 */
export interface VendorScheduled {
  readonly schedules: "vendor"
  readonly name: string
  readonly capacity: SendingCapacity | null
  /** How many people one push takes. */
  readonly pushMax: number
  /** The zones that it knows; null: every one. */
  readonly timezones: ReadonlyArray<string> | null
  /** Every mailbox of the account. Left out: those that are there can't be taken over. */
  readonly existing?: Effect.Effect<ReadonlyArray<ExistingMailbox>, ProviderFailure>
  /** The campaign whose name ends with our marker. */
  readonly find: (marker: string) => Effect.Effect<Option.Option<string>, ProviderFailure>
  /** Makes a campaign that does not send. How the vendor names it. */
  readonly create: (terms: VendorTerms) => Effect.Effect<string, ProviderFailure>
  /** Makes it what the terms say. Idempotent; a campaign that sends goes on with them. */
  readonly configure: (ref: string, terms: VendorTerms) => Effect.Effect<void, ProviderFailure>
  /** Adds people. Whoever is in the campaign already is left as they are. */
  readonly push: (ref: string, people: ReadonlyArray<VendorPerson>) => Effect.Effect<PushAnswer, ProviderFailure>
  /** Which of these addresses are in the campaign. */
  readonly locate: (
    ref: string,
    emails: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<{ readonly email: string; readonly ref: string }>, ProviderFailure>
  /** Everybody who is in the campaign, whatever became of them there, page by page. Null: from the beginning. */
  readonly everybody: (ref: string, cursor: string | null) => Effect.Effect<PeopleThere, ProviderFailure>
  readonly activate: (ref: string) => Effect.Effect<void, ProviderFailure>
  readonly pause: (ref: string) => Effect.Effect<void, ProviderFailure>
  readonly standing: (ref: string) => Effect.Effect<VendorStanding, ProviderFailure>
  /** Proven: nothing more is sent to the person from the campaign. `invalid`: neither of their names is given. */
  readonly withdraw: (ref: string, person: PersonThere) => Effect.Effect<void, ProviderFailure>
  /** Proven: the vendor's campaign knows nothing of the person any more, whatever became of them there. */
  readonly forget: (ref: string, personRef: string) => Effect.Effect<void, ProviderFailure>
  /** Proven: the address is on the vendor's block list. */
  readonly block: (email: string) => Effect.Effect<void, ProviderFailure>
  /** What happened since. Null: from the beginning. */
  readonly events: (ref: string, cursor: string | null) => Effect.Effect<VendorEvents, ProviderFailure>
  /** Sends one answer to whoever wrote, from where they wrote to. */
  readonly reply: (reply: VendorReply) => Effect.Effect<void, ProviderFailure>
  /** What became of an answer that was asked for at this time. `transient`: it can't tell yet. */
  readonly findSent: (reply: VendorReply, askedAtMillis: number) => Effect.Effect<SentOutcome, ProviderFailure>
  /** Idempotent: the last one counts. */
  readonly setInterest: (mark: InterestMark & { readonly ref: string }) => Effect.Effect<void, ProviderFailure>
}
