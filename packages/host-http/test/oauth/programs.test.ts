import { assert, describe, it } from "@effect/vitest"
import { toolVerbs } from "@outbound/host-mcp/tools/Tools.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Base, owner, withOAuth } from "../support/OAuthHost.js"
import { Running } from "../support/Programs.js"

const { resolve } = createRequire(import.meta.url)
const REMOTE = join(dirname(resolve("mcp-remote/package.json")), "dist/proxy.js")

const TOOLS = toolVerbs(verbList).map(({ name }) => name)

const running = (script: string, args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => new Running(script, args, environment)),
    (program) => Effect.promise(() => program.end())
  )

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "outbound-remote-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const addressOf = (text: string): string | undefined => /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(text)?.[0]

/** The file in which the program keeps its tokens. */
const tokensFile = async (path: string): Promise<string> => {
  const names = await readdir(path, { recursive: true })
  return join(path, names.find((name) => name.endsWith("tokens.json")) ?? "none")
}

describe("mcp-remote", () => {
  it.live(
    "gets in from an address that was typed with a slash, works, and renews what is over",
    () =>
      withOAuth(
        Effect.scoped(
          Effect.gen(function* () {
            const base = yield* Base
            const { ownerEmail } = yield* makeClient()
            const human = yield* owner(ownerEmail)
            const kept = yield* directory
            const program = yield* running(REMOTE, [`${base}/mcp/`], { MCP_REMOTE_CONFIG_DIR: kept })
            const asked = yield* Effect.promise(() => program.find(addressOf))
            const answeredAt = yield* Effect.promise(() => human.decide(new URL(asked), "allow"))
            yield* Effect.promise(() => fetch(answeredAt))

            const clientInfo = { name: "a test", version: "1" }
            const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
            yield* Effect.promise(() => program.ask("initialize", hello))
            program.tell({ jsonrpc: "2.0", method: "notifications/initialized" })
            const { tools } = yield* Effect.promise(() => program.ask("tools/list", {}))
            assert.sameMembers(
              tools.map(({ name }: { readonly name: string }) => name),
              TOOLS
            )

            const file = yield* Effect.promise(() => tokensFile(kept))
            const before = JSON.parse(yield* Effect.promise(() => readFile(file, "utf8")))
            const over = { ...before, access_token: `svc_access_${"A".repeat(43)}` }
            yield* Effect.promise(() => writeFile(file, JSON.stringify(over)))
            const me = yield* Effect.promise(() => program.ask("tools/call", { name: "get_me", arguments: {} }))
            assert.strictEqual(me.structuredContent.result.workspace.kind, "sandbox")
            const after = JSON.parse(yield* Effect.promise(() => readFile(file, "utf8")))
            assert.notStrictEqual(after.refresh_token, before.refresh_token)
          })
        )
      ),
    60_000
  )
})
