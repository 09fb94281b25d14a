import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { baseUrl, withHost } from "./support/Host.js"
import { apiKey, bearer, listTools } from "./support/Raw.js"

describe("a page in a browser", () => {
  it.live("may speak to the service if it is its own, or a program's on its user's machine", () =>
    withHost(
      Effect.gen(function* () {
        const key = bearer(yield* apiKey)
        const from = (origin: string) => Effect.map(listTools({ ...key, origin }), ({ status }) => status)
        assert.strictEqual(yield* from("http://localhost:8080"), 200)
        assert.strictEqual(yield* from("http://127.0.0.1:6274"), 200)
        for (const origin of [
          "chrome-extension://abcdefghijklmnop",
          "moz-extension://a1b2",
          "vscode-file://vscode-app",
          "app://notes.example",
          "file://",
          "http://tauri.localhost"
        ]) {
          assert.strictEqual(yield* from(origin), 200, origin)
        }
        for (const origin of ["https://evil.test", "http://localhost.evil.test", "https://evillocalhost", "null"]) {
          assert.strictEqual(yield* from(origin), 403, origin)
        }
      })
    )
  )

  it.live("is told by its browser's question what it may send, and reads what it needs", () =>
    withHost(
      Effect.gen(function* () {
        const url = `${yield* baseUrl}/mcp`
        const asking = (origin: string) =>
          Effect.promise(() =>
            fetch(url, {
              method: "OPTIONS",
              headers: {
                origin,
                "access-control-request-method": "POST",
                "access-control-request-headers": "authorization,content-type,mcp-protocol-version"
              }
            })
          )
        const page = "http://localhost:6274"
        const asked = yield* asking(page)
        assert.deepStrictEqual(
          ["allow-origin", "allow-headers", "allow-methods"].map((name) => asked.headers.get(`access-control-${name}`)),
          [page, "authorization,content-type,mcp-protocol-version", "POST, OPTIONS"]
        )
        assert.strictEqual(asked.status, 204)
        for (const headers of [{}, bearer(yield* apiKey)]) {
          const got = yield* listTools({ ...headers, origin: page })
          assert.strictEqual(got.headers.get("access-control-allow-origin"), page)
          assert.notProperty(Object.fromEntries(got.headers), "access-control-allow-credentials")
          for (const name of ["www-authenticate", "mcp-session-id", "retry-after"]) {
            assert.include(got.headers.get("access-control-expose-headers"), name)
          }
        }
        const foreign = yield* asking("https://evil.test")
        assert.deepStrictEqual([foreign.status, foreign.headers.get("access-control-allow-origin")], [403, null])
      })
    )
  )

  it.live("a program that asks what the endpoint takes is told, and one that asks for its head too", () =>
    withHost(
      Effect.gen(function* () {
        const url = `${yield* baseUrl}/mcp`
        const by = (method: string) => Effect.promise(() => fetch(url, { method }))
        const options = yield* by("OPTIONS")
        assert.deepStrictEqual([options.status, options.headers.get("allow")], [204, "POST, OPTIONS"])
        assert.strictEqual((yield* by("HEAD")).status, 401)
      })
    )
  )
})
