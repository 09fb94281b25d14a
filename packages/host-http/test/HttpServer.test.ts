import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import { get as httpGet, type ServerResponse } from "node:http"
import { gunzipSync } from "node:zlib"
import { Deferred, Effect, Exit, Fiber, Layer, References, Result, Scope } from "effect"
import { layer as httpHost, type HttpHostOptions } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import type { Exchange } from "../src/http/Exchange.js"
import { HttpServer } from "../src/HttpServer.js"
import { layer as desk } from "./support/Desk.js"
import { KEY, layer as scripted, Script, succeed } from "./support/Scripted.js"
import { open } from "./support/Wire.js"

let isReady = true

/** Defects and late calls are part of what is tested; their logs are not. */
const quiet = Layer.succeed(References.MinimumLogLevel, "None")

const host = (options: Partial<HttpHostOptions> = {}) =>
  httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, ...options }).pipe(
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.sync(() => isReady) })),
    Layer.provideMerge(scripted),
    Layer.provide(desk),
    Layer.provide(Layer.succeed(Settings, { baseUrl: "http://outbound.test" })),
    Layer.provide(quiet)
  )

const get = (port: number, path: string, method = "GET") =>
  Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { connection: "close" } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** Which status a request that names this host gets. */
const statusFor = (port: number, path: string, named: string) =>
  Effect.promise(
    () =>
      new Promise<number | undefined>((resolve, reject) => {
        httpGet({ port, path, headers: { host: named, connection: "close" } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).on("error", reject)
      })
  )

/** As it comes, not decoded. */
const raw = (port: number, path: string, accepted: string) =>
  Effect.promise(
    () =>
      new Promise<{ readonly body: Buffer; readonly encoding: string | undefined; readonly vary: string | undefined }>(
        (resolve, reject) => {
          const options = { port, path, headers: { "accept-encoding": accepted, connection: "close" } }
          httpGet(options, (response) => {
            const chunks: Array<Buffer> = []
            response
              .on("data", (chunk: Buffer) => chunks.push(chunk))
              .on("end", () => {
                const { vary } = response.headers
                resolve({ body: Buffer.concat(chunks), encoding: response.headers["content-encoding"], vary })
              })
          }).on("error", reject)
        }
      )
  )

const request = `GET /v1/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n\r\n`

/** A host with one call under way, and an idle connection beside it. */
const withCallUnderWay = (options: Partial<HttpHostOptions> = {}) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(host(options), scope)
    const begun = yield* Deferred.make<void>()
    const goOn = yield* Deferred.make<void>()
    const { port } = yield* Effect.provide(HttpServer, context)
    const script = yield* Effect.provide(Script, context)
    const idle = yield* open(port)
    idle.write(request)
    yield* idle.until("svc")
    script.behave = (incoming) =>
      Deferred.succeed(begun, undefined).pipe(Effect.andThen(Deferred.await(goOn)), Effect.as(succeed(incoming)))
    const client = yield* open(port)
    client.write(request)
    yield* Deferred.await(begun)
    const stop = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    // The idle connection is closed first: then the host no longer accepts.
    yield* idle.closed
    return { client, goOn, port, stop }
  })

