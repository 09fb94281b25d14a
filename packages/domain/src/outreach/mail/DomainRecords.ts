import { Context, Data, type Effect } from "effect"

/** The name servers did not answer: nothing is known about the name. */
export class RecordsUnavailable extends Data.TaggedError("RecordsUnavailable")<{ readonly cause: unknown }> {}

/** What the name system says about a domain that mail is sent from. A name that has no such record has none: `[]`. */
export class DomainRecords extends Context.Tag("@outbound/domain/outreach/mail/DomainRecords")<
  DomainRecords,
  {
    /** Hosts that take mail for the domain, most preferred first. */
    readonly mx: (domain: string) => Effect.Effect<ReadonlyArray<string>, RecordsUnavailable>
    /** The texts of a name, each whole. */
    readonly txt: (name: string) => Effect.Effect<ReadonlyArray<string>, RecordsUnavailable>
  }
>() {}
