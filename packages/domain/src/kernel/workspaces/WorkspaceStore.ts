import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../ports/UnitOfWork.js"

/** Fixed when the workspace is created: a sandbox never sends real mail, a live one never sees the sandbox. */
export type WorkspaceKind = "sandbox" | "live"

export interface WorkspaceCaps {
  readonly dailySends: number
  readonly dailyReplies: number
  readonly mailboxDailyReplies: number
  readonly mailboxDailySends: number
}

export const DEFAULT_CAPS: WorkspaceCaps = {
  dailySends: 500,
  dailyReplies: 100,
  mailboxDailyReplies: 20,
  mailboxDailySends: 25
}

export interface Workspace {
  readonly workspaceId: string
  readonly name: string
  readonly kind: WorkspaceKind
  /** Required to launch (CAN-SPAM); appended to every message. */
  readonly postalAddress: string | null
  readonly caps: WorkspaceCaps
  readonly createdAtMillis: number
}

/** Whether the workspace may send. Every claim of a message holds it shared; a kill takes it exclusively. */
export interface SendingState {
  readonly suspendedAtMillis: number | null
  readonly suspendedReason: string | null
}

/** What a workspace has sent since midnight UTC. `replies`: as its cap counts them, those that may have been sent too. */
export interface SentToday {
  readonly sends: number
  readonly launches: number
  readonly replies: number
}

/** A workspace as a list shows it. */
export interface WorkspaceSummary {
  readonly workspaceId: string
  readonly name: string
  readonly kind: WorkspaceKind
  /** Of its first owner. */
  readonly ownerEmail: string | null
}

export class WorkspaceStore extends Context.Tag("@outbound/domain/kernel/workspaces/WorkspaceStore")<
  WorkspaceStore,
  {
    /** Makes the workspace with its credit account (empty) and its sending row. */
    readonly insert: (workspace: Workspace) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly get: (workspaceId: string) => Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Of the whole service, for its operator: oldest first, at most so many. */
    readonly list: (max: number) => Effect.Effect<ReadonlyArray<WorkspaceSummary>, StoreUnavailable>
    /** The sending row, locked alone: it waits for every claim under way, and none begins before this transaction ends. */
    readonly lockSending: (workspaceId: string) => Effect.Effect<SendingState, StoreUnavailable, Tx>
    readonly setSending: (workspaceId: string, state: SendingState) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locks the workspace's own row, under which its caps and its address change. */
    readonly lock: (workspaceId: string) => Effect.Effect<Option.Option<Workspace>, StoreUnavailable, Tx>
    /** Writes caps and postal address; nothing else of a workspace ever changes. */
    readonly update: (workspace: Workspace) => Effect.Effect<void, StoreUnavailable, Tx>
    /** The sending row, locked shared: a kill waits for this transaction. */
    readonly shareSending: (workspaceId: string) => Effect.Effect<SendingState, StoreUnavailable, Tx>
    readonly sending: (workspaceId: string) => Effect.Effect<SendingState, StoreUnavailable>
    /** Whether answers in threads may be sent (`reply_to_thread`); on from the beginning. */
    readonly replySend: (workspaceId: string) => Effect.Effect<boolean, StoreUnavailable>
    readonly setReplySend: (workspaceId: string, enabled: boolean) => Effect.Effect<void, StoreUnavailable, Tx>
    /** `dayStartMillis`: the midnight (UTC) that began the day. */
    readonly sentToday: (workspaceId: string, dayStartMillis: number) => Effect.Effect<SentToday, StoreUnavailable>
  }
>() {}