describe("a host that stops", () => {
  it.live("accepts nobody new, ends the call under way and sends its answer", () =>
    Effect.gen(function* () {
      const { client, goOn, port, stop } = yield* withCallUnderWay()
      assert.strictEqual((yield* Effect.flip(open(port))).message, "refused")
      yield* Deferred.succeed(goOn, undefined)
      const answer = yield* client.closed
      assert.match(answer, /^HTTP\/1.1 200 OK[^]*connection: close[^]*credits_available/)
      yield* Fiber.join(stop)
    })
  )

  it.live("waits for a call whose client has left, too", () =>
    Effect.gen(function* () {
      const { client, goOn, stop } = yield* withCallUnderWay()
      client.socket.resetAndDestroy()
      yield* client.closed
      assert.isUndefined(stop.pollUnsafe())
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(stop)
    })
  )

  it.live("waits no longer than it was told", () =>
    Effect.gen(function* () {
      const { client, stop } = yield* withCallUnderWay({ limits: { drainMillisMax: 50 } })
      assert.strictEqual(yield* client.closed, "")
      yield* Fiber.join(stop)
    })
  )

  it.live("is not kept by a client that does not read its answer", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const limits = { writeMillisMax: 100, drainMillisMax: 600_000 }
      const context = yield* Layer.buildWithScope(host({ limits }), scope)
      const { port } = yield* Effect.provide(HttpServer, context)
      const script = yield* Effect.provide(Script, context)
      const begun = yield* Deferred.make<void>()
      script.behave = (incoming) =>
        Effect.as(Deferred.succeed(begun, undefined), succeed(incoming, "x".repeat(64 * 1024 * 1024)))
      const client = yield* open(port)
      client.socket.pause()
      client.write(request)
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
    })
  )

  it.live("writes a large answer to its end, and then closes the connection that would have stayed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(host(), scope)
      const { port } = yield* Effect.provide(HttpServer, context)
      const script = yield* Effect.provide(Script, context)
      const size = 32 * 1024 * 1024
      script.behave = (incoming) => Effect.succeed(succeed(incoming, "x".repeat(size)))
      const client = yield* open(port)
      client.write(request)
      yield* client.until("HTTP/1.1 200")
      client.socket.pause()
      const stop = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      while (Result.isSuccess(yield* Effect.result(Effect.scoped(open(port))))) yield* Effect.yieldNow
      client.socket.resume()
      assert.isAbove((yield* client.closed).length, size)
      yield* Fiber.join(stop)
    })
  )

  it.live("lets a surface that took a request over end its answer", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const taken = yield* Deferred.make<ServerResponse>()
      const stream = {
        name: "stream",
        owns: (path: string) => path === "/stream",
        handle: (exchange: Exchange) => {
          const { response } = exchange.takeOver()
          response.writeHead(200, { "content-type": "text/plain" })
          response.write("first ")
          Effect.runSync(Deferred.succeed(taken, response))
        }
      }
      const context = yield* Layer.buildWithScope(host({ surfaces: [stream] }), scope)
      const { port } = yield* Effect.provide(HttpServer, context)
      const client = yield* open(port)
      client.write("GET /stream HTTP/1.1\r\nhost: x\r\n\r\n")
      const response = yield* Deferred.await(taken)
      yield* client.until("first")
      const stop = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow
      response.end("last")
      assert.match(yield* client.until("last"), /x-request-id: [0-9a-f-]{36}/)
      client.socket.end()
      yield* Fiber.join(stop)
    })
  )

  it.live("closes a connection on which nothing was ever asked", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(host(), scope)
      const { port } = yield* Effect.provide(HttpServer, context)
      const client = yield* open(port)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(yield* client.closed, "")
    })
  )
})

it.live("a port that is taken is said so", () =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const failure = yield* Effect.flip(Layer.build(host({ port })))
    assert.strictEqual(failure._tag, "ListenError")
    assert.include(failure.message, `Cannot listen at 127.0.0.1:${port}`)
  }).pipe(Effect.provide(host()))
)

