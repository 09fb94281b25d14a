import { Context, type Option } from "effect"
import type { Job } from "../../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { ProviderFailureReason } from "../../sources/ports/Source.js"
import type { Classification } from "../../outreach/meaning/Classification.js"
import type { CrmOwner } from "./Crm.js"
import type { CrmWriteState } from "./CrmWriteMachine.js"
import { type CrmMark, type CrmPolicy } from "./marks.js"

/**
 * Why the CRM could not be read or written. `sealed`: its key was sealed with another server secret. `private_address`:
 * it is in a private network, where the operator allows none.
 */
export type CrmTrouble = ProviderFailureReason | "sealed" | "private_address" | "no_contact" | "erased"
export const CRM_TROUBLES = [
  "invalid",
  "rate_limited",
  "account",
  "transient",
  "unknown_outcome",
  "sealed",
  "private_address",
  "no_contact",
  "erased"
] as const satisfies ReadonlyArray<CrmTrouble>

/** A reading of the CRM: of everything, or of what changed. `sweep` then removes what everything did not hold any more. */
export const CRM_PASSES = ["full", "changes", "sweep"] as const
export type CrmPass = (typeof CRM_PASSES)[number]

/** How far the CRM was read. */
export interface CrmReading {
  /** The reading under way; null: none. */
  readonly pass: CrmPass | null
  readonly cursor: string | null
  readonly beganAtMillis: number | null
  /** Counts readings of everything. */
  readonly generation: number
  /** When the last reading that came to its end began: what was there then is known. Null: none did. */
  readonly readAtMillis: number | null
  /** The same of the last reading of everything. */
  readonly readAllAtMillis: number | null
  /** The last time that it was asked, how often it failed in a row since, why, and how long it wants to be left alone. */
  readonly askedAtMillis: number | null
  readonly failures: number
  readonly trouble: CrmTrouble | null
  readonly pauseMillis: number
}

export const NOT_READ: CrmReading = {
  pass: null,
  cursor: null,
  beganAtMillis: null,
  generation: 0,
  readAtMillis: null,
  readAllAtMillis: null,
  askedAtMillis: null,
  failures: 0,
  trouble: null,
  pauseMillis: 0
}

export interface CrmConnection {
  readonly workspaceId: string
  /** A new one for each key that is set. */
  readonly connectionId: string
  readonly vendor: string
  /** Sealed as `crm_key`, bound to workspace and CRM. */
  readonly sealedSecret: string
  readonly last4: string
  readonly addedBy: string
  readonly addedAtMillis: number
  readonly policy: CrmPolicy
  readonly reading: CrmReading
}

export interface MappedOwner extends CrmOwner {
  /** The member whom they are; null: nobody here. */
  readonly userId: string | null
}

export const CRM_WRITE_KINDS = ["reply", "meeting"] as const
export type CrmWriteKind = (typeof CRM_WRITE_KINDS)[number]

/** What is to be written back. It names the rows that say what; nothing of a person is copied. */
export interface NewCrmWrite {
  readonly workspaceId: string
  readonly writeId: string
  readonly kind: CrmWriteKind
  readonly campaignLeadId: string
  /** Null: it is about no reply. */
  readonly replyId: string | null
  readonly atMillis: number
}

/** A note to write now, or one whose outcome is to be looked up. Everything that it says is read with the claim. */
export interface ClaimedCrmWrite extends NewCrmWrite {
  readonly state: CrmWriteState
  readonly claimId: string
  /** This one included. */
  readonly attempts: number
  readonly campaignName: string
  /** The email is empty once it is erased. */
  readonly person: {
    readonly email: string
    readonly firstName: string | null
    readonly lastName: string | null
    readonly companyName: string | null
  }
  readonly reply: {
    readonly subject: string
    readonly bodyText: string
    readonly classification: Classification | null
    readonly receivedAtMillis: number
  } | null
  /** The owner in the CRM of the person who approved the launch; null: not known. */
  readonly ownerRef: string | null
}

/** What became of an attempt. */
export interface CrmAttempt {
  readonly state: CrmWriteState
  readonly trouble: CrmTrouble | null
  readonly atMillis: number
  readonly dueAtMillis: number
}

export interface CrmWriteCounts {
  readonly open: number
  readonly written: number
  readonly failed: number
}

/** The job of a workspace's connection. It is there as long as the connection. */
export const crmJob = (workspaceId: string): Job => ({ kind: "crm", key: `${workspaceId}/crm` })

/** Connections to CRMs, what was read from them, and the outbox of what is written back. */
export class CrmStore extends Context.Service<
  CrmStore,
  {
    readonly get: (workspaceId: string) => FromStore<Option.Option<CrmConnection>>
    readonly lock: (workspaceId: string) => InTx<Option.Option<CrmConnection>>
    /** Adds the workspace's connection, or replaces it. */
    readonly put: (connection: CrmConnection) => InTx<void>
    /** Removes the connection, all that was read, and the owners; cancels what was still to be written. */
    readonly remove: (workspaceId: string) => InTx<void>
    /** Workspaces with a connection, at most `limit`, those read longest ago first. */
    readonly connected: (limit: number) => FromStore<ReadonlyArray<string>>

    /** Replaces what these records said. */
    readonly replaceMarks: (of: {
      readonly workspaceId: string
      readonly generation: number
      readonly refs: ReadonlyArray<string>
      readonly marks: ReadonlyArray<CrmMark>
    }) => InTx<void>
    /** Removes up to `limit` marks of earlier generations. Returns how many. */
    readonly sweepMarks: (workspaceId: string, generation: number, limit: number) => InTx<number>
    /** How many people and companies the marks name, counted up to `max`. */
    readonly countMarks: (workspaceId: string, max: number) => FromStore<number>

    /** Replaces the owners. Who is known keeps their member; a new one is the member with the same address. */
    readonly putOwners: (workspaceId: string, owners: ReadonlyArray<CrmOwner>) => InTx<void>
    /** By name. */
    readonly owners: (workspaceId: string) => FromStore<ReadonlyArray<MappedOwner>>
    /** False: there is no such owner. */
    readonly mapOwner: (workspaceId: string, ownerRef: string, userId: string | null) => InTx<boolean>

    /** Adds it if the workspace's connection wants it and it is not known yet. */
    readonly queue: (write: NewCrmWrite) => InTx<void>
    /**
     * Claims the write that is due longest: a waiting one becomes `writing`, and an unknown one stays so. Before, claims
     * made before `lapsedMillis` become unknown.
     */
    readonly claimWrite: (options: {
      readonly workspaceId: string
      readonly claimId: string
      readonly nowMillis: number
      readonly lapsedMillis: number
    }) => InTx<Option.Option<ClaimedCrmWrite>>
    /** Records an attempt. False, without changes: another claim was made, or the write was cancelled. */
    readonly recordWrite: (
      write: Pick<ClaimedCrmWrite, "workspaceId" | "writeId" | "claimId">,
      attempt: CrmAttempt
    ) => InTx<boolean>
    readonly countWrites: (workspaceId: string) => FromStore<CrmWriteCounts>
    /** Deletes up to `limit` ended writes made before then. Returns how many. */
    readonly purgeWrites: (beforeMillis: number, limit: number) => InTx<number>
  }
>()("@outbound/domain/wings/crm/CrmStore") {}
