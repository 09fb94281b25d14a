import { Context, Data, type Effect, type Redacted } from "effect"
import type { Planned } from "./planRecords.js"
import type { RecordSet } from "./Wishes.js"

/** The DNS hosts at which we can set records. */
export const ZONE_VENDORS = ["cloudflare", "route53"] as const
export type ZoneVendor = (typeof ZONE_VENDORS)[number]

export interface ZoneAccess {
  readonly vendor: ZoneVendor
  /** Cloudflare: an API token. Route 53: `access key id:secret access key`. */
  readonly secret: Redacted.Redacted
}

export interface Zone {
  readonly zoneId: string
  readonly name: string
}

/**
 * - `refused`: the credential isn't accepted, or may not do this. `no_zone`: it sees no public zone of the domain.
 * - `invalid`: the host refuses the record itself.
 * - `rate_limited`, `unavailable`: nothing happened; try again later.
 * - `changed`: the records are not as we read them. Nothing happened.
 * - `unknown`: it may have happened. Look before you ask again.
 */
export type ZoneFailureReason =
  | "refused"
  | "no_zone"
  | "invalid"
  | "rate_limited"
  | "unavailable"
  | "changed"
  | "unknown"

export class ZoneFailure extends Data.TaggedError("ZoneFailure")<{
  readonly reason: ZoneFailureReason
  /** The host's own words, for people. */
  readonly says: string
  readonly retryAfterMillis: number | null
}> {}

export type ZoneChange = Pick<Planned, "name" | "type" | "before" | "after">

/** Public DNS zones at their hosts. */
export class DnsZones extends Context.Service<
  DnsZones,
  {
    /** The zone that holds the domain: the nearest one above it. */
    readonly find: (access: ZoneAccess, domain: string) => Effect.Effect<Zone, ZoneFailure>
    /** Every set of records at these names. */
    readonly read: (
      access: ZoneAccess,
      zone: Zone,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<RecordSet>, ZoneFailure>
    /** Turns one set of records from `before` into `after`. It touches nothing else. */
    readonly change: (access: ZoneAccess, zone: Zone, change: ZoneChange) => Effect.Effect<void, ZoneFailure>
  }
>()("@outbound/domain/outreach/domains/DnsZones") {}
