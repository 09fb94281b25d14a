import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../ports/UnitOfWork.js"
import type { WordsSettings } from "../words/notice.js"

/** Fixed at creation: a sandbox never sends real mail, a live workspace never sees the sandbox. */
export type WorkspaceKind = "sandbox" | "live"

export interface WorkspaceCaps {
  readonly dailySends: number
  readonly dailyReplies: number
  readonly mailboxDailyReplies: number
  readonly mailboxDailySends: number
  /** The breaker acts on refusals of the sender by policy (5.7.x, 4.7.x) from so many refused people on. */
  readonly refusalsMin: number
  /** Largest share of refused people, in percent: of all that a mailbox wrote to, and of those at one organisation. */
  readonly mailboxRefusalsPercent: number
  readonly receiverRefusalsPercent: number
}

export const DEFAULT_CAPS: WorkspaceCaps = {
  dailySends: 500,
  dailyReplies: 100,
  mailboxDailyReplies: 20,
  mailboxDailySends: 25,
  refusalsMin: 5,
  mailboxRefusalsPercent: 20,
  receiverRefusalsPercent: 40
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

/**
 * What becomes of a person whom another campaign of the workspace wrote to in the last 30 days: `refuse` leaves them out of
 * the campaign for good, `queue` lets them wait until that time is over.
 */
export const OVERLAPS = ["refuse", "queue"] as const
export type Overlap = (typeof OVERLAPS)[number]

/** Whether the workspace may send. Each claim of a message locks it shared; a kill locks it exclusively. */
export interface SendingState {
  readonly suspendedAtMillis: number | null
  readonly suspendedReason: string | null
}

/** What a workspace has sent since midnight UTC. `replies` counts possibly sent ones too, as its cap does. */
export interface SentToday {
  readonly sends: number
  readonly launches: number
  readonly replies: number
}

export interface WorkspaceSummary {
  readonly workspaceId: string
  readonly name: string
  readonly kind: WorkspaceKind
  /** The first owner's address. */
  readonly ownerEmail: string | null
}

/**
 * For how many full months a workspace's calls and trail stay in the database at least: 0 for ever, and null as long as
 * the archiving command says.
 */
export interface Retention {
  readonly callMonths: number | null
  readonly trailMonths: number | null
}

export class WorkspaceStore extends Context.Service<
  WorkspaceStore,
  {
    /** Creates the workspace with an empty credit account and its sending row. */
    readonly insert: (workspace: Workspace) => InTx<void>
    readonly get: (workspaceId: string) => FromStore<Option.Option<Workspace>>
    /** All workspaces of the service, for its operator: oldest first, at most `max`. */
    readonly list: (max: number) => FromStore<ReadonlyArray<WorkspaceSummary>>
    /** Locks the sending row exclusively: waits for open claims, and blocks new ones until the transaction ends. */
    readonly lockSending: (workspaceId: string) => InTx<SendingState>
    readonly setSending: (workspaceId: string, state: SendingState) => InTx<void>
    /** Locks the workspace's row, which guards its caps and address. */
    readonly lock: (workspaceId: string) => InTx<Option.Option<Workspace>>
    /** Writes caps and postal address, the only fields that change. */
    readonly update: (workspace: Workspace) => InTx<void>
    /** Locks the sending row shared: a kill waits for this transaction. */
    readonly shareSending: (workspaceId: string) => InTx<SendingState>
    readonly sending: (workspaceId: string) => FromStore<SendingState>
    /** Whether replies may be sent (`reply_to_thread`); on at first. */
    readonly replySend: (workspaceId: string) => FromStore<boolean>
    readonly setReplySend: (workspaceId: string, enabled: boolean) => InTx<void>
    /** `refuse` at first. */
    readonly overlap: (workspaceId: string) => FromStore<Overlap>
    readonly setOverlap: (workspaceId: string, overlap: Overlap) => InTx<void>
    /** What recipients are told by their country; at first nothing. */
    readonly words: (workspaceId: string) => FromStore<WordsSettings>
    readonly setWords: (workspaceId: string, words: WordsSettings) => InTx<void>
    /** At first, as the archiving command says. */
    readonly retention: (workspaceId: string) => FromStore<Retention>
    readonly setRetention: (workspaceId: string, retention: Retention) => InTx<void>
    /** `dayStartMillis`: midnight UTC. */
    readonly sentToday: (workspaceId: string, dayStartMillis: number) => FromStore<SentToday>
  }
>()("@outbound/domain/kernel/workspaces/WorkspaceStore") {}