describe("beside the verbs", () => {
  it.live("health needs no credential, and says when the host cannot serve", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const alive = yield* get(port, "/healthz")
      assert.deepStrictEqual([alive.status, alive.text], [200, "alive\n"])
      assert.isNotNull(alive.headers.get("x-request-id"))
      assert.strictEqual((yield* get(port, "/readyz")).status, 200)
      isReady = false
      const unready = yield* get(port, "/readyz")
      isReady = true
      assert.strictEqual(unready.status, 503)
      assert.deepStrictEqual(yield* get(port, "/healthz", "HEAD").pipe(Effect.map(({ text }) => text)), "")
      assert.strictEqual((yield* get(port, "/healthz", "POST")).status, 405)
      assert.include((yield* get(port, "/")).text, "Sign in")
    }).pipe(Effect.provide(host()))
  )

  it.live("metrics count by verb and status, and never hold what a caller wrote", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      yield* get(port, "/v1/me")
      yield* get(port, "/v1/hunter2")
      const { headers, text } = yield* get(port, "/metrics")
      assert.include(headers.get("content-type"), "text/plain; version=0.0.4")
      assert.include(text, `outbound_http_requests_total{route="get_me",status="401"} 1`)
      assert.include(text, `outbound_http_requests_total{route="other",status="401"} 1`)
      assert.notInclude(text, "hunter2")
    }).pipe(Effect.provide(host()))
  )

  it.live("metrics are not for the public: to what a proxy passes on they are an unknown path", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      for (const header of [
        "X-Forwarded-For",
        "Forwarded",
        "Via",
        "X-Real-IP",
        "X-Forwarded-Proto",
        "CF-Connecting-IP"
      ]) {
        const passed = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: "close", [header]: "203.0.113.7" } })
        )
        const { error } = yield* Effect.promise(() => passed.json())
        assert.deepStrictEqual([passed.status, error.code], [404, "not_found"])
      }
      // Some proxies add nothing, and leave the name that the public asked for.
      const named = yield* statusFor(port, "/metrics", "Outbound.test")
      assert.strictEqual(named, 404)
      assert.strictEqual((yield* get(port, "/metrics")).status, 200)
    }).pipe(Effect.provide(host()))
  )

  it.live("metrics on a port of their own are on no other", () =>
    Effect.gen(function* () {
      const { innerPort, port } = yield* HttpServer
      assert.strictEqual((yield* get(port, "/metrics")).status, 404)
      assert.strictEqual((yield* get(innerPort!, "/metrics")).status, 200)
      assert.strictEqual((yield* get(innerPort!, "/v1/me")).status, 404)
    }).pipe(Effect.provide(host({ metricsPort: 0 })))
  )
})

describe("the reference", () => {
  it.live("has an address for each call, is searched without scripts, and is sent compressed to who takes that", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      for (const { name } of Object.values(verbs)) {
        const one = yield* get(port, `/docs/${name}`)
        assert.strictEqual(one.status, 200, name)
        assert.include(one.text, `id="${name}"`)
        assert.isBelow(one.text.length, 60_000, name)
      }
      assert.strictEqual((yield* get(port, "/docs/no_such_call")).status, 404)
      const found = yield* get(port, "/docs?q=Holdout%20percent")
      assert.include(found.text, 'href="/docs/launch_campaign"')
      assert.include(found.text, "<code>holdout_percent</code>")
      assert.notInclude(found.text, 'href="/docs/get_usage"')
      // A name comes before a mention.
      const named = (yield* get(port, "/docs?q=get%20replies")).text
      assert.match(named, /<ul class="list"><li class="card"><a href="\/docs\/get_replies">/)
      const hostile = yield* get(port, `/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
      assert.notInclude(hostile.text, "<script>")
      assert.include(hostile.text, "0 calls have all of these words.")
      for (const path of ["/docs", "/openapi.json"]) {
        const whole = yield* raw(port, path, "identity")
        const small = yield* raw(port, path, "br;q=1, gzip")
        assert.deepStrictEqual([whole.encoding, small.encoding, small.vary], [undefined, "gzip", "accept-encoding"])
        assert.isBelow(small.body.length, whole.body.length / 4)
        assert.strictEqual(gunzipSync(small.body).toString(), whole.body.toString())
        assert.isUndefined((yield* raw(port, path, "gzip;q=0, *")).encoding)
      }
    }).pipe(Effect.provide(host()))
  )

  it.live("is served to machines and to people, without a credential", () =>
    Effect.gen(function* () {
      const { port } = yield* HttpServer
      const document = yield* get(port, "/openapi.json")
      assert.strictEqual(document.headers.get("content-type"), "application/json")
      const { openapi, paths, servers } = JSON.parse(document.text)
      assert.deepStrictEqual([openapi, servers], ["3.1.0", [{ url: "http://outbound.test" }]])
      const page = yield* get(port, "/docs")
      for (const methods of Object.values<Record<string, { operationId: string }>>(paths)) {
        for (const { operationId } of Object.values(methods)) assert.include(page.text, `id="${operationId}"`)
      }
      assert.notMatch(page.text, /<script|https?:\/\/(?!outbound\.test)[a-z.]+\/[^<]*<\/(link|script)|\[object/)
    }).pipe(Effect.provide(host()))
  )
})
