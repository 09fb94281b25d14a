import { assert, describe, it } from "@effect/vitest"
import { writtenOf } from "@outbound/domain/data/chat/wire.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, Redacted } from "effect"
import type { ServerResponse } from "node:http"
import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { decodersOf } from "../../src/llm/contentCodings.js"
import { makeOpenAiChat } from "../../src/llm/OpenAiChat.js"
import { endpoint } from "./TestEndpoint.js"

const FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** A frame of Zstandard (RFC 8878 §3.1.1) of raw blocks, or of blocks that repeat one byte. */
const zstd = (blocks: ReadonlyArray<Buffer | { readonly byte: number; readonly times: number }>): Buffer =>
  Buffer.concat([
    FRAME,
    // No content size, no checksum, a window of 1 MiB.
    Buffer.from([0x00, 0x50]),
    ...blocks.flatMap((block, at) => {
      const isRaw = Buffer.isBuffer(block)
      const size = isRaw ? block.length : block.times
      const head = Buffer.alloc(3)
      head.writeUIntLE((at === blocks.length - 1 ? 1 : 0) | (isRaw ? 0 : 2) | (size << 3), 0, 3)
      return [head, isRaw ? block : Buffer.from([block.byte])]
    })
  ])

const CODINGS: ReadonlyArray<readonly [header: string | null, encode: (text: string) => Buffer]> = [
  [null, Buffer.from],
  ["identity", Buffer.from],
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["GZIP", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["zstd", (text) => zstd([Buffer.from(text)])],
  ["gzip, br", (text) => brotliCompressSync(gzipSync(text))],
  // Said, and not done; done, and not said.
  ["gzip", Buffer.from],
  ["zstd", Buffer.from],
  [null, gzipSync],
  // Cut off after all that counts.
  ["gzip", (text) => gzipSync(text).subarray(0, -8)]
]

const send = (status: number, type: string, coding: string | null, body: Buffer) => (response: ServerResponse) => {
  response.writeHead(status, { "content-type": type, ...(coding === null ? {} : { "content-encoding": coding }) })
  response.end(body)
}

const call = { model: "m", fields: { messages: [] } }
const { signal } = new AbortController()

const chatAt = (baseUrl: string) => makeOpenAiChat({ name: "local", baseUrl, apiKey: Redacted.make("a-secret") })

const COMPLETION = { choices: [{ index: 0, message: { content: "Grüß Gott. ".repeat(500) }, finish_reason: "stop" }] }

const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** What a stream at this address brings. */
const streamed = (baseUrl: string) =>
  Effect.gen(function* () {
    const chat = yield* chatAt(baseUrl)
    const { first, rest } = yield* chat.stream(call, signal)
    const texts: Array<string> = [...first]
    yield* rest((some) => texts.push(...some) > 0)
    return texts.map((text) => writtenOf(JSON.parse(text) as JsonObject)).join("")
  })

describe("an upstream that encodes what it sends", () => {
  it.live("is read: an answer, a refusal, a stream", () =>
    Effect.gen(function* () {
      for (const [header, encode] of CODINGS) {
        const what = `${header} ${encode.name}`
        const answer = encode(JSON.stringify(COMPLETION))
        const refusal = encode(JSON.stringify({ error: { message: "too long" } }))
        const events = encode(`${chunk("Grüß ")}${chunk("Gott")}data: [DONE]\n\n`)
        const server = yield* endpoint(
          send(200, "application/json", header, answer),
          send(400, "application/json", header, refusal),
          send(200, "text/event-stream", header, events)
        )
        const chat = yield* chatAt(server.baseUrl)
        assert.deepStrictEqual(yield* chat.complete(call, signal), COMPLETION, what)
        const refused = yield* Effect.flip(chat.complete(call, signal))
        assert.deepStrictEqual([refused.reason, refused.said], ["invalid", "too long"], what)
        assert.strictEqual(yield* streamed(server.baseUrl), "Grüß Gott", what)
      }
    })
  )

  it.live("reaches its reader event by event", () =>
    Effect.gen(function* () {
      let go: () => void = () => undefined
      const server = yield* endpoint((response) => {
        response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
        const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
        gzip.pipe(response)
        gzip.write(chunk("first"))
        go = () => void gzip.end(`${chunk("last")}data: [DONE]\n\n`)
      })
      const chat = yield* chatAt(server.baseUrl)
      const { first, rest } = yield* chat.stream(call, signal)
      assert.strictEqual(writtenOf(JSON.parse(first[0]) as JsonObject), "first")
      go()
      const others: Array<string> = []
      assert.isTrue(yield* rest((some) => others.push(...some) > 0))
      assert.strictEqual(others.length, 1)
    })
  )

  it.live("in a way that nobody can read has failed, and so has what grows without an end", () =>
    Effect.gen(function* () {
      const million = { byte: 0x20, times: 128 * 1024 }
      for (const [header, body, said] of [
        ["snappy", Buffer.from([2, 4, 0x7b, 0x7d]), /encoded as "snappy"/],
        ["gzip, gzip, gzip, gzip", gzipSync("{}"), /encoded as/],
        ["br", Buffer.from("this is no brotli"), null],
        ["gzip", Buffer.concat([gzipSync("{}").subarray(0, 4), Buffer.from("and this is no gzip")]), null],
        ["zstd", Buffer.concat([FRAME, Buffer.from("nor is this any")]), null],
        ["zstd", zstd(Array.from({ length: 4_000 }, () => million)), null],
        ["gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024)), /larger than/]
      ] as const) {
        const server = yield* endpoint(send(200, "application/json", header, body))
        const chat = yield* chatAt(server.baseUrl)
        const { cause, reason } = yield* Effect.flip(chat.complete(call, signal))
        assert.strictEqual(reason, "transient", header)
        if (said !== null) assert.match(String(cause), said)
      }
    })
  )

  it.effect("decodes no piece to more than there is room for, though nobody reads it", () =>
    Effect.gen(function* () {
      const bomb = zstd(Array.from({ length: 4_000 }, () => ({ byte: 0x20, times: 128 * 1024 })))
      const [decoder] = decodersOf("zstd", bomb)
      const broken = yield* Effect.callback<string>((resume) => {
        decoder?.on("error", ({ message }) => resume(Effect.succeed(message)))
        decoder?.write(bomb)
        // All of it is decoded in that call.
        setImmediate(() => resume(Effect.succeed("it was decoded")))
      })
      assert.include(broken, "grows beyond")
    })
  )
})
