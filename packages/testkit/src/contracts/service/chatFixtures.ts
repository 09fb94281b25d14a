import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect } from "effect"
import { type CallOptions, type Client, send } from "../../service/Client.js"
import type { Listener } from "../../service/Listener.js"
import { resultOf } from "./support.js"

export const ask = (content: unknown, fields: JsonObject = {}): JsonObject => ({
  model: "sandbox-large",
  messages: [{ role: "user", content: content as string }],
  ...fields
})

/** A chat that is answered by events, if its listener is there to take them. */
export const listen = (client: Client, input: JsonObject, listener: Listener, options: CallOptions = {}) =>
  send(client.apiKey, "llm_chat", { stream: true, ...input }, { ...options, sink: listener.sink })

export const said = (listener: Listener): string =>
  listener.events.map((event) => event.choices?.[0]?.delta?.content ?? "").join("")

/** The record of a call, as its caller reads it. */
export const recordOf = (client: Client, requestId: string) =>
  Effect.map(client.call("get_request", { request_id: requestId }), resultOf)
