import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"
import { Context } from "effect"
import type { ValueEvidence } from "../../kernel/sequences/evidence.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { LeadOrigin } from "../../kernel/people/origins.js"
import type { ErasedPerson } from "../erasure/ErasureStore.js"

/** A point in time, as text (ISO 8601, UTC). */
type Instant = string

/** A person in a campaign. */
export interface PersonLead {
  readonly campaign_id: string
  readonly campaign_lead_id: string
  readonly campaign: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly company_name: string | null
  readonly custom: Readonly<Record<string, string>>
  /** Where these values come from, as the caller gave it, and what was found there. */
  readonly evidence: ReadonlyArray<ValueEvidence> | null
  readonly state: string
  readonly interest_status: string | null
  /** The approval that covers them, and when it was given; null: nobody approved. */
  readonly approval_id: string | null
  readonly approved_at: Instant | null
  /** Where their address came from first; null: it joined before this was kept. */
  readonly origin: LeadOrigin | null
  /** What their first message, or the page behind it, said by the law of their country; null: nothing. */
  readonly notice: string | null
  readonly notice_language: string | null
}

/** A message of a campaign to them. Its text is merged again from the campaign. */
export interface PersonMessage {
  readonly campaign_id: string
  readonly campaign_lead_id: string
  readonly message_id: string
  readonly step_index: number
  readonly variant: number | null
  readonly state: string
  readonly from_email: string
  readonly sent_at: Instant | null
}

/** A mail that arrived in answer to a message to them. */
export interface PersonReply {
  readonly campaign_id: string
  readonly reply_id: string
  readonly from_email: string
  readonly subject: string
  readonly body_text: string
  readonly classification: string | null
  readonly received_at: Instant
}

/** What a person of the workspace answered. */
export interface PersonAnswer {
  readonly campaign_id: string
  readonly sent_reply_id: string
  readonly to_email: string
  readonly from_email: string
  readonly subject: string
  readonly body_text: string
  readonly approval_id: string | null
  readonly sent_at: Instant | null
}

/** A call that named them. */
export interface PersonCall {
  readonly request_id: string
  readonly verb: string
  /** The key's name. */
  readonly key: string | null
  readonly at: Instant | null
}

/** An event of the trail about them, and the seal that covers it; null: none yet. */
export interface PersonEvent {
  readonly event_id: string
  readonly kind: string
  readonly source: string
  readonly observed_at: Instant
  readonly campaign_id: string | null
  readonly request_id: string | null
  readonly seal: number | null
}

/** What is kept of a person, by where it is kept. */
export interface PersonSections {
  readonly leads: PersonLead
  readonly messages: PersonMessage
  readonly replies: PersonReply
  readonly answers: PersonAnswer
  /** Mail of theirs that nobody has read yet. */
  readonly waiting: { readonly received_at: Instant; readonly subject: string; readonly body_text: string }
  /** Approvals that showed them. */
  readonly shown: { readonly approval_id: string; readonly verb: string; readonly asked_at: Instant }
  /** Campaigns that they were left out of. */
  readonly left_out: { readonly campaign_id: string; readonly campaign: string; readonly reason: string }
  readonly calls: PersonCall
  /** Rows of the workspace's own directory. */
  readonly directory: Readonly<Record<string, unknown>> & {
    readonly imported_at: Instant
    readonly list_file: string | null
    readonly list_line: number | null
  }
  /** What was last found out about their address, by which a workspace's rules count its people. */
  readonly verdicts: { readonly status: EmailStatus; readonly checked_at: Instant }
  readonly suppressions: { readonly source: string; readonly suppressed_at: Instant }
  readonly events: PersonEvent
}
export type PersonSection = keyof PersonSections

/** What a person asks of the workspace, on the page behind their link. */
export const PERSON_ASKS = ["access", "erasure"] as const
export type PersonAsk = (typeof PERSON_ASKS)[number]

/** A request that nobody has met yet. */
export interface PersonRequest {
  readonly campaignLeadId: string
  readonly email: string
  readonly ask: PersonAsk
  readonly askedAtMillis: number
}

/** Most requests that a page lists. */
export const REQUESTS_MAX = 100

/** Most rows of a section that a file holds. */
export const SECTION_ROWS_MAX = 10_000

/**
 * Reads what the workspace keeps of one person, by their address and its keyed hash. Rows are in the form of the file, the
 * oldest first, at most `SECTION_ROWS_MAX`. Stored outcomes and cached contacts are read as an erasure reads them (`ErasureStore`).
 */
export class PersonRecords extends Context.Service<
  PersonRecords,
  {
    /** These sections, as of one moment. */
    readonly read: <Section extends PersonSection>(
      sections: ReadonlyArray<Section>,
      person: ErasedPerson
    ) => FromStore<{ readonly [S in Section]: ReadonlyArray<PersonSections[S]> }>
    /** The address of a lead; null: there is none, or its person was erased. */
    readonly emailOf: (workspaceId: string, campaignLeadId: string) => FromStore<string | null>
    /** Keeps what a person asks. Asked again after it was met, it is open again; while it is open, nothing changes. */
    readonly ask: (workspaceId: string, campaignLeadId: string, ask: PersonAsk, nowMillis: number) => InTx<void>
    /** What this person asked is met. */
    readonly met: (person: ErasedPerson, ask: PersonAsk, nowMillis: number) => InTx<void>
    /** Open requests, the oldest first, at most `REQUESTS_MAX`. Those of erased people are met. */
    readonly open: (workspaceId: string) => FromStore<ReadonlyArray<PersonRequest>>
  }
>()("@outbound/domain/control/personFile/PersonRecords") {}
