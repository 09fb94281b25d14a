import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio"
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import type { Transport as OldTransport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Home, shownKey } from "../../host-http/system/support/Program.js"
import { CLIENTS, newClient, oldClient, type ToolClient } from "../test/support/Clients.js"

const PROGRAM = fileURLToPath(new URL("../bin/outbound-mcp.mjs", import.meta.url))

let home: Home
let apiKey = ""

beforeAll(async () => {
  home = await Home.make()
  apiKey = shownKey(await home.serve())
})
afterAll(() => home?.close())

const started = () => ({
  command: process.execPath,
  args: [PROGRAM],
  env: { OUTBOUND_URL: home.url, OUTBOUND_API_KEY: apiKey },
  stderr: "inherit" as const
})

/** Every kind of client there is, by HTTP and by stdio. */
const connections: Readonly<Record<string, () => Promise<ToolClient>>> = {
  ...Object.fromEntries(Object.entries(CLIENTS).map(([name, connect]) => [name, () => connect(home.url, apiKey)])),
  "SDK 1.x, stdio": () => oldClient(new OldStdio(started()) as OldTransport),
  "client 2.x on 2025-11-25, stdio": () => newClient(new NewStdio(started()), "legacy"),
  "client 2.x on 2026-07-28, stdio": () => newClient(new NewStdio(started()), { pin: "2026-07-28" }),
  "client 2.x that finds out, stdio": () => newClient(new NewStdio(started()), "auto")
}

describe("the running service", () => {
  it.each(Object.keys(connections))("lists its tools to, and is called by: %s", async (name) => {
    const client = await connections[name]!()
    try {
      assert.include(client.instructions(), "Call get_me first")
      const tools = await client.tools()
      assert.includeMembers(
        tools.map((tool) => tool.name),
        ["get_me", "verify_email", "setup_sending"]
      )
      const me = await client.call("get_me")
      assert.strictEqual(me.structured.result.workspace.kind, "sandbox")
      const given = { email: "valid@magic.test", idempotency_key: "the same for all" }
      const { structured } = await client.call("verify_email", given)
      assert.strictEqual(structured.result.status, "valid")
      assert.strictEqual((await client.call("get_usage")).structured.result.credits_balance, "299")
      const refused = await client.call("verify_email", { email: 3 })
      assert.strictEqual(refused.structured.error.code, "invalid_request")
    } finally {
      await client.close()
    }
  })
})
