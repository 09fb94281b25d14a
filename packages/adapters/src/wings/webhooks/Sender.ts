import { WebhookFailure, type WebhookMessage, WebhookSender } from "@outbound/domain/wings/webhooks/WebhookSender.js"
import { Effect, Layer, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { makePost, type PostOptions } from "../../webhooks/guardedPost.js"

/** `v1` with each secret, newest first (Standard Webhooks, "signature scheme"). */
const signatures = ({ body, id, secrets, sentAtMillis }: WebhookMessage): string =>
  secrets.map((secret) => new Webhook(Redacted.value(secret)).sign(id, new Date(sentAtMillis), body)).join(" ")

/** The headers of a message. The signature covers id, time and body. */
export const headersOf = (message: WebhookMessage): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": "outbound-webhooks/1",
  "webhook-id": message.id,
  "webhook-timestamp": String(Math.floor(message.sentAtMillis / 1_000)),
  "webhook-signature": signatures(message)
})

/** Sends Standard Webhooks messages. */
export const layer = (options: PostOptions): Layer.Layer<WebhookSender> =>
  Layer.sync(WebhookSender, () => {
    const post = makePost(options)
    return {
      send: (message) => {
        const { body, sentAtMillis, url, workspaceKind } = message
        return Effect.mapError(
          post({ url, workspaceKind, headers: headersOf(message), body, nowMillis: sentAtMillis }),
          ({ reason, retryAfterMillis, status }) => new WebhookFailure({ reason, retryAfterMillis, status })
        )
      }
    }
  })
