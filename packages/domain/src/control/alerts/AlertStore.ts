import { DAY_MILLIS } from "../../kernel/durations.js"
import { Context } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/**
 * What owners are alerted to.
 *
 * - `low_balance`: the available balance fell below the workspace's threshold. Subject: the workspace.
 * - `key_cap`: a key used 80 or 100 % of its monthly cap. Subject: the key, one alert per share.
 * - `mailbox_paused`: a mailbox was paused. `campaign_capacity`: a campaign was paused for lack of capacity.
 * - `webhook_failing`: a webhook accepted nothing for an hour.
 * - `payment_returned`: a payment was refunded or disputed, so that its credits are taken back.
 * - `domain_records`: a sending domain's DNS records were not set as approved, or not found in time.
 * - `records_missing`: records of a domain that was green are gone. `dmarc_failing`: its own mail fails DMARC.
 * - `blocklisted`, `delisted`: a blocklist lists the domain or its server, or no longer does. Subject: the domain's id,
 *   the list's zone and what is listed.
 * - `domain_not_authenticated`: a domain that mailboxes send from fails SPF, DKIM or DMARC. Subject: the domain.
 * - `bounces_high`: too much of what a mailbox sent went to addresses that don't exist; a little more, and it stops.
 *   Subject: the mailbox's address.
 * - `link_host`: a host of the workspace's own for links does not answer any more, or a blocklist names it. Subject: the host,
 *   or the host and the list's zone.
 * - `person_asked`: a person asks for their data, or to be erased. Subject: the lead's id and what is asked.
 */
export const ALERT_KINDS = [
  "low_balance",
  "key_cap",
  "mailbox_paused",
  "campaign_capacity",
  "webhook_failing",
  "payment_returned",
  "domain_records",
  "records_missing",
  "dmarc_failing",
  "blocklisted",
  "delisted",
  "person_asked",
  "domain_not_authenticated",
  "bounces_high",
  "link_host"
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Shares of a monthly cap, in percent, that raise an alert. */
export const CAP_SHARES = [80, 100] as const

/** A subject raises at most one alert in this time. */
export const ALERT_REPEAT_MILLIS = DAY_MILLIS

/** How long a webhook may fail before it raises an alert. */
export const WEBHOOK_FAILING_MILLIS = 60 * 60_000

/** The default threshold: this share, in percent, of the last top-up or grant, and at least this amount. */
export const THRESHOLD_SHARE = 20
export const THRESHOLD_LEAST = "50"

/** A condition that has not raised its alert yet. */
export interface AlertCause {
  readonly workspaceId: string
  readonly kind: AlertKind
  /** The subject's id (plus the share for `key_cap`), or a mailbox's address. */
  readonly subject: string
  /** Identifies the occurrence; each raises one alert. */
  readonly period: string
  /** The subject's display name; "" for the workspace itself. */
  readonly name: string
  /** Display text: the available balance, the share in percent, the pause's reason, the start of the failure, US cents, or why records were not set. */
  readonly says: string
}

export interface Alert extends AlertCause {
  readonly alertId: string
  readonly raisedAtMillis: number
  /** When all emails were sent; null: not yet. */
  readonly mailedAtMillis: number | null
}

/** An alert in a list. Open: it is the newest of its subject, and its condition still holds. */
export interface ListedAlert extends Alert {
  readonly isOpen: boolean
}

/** Only a workspace's newest alerts, up to this many, can be open. */
export const OPEN_ALERTS_MAX = 200

/** An alert that is due for emailing, its recipients and its workspace. */
export interface UnmailedAlert {
  readonly alert: Alert
  readonly workspaceName: string
  readonly owners: ReadonlyArray<string>
}

export class AlertStore extends Context.Service<
  AlertStore,
  {
    /** Up to `limit` current conditions of a kind without an alert. */
    readonly causes: (kind: AlertKind, nowMillis: number, limit: number) => FromStore<ReadonlyArray<AlertCause>>
    /** Raises alerts; skips those that another host raised. */
    readonly raise: (alerts: ReadonlyArray<Alert>) => InTx<void>
    /** Newest first. `before`: the last alert of the previous page. */
    readonly list: (
      workspaceId: string,
      nowMillis: number,
      limit: number,
      before: string | null
    ) => FromStore<ReadonlyArray<ListedAlert>>
    /**
     * Claims up to `limit` alerts raised since then whose emails were not all sent. A claim lapses after `retryMillis`;
     * an alert is claimed at most `attemptsMax` times.
     */
    readonly takeUnmailed: (options: {
      readonly sinceMillis: number
      readonly nowMillis: number
      readonly retryMillis: number
      readonly attemptsMax: number
      readonly limit: number
    }) => InTx<ReadonlyArray<UnmailedAlert>>
    readonly markMailed: (alert: Alert, nowMillis: number) => InTx<void>
    /** Deletes up to `limit` alerts raised before then. Returns how many there were. */
    readonly purge: (beforeMillis: number, limit: number) => InTx<number>
    /** The workspace's setting; null: the default. */
    readonly threshold: (workspaceId: string) => FromStore<Credits | null>
    readonly setThreshold: (workspaceId: string, threshold: Credits | null) => InTx<void>
  }
>()("@outbound/domain/control/alerts/AlertStore") {}
