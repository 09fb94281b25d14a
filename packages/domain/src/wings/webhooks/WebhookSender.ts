import { Context, Data, type Effect, type Redacted } from "effect"
import type { WebhookFailureReason } from "../../control/webhooks/failures.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"

/** One message of Standard Webhooks. */
export interface WebhookMessage {
  readonly url: string
  /**
   * A sandbox's endpoint may be on this machine's loopback, also over plain http; a live workspace's must be on the
   * internet.
   */
  readonly workspaceKind: WorkspaceKind
  /** `webhook-id`: the same for each attempt. */
  readonly id: string
  readonly sentAtMillis: number
  /** The exact bytes that are signed. */
  readonly body: string
  /** `whsec_…`, newest first. The message carries one signature per secret. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

export class WebhookFailure extends Data.TaggedError("WebhookFailure")<{
  readonly reason: WebhookFailureReason
  /** The HTTP status; null: no answer. */
  readonly status: number | null
  /** The receiver's `Retry-After`; null: none. */
  readonly retryAfterMillis: number | null
}> {}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Makes one attempt and returns its 2xx status. Ends within about ten seconds. */
    readonly send: (message: WebhookMessage) => Effect.Effect<number, WebhookFailure>
  }
>()("@outbound/domain/wings/webhooks/WebhookSender") {}
