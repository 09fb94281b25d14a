import { ChatFailure, ChatSender } from "@outbound/domain/control/notices/ChatSender.js"
import { Clock, Effect, Layer, Redacted } from "effect"
import { makePost, type PostOptions } from "./guardedPost.js"

const HEADERS = { "content-type": "application/json", "user-agent": "outbound-notices/1" }

/** Posts to incoming webhooks, guarded as webhooks are. An answer other than 2xx says what became of the message. */
export const layer = (options: PostOptions): Layer.Layer<ChatSender> =>
  Layer.sync(ChatSender, () => {
    const post = makePost(options)
    return {
      post: ({ body, url, workspaceKind }) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          post({ url: Redacted.value(url), workspaceKind, headers: HEADERS, body, nowMillis })
        ).pipe(
          Effect.asVoid,
          Effect.mapError(
            ({ reason, retryAfterMillis, status, wasConnected }) =>
              new ChatFailure({ reason, retryAfterMillis, status, mayHaveArrived: wasConnected })
          )
        )
    }
  })
