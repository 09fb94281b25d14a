import { assert, describe, it } from "@effect/vitest"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { PassThrough } from "node:stream"
import { bridge, linesOf } from "../../src/stdio/Bridge.js"
import { readArguments, UsageError } from "../../src/stdio/Arguments.js"
import { baseUrl, withHost } from "../support/Host.js"
import { apiKey } from "../support/Raw.js"

/** What a program answers to these lines, once its input has ended. */
const answers = (endpoint: string, key: string, ...lines: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const chunks: Array<Buffer> = []
    output.on("data", (chunk: Buffer) => chunks.push(chunk))
    input.end(lines.map((line) => `${line}\n`).join(""))
    await bridge({ endpoint: new URL(endpoint), apiKey: key, input, output })
    const text = Buffer.concat(chunks).toString()
    assert.isTrue(text === "" || text.endsWith("\n"))
    // oxlint-disable-next-line typescript/no-explicit-any -- a client's view of JSON
    return text.split("\n").flatMap((line): ReadonlyArray<any> => (line === "" ? [] : [JSON.parse(line)]))
  })

const call = (id: number | string, email: string, meta?: object) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "verify_email", arguments: { email }, ...(meta === undefined ? {} : { _meta: meta }) }
  })

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a test", version: "1" } }
})

describe("the stdio program", () => {
  it.live("passes on what it is told and answers each request once, notifications never", () =>
    withHost(
      Effect.gen(function* () {
        const endpoint = `${yield* baseUrl}/mcp`
        const key = yield* apiKey
        const emails = Array.from({ length: 100 }, (_, index) => call(index + 1, `valid+${index}@magic.test`))
        const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })
        const got = yield* answers(endpoint, key, initialize, initialized, ...emails)
        assert.strictEqual(got.length, 101)
        assert.strictEqual(new Set(got.map(({ id }) => id)).size, 101)
        assert.isTrue(got.every(({ error }) => error === undefined))
      })
    )
  )

  it.live("tells of progress before the result", () =>
    withHost(
      Effect.gen(function* () {
        const { apiKey: key } = yield* makeClient()
        const got = yield* answers(`${yield* baseUrl}/mcp`, key, call("x", "slow@magic.test", { progressToken: "p" }))
        assert.deepStrictEqual(
          got.map(({ id, method }) => method ?? id),
          ["notifications/progress", "x"]
        )
      })
    )
  )

  it.live("answers what it cannot pass on: no JSON, too long, a wrong key, nobody there", () =>
    withHost(
      Effect.gen(function* () {
        const endpoint = `${yield* baseUrl}/mcp`
        const key = yield* apiKey
        const [malformed, long, list] = yield* answers(
          endpoint,
          key,
          "{",
          `"${"x".repeat(5 * 1024 * 1024)}"`,
          JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
        )
        assert.deepStrictEqual([malformed.error.code, malformed.id], [-32_700, null])
        assert.deepStrictEqual([long.error.code, long.id], [-32_600, null])
        assert.isNotEmpty(list.result.tools)

        const [refused] = yield* answers(endpoint, "svc_key_wrong", call(7, "a@b.test"))
        assert.deepStrictEqual([refused.id, refused.error.data.error.code], [7, "unauthorized"])

        const nobody = yield* answers("http://127.0.0.1:1/mcp", key, call(8, "a@b.test"), initialize)
        assert.deepStrictEqual(nobody.map(({ id }) => id).sort(), [0, 8])
        assert.include(nobody[0].error.message, "can't be reached")
      })
    )
  )

  it.live("takes its key and the call nowhere else: no redirect is followed, and the call fails", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? "")
        response.writeHead(307, { location: "/elsewhere" }).end()
      })
      const port = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          server.listen(0, "127.0.0.1")
          await once(server, "listening")
          return (server.address() as AddressInfo).port
        }),
        () =>
          Effect.sync(() => {
            server.closeAllConnections()
            server.close()
          })
      )
      const [refused] = yield* answers(`http://127.0.0.1:${port}/mcp`, "svc_key_of_mine", call(1, "a@b.test"))
      assert.deepStrictEqual(asked, ["/mcp"])
      assert.deepStrictEqual([refused.id, refused.result], [1, undefined])
      assert.include(refused.error.message, "can't be reached")
    })
  )
})

describe("its lines", () => {
  it("are found wherever the stream is cut, and one that is too long costs only itself", async () => {
    const read = async (pieces: ReadonlyArray<string>) => {
      const input = new PassThrough()
      for (const piece of pieces) input.write(piece)
      input.end()
      const found: Array<string> = []
      for await (const line of linesOf(input, 5)) found.push(line._tag === "Line" ? line.text : "too long")
      return found
    }
    assert.deepStrictEqual(await read(["a\nb", "c\n", "\n\r\nd"]), ["a", "bc", "d"])
    assert.deepStrictEqual(await read(["12345\n123456\n1"]), ["12345", "too long", "1"])
    assert.deepStrictEqual(await read(["123", "456", "789\nab\n"]), ["too long", "ab"])
  })
})

describe("its arguments", () => {
  const key = ["--key", "k"]

  it.each([
    ["https://a.test", "https://a.test/mcp"],
    ["https://a.test/", "https://a.test/mcp"],
    ["https://a.test/base/mcp/", "https://a.test/base/mcp"],
    ["http://localhost:8080", "http://localhost:8080/mcp"]
  ])("%s is %s", (url, endpoint) => {
    assert.strictEqual(readArguments(["--url", url, ...key], {})?.endpoint.href, endpoint)
  })

  it("may come from the environment", () => {
    const read = readArguments([], { OUTBOUND_URL: "https://a.test", OUTBOUND_API_KEY: "k" })
    assert.deepStrictEqual([read?.endpoint.href, read?.apiKey], ["https://a.test/mcp", "k"])
  })

  it.each([
    [["--url", "http://a.test", ...key]],
    [["--url", "ftp://a.test", ...key]],
    [["--url", "nowhere", ...key]],
    [["--url", "https://a.test"]],
    [key],
    [["--colour", "red"]]
  ])("%s are refused, so that no key goes where it can be read", (args) => {
    assert.throws(() => readArguments(args, {}), UsageError)
  })
})
