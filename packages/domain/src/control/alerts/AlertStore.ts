import { Context, type Effect } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/**
 * What owners are told of.
 *
 * - `low_balance`: what can be spent fell below the workspace's threshold; about the workspace;
 * - `key_cap`: a key used 80 or 100 % of its monthly cap; about the key, each share by itself;
 * - `mailbox_paused`, `campaign_capacity`: a mailbox was paused; a campaign was, for want of capacity;
 * - `webhook_failing`: a webhook took nothing for an hour.
 */
export const ALERT_KINDS = ["low_balance", "key_cap", "mailbox_paused", "campaign_capacity", "webhook_failing"] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** The shares of a monthly cap, in percent, at which owners are told. */
export const CAP_SHARES = [80, 100] as const

/** One thing is told of at most once in this time. */
export const ALERT_REPEAT_MILLIS = 24 * 60 * 60_000

/** For how long a webhook may fail unsaid. */
export const WEBHOOK_FAILING_MILLIS = 60 * 60_000

/** The threshold where none is set: this share, in percent, of the last top-up or grant, and no less than this. */
export const THRESHOLD_SHARE = 20
export const THRESHOLD_LEAST = "50"

/** Something that owners are to be told of, and were not yet. */
export interface AlertCause {
  readonly workspaceId: string
  readonly kind: AlertKind
  /** What it is about: an id of the workspace's, with the share for `key_cap`; an address for a mailbox. */
  readonly subject: string
  /** Which of its times it is: one of them is told of once. */
  readonly period: string
  /** What a person calls the subject; "" for the workspace itself. */
  readonly name: string
  /** What can be spent, the share in percent, the reason of a pause, or since when it fails: for a person to read. */
  readonly says: string
}

export interface Alert extends AlertCause {
  readonly alertId: string
  readonly raisedAtMillis: number
  /** When the letters to its owners had left; null: they have not. */
  readonly mailedAtMillis: number | null
}

/** As a list shows it. Open: it is the newest about its subject, and what it tells of still is so. */
export interface ListedAlert extends Alert {
  readonly isOpen: boolean
}

/** How many of a workspace's newest alerts count as open at most. */
export const OPEN_ALERTS_MAX = 200

/** An alert whose letters are to be sent now, to whom, and for which workspace. */
export interface UnmailedAlert {
  readonly alert: Alert
  readonly workspaceName: string
  readonly owners: ReadonlyArray<string>
}

export class AlertStore extends Context.Tag("@outbound/domain/control/alerts/AlertStore")<
  AlertStore,
  {
    /** Up to `limit` causes of a kind that stand now, and of which nothing was raised. */
    readonly causes: (
      kind: AlertKind,
      nowMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<AlertCause>, StoreUnavailable>
    /** Raises them; one that another host has raised meanwhile stays as it is. */
    readonly raise: (alerts: ReadonlyArray<Alert>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Newest first; `before`: the last alert of the page before. */
    readonly list: (
      workspaceId: string,
      nowMillis: number,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<ListedAlert>, StoreUnavailable>
    /**
     * Takes up to `limit` alerts raised since then whose letters have not left. Each is anybody's again after
     * `retryMillis`, at most `attemptsMax` times.
     */
    readonly takeUnmailed: (options: {
      readonly sinceMillis: number
      readonly nowMillis: number
      readonly retryMillis: number
      readonly attemptsMax: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<UnmailedAlert>, StoreUnavailable, Tx>
    readonly markMailed: (alert: Alert, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Forgets up to `limit` alerts raised before then. How many there were. */
    readonly purge: (beforeMillis: number, limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
    /** What the workspace set; null: the default. */
    readonly threshold: (workspaceId: string) => Effect.Effect<Credits | null, StoreUnavailable>
    readonly setThreshold: (workspaceId: string, threshold: Credits | null) => Effect.Effect<void, StoreUnavailable, Tx>
  }
>() {}
