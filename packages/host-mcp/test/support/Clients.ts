import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as OldTransportLike } from "@modelcontextprotocol/sdk/shared/transport.js"

/** What a tool's call comes to, as a client reads it. */
export interface ToolResult {
  readonly isError?: boolean
  readonly text: string
  /** The whole envelope. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
  readonly structured: any
}

export interface Told {
  readonly progress: number
  readonly message?: string | undefined
}

/** What clients of both generations offer a test. */
export interface ToolClient {
  readonly tools: () => Promise<ReadonlyArray<Readonly<Record<string, unknown>> & { readonly name: string }>>
  readonly call: (
    name: string,
    given?: Record<string, unknown>,
    onProgress?: (told: Told) => void
  ) => Promise<ToolResult>
  readonly prompts: () => Promise<ReadonlyArray<Readonly<Record<string, unknown>> & { readonly name: string }>>
  /** The text that a person would send. */
  readonly prompt: (name: string, given?: Readonly<Record<string, string>>) => Promise<string>
  readonly instructions: () => string | undefined
  readonly version: () => unknown
  readonly close: () => Promise<void>
}

const toResult = (result: unknown): ToolResult => {
  const { content, isError, structuredContent } = result as {
    readonly content: ReadonlyArray<{ readonly text: string }>
    readonly isError?: boolean
    readonly structuredContent: unknown
  }
  return {
    ...(isError === undefined ? {} : { isError }),
    text: content.map(({ text }) => text).join("\n"),
    structured: structuredContent
  }
}

const INFO = { name: "a test", version: "1" }

/** Brings the human to the URL, or does not. */
export type Human = (url: string) => Promise<"accept" | "decline" | "cancel">

export interface ClientOptions {
  /** Absent: the client says that it cannot bring anybody to a URL. */
  readonly human?: Human
}

/** The client of last year: revisions up to 2025-11-25. */
export const oldClient = async (transport: OldTransportLike, options: ClientOptions = {}): Promise<ToolClient> => {
  const client = new OldClient(INFO, { capabilities: options.human === undefined ? {} : { elicitation: { url: {} } } })
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, given = {}, onprogress) =>
      toResult(
        await client.callTool({ name, arguments: given }, undefined, onprogress === undefined ? {} : { onprogress })
      ),
    prompts: async () => (await client.listPrompts()).prompts as never,
    prompt: async (name, given = {}) =>
      (await client.getPrompt({ name, arguments: { ...given } })).messages
        .map(({ content }) => (content as { readonly text: string }).text)
        .join("\n"),
    instructions: () => client.getInstructions(),
    version: () => client.getServerVersion(),
    close: () => client.close()
  }
}

/** The client of today; `mode` says which revisions it speaks. */
export const newClient = async (
  transport: Parameters<NewClient["connect"]>[0],
  mode: "auto" | "legacy" | { readonly pin: string },
  options: ClientOptions = {}
): Promise<ToolClient> => {
  const { human } = options
  const client = new NewClient(INFO, {
    capabilities: human === undefined ? {} : { elicitation: { url: {} } },
    versionNegotiation: { mode }
  })
  if (human !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: await human((params as unknown as { readonly url: string }).url)
    }))
  }
  await client.connect(transport)
  return {
    tools: async () => (await client.listTools()).tools as never,
    call: async (name, given = {}, onprogress) =>
      toResult(await client.callTool({ name, arguments: given }, onprogress === undefined ? {} : { onprogress })),
    prompts: async () => (await client.listPrompts()).prompts as never,
    prompt: async (name, given = {}) =>
      (await client.getPrompt({ name, arguments: { ...given } })).messages
        .map(({ content }) => (content as { readonly text: string }).text)
        .join("\n"),
    instructions: () => client.getInstructions(),
    version: () => client.getServerVersion(),
    close: () => client.close()
  }
}

const endpoint = (baseUrl: string) => new URL(`${baseUrl}/mcp`)
const withKey = (apiKey: string) => ({ requestInit: { headers: { authorization: `Bearer ${apiKey}` } } })

/** Every kind of client there is, over HTTP. */
export const CLIENTS = {
  "SDK 1.x (2025-11-25)": (baseUrl: string, apiKey: string, options?: ClientOptions) =>
    oldClient(new OldTransport(endpoint(baseUrl), withKey(apiKey)) as OldTransportLike, options),
  "client 2.x on 2025-11-25": (baseUrl: string, apiKey: string, options?: ClientOptions) =>
    newClient(new NewTransport(endpoint(baseUrl), withKey(apiKey)), "legacy", options),
  "client 2.x on 2026-07-28": (baseUrl: string, apiKey: string, options?: ClientOptions) =>
    newClient(new NewTransport(endpoint(baseUrl), withKey(apiKey)), { pin: "2026-07-28" }, options)
} as const
