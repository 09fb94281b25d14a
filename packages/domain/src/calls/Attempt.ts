import type { Result } from "effect"
import type { AnyWireError } from "../kernel/errors/Wire.js"
import type { ApiKey } from "./keys/KeyStore.js"
import type { Capability, Scope } from "../verbs/Policy.js"
import type { RateStatus } from "./keys/RateWindow.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { EmailStatus } from "../sources/ports/EmailVerifier.js"
import type { KeptNotes } from "../sources/CallNotes.js"

/** `dry_run` and `read` never reserve or charge. */
export type CallMode = "read" | "act" | "dry_run"

/** A verb with approval keeps one record for the unconfirmed call (`ask`) and one for the confirmed call (`act`). */
export type IdempotencyPhase = "ask" | "act"

export interface IdempotencyClaim {
  readonly key: string
  readonly phase: IdempotencyPhase
  /** SHA-256 of verb and canonical body without `dry_run` and tokens. */
  readonly baseFingerprint: string
  /** SHA-256 of the request's confirmation or offer token. */
  readonly tokenHash: string | null
}

/** The part of a verb's plan that admission needs. */
export interface Reservation {
  /** The most that the call can charge. */
  readonly maximum: Credits
  /** Capabilities of the key that the request needs. */
  readonly capabilities: ReadonlyArray<Capability>
}

/**
 * What a verb found out about its subject (a campaign, a lead, a token) before admission. Its handler checks again in
 * the acting transaction.
 */
export interface SubjectCheck {
  /** The subject doesn't exist: a dry run is refused too. */
  readonly missing: AnyWireError | null
  /** The first reason against acting, in the contract's order: suspension, state, token. */
  readonly refusal: AnyWireError | null
  /** The most that the call can charge, if the subject gives a tighter bound than the plan. */
  readonly maximum?: Credits
  /** Whether this call needs an approval, for verbs that don't always need one. */
  readonly asks?: boolean
  /** Names of the refusals that a dry run lists. */
  readonly wouldExceed: ReadonlyArray<string>
}

/** A decoded call. */
export interface Attempt<P extends Reservation = Reservation> {
  readonly requestId: string
  /** SHA-256 of the bearer secret. */
  readonly keyHash: string
  readonly verb: string
  readonly mode: CallMode
  readonly nowMillis: number
  /** What decoding found wrong. It is counted and recorded once the key is known. */
  readonly reject: AnyWireError | null
  readonly scope: Scope | null
  /** `GET /v1/me` also answers a paused key. */
  readonly allowedWhilePaused: boolean
  /** Whether the call asks for or uses an approval. */
  readonly needsAutonomy: boolean
  readonly isPurchase: boolean
  readonly idempotency: IdempotencyClaim | null
  /** The call waited for the first one under its Idempotency-Key. It was counted when it arrived. */
  readonly waited?: true
  readonly runId: string | null
  readonly subject: SubjectCheck | null
  readonly consoleUrl: string
  /** The verb's plan for this key. Pure, and the same for the dry run and the call. */
  readonly plan: (key: ApiKey) => Result.Result<P, AnyWireError>
}

/** The stored answer of a finished call, for repeats under its Idempotency-Key. */
export interface StoredOutcome {
  readonly requestId: string
  readonly httpStatus: number
  /** JSON text of `result`, or of `error` without its request id. A token in it is left blank. */
  readonly body: string
  readonly charged: Credits
  /** The approval or offer whose token fills the blank. */
  readonly approvalId: string | null
}

/** An admitted call, as its handler and settlement need it. */
export interface AdmittedCall<P extends Reservation = Reservation> {
  readonly requestId: string
  readonly workspaceId: string
  readonly key: ApiKey
  readonly plan: P
  readonly reserved: Credits
  /** The calendar month (`YYYY-MM`, UTC) that its charge counts towards. */
  readonly month: string
  readonly runId: string | null
  readonly idempotency: IdempotencyClaim | null
  readonly admittedAtMillis: number
}

/** The journal's decision. `rate` is null only for an unknown key. */
export type Admission<P extends Reservation = Reservation> =
  | { readonly _tag: "Admitted"; readonly call: AdmittedCall<P>; readonly rate: RateStatus }
  | {
      readonly _tag: "Refused"
      readonly error: AnyWireError
      readonly rate: RateStatus | null
      /** Null: unknown. */
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
  /** A dry run: recorded at no cost, with the codes of the refusals that the call would get. */
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
  /** Its answer broke off, or its client disconnected before the end. */
  readonly interrupted?: true
  /** Never more than the reservation. */
  readonly charge: Credits
  /** Kept for repeats. Null frees the Idempotency-Key. */
  readonly outcome: StoredOutcome | null
  readonly settledAtMillis: number
  /**
   * Keyed hashes of the people in the outcome or the cached contact, so that an erasure finds them, and that a campaign's
   * costs do (see `kernel/people/subjects.ts`).
   */
  readonly subjects?: ReadonlyArray<string>
  /** A row of a list: its answer is kept with the row. So its subjects name the call, though it has no outcome. */
  readonly isListed?: true
  /** The call's cost at vendors and its sources, if any. */
  readonly notes?: KeptNotes
  /** What it found out about an address, named by the keyed hash of the person. */
  readonly verdict?: { readonly addressHash: string; readonly status: EmailStatus }
  /** A contact to cache for repeats (see `EnrichmentCache`). */
  readonly cache: {
    readonly personKey: string
    readonly contact: string
    readonly emailLookedUp: boolean
    readonly mobileSearched: boolean
    readonly expiresAtMillis: number
  } | null
}

/** The reconciled result of a call whose outcome was unknown. It charges nothing. */
export interface Reconciled extends Pick<Settlement, "httpStatus" | "errorCode"> {
  readonly workspaceId: string
  readonly requestId: string
  readonly status: "succeeded" | "failed"
  /** The new answer to repeats. Null frees the Idempotency-Key. */
  readonly body: string | null
  /** As in `Settlement`. */
  readonly subjects?: ReadonlyArray<string>
}

/** `Fenced`: a sweeper had already resolved the call; this settlement changed nothing. */
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
