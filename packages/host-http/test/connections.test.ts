import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { Effect, Layer, References } from "effect"
import { layer as httpHost, type HttpHostOptions } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"
import { layer as desk } from "./support/Desk.js"
import { KEY, layer as scripted } from "./support/Scripted.js"
import { open, type Wire } from "./support/Wire.js"

/** As in production, only sooner. */
const SOON = {
  headersMillisMax: 150,
  requestMillisMax: 200,
  keepAliveMillis: 150,
  writeMillisMax: 200,
  lingerMillisMax: 100,
  connectionsCheckMillis: 25
}

const host = (options: Partial<HttpHostOptions> = {}) =>
  httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, ...options }).pipe(
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(scripted),
    Layer.provide(desk),
    Layer.provide(Layer.succeed(Settings, { baseUrl: "http://outbound.test" })),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

const ours = "127.0.0.1"
const theirs = "127.0.0.2"

const ask = (path: string, ...lines: ReadonlyArray<string>) =>
  [`GET ${path} HTTP/1.1`, "host: x", ...lines, "", ""].join("\r\n")
const me = ask("/v1/me", `authorization: Bearer ${KEY}`)

/**
 * Ends once the server has let the connection go. A client that closes nothing learns it only from what it writes: a
 * server that is gone resets it.
 */
const gone = (wire: Wire): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const poke = setInterval(() => wire.socket.write("x"), 20)
    wire.socket.on("close", () => {
      clearInterval(poke)
      resume(Effect.void)
    })
    return Effect.sync(() => clearInterval(poke))
  })

describe("a connection ends at its bound, whatever its client does", () => {
  const stories: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    ["is silent from the start", [], "408"],
    ["stops within the headers", ["GET /v1/me HTTP/1.1\r\nhost: x\r\n"], "408"],
    [
      "stops within the body",
      [
        `POST /v1/verify_email HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{`
      ],
      "408"
    ],
    ["speaks no HTTP", ["hello\r\n\r\n"], "400"],
    ["asks for a tunnel", ["CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n"], "405"],
    ["sends what is not read", [`POST /v1/verify_email HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n\r\n{`], "401"]
  ]
  for (const [what, sent, status] of stories) {
    it.live(`one that ${what}, and never closes its side`, () =>
      Effect.gen(function* () {
        const { port } = yield* HttpServer
        const client = yield* open(port, ours, true)
        for (const text of sent) client.write(text)
        yield* client.until(`HTTP/1.1 ${status}`)
        yield* gone(client)
      }).pipe(Effect.provide(host({ limits: SOON })))
    )
  }

  it.live("one that was answered and then says nothing", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const client = yield* open(port, ours, true)
      client.write(me)
      yield* client.until("credits_available")
      yield* gone(client)
    }).pipe(Effect.provide(host({ limits: SOON })))
  )
})

describe("a flood of one client", () => {
  const silentOnes = (port: number, count: number, from: string) =>
    Effect.forEach(Array.from({ length: count }), () => open(port, from), { concurrency: 20 })

  it.live("has no more connections than one address may have; its own silent ones make room", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const flood = yield* silentOnes(port, 60, theirs)
      const last = yield* open(port, theirs)
      last.write(me)
      yield* last.until("credits_available")
      yield* Effect.forEach(flood.slice(0, 40), ({ closed }) => closed, { concurrency: "unbounded" })
      assert.isTrue(flood.slice(-10).every(({ socket }) => !socket.destroyed && !socket.readableEnded))
    }).pipe(Effect.provide(host({ limits: { connectionsPerAddressMax: 20 } })))
  )

  it.live("that fills the server locks nobody out: the greediest address makes room", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const early = yield* open(port, ours)
      yield* silentOnes(port, 60, theirs)
      yield* silentOnes(port, 10, "127.0.0.3")
      for (const client of [early, ...(yield* silentOnes(port, 10, ours))]) {
        client.write(me)
        yield* client.until("credits_available")
      }
    }).pipe(Effect.provide(host({ limits: { connectionsMax: 40 } })))
  )

  it.live("without credentials is turned away for the rest of its minute, and others are not", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const flood = yield* open(port, theirs)
      for (let n = 0; n < 5; n++) flood.write(ask("/healthz"))
      const answer = yield* flood.until("HTTP/1.1 429")
      assert.match(answer, /retry-after: \d+[^]*"limit":"address_rate"/i)
      const other = yield* open(port, ours)
      other.write(ask("/healthz"))
      yield* other.until("HTTP/1.1 200")
      const keyed = yield* open(port, theirs)
      keyed.write(me)
      yield* keyed.until("credits_available")
    }).pipe(Effect.provide(host({ limits: { anonymousPerMinuteMax: 4 } })))
  )

  it.live("with wrong credentials is turned away, but not the known key that shares its address", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const known = yield* open(port, theirs)
      known.write(me)
      yield* known.until("credits_available")
      const wrong = (n: number) => ask("/v1/me", `authorization: Bearer svc_key_${String(n).padStart(43, "0")}`)
      const flood = yield* open(port, theirs)
      for (let n = 0; n < 5; n++) {
        flood.write(wrong(n))
        yield* flood.until(new RegExp(`(?:HTTP/1\\.1 4[^]*){${n + 1}}`))
      }
      const answers = yield* flood.until("429")
      assert.strictEqual(answers.match(/HTTP\/1\.1 401/g)?.length, 4)
      known.write(me)
      yield* known.until(/(?:credits_available[^]*){2}/)
      const other = yield* open(port, ours)
      other.write(wrong(9))
      yield* other.until("HTTP/1.1 401")
    }).pipe(Effect.provide(host({ limits: { failedPerMinuteMax: 4 } })))
  )

  it.live("behind a configured proxy is told apart from the proxy's other clients", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const proxy = yield* open(port, ours)
      for (let n = 0; n < 4; n++) proxy.write(ask("/healthz", "x-forwarded-for: 198.51.100.7"))
      yield* proxy.until(/(?:HTTP\/1\.1 200[^]*){4}/)
      const again = yield* open(port, ours)
      again.write(ask("/healthz", "x-forwarded-for: 203.0.113.1, 198.51.100.7"))
      yield* again.until("HTTP/1.1 429")
      const other = yield* open(port, ours)
      other.write(ask("/healthz", "x-forwarded-for: 198.51.100.8"))
      yield* other.until("HTTP/1.1 200")
    }).pipe(Effect.provide(host({ limits: { anonymousPerMinuteMax: 4 }, trustedProxies: [ours] })))
  )
})
