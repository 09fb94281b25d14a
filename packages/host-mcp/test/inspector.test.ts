import { assert, describe, it } from "@effect/vitest"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { baseUrl, withHost } from "./support/Host.js"

/** The inspector finds its own version from the folder in which it is started. */
const BUILD = dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli"))

const inspected = (url: string, apiKey: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<{ readonly out: string; readonly err: string; readonly failed: boolean }>((resolve) => {
        const given = [url, "--transport", "http", "--header", `Authorization: Bearer ${apiKey}`, ...args]
        execFile(process.execPath, [join(BUILD, "index.js"), ...given], { cwd: BUILD }, (error, out, err) =>
          resolve({ out, err, failed: error !== null })
        )
      })
  )

describe("the MCP inspector", () => {
  it.live(
    "lists the tools, calls one, and is told of a refusal and of a wrong key, at both spellings of the address",
    () =>
      withHost(
        Effect.gen(function* () {
          const { apiKey } = yield* makeClient()
          const url = `${yield* baseUrl}/mcp`
          for (const address of [url, `${url}/`]) {
            const listed = yield* inspected(address, apiKey, "--method", "tools/list")
            const { tools } = JSON.parse(listed.out) as { readonly tools: ReadonlyArray<{ readonly name: string }> }
            assert.include(
              tools.map(({ name }) => name),
              "get_me"
            )
          }
          const called = yield* inspected(url, apiKey, "--method", "tools/call", "--tool-name", "get_me")
          assert.strictEqual(JSON.parse(called.out).structuredContent.result.workspace.kind, "sandbox")
          const wrong = ["--method", "tools/call", "--tool-name", "verify_email", "--tool-arg", "email=7"]
          const refused = JSON.parse((yield* inspected(url, apiKey, ...wrong)).out)
          assert.isTrue(refused.isError)
          assert.include(JSON.stringify(refused), "invalid_request")
          const stranger = yield* inspected(url, "nobody", "--method", "tools/list")
          assert.isTrue(stranger.failed)
        })
      ),
    60_000
  )
})
