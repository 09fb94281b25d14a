import { Schema } from "effect"

/** Every kind of event (contract: trail, events). */
export const TRAIL_KINDS = [
  "admitted",
  "removed",
  "launch_requested",
  "launched",
  "sent",
  "reply",
  "bounce",
  "unsubscribe",
  "complaint",
  "stop",
  "status_set",
  "suppressed",
  "reply_requested",
  "reply_sent",
  "approval_requested",
  "approved",
  "declined",
  "approval_expired",
  "approval_cancelled",
  "purchase_requested",
  "purchased",
  "mailbox_active",
  "mailbox_paused",
  "pause_requested",
  "paused",
  "resumed",
  "completed",
  "killed",
  "suspension_cleared",
  "erased"
] as const

export const TrailKind = Schema.Literal(...TRAIL_KINDS).annotations({ identifier: "TrailKind" })
export type TrailKind = typeof TrailKind.Type

export const TRAIL_SOURCES = ["api", "console", "provider_webhook", "provider_poll", "system"] as const
export type TrailSource = (typeof TRAIL_SOURCES)[number]

/** One contact of a machine with a human for the workspace, written in the transaction of the change it reports. */
export interface TrailEvent {
  readonly eventId: string
  readonly workspaceId: string
  readonly kind: TrailKind
  readonly source: TrailSource
  readonly observedAtMillis: number
  readonly campaignId: string | null
  readonly campaignLeadId: string | null
  readonly replyId: string | null
  readonly requestId: string | null
  readonly operationId: string | null
  /** The person's normalised address. Stored apart from the event, for 24 months after the person was last seen. */
  readonly email: string | null
  readonly detail: Readonly<Record<string, unknown>>
}
