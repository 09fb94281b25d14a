import { Context } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { Zone, ZoneVendor } from "../../outreach/domains/DnsZones.js"
import type { Planned } from "../../outreach/domains/planRecords.js"
import type { SendingDomain } from "../../outreach/domains/SendingDomainStore.js"
import type { GivenDomain } from "../../outreach/domains/wishesOf.js"
import type { Counts } from "../../outreach/reputation/alignment.js"
import type { DomainWatch } from "../../outreach/reputation/DomainWatch.js"
import type { ReputationRule } from "../../outreach/reputation/ReputationRule.js"
import type { ControlRefused } from "../Control.js"
import type { Actor } from "../ControlLog.js"
import type { SignedIn } from "../users/UserStore.js"

type Act<A> = FromStore<A, ControlRefused>

/** A domain, and its records beside what the name servers say now. */
export interface DomainView {
  readonly domain: SendingDomain
  readonly plan: ReadonlyArray<Planned>
  readonly reputation: DomainReputation
}

/** What receivers and blocklists say of a domain. */
export interface DomainReputation {
  /** Null: we have not looked yet. */
  readonly watch: DomainWatch | null
  /** By address, of the last 30 days. */
  readonly sources: ReadonlyArray<Counts>
  /** How many of these messages proven reports counted. */
  readonly provenMessages: number
  readonly rule: ReputationRule
}

/** What the DNS host would be asked to do, read from it just now. */
export interface ZonePlan {
  readonly domain: SendingDomain
  readonly zone: Zone
  readonly plan: ReadonlyArray<Planned>
  /** Of zone and changes; an approval names it. */
  readonly digest: string
}

/** What came of an approval. */
export type Approved =
  | { readonly _tag: "Approved"; readonly domain: SendingDomain }
  /** The zone has changed since the owner saw it. Nothing was done. */
  | { readonly _tag: "Changed"; readonly now: ZonePlan }

/**
 * Sending domains of live workspaces and their DNS records. Who calls for the operator or a member has checked that they
 * may; what touches a DNS host needs a signed-in owner here.
 */
export class Domains extends Context.Tag("@outbound/domain/control/domains/Domains")<
  Domains,
  {
    readonly add: (workspaceId: string, given: GivenDomain, actor: Actor) => Act<SendingDomain>
    /** By name. */
    readonly list: (workspaceId: string) => Act<ReadonlyArray<SendingDomain>>
    /** Asks the name servers. */
    readonly view: (workspaceId: string, domainId: string) => Act<DomainView>
    /** Looks until the records are seen, or too long. */
    readonly check: (workspaceId: string, domainId: string, actor: Actor) => Act<SendingDomain>
    /** We look after it no longer. Its records stay. */
    readonly remove: (workspaceId: string, domainId: string, actor: Actor) => Act<void>
    readonly rule: (workspaceId: string) => Act<ReputationRule>
    /** Owners, after a fresh sign-in: a weaker rule lets more mail go. */
    readonly setRule: (by: SignedIn, rule: ReputationRule) => Act<void>
    /** Owners, after a fresh sign-in. The credential must see the domain's zone. */
    readonly setAccess: (by: SignedIn, domainId: string, vendor: ZoneVendor, secret: string) => Act<void>
    /** Owners. */
    readonly removeAccess: (by: SignedIn, domainId: string) => Act<void>
    /** Owners. Reads the zone. */
    readonly plan: (by: SignedIn, domainId: string) => Act<ZonePlan>
    /** Owners, after a fresh sign-in. Reads the zone again: only what has this digest is done. */
    readonly approve: (by: SignedIn, domainId: string, digest: string) => Act<Approved>
  }
>() {}
