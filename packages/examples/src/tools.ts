/*
 * An assistant calls the service by MCP: it reads which tools there are, uses them, and, where a human must approve, shows
 * where. This is what such a client does on its model's behalf.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { Place } from "./overHttp.js"

/** The envelope of REST, as the tools hand it on. */
interface Structured {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: string }
}

/** Says what came of it, a line each. */
export const tools = async ({ apiKey, url }: Place): Promise<ReadonlyArray<string>> => {
  const client = new Client({ name: "example", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } }
  })
  await client.connect(transport)
  try {
    const use = async (name: string, given: Record<string, unknown> = {}): Promise<Structured> =>
      (await client.callTool({ name, arguments: given })).structuredContent as Structured

    const { tools: offered } = await client.listTools()
    const asking = offered.filter(({ annotations }) => annotations?.destructiveHint === true).map(({ name }) => name)
    const checked = await use("verify_email", { email: "valid@magic.test" })
    const refused = await use("get_operation", { operation_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70" })
    const quoted = await use("setup_sending", {
      daily_sends: 25,
      brand: "example",
      identity: { first_name: "Ada", last_name: "Lovelace" }
    })
    return [
      `${offered.length} tools, ${asking.length} of which change what can't be changed back`,
      `valid@magic.test is ${String(checked.result?.["status"])}`,
      `get_operation was refused: ${String(refused.error?.code)}`,
      `a human approves at ${String(quoted.result?.["approval_url"])}`
    ]
  } finally {
    await client.close()
  }
}
