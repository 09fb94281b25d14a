import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { baseUrl } from "./Host.js"

/** What a request over HTTP came to, by the names on the wire. */
export interface Got {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted member by member
  readonly body: any
}

export const OLDER = { "mcp-protocol-version": "2025-11-25" } as const

const ACCEPT = { "content-type": "application/json", accept: "application/json, text/event-stream" } as const

const parsed = (text: string): unknown => {
  if (text === "") return null
  if (!text.startsWith("event:") && !text.startsWith(":")) return JSON.parse(text)
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as unknown)
  return events.at(-1)
}

/** One request to the endpoint, said exactly. */
export const post = (
  body: unknown,
  headers: Readonly<Record<string, string>>,
  method = "POST"
): Effect.Effect<Got, never, Effect.Services<typeof baseUrl>> =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}/mcp`, {
        method,
        headers: { ...ACCEPT, ...headers },
        ...(method === "GET" ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
    })
  )

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })

export interface CallOptions {
  readonly id?: number
  /** Members of the parameters beside the tool and its arguments. */
  readonly more?: Readonly<Record<string, unknown>>
  readonly capabilities?: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A tool's call as the older revisions send it. */
export const olderCall = (apiKey: string, name: string, given: unknown, options: CallOptions = {}) =>
  post(
    {
      jsonrpc: "2.0",
      id: options.id ?? 1,
      method: "tools/call",
      params: { name, arguments: given, ...(options.meta === undefined ? {} : { _meta: options.meta }) }
    },
    { ...bearer(apiKey), ...OLDER }
  )

/** A tool's call as 2026-07-28 sends it. */
export const newerCall = (apiKey: string, name: string, given: unknown, options: CallOptions = {}) =>
  post(
    {
      jsonrpc: "2.0",
      id: options.id ?? 1,
      method: "tools/call",
      params: {
        name,
        arguments: given,
        ...options.more,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": options.capabilities ?? {},
          "io.modelcontextprotocol/clientInfo": { name: "a test", version: "1" },
          ...options.meta
        }
      }
    },
    {
      ...bearer(apiKey),
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name
    }
  )

export const listTools = (headers: Readonly<Record<string, string>>) =>
  post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { ...OLDER, ...headers })

/** A fresh workspace's key. */
export const apiKey = Effect.map(makeClient(), (client) => client.apiKey)
