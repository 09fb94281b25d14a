import { assert, describe, it } from "@effect/vitest"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { toolVerbs } from "@outbound/host-mcp/tools/Tools.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { getAllMcpTools, MCPServerStreamableHttp } from "@openai/agents"
import { Effect } from "effect"
import { Base, withOAuth } from "./support/OAuthHost.js"

const TOOLS = toolVerbs(verbList).map(({ name }) => name)

/** Everything optional as null, as models write it where a schema was made strict. */
const nulled = (schema: { readonly properties: object }, given: Record<string, unknown>) => ({
  ...Object.fromEntries(Object.keys(schema.properties).map((name) => [name, null])),
  ...given
})

describe("the OpenAI Agents SDK over MCP", () => {
  it.live("lists and calls the tools, is told of refusals, and may send null for what is absent", () =>
    withOAuth(
      Effect.scoped(
        Effect.gen(function* () {
          const { apiKey } = yield* makeClient({ credits: "300" })
          const url = `${yield* Base}/mcp`
          const headers = { authorization: `Bearer ${apiKey}` }
          const server = yield* Effect.acquireRelease(
            Effect.promise(async () => {
              const made = new MCPServerStreamableHttp({ url, name: "outbound", requestInit: { headers } })
              await made.connect()
              return made
            }),
            (made) => Effect.promise(() => made.close())
          )
          const called = (name: string, given: Record<string, unknown>) =>
            Effect.map(
              Effect.promise(() => server.callTool(name, given)),
              (content) => JSON.stringify(content)
            )
          const listed = yield* Effect.promise(() => server.listTools())
          assert.sameMembers(
            listed.map(({ name }) => name),
            TOOLS
          )
          assert.include(yield* called("get_me", {}), "sandbox")
          for (const { inputSchema, name } of listed) {
            if (name !== "verify_email") continue
            const given = nulled(inputSchema as { readonly properties: object }, { email: "valid@magic.test" })
            assert.include(yield* called(name, given), "status: valid")
          }
          assert.include(yield* called("verify_email", { email: "" }), "email: must have at least 3 characters")
          // Each tool becomes one of an agent, with a strict schema where it can have one.
          const tools = yield* Effect.promise(() =>
            getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true })
          )
          assert.sameMembers(
            tools.map(({ name }) => name),
            TOOLS
          )
        })
      )
    )
  )
})
