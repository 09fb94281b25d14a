import { Context, Data, type Effect, type Redacted } from "effect"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import type { WebhookFailureReason } from "../webhooks/failures.js"

export interface ChatMessage {
  /** Whoever knows it may post there. */
  readonly url: Redacted.Redacted
  /** As of a webhook: only a sandbox's channel may be on this machine. */
  readonly workspaceKind: WorkspaceKind
  readonly body: string
}

export class ChatFailure extends Data.TaggedError("ChatFailure")<{
  readonly reason: WebhookFailureReason
  readonly status: number | null
  readonly retryAfterMillis: number | null
  /** False: it certainly did not arrive, because no connection was made or the answer says so. */
  readonly mayHaveArrived: boolean
}> {}

/** Posts to incoming webhooks of chat products. */
export class ChatSender extends Context.Service<
  ChatSender,
  {
    /** Makes one attempt. Ends within about ten seconds. */
    readonly post: (message: ChatMessage) => Effect.Effect<void, ChatFailure>
  }
>()("@outbound/domain/control/notices/ChatSender") {}
