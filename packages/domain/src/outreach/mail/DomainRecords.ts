import { Context, Data, type Effect } from "effect"

/** The name servers did not answer, so we know nothing about the name. */
export class RecordsUnavailable extends Data.TaggedError("RecordsUnavailable")<{ readonly cause: unknown }> {}

/** DNS records of a sending domain. A missing record is `[]`. */
export class DomainRecords extends Context.Service<
  DomainRecords,
  {
    /** Mail servers of the domain, most preferred first. */
    readonly mx: (domain: string) => Effect.Effect<ReadonlyArray<string>, RecordsUnavailable>
    /** TXT records of a name, each joined. */
    readonly txt: (name: string) => Effect.Effect<ReadonlyArray<string>, RecordsUnavailable>
    /** IPv4 addresses of a name. */
    readonly a: (name: string) => Effect.Effect<ReadonlyArray<string>, RecordsUnavailable>
    /** The name that this one stands for. */
    readonly cname: (name: string) => Effect.Effect<ReadonlyArray<string>, RecordsUnavailable>
  }
>()("@outbound/domain/outreach/mail/DomainRecords") {}
