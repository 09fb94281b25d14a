import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Effect } from "effect"
import { baseUrl } from "./Host.js"

export interface Options {
  readonly key?: string
  readonly run?: string
}

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The members of an envelope, or of an error. */
export type Members = Readonly<Record<string, unknown>>

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })

const headersOf = ({ key, run }: Options) => ({
  ...(key === undefined ? {} : { "idempotency-key": key }),
  ...(run === undefined ? {} : { "svc-run-id": run })
})

export const fetched = (path: string, init: RequestInit) =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.promise(async (): Promise<Got> => {
      const response = await fetch(`${url}${path}`, init)
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  )

/** A call by REST, as its route has it. */
export const byRest = (apiKey: string, verb: AnyVerb, input: JsonObject, options: Options = {}) => {
  const { method, path } = verb.route
  const named = new Set([...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name))
  const at = path.replace(/:(\w+)/g, (_, name: string) => String(input[name]))
  const rest = Object.entries(input).filter(([name]) => !named.has(name))
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]))
  const headers = { ...bearer(apiKey), "content-type": "application/json", ...headersOf(options) }
  return fetched(method === "GET" ? `${at}?${query}` : at, {
    method,
    headers,
    ...(method === "GET" ? {} : { body: JSON.stringify(Object.fromEntries(rest)) })
  })
}

/** The line of a request. */
export const message = (tag: string, payload: unknown, options: Options = {}, id = "7") =>
  `${JSON.stringify({ _tag: "Request", id, tag, payload, headers: Object.entries(headersOf(options)) })}\n`

export const postLine = (apiKey: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetched("/rpc", {
    method: "POST",
    headers: { ...bearer(apiKey), "content-type": "application/ndjson", ...headers },
    body
  })

/** The same call by RPC, on the wire. */
export const byRpc = (apiKey: string, verb: AnyVerb, input: unknown, options: Options = {}) =>
  postLine(apiKey, message(verb.name, input, options))

/** What an RPC answer holds, as REST would have written it. */
export const envelopeOf = ({ text }: Got): Members => {
  const { _tag, defect, exit } = JSON.parse(text)
  if (_tag === "Defect") return { error: defect }
  return exit._tag === "Success" ? exit.value : { error: exit.cause[0].error }
}

/** Without what differs between any two calls: ids, times, tokens. */
export const timeless = (envelope: unknown): unknown =>
  JSON.parse(
    JSON.stringify(envelope)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "an id")
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "a time")
      .replace(/svc_(confirm|key)_[\w-]+/g, "a token")
      .replace(/"remaining":\d+/g, '"remaining":0')
  )
