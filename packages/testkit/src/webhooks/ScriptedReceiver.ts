import { WebhookFailure, type WebhookMessage, WebhookSender } from "@outbound/domain/control/webhooks/WebhookSender.js"
import { Context, Effect, Layer } from "effect"

/** What a receiver does with a message; null: it takes it. */
export type Reaction = (message: WebhookMessage) => Effect.Effect<void, WebhookFailure>

/** Every endpoint that events are sent to, as one receiver that does as it is told. */
export class ScriptedReceiver extends Context.Tag("@outbound/testkit/webhooks/ScriptedReceiver")<
  ScriptedReceiver,
  {
    /** The messages that were sent to an address, in their order, also those that it did not take. */
    readonly messages: (url: string) => ReadonlyArray<WebhookMessage>
    /** What an address does from now on. */
    readonly react: (url: string, reaction: Reaction) => void
  }
>() {}

/** It answers so. */
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
