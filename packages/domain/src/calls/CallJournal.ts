import { Context, type Option } from "effect"
import type { WireError } from "../kernel/errors/Wire.js"
import type { ApiKey } from "./keys/KeyStore.js"
import type { RateStatus } from "./keys/RateWindow.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"
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

/** How long a repeat waits for the first call under its Idempotency-Key before it gets `in_progress`. */
export const IN_PROGRESS_WAIT_MILLIS = 30_000

/** Longest wait of an admission in the queue. After it, the call is refused with nothing done. */
export const ADMISSION_WAIT_MILLIS = 2_000

/** How long a host's calls count as running after its last heartbeat (contract: credits, dead hosts). */
export const LEASE_MILLIS = 60_000

/** A key and its usage, for `GET /v1/me`. */
export interface KeyStanding {
  readonly key: ApiKey
  /** Charges and open reservations of the current month. */
  readonly spentThisMonth: Credits
  /** Charges of the current day (UTC) and open reservations. */
  readonly spentToday: Credits
  readonly available: Credits
  readonly rate: RateStatus
}

/** The ids a key belongs to. */
export interface KeyLocation {
  readonly workspaceId: string
  readonly keyId: string
  readonly workspaceKind: WorkspaceKind
}

export interface CallRef {
  readonly workspaceId: string
  readonly requestId: string
}

/** What an accepted call holds. */
export interface Held {
  readonly keyId: string
  readonly runId: string | null
  readonly month: string
  readonly reserved: Credits
}

/**
 * The host of accepted calls. It never dies: an operation, not a lease, decides how long they stay open.
 */
export const OPERATIONS_HOST = "00000000-0000-0000-0000-000000000001"

/**
 * Admits every call (counts it, runs `decideAdmission`, reserves its maximum) and settles it once. Admissions and
 * settlements are durable when these return.
 */
export class CallJournal extends Context.Service<
  CallJournal,
  {
    /**
     * Finds a key by its secret's hash, in any state. These ids never change. It decides nothing. Call it where it is run:
     * the answer may be there at once.
     */
    readonly locate: (keyHash: string) => FromStore<Option.Option<KeyLocation>>
    /**
     * Fails with `rate_limited` (`service_capacity`) if the queue is full while the store answers, and with an outage
     * if the store can't be reached or answers too late. Nothing was done then.
     */
    readonly admit: <P extends Reservation>(attempt: Attempt<P>) => FromStore<Admission<P>, WireError<"rate_limited">>
    /**
     * Charges, releases the rest and stores the outcome. Settling twice changes nothing (`Fenced`). Never refused
     * because of load.
     */
    readonly settle: (settlement: Settlement) => FromStore<Settled>
    /** The same in the caller's transaction, together with the verb's own rows. Locks the account, so call it last. */
    readonly settleIn: (settlement: Settlement) => InTx<Settled>
    /**
     * Replaces the stored outcome of a call whose outcome was unknown (`reconciled`), in the caller's transaction.
     * Other calls don't change.
     */
    readonly reconcileIn: (reconciled: Reconciled) => InTx<void>
    /**
     * Answers a call whose work goes on as an operation, in the caller's transaction. Its reservation stays open, of no
     * host, until it is settled. `Fenced`: a sweeper has already resolved the call.
     */
    readonly acceptIn: (call: AdmittedCall, outcome: StoredOutcome) => InTx<Settled>
    /** What an accepted call holds for its operation, and for whom. None: it has been settled. */
    readonly held: (workspaceId: string, requestId: string) => FromStore<Option.Option<Held>>
    /**
     * Opens calls with parts of what an accepted call holds. Returns the ids of those that it covers, in their order.
     */
    readonly splitIn: (
      from: CallRef,
      calls: ReadonlyArray<{ readonly requestId: string; readonly verb: string; readonly reserved: Credits }>,
      nowMillis: number
    ) => InTx<ReadonlyArray<string>>
    /** Gives a part of such a call back to the accepted one. False, without changes: that one has been settled. */
    readonly mergeIn: (into: CallRef, requestId: string, amount: Credits) => InTx<boolean>
    /** Commits that an unrepeatable effect begins. False: the lease has expired, so don't begin. */
    readonly effectStarts: (call: AdmittedCall) => FromStore<boolean>
    /** Waits for the outcome of a running call. None: it left no outcome, or the wait timed out. */
    readonly awaitOutcome: (
      workspaceId: string,
      requestId: string,
      waitMillis: number
    ) => FromStore<Option.Option<StoredOutcome>>
    readonly request: (workspaceId: string, requestId: string) => FromStore<Option.Option<RequestRecord>>
    readonly standing: (workspaceId: string, keyId: string, nowMillis: number) => FromStore<KeyStanding>
    /**
     * Resolves the calls of dead hosts. Calls whose effect had not begun fail and release their reservation; the others
     * become `unknown`. Returns how many.
     */
    readonly sweep: FromStore<number>
  }
>()("@outbound/domain/calls/CallJournal") {}
