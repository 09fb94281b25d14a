import { Context, Data } from "effect"
import type { Issue } from "../kernel/errors/Wire.js"
import type { ApiKey } from "../calls/keys/KeyStore.js"
import type { KeyState } from "../calls/keys/KeyMachine.js"
import type { Scope } from "../verbs/Policy.js"
import type { Credits } from "../kernel/money/Credits.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import type { RunStanding } from "../calls/runs/RunStore.js"
import type { Member, Role, SignedIn } from "./users/UserStore.js"
import type { SendingState, Overlap, WorkspaceCaps } from "../kernel/workspaces/WorkspaceStore.js"
import type { ChangeRequestSummary } from "./ChangeRequestStore.js"
import type { ControlLogEntry } from "./ControlLog.js"
import type { Kill, KillReach } from "./KillStore.js"
import type { Direction, PolicyChange } from "./PolicyChange.js"

/** Loosening needs a sign-in no older than this. */
export const FRESH_SIGN_IN_MILLIS = 5 * 60_000

/** Page sizes: keys and runs (newest first), change requests, and history entries. */
export const KEYS_LISTED_MAX = 500
export const RUNS_LISTED_MAX = 200
export const CHANGE_REQUESTS_LISTED_MAX = 100
export const HISTORY_PAGE_MAX = 100

/**
 * Why the console refuses an action.
 *
 * - `owner_required`: only owners may do this;
 * - `reauthentication_required`: an owner may, after signing in again (`FRESH_SIGN_IN_MILLIS`);
 * - `printed_link`: not in a session that began with a link that a start printed;
 * - `not_found`: not in this workspace; `key_revoked`: the key is revoked;
 * - `change_request_closed`: it was already decided; `last_owner`: a workspace keeps at least one owner;
 * - `invalid`: `issues` lists the problems.
 */
export const CONTROL_REFUSALS = [
  "owner_required",
  "reauthentication_required",
  "printed_link",
  "not_found",
  "key_revoked",
  "change_request_closed",
  "last_owner",
  "invalid"
] as const
export type ControlRefusal = (typeof CONTROL_REFUSALS)[number]

export class ControlRefused extends Data.TaggedError("ControlRefused")<{
  readonly reason: ControlRefusal
  /** Empty except for `invalid`. A path names a field of the argument. */
  readonly issues: ReadonlyArray<Issue>
}> {}

/** A key and its spending. */
export interface KeyOverview {
  readonly key: ApiKey
  /** Charges and open reservations of the current month (UTC). */
  readonly spentThisMonth: Credits
}

/** A run and its spending. */
export interface RunOverview extends RunStanding {
  /** `open`: calls may name it. */
  readonly state: "open" | "closed" | "expired"
}

export interface NewKey extends Pick<ApiKey, "monthlySpendCap" | "autonomousExternalActions" | "runRequired"> {
  /** 1 to 120 characters. */
  readonly name: string
  /** The most of one day; null or left out: no cap. */
  readonly dailySpendCap?: Credits | null
  /** Empty means the default scopes. */
  readonly scopes: ReadonlyArray<Scope>
}

/** The result of a change. */
export interface Changed {
  readonly controlLogId: string
  readonly direction: Direction
}

/** What a kill would do now. */
export interface KillPreview extends KillReach {
  /** The current suspension, if any. */
  readonly sending: SendingState
}

/** What a kill did. Repeating a kill returns the first result. */
export interface KillResult extends Pick<
  Kill,
  "killId" | "suspendedAtMillis" | "reason" | "campaignsPaused" | "approvalsCancelled"
> {
  /** Campaigns whose pause was not verified when the kill was answered. The engine retries until it is. */
  readonly campaignsUnconfirmed: ReadonlyArray<string>
}

type Read<A> = FromStore<A>
type Act<A> = FromStore<A, ControlRefused>

/**
 * What signed-in people do to their workspace's keys, limits, members and sending. Any member reads and tightens.
 * Owners do the rest; loosening also needs a fresh sign-in. Each change writes one row to the control log. Another
 * workspace's objects are `not_found`.
 */
