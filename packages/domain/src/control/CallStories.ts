import { Context, type Option } from "effect"
import type { RequestRecord } from "../calls/Attempt.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import type { NotedCost, NotedEvidence } from "../sources/CallNotes.js"

/** The most that is read of each kind of thing that a call led to. */
export const STORY_ROWS_MAX = 200

/** Which host works on a call that is under way. */
export interface StoryLease {
  readonly host: string
  /** Whether that host still lives; the calls of one that does not are resolved as uncertain. */
  readonly isHeld: boolean
  /** Whether a provider may have been reached. */
  readonly effectStarted: boolean
}

export interface StoryEntry {
  readonly kind: string
  readonly amount: Credits
  readonly atMillis: number
}

/** What a source may still answer, or may have been paid for. */
export interface StoryJob {
  readonly source: string
  readonly marker: string
  readonly tries: number
  readonly isUnknown: boolean
  readonly answeredAtMillis: number | null
}

export interface StoryApproval {
  readonly approvalId: string
  readonly role: "asked" | "used"
  readonly target: string
  readonly state: string
  readonly createdAtMillis: number
  readonly decidedAtMillis: number | null
  /** The member who decided. */
  readonly decidedBy: string | null
}

export interface StoryOffer {
  readonly offerId: string
  readonly role: "made" | "taken"
  readonly maxCredits: Credits
  readonly usedAtMillis: number | null
}

export interface StoryOperation {
  readonly operationId: string
  readonly kind: string
  readonly status: string
  readonly createdAtMillis: number
  readonly finishedAtMillis: number | null
}

/** Without its detail, which may name addresses. */
export interface StoryEvent {
  readonly eventId: string
  readonly kind: string
  readonly source: string
  readonly observedAtMillis: number
  readonly campaignId: string | null
  readonly campaignLeadId: string | null
  readonly operationId: string | null
}

/** How many messages of the people whom the call's approval lets be written to are in a state. */
export interface StoryMessages {
  readonly campaignId: string
  readonly state: string
  readonly count: number
}

export interface StoryAnswer {
  readonly sentReplyId: string
  readonly replyId: string
  readonly campaignId: string
  readonly state: string
  readonly createdAtMillis: number
  readonly sentAtMillis: number | null
}

export interface StoryWebhook {
  readonly endpointId: string
  readonly eventId: string
  readonly state: string
  readonly attempts: number
  readonly status: number | null
  readonly failure: string | null
  readonly attemptedAtMillis: number | null
}

/** Everything that is recorded of one call, from its admission to what it led to. No address of a recipient, no content. */
export interface CallStory {
  readonly record: RequestRecord
  /** Refused at its admission where not. */
  readonly admitted: boolean
  readonly workspace: { readonly workspaceId: string; readonly name: string; readonly kind: string }
  readonly key: { readonly keyId: string; readonly name: string; readonly prefix: string; readonly state: string }
  /** The member who allowed the client whose key it is (OAuth); null: a key of the workspace's own. */
  readonly allowedBy: string | null
  readonly runId: string | null
  /** Null once the call has ended. */
  readonly lease: StoryLease | null
  /** Null where the call came without an Idempotency-Key, or what was remembered under it has gone. */
  readonly idempotency: { readonly key: string; readonly phase: string; readonly isRemembered: boolean } | null
  readonly ledger: ReadonlyArray<StoryEntry>
  readonly costs: ReadonlyArray<NotedCost>
  readonly evidence: ReadonlyArray<NotedEvidence>
  readonly jobs: ReadonlyArray<StoryJob>
  readonly approvals: ReadonlyArray<StoryApproval>
  readonly offers: ReadonlyArray<StoryOffer>
  readonly operations: ReadonlyArray<StoryOperation>
  readonly events: ReadonlyArray<StoryEvent>
  readonly messages: ReadonlyArray<StoryMessages>
  readonly answers: ReadonlyArray<StoryAnswer>
  readonly webhooks: ReadonlyArray<StoryWebhook>
}

/** What happened to a call, for the operator. */
export class CallStories extends Context.Service<
  CallStories,
  {
    /** A call by its request id, in whichever workspace, under way or ended. */
    readonly of: (requestId: string) => FromStore<Option.Option<CallStory>>
  }
>()("@outbound/domain/control/CallStories") {}
