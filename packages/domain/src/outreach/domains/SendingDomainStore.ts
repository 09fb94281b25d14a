import { Context, type Option } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { ZoneChange, ZoneVendor } from "./DnsZones.js"
import type { SendingDomainState } from "./SendingDomainMachine.js"
import type { Wishes } from "./Wishes.js"

/** Most sending domains of a workspace. */
export const SENDING_DOMAINS_MAX = 100

/** Access to the DNS host of a domain. */
export interface ZoneKey {
  readonly vendor: ZoneVendor
  /** Sealed as `dns_zone`, bound to workspace and domain. */
  readonly sealedSecret: string
  readonly last4: string
  /** The address of the owner who added it. */
  readonly addedBy: string
}

/** One approved change, and what became of it. */
export interface ApprovedChange extends ZoneChange {
  readonly isDone: boolean
  /** How often the host was asked. */
  readonly tries: number
  /** When it was asked last; null: never. */
  readonly askedAtMillis: number | null
}

/** What an owner approved. */
export interface Approval {
  readonly digest: string
  readonly zoneId: string
  readonly zoneName: string
  readonly by: string
  readonly changes: ReadonlyArray<ApprovedChange>
}

export interface SendingDomain {
  readonly workspaceId: string
  readonly domainId: string
  readonly domain: string
  readonly wishes: Wishes
  readonly state: SendingDomainState
  /** Since when it has been in its state. */
  readonly sinceMillis: number
  readonly zone: ZoneKey | null
  readonly approval: Approval | null
  /** Why the last applying stopped; null: it didn't. */
  readonly stopped: string | null
  readonly createdAtMillis: number
}

export interface SendingDomainRef {
  readonly workspaceId: string
  readonly domainId: string
}

export const sendingDomainJob = ({ domainId, workspaceId }: SendingDomainRef): Job => ({
  kind: "domain",
  key: `${workspaceId}/${domainId}`
})

export class SendingDomainStore extends Context.Service<
  SendingDomainStore,
  {
    /** False: the workspace has the domain already. */
    readonly insert: (domain: SendingDomain) => InTx<boolean>
    readonly get: (workspaceId: string, domainId: string) => FromStore<Option.Option<SendingDomain>>
    /** As `get`; other transactions wait for this one. */
    readonly lock: (workspaceId: string, domainId: string) => InTx<Option.Option<SendingDomain>>
    /** Rewrites a locked domain. */
    readonly update: (domain: SendingDomain) => InTx<void>
    /** By name. */
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<SendingDomain>>
    /** False: there was none. */
    readonly remove: (workspaceId: string, domainId: string) => InTx<boolean>
    /** Those whose job must wait somewhere, longest in their state first. */
    readonly underWay: (limit: number) => FromStore<ReadonlyArray<SendingDomainRef>>
  }
>()("@outbound/domain/outreach/domains/SendingDomainStore") {}
