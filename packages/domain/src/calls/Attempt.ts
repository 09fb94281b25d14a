import type { Either } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import type { ApiKey } from "./keys/KeyStore.js"
import type { Capability, Scope } from "../verbs/Policy.js"
import type { RateStatus } from "./keys/RateWindow.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { KeptNotes } from "../sources/CallNotes.js"

/** `dry_run` and `read` never reserve or charge. */
export type CallMode = "read" | "act" | "dry_run"

/** Of a verb with approval, the unconfirmed (`ask`) and the confirmed call (`act`) have a record each. */
export type IdempotencyPhase = "ask" | "act"

export interface IdempotencyClaim {
  readonly key: string
  readonly phase: IdempotencyPhase
  /** SHA-256 of verb and canonical body without `dry_run` and tokens. */
  readonly baseFingerprint: string
  /** SHA-256 of the confirmation or offer token that the body holds. */
  readonly tokenHash: string | null
}

/** The part of a verb's plan that admission decides on. */
export interface Reservation {
  /** The most that the call can charge. */
  readonly maximum: Credits
  /** What the request sets that must be enabled for the key. */
  readonly capabilities: ReadonlyArray<Capability>
}

/**
 * What a verb with a subject (a campaign, a lead, a token) found about it, before admission. Its handler looks again,
 * in the transaction that acts.
 */
export interface SubjectCheck {
  /** It does not exist: also a dry run is refused. */
  readonly missing: AnyWireError | null
  /** What speaks against acting on it: suspension, its state, the token; the first in the order of the checks. */
  readonly refusal: AnyWireError | null
  /** The most that the call can charge, where what it is about says it more exactly than the plan. */
  readonly maximum?: Credits
  /** As it stands, the call asks for an approval, where its verb does not always ask for one. */
  readonly asks?: boolean
  /** The names under which a dry run lists what speaks against it. */
  readonly wouldExceed: ReadonlyArray<string>
}

/** A call as it arrives at the journal, decoded. */
export interface Attempt<P extends Reservation = Reservation> {
  readonly requestId: string
  /** SHA-256 of the bearer secret. */
  readonly keyHash: string
  readonly verb: string
  readonly mode: CallMode
  readonly nowMillis: number
  /** What decoding found wrong. Counted and recorded, once the key is known. */
  readonly reject: AnyWireError | null
  readonly scope: Scope | null
  /** `GET /v1/me` answers a paused key too. */
  readonly allowedWhilePaused: boolean
  /** Whether it asks for or uses an approval. */
  readonly needsAutonomy: boolean
  readonly isPurchase: boolean
  readonly idempotency: IdempotencyClaim | null
  /** It waited for the first call under its Idempotency-Key, and was counted when it came. */
  readonly waited?: true
  readonly runId: string | null
  readonly subject: SubjectCheck | null
  readonly consoleUrl: string
  /** The verb's plan for this key: pure, and the same for the dry run and the call. */
  readonly plan: (key: ApiKey) => Either.Either<P, AnyWireError>
}

/** What a finished call left behind for a repeat under the same Idempotency-Key. */
export interface StoredOutcome {
  readonly requestId: string
  readonly httpStatus: number
  /** The JSON text of `result`, or of `error` without its request id; a token in it is left blank. */
  readonly body: string
  readonly charged: Credits
  /** The approval, or the offer, whose token belongs into the blank. */
  readonly approvalId: string | null
}

/** An admitted call: what its handler and its settlement need to know. */
export interface AdmittedCall<P extends Reservation = Reservation> {
  readonly requestId: string
  readonly workspaceId: string
  readonly key: ApiKey
  readonly plan: P
  readonly reserved: Credits
  /** The calendar month (`YYYY-MM`, UTC) in which its charge counts. */
  readonly month: string
  readonly runId: string | null
  readonly idempotency: IdempotencyClaim | null
  readonly admittedAtMillis: number
}

/** What the journal decided. `rate` is null only where the key is unknown. */
export type Admission<P extends Reservation = Reservation> =
  | { readonly _tag: "Admitted"; readonly call: AdmittedCall<P>; readonly rate: RateStatus }
  | {
      readonly _tag: "Refused"
      readonly error: AnyWireError
      readonly rate: RateStatus | null
      /** Who asked, where that is known. */
      readonly key: ApiKey | null
      readonly plan: P | null
    }
  | {
      readonly _tag: "Replay"
      readonly outcome: StoredOutcome
      readonly available: Credits
      readonly rate: RateStatus
    }
  | {
      readonly _tag: "InProgress"
      readonly workspaceId: string
      readonly requestId: string
      readonly rate: RateStatus
    }
  /** The dry run of a call: recorded at no cost; what would refuse the call, by code. */
  | {
      readonly _tag: "Previewed"
      readonly key: ApiKey
      readonly plan: P
      readonly wouldExceed: ReadonlyArray<string>
      readonly available: Credits
      readonly rate: RateStatus
    }

/** The end of an admitted call. */
export interface Settlement {
  readonly call: AdmittedCall
  readonly status: "succeeded" | "failed" | "unknown"
  readonly httpStatus: number
  readonly errorCode: string | null
  /** Its answer broke off, or its client left before the end of it. */
  readonly interrupted?: true
  /** At most what was reserved. */
  readonly charge: Credits
  /** Kept for repeats; null: the Idempotency-Key is free again. */
  readonly outcome: StoredOutcome | null
  readonly settledAtMillis: number
  /** Keyed hashes of whom the outcome or the kept contact names, for their erasure (see `erasure/subjects.ts`). */
  readonly subjects?: ReadonlyArray<string>
  /** What the call cost at vendors, and what its answer rests on; left out where there is neither. */
  readonly notes?: KeptNotes
  /** A contact to be kept for repeats (see `EnrichmentCache`). */
  readonly cache: {
    readonly personKey: string
    readonly contact: string
    readonly emailLookedUp: boolean
    readonly mobileSearched: boolean
    readonly expiresAtMillis: number
  } | null
}

/** What a call of unknown outcome turned out to have come to. Nothing is charged for it. */
export interface Reconciled extends Pick<Settlement, "httpStatus" | "errorCode"> {
  readonly workspaceId: string
  readonly requestId: string
  readonly status: "succeeded" | "failed"
  /** The text of what a repeat is answered from now on; null: the Idempotency-Key is free again. */
  readonly body: string | null
  /** As of a settlement. */
  readonly subjects?: ReadonlyArray<string>
}

/** `Fenced`: a sweeper resolved the call before, and this settlement changed nothing. */
export type Settled = { readonly _tag: "Settled"; readonly available: Credits } | { readonly _tag: "Fenced" }

/** The record of a call, for `GET /v1/requests/:id`. */
export interface RequestRecord {
  readonly requestId: string
  readonly verb: string
  readonly mode: CallMode
  readonly status: "pending" | "succeeded" | "failed" | "unknown"
  readonly httpStatus: number | null
  readonly errorCode: string | null
  readonly reserved: Credits
  readonly charged: Credits
  readonly replayedCount: number
  readonly interrupted: boolean
  readonly createdAtMillis: number
  readonly finishedAtMillis: number | null
}
