import { Context, Data, type Effect } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"
import type { ApiKey } from "../calls/keys/KeyStore.js"
import type { KeyState } from "../calls/keys/KeyMachine.js"
import type { Scope } from "../verbs/Policy.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { StoreUnavailable } from "../kernel/ports/UnitOfWork.js"
import type { RunStanding } from "../calls/runs/RunStore.js"
import type { Member, Role, SignedIn } from "./users/UserStore.js"
import type { SendingState, WorkspaceCaps } from "../kernel/workspaces/WorkspaceStore.js"
import type { ChangeRequestSummary } from "./ChangeRequestStore.js"
import type { ControlLogEntry } from "./ControlLog.js"
import type { Direction, PolicyChange } from "./PolicyChange.js"

/** Loosening anything asks for a sign-in not older than this. */
export const FRESH_SIGN_IN_MILLIS = 5 * 60_000

/** The most keys and runs that a list names (newest first), change requests, and entries of a page of history. */
export const KEYS_LISTED_MAX = 500
export const RUNS_LISTED_MAX = 200
export const CHANGE_REQUESTS_LISTED_MAX = 100
export const HISTORY_PAGE_MAX = 100

/**
 * Why something is not done in the console.
 *
 * - `owner_required`: a member asked for what only owners may do;
 * - `reauthentication_required`: an owner may, after signing in again (`FRESH_SIGN_IN_MILLIS`);
 * - `not_found`: not in this workspace; `key_revoked`: the key is gone for ever;
 * - `change_request_closed`: it was decided before; `last_owner`: a workspace keeps an owner;
 * - `invalid`: `issues` says what to mend.
 */
export const CONTROL_REFUSALS = [
  "owner_required",
  "reauthentication_required",
  "not_found",
  "key_revoked",
  "change_request_closed",
  "last_owner",
  "invalid"
] as const
export type ControlRefusal = (typeof CONTROL_REFUSALS)[number]

export class ControlRefused extends Data.TaggedError("ControlRefused")<{
  readonly reason: ControlRefusal
  /** Empty but for `invalid`; a path names the field of `Control`'s argument. */
  readonly issues: ReadonlyArray<Issue>
}> {}

/** A key with what it cost. */
export interface KeyOverview {
  readonly key: ApiKey
  /** Charges and open reservations of the current month (UTC). */
  readonly spentThisMonth: Credits
}

/** A run with what it cost. */
export interface RunOverview extends RunStanding {
  /** `open`: calls may name it. */
  readonly state: "open" | "closed" | "expired"
}

export interface NewKey {
  /** 1 to 120 characters. */
  readonly name: string
  /** Empty: the default ones. */
  readonly scopes: ReadonlyArray<Scope>
  readonly monthlySpendCap: Credits | null
  readonly autonomousExternalActions: boolean
  readonly runRequired: boolean
}

/** What a change came to. */
export interface Changed {
  readonly controlLogId: string
  readonly direction: Direction
}

/** What a kill would do now, said before it is done. */
export interface KillPreview {
  /** The suspension that stands already, if one does. */
  readonly sending: SendingState
  /** Those that would be paused, by name, the first 100. */
  readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
  readonly campaignsTotal: number
  readonly activeMailboxes: number
  /** Pending and approved ones, which would be cancelled. */
  readonly openApprovals: number
}

/** What a kill did; a second one tells the same. */
export interface KillResult {
  readonly killId: string
  readonly suspendedAtMillis: number
  readonly reason: string
  readonly campaignsPaused: number
  /** Those whose pause was not verified when the kill was answered; retried until it is. */
  readonly campaignsUnconfirmed: ReadonlyArray<string>
  readonly approvalsCancelled: number
}

type Read<A> = Effect.Effect<A, StoreUnavailable>
type Act<A> = Effect.Effect<A, ControlRefused | StoreUnavailable>

/**
 * What a signed-in human may do to keys, limits, members and sending of their workspace. Who may is decided here: any
 * member reads and tightens; owners do the rest, and loosening needs a fresh sign-in. Each change is one row in the
 * control log. What belongs to another workspace is `not_found`.
 */
