import { Context, type Effect, type Option } from "effect"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import type { CrmAccess, CrmAsks } from "./CrmAccess.js"

/** What a record of a CRM says of the people and companies in it. */
export interface CrmRecord {
  /** The record's kind and id there. What it said before is replaced. */
  readonly ref: string
  /** Addresses of its people. */
  readonly emails: ReadonlyArray<string>
  /** Domains of its companies. */
  readonly domains: ReadonlyArray<string>
  readonly isCustomer: boolean
  readonly hasOpenDeal: boolean
  /** The owner's id there; null: nobody owns it. */
  readonly ownerRef: string | null
  /** Fields that may say whether its people may be mailed, as the CRM names and writes them. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

/** Where a reading of the CRM goes on. */
export interface CrmPlace {
  /** Null: from the beginning. */
  readonly cursor: string | null
  /** Only records changed since then; null: all that matter. */
  readonly sinceMillis: number | null
}

export interface CrmPage {
  readonly records: ReadonlyArray<CrmRecord>
  /** Null: that was all. */
  readonly cursor: string | null
}

/** A person who owns records there. */
export interface CrmOwner {
  readonly ref: string
  readonly name: string
  readonly email: string | null
}

export interface CrmPerson {
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly companyName: string | null
}

/** What is written onto a person's record. */
export interface CrmNote {
  /** Ours alone. A note that holds it was written. */
  readonly marker: string
  /** Plain text that holds the marker. */
  readonly text: string
  readonly atMillis: number
  readonly ownerRef: string | null
}

/** One account at a CRM. */
export interface Crm {
  readonly name: string
  /** One page, with a bounded number of requests. A record may come again. */
  readonly page: (place: CrmPlace) => Effect.Effect<CrmPage, ProviderFailure>
  readonly owners: Effect.Effect<ReadonlyArray<CrmOwner>, ProviderFailure>
  /** The person's record, by their address. None: there is none. */
  readonly find: (email: string) => Effect.Effect<Option.Option<string>, ProviderFailure>
  /** Adds a record. An interrupted call may have added it. */
  readonly create: (person: CrmPerson, ownerRef: string | null) => Effect.Effect<string, ProviderFailure>
  /** Adds the note. An interrupted call may have added it. */
  readonly write: (personRef: string, note: CrmNote) => Effect.Effect<void, ProviderFailure>
  /** Whether the person's record has a note with the marker. */
  readonly holds: (personRef: string, marker: string) => Effect.Effect<boolean, ProviderFailure>
}

/** A CRM that workspaces may connect. */
export interface CrmVendor {
  readonly name: string
  readonly title: string
  /** What to paste, and where to find it, in a sentence. */
  readonly hint: string
  /** What else opens an account there; absent: the key alone does. */
  readonly asks?: CrmAsks
}

/** The CRMs that this service speaks to. Sandbox workspaces have a small one of their own. */
export const Crms = Context.Reference("@outbound/domain/wings/crm/Crm/Crms", {
  defaultValue: () => ({
    live: [] as ReadonlyArray<CrmVendor>,
    sandbox: [] as ReadonlyArray<CrmVendor>,
    /** Whether the operator lets an account be at this host of a private network, as a URL writes it. */
    isListed: (_hostname: string): boolean => false,
    /** Null: the CRM is not one of these. */
    open: (_vendor: string, _account: { readonly workspaceId: string; readonly access: CrmAccess }): Crm | null => null
  })
})
