import { ChatFailure, type ChatMessage, ChatSender } from "@outbound/domain/control/notices/ChatSender.js"
import { Context, Effect, Layer, Redacted } from "effect"

export interface PostedMessage extends Omit<ChatMessage, "url"> {
  readonly url: string
}

/** All chat channels, as one scripted product. */
export class ScriptedChat extends Context.Service<
  ScriptedChat,
  {
    /** The messages posted to an address in order, rejected ones included. */
    readonly messages: (url: string) => ReadonlyArray<PostedMessage>
    /** Sets what an address does with a message; null: takes it. */
    readonly react: (url: string, reaction: Effect.Effect<void, ChatFailure> | null) => void
  }
>()("@outbound/testkit/webhooks/ScriptedChat") {}

/** Answers with this status. */
export const chatAnswering = (
  status: number,
  retryAfterMillis: number | null = null
): Effect.Effect<never, ChatFailure> =>
  Effect.fail(new ChatFailure({ reason: "status", status, retryAfterMillis, mayHaveArrived: true }))

export const layer: Layer.Layer<ScriptedChat | ChatSender> = Layer.effectContext(
  Effect.sync(() => {
    const posted: Array<PostedMessage> = []
    const reactions = new Map<string, Effect.Effect<void, ChatFailure>>()
    const sender = ChatSender.of({
      post: (message) =>
        Effect.suspend(() => {
          const url = Redacted.value(message.url)
          posted.push({ ...message, url })
          return reactions.get(url) ?? Effect.void
        })
    })
    const chat = ScriptedChat.of({
      messages: (url) => posted.filter((message) => message.url === url),
      react: (url, reaction) => void (reaction === null ? reactions.delete(url) : reactions.set(url, reaction))
    })
    return Context.merge(Context.make(ChatSender, sender), Context.make(ScriptedChat, chat))
  })
)