export class Control extends Context.Tag("@outbound/domain/control/Control")<
  Control,
  {
    /** Newest first. */
    readonly listKeys: (by: SignedIn) => Read<ReadonlyArray<KeyOverview>>
    readonly key: (by: SignedIn, keyId: string) => Act<KeyOverview>
    /** Owners, after a fresh sign-in. `apiKey` is the secret: it is shown once and can't be had again. */
    readonly createKey: (by: SignedIn, key: NewKey) => Act<{ readonly keyId: string; readonly apiKey: string }>
    /** Any member. */
    readonly pauseKey: (by: SignedIn, keyId: string) => Act<{ readonly state: KeyState }>
    /** Owners, after a fresh sign-in. */
    readonly resumeKey: (by: SignedIn, keyId: string) => Act<{ readonly state: KeyState }>
    /** Owners. It also cancels the key's open approvals, and the change requests about it. */
    readonly revokeKey: (by: SignedIn, keyId: string) => Act<{ readonly state: KeyState }>
    /** Tightening: any member. Loosening any member of the policy: owners, after a fresh sign-in. All of it or none. */
    readonly setPolicy: (by: SignedIn, keyId: string, change: PolicyChange) => Act<Changed>
    /** Newest first, at most `HISTORY_PAGE_MAX`; `before`: the last entry of the page before. */
    readonly keyHistory: (by: SignedIn, keyId: string, before: string | null) => Act<ReadonlyArray<ControlLogEntry>>
    /** The same of the whole workspace. */
    readonly history: (by: SignedIn, before: string | null) => Read<ReadonlyArray<ControlLogEntry>>

    readonly changeRequests: (by: SignedIn, which: "open" | "closed") => Read<ReadonlyArray<ChangeRequestSummary>>
    /** Owners; approving also after a fresh sign-in. Null: it was declined, and nothing changed. */
    readonly decideChangeRequest: (
      by: SignedIn,
      changeRequestId: string,
      decision: "approve" | "decline"
    ) => Act<Changed | null>

    /** Newest first. */
    readonly listRuns: (by: SignedIn) => Read<ReadonlyArray<RunOverview>>
    /** Owners. */
    readonly createRun: (
      by: SignedIn,
      run: { readonly name: string; readonly budget: Credits; readonly expiresInMillis: number }
    ) => Act<{ readonly runId: string }>
    /** Any member. Closing a closed run changes nothing. */
    readonly closeRun: (by: SignedIn, runId: string) => Act<void>

    /** Lowering: any member. Raising any of them: owners, after a fresh sign-in. */
    readonly setCaps: (by: SignedIn, caps: WorkspaceCaps) => Act<Changed>
    /** Owners. */
    readonly setPostalAddress: (by: SignedIn, postalAddress: string) => Act<Changed>
    /** Whether keys may reply to threads at all. Off: any member. On: owners, after a fresh sign-in. */
    readonly setReplySend: (by: SignedIn, on: boolean) => Act<Changed>

    readonly previewKill: (by: SignedIn) => Read<KillPreview>
    /** Owners; a stale sign-in does not hold it up. `reason`: 1 to 500 characters. Answers within some ten seconds. */
    readonly kill: (by: SignedIn, reason: string) => Act<KillResult>
    /** Owners, after a fresh sign-in. False: no suspension stood. What the kill paused stays paused. */
    readonly clearSuspension: (by: SignedIn) => Act<boolean>

    /** Oldest first. */
    readonly members: (by: SignedIn) => Read<ReadonlyArray<Member>>
    /** Owners, after a fresh sign-in. Who is a member already stays what they are. The invitation is sent by the caller. */
    readonly inviteMember: (by: SignedIn, email: string, role: Role) => Act<Member>
    /** Owners; making somebody an owner after a fresh sign-in. */
    readonly setRole: (by: SignedIn, userId: string, role: Role) => Act<void>
    /** Owners, and anybody for themselves. */
    readonly removeMember: (by: SignedIn, userId: string) => Act<void>
  }
>() {}
