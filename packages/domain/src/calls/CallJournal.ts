import { Context, type Effect, type Option } from "effect"
import type { WireError } from "../kernel/errors/Wire.js"
import type { ApiKey } from "./keys/KeyStore.js"
import type { RateStatus } from "./keys/RateWindow.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { StoreUnavailable, Tx } from "../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import type {
  Admission,
  AdmittedCall,
  Attempt,
  Reconciled,
  RequestRecord,
  Reservation,
  Settled,
  Settlement,
  StoredOutcome
} from "./Attempt.js"

/** How long a call waits for the first one under its Idempotency-Key before it is told so. */
export const IN_PROGRESS_WAIT_MILLIS = 30_000

/** The longest that an admission waits for its turn; then it is refused with nothing done. */
export const ADMISSION_WAIT_MILLIS = 2_000

/** How long after its last sign of life a host's calls count as under way (contract: credits, dead hosts). */
export const LEASE_MILLIS = 60_000

/** A key with what it used, for `GET /v1/me`. */
export interface KeyStanding {
  readonly key: ApiKey
  /** Charges and open reservations of the current month. */
  readonly spentThisMonth: Credits
  readonly available: Credits
  readonly rate: RateStatus
}

/** Where a key belongs. */
export interface KeyLocation {
  readonly workspaceId: string
  readonly keyId: string
  readonly workspaceKind: WorkspaceKind
}

/**
 * The life of every call: admitted (counted, decided by `decideAdmission`, its maximum reserved), then settled once.
 * Admissions and settlements are durable when these return.
 */
export class CallJournal extends Context.Tag("@outbound/domain/calls/CallJournal")<
  CallJournal,
  {
    /** Whose key a secret is, whatever its state: these ids never change. Decides nothing. */
    readonly locate: (keyHash: string) => Effect.Effect<Option.Option<KeyLocation>, StoreUnavailable>
    /** Fails with `rate_limited` (`service_capacity`) where the queue is full or the wait too long: nothing was done. */
    readonly admit: <P extends Reservation>(
      attempt: Attempt<P>
    ) => Effect.Effect<Admission<P>, WireError<"rate_limited"> | StoreUnavailable>
    /** Charges, releases the rest, stores the outcome. Settling twice is a no-op (`Fenced`). Never refused for load. */
    readonly settle: (settlement: Settlement) => Effect.Effect<Settled, StoreUnavailable>
    /** The same, in the caller's transaction, with the verb's own rows. Locks the account last. */
    readonly settleIn: (settlement: Settlement) => Effect.Effect<Settled, StoreUnavailable, Tx>
    /**
     * Replaces what is remembered of a call whose outcome was unknown (`reconciled`), in the caller's transaction. Of
     * any other call nothing changes.
     */
    readonly reconcileIn: (reconciled: Reconciled) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Commits that an effect which can't be repeated begins. False: the lease is over; begin none. */
    readonly effectStarts: (call: AdmittedCall) => Effect.Effect<boolean, StoreUnavailable>
    /** Waits for the outcome of a call under way. None: it ended without one to keep, or the wait is over. */
    readonly awaitOutcome: (
      workspaceId: string,
      requestId: string,
      waitMillis: number
    ) => Effect.Effect<Option.Option<StoredOutcome>, StoreUnavailable>
    readonly request: (
      workspaceId: string,
      requestId: string
    ) => Effect.Effect<Option.Option<RequestRecord>, StoreUnavailable>
    readonly standing: (
      workspaceId: string,
      keyId: string,
      nowMillis: number
    ) => Effect.Effect<KeyStanding, StoreUnavailable>
    /**
     * Resolves the calls of dead hosts: those whose effect had not begun failed, and are released; the others are
     * `unknown`. How many there were.
     */
    readonly sweep: Effect.Effect<number, StoreUnavailable>
  }
>() {}
