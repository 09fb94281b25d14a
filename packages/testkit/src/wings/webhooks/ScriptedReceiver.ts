import { WebhookFailure, type WebhookMessage, WebhookSender } from "@outbound/domain/wings/webhooks/WebhookSender.js"
import { Context, Effect, Layer } from "effect"

/** A receiver's reaction to a message; null: accepts it. */
export type Reaction = (message: WebhookMessage) => Effect.Effect<void, WebhookFailure>

/** All webhook endpoints, as one scripted receiver. */
export class ScriptedReceiver extends Context.Service<
  ScriptedReceiver,
  {
    /** The messages sent to an address in order, rejected ones included. */
    readonly messages: (url: string) => ReadonlyArray<WebhookMessage>
    /** Sets an address's reaction. */
    readonly react: (url: string, reaction: Reaction) => void
  }
>()("@outbound/testkit/wings/webhooks/ScriptedReceiver") {}

/** Answers with this status. */
export const answering = (
  status: number,
  retryAfterMillis: number | null = null
): Effect.Effect<never, WebhookFailure> =>
  Effect.fail(new WebhookFailure({ reason: "status", status, retryAfterMillis }))

export const layer: Layer.Layer<ScriptedReceiver | WebhookSender> = Layer.effectContext(
  Effect.sync(() => {
    const sent: Array<WebhookMessage> = []
    const reactions = new Map<string, Reaction>()
    const sender = WebhookSender.of({
      send: (message) =>
        Effect.suspend(() => {
          sent.push(message)
          const reaction = reactions.get(message.url)
          return Effect.as(reaction === undefined ? Effect.void : reaction(message), 200)
        })
    })
    const receiver = ScriptedReceiver.of({
      messages: (url) => sent.filter((message) => message.url === url),
      react: (url, reaction) => void reactions.set(url, reaction)
    })
    return Context.merge(Context.make(WebhookSender, sender), Context.make(ScriptedReceiver, receiver))
  })
)
