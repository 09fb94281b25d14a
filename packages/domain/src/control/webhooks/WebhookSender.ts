import { Context, Data, type Effect, type Redacted } from "effect"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"

/** One message of Standard Webhooks, as it is to be sent. */
export interface WebhookMessage {
  readonly url: string
  /** A sandbox may be told on this machine's own loopback, over plain http too; a live workspace on the internet alone. */
  readonly workspaceKind: WorkspaceKind
  /** `webhook-id`: the same each time that the message is sent. */
  readonly id: string
  readonly sentAtMillis: number
  /** The body, byte for byte what is signed. */
  readonly body: string
  /** `whsec_…`, newest first: the message carries a signature by each. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/**
 * Why a message was not taken.
 *
 * - `status`: another status than 2xx; `redirect`: sent elsewhere, where it does not go;
 * - `timeout`: no answer in time; `unreachable`: no address, no connection, or not HTTP;
 * - `forbidden_address`: the name leads to an address that is not public.
 */
export const WEBHOOK_FAILURES = ["status", "redirect", "timeout", "unreachable", "forbidden_address"] as const
export type WebhookFailureReason = (typeof WEBHOOK_FAILURES)[number]

export class WebhookFailure extends Data.TaggedError("WebhookFailure")<{
  readonly reason: WebhookFailureReason
  /** What was answered; null where nothing was. */
  readonly status: number | null
  /** For how long the receiver asks to be left alone; null where it says nothing. */
  readonly retryAfterMillis: number | null
}> {}

export class WebhookSender extends Context.Tag("@outbound/domain/control/webhooks/WebhookSender")<
  WebhookSender,
  {
    /** Sends it once, and gives the 2xx status that it was taken with. It ends by itself within some ten seconds. */
    readonly send: (message: WebhookMessage) => Effect.Effect<number, WebhookFailure>
  }
>() {}
