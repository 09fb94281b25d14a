import { Context } from "effect"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { CrmVendor } from "../../outreach/crm/Crm.js"
import type { TypedAccess } from "../../outreach/crm/CrmAccess.js"
import type { CrmConnection, CrmWriteCounts, MappedOwner } from "../../outreach/crm/CrmStore.js"
import type { CrmPolicy } from "../../outreach/crm/keepingOut.js"
import type { ControlRefused } from "../Control.js"
import type { SignedIn } from "../users/UserStore.js"

/** So many people and companies are counted. */
export const NAMED_MAX = 10_000

/** A connection as shown to people. Never the key. */
export interface CrmView extends Omit<CrmConnection, "sealedSecret" | "workspaceId"> {
  readonly title: string
  /** Where the account is, and for which program its key is; null: nothing was asked. */
  readonly address: string | null
  readonly clientId: string | null
  /** False: its key was sealed with another service secret and must be set again. */
  readonly isUsable: boolean
  /** Nothing is sent, because it was last read too long ago. */
  readonly isHolding: boolean
  /** How many people and companies its records name, counted up to `NAMED_MAX`. */
  readonly named: number
  readonly writes: CrmWriteCounts
  readonly owners: ReadonlyArray<MappedOwner>
}

export interface CrmStanding {
  /** The CRMs that this workspace may connect. */
  readonly offered: ReadonlyArray<CrmVendor>
  readonly connection: CrmView | null
}

/** The operator of the service, who acts for a workspace without signing in to it. */
export interface OperatorOf {
  readonly operatorOf: string
}

/** What is chosen for a new connection unless its owner says otherwise. */
export const USUAL_POLICY: CrmPolicy = {
  keepsCustomers: true,
  keepsOpenDeals: true,
  keepsOwned: false,
  writesReplies: true,
  writesMeetings: true,
  createsContacts: false
}

type Act<A> = FromStore<A, ControlRefused>

/** The workspace's connection to its CRM. Each change writes one row to the control log; a key is never returned. */
export class CrmAdmin extends Context.Tag("@outbound/domain/control/crm/CrmAdmin")<
  CrmAdmin,
  {
    /** Owners, and the operator. */
    readonly standing: (by: SignedIn | OperatorOf) => Act<CrmStanding>
    /**
     * Owners, after a fresh sign-in, and the operator. A key replaces the one before; another CRM, or another address, replaces all that
     * was read. Without a policy, that of the connection before stays.
     */
    readonly connect: (
      by: SignedIn | OperatorOf,
      given: TypedAccess & { readonly vendor: string; readonly policy: CrmPolicy | null }
    ) => Act<void>
    /** Owners; after a fresh sign-in if fewer people are kept out then. */
    readonly setPolicy: (by: SignedIn, policy: CrmPolicy) => Act<void>
    /** Owners. Which member an owner there is; null: nobody here. */
    readonly mapOwner: (by: SignedIn, ownerRef: string, userId: string | null) => Act<void>
    /**
     * Owners, after a fresh sign-in, and the operator. What was read is forgotten, and nobody is kept out by it any more.
     */
    readonly remove: (by: SignedIn | OperatorOf) => Act<void>
  }
>() {}