export class Control extends Context.Service<
  Control,
  {
    /** Newest first. */
    readonly listKeys: (by: SignedIn) => Read<ReadonlyArray<KeyOverview>>
    readonly key: (by: SignedIn, keyId: string) => Act<KeyOverview>
    /** Owners, after a fresh sign-in. `apiKey` is the secret; it is returned only here. */
    readonly createKey: (by: SignedIn, key: NewKey) => Act<{ readonly keyId: string; readonly apiKey: string }>
    /** Any member. */
    readonly pauseKey: (by: SignedIn, keyId: string) => Act<{ readonly state: KeyState }>
    /** Owners, after a fresh sign-in. */
    readonly resumeKey: (by: SignedIn, keyId: string) => Act<{ readonly state: KeyState }>
    /** Owners. Also cancels the key's open approvals and the change requests about it. */
    readonly revokeKey: (by: SignedIn, keyId: string) => Act<{ readonly state: KeyState }>
    /** All or nothing. Tightening: any member. Loosening: owners, after a fresh sign-in. */
    readonly setPolicy: (by: SignedIn, keyId: string, change: PolicyChange) => Act<Changed>
    /** Newest first, at most `HISTORY_PAGE_MAX`. `before`: the last entry of the previous page. */
    readonly keyHistory: (by: SignedIn, keyId: string, before: string | null) => Act<ReadonlyArray<ControlLogEntry>>
    /** The history of the whole workspace. */
    readonly history: (by: SignedIn, before: string | null) => Read<ReadonlyArray<ControlLogEntry>>

    readonly changeRequests: (by: SignedIn, which: "open" | "closed") => Read<ReadonlyArray<ChangeRequestSummary>>
    /** Owners; approving also needs a fresh sign-in. Null: declined, nothing changed. */
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

    /** Lowering caps: any member. Raising one: owners, after a fresh sign-in. */
    readonly setCaps: (by: SignedIn, caps: WorkspaceCaps) => Act<Changed>
    /** Owners. */
    readonly setPostalAddress: (by: SignedIn, postalAddress: string) => Act<Changed>
    /** Whether keys may reply to threads. Turning it off: any member. On: owners, after a fresh sign-in. */
    readonly setReplySend: (by: SignedIn, on: boolean) => Act<Changed>
    /** Leaving people out is stricter than letting them wait. */
    readonly setOverlap: (by: SignedIn, overlap: Overlap) => Act<Changed>

    /**
     * Notes who starts a list as a key, before its call is made: the key's ledger doesn't know. `requestId`: of the call.
     * Returns the entry's id.
     */
    readonly noteList: (
      by: SignedIn,
      list: { readonly keyId: string; readonly verb: string; readonly rows: number; readonly requestId: string }
    ) => Read<string>

    readonly previewKill: (by: SignedIn) => Read<KillPreview>
    /** Owners; works with a stale sign-in too. `reason`: 1 to 500 characters. Answers within about ten seconds. */
    readonly kill: (by: SignedIn, reason: string) => Act<KillResult>
    /** Owners, after a fresh sign-in. False: sending was not suspended. Campaigns that the kill paused stay paused. */
    readonly clearSuspension: (by: SignedIn) => Act<boolean>

    /** Oldest first. */
    readonly members: (by: SignedIn) => Read<ReadonlyArray<Member>>
    /** Owners, after a fresh sign-in. An existing member keeps their role. The caller sends the invitation. */
    readonly inviteMember: (by: SignedIn, email: string, role: Role) => Act<Member>
    /** Owners; making someone an owner also needs a fresh sign-in. */
    readonly setRole: (by: SignedIn, userId: string, role: Role) => Act<void>
    /** Owners; members may also remove themselves. */
    readonly removeMember: (by: SignedIn, userId: string) => Act<void>
  }
>()("@outbound/domain/control/Control") {}
