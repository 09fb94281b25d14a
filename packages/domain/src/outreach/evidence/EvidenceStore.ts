import { Context } from "effect"
import type { ValueEvidence } from "../../kernel/sequences/evidence.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import type { MarkFacts } from "./marks.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** A call of the workspace, and what is kept of what it returned. */
export interface KeptAnswer {
  readonly requestId: string
  readonly verb: string
  /** Whether it succeeded. */
  readonly isOk: boolean
  /** The JSON texts of its result, and of its rows if it was a list; empty: none is kept. */
  readonly bodies: ReadonlyArray<string>
  readonly atMillis: number
}

/** The evidence of a lead. */
export interface LeadEvidence {
  readonly campaignLeadId: string
  readonly evidence: ReadonlyArray<ValueEvidence>
}

/** So many values of a variable have this evidence. Null: none was given. */
export interface EvidencePeople {
  readonly variable: string
  readonly evidence: MarkFacts | null
  readonly people: number
}

/** The values of a lead. */
export interface LeadValues extends Recipient {
  readonly campaignLeadId: string
}

/** Most calls that one read answers for. */
export const ANSWERS_MAX = 100

/** What evidence is checked against, and what was found. */
export class EvidenceStore extends Context.Service<
  EvidenceStore,
  {
    /** The calls of these ids, at most `ANSWERS_MAX`. Omits those that the workspace did not make. */
    readonly answers: (workspaceId: string, requestIds: ReadonlyArray<string>) => FromStore<ReadonlyArray<KeptAnswer>>
    /** Replaces the evidence of leads: it was looked at again. Their campaign must be locked. */
    readonly keep: (workspaceId: string, leads: ReadonlyArray<LeadEvidence>) => InTx<void>
    /** Whether anybody of the campaign came with evidence. */
    readonly isGiven: (workspaceId: string, campaignId: string) => FromStore<boolean>
    /** How many of everybody in the campaign have a value of each of these variables, by what was found about it. */
    readonly ofCampaign: (
      workspaceId: string,
      campaignId: string,
      variables: ReadonlyArray<string>
    ) => FromStore<ReadonlyArray<EvidencePeople>>
    /** The values of these leads, and their evidence. Omits leads that the workspace doesn't have. */
    readonly valuesOf: (
      workspaceId: string,
      campaignLeadIds: ReadonlyArray<string>
    ) => FromStore<ReadonlyArray<LeadValues>>
    /** The evidence of the people whom an approval shows, by the keyed hash of the address. Omits those without any. */
    readonly shown: (
      workspaceId: string,
      approvalId: string
    ) => FromStore<ReadonlyMap<string, ReadonlyArray<ValueEvidence>>>
  }
>()("@outbound/domain/outreach/evidence/EvidenceStore") {}
