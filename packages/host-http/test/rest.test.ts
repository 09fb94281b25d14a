import { assert, describe, it } from "@effect/vitest"
import { WIRE } from "@outbound/domain/kernel/errors/Wire.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { Deferred, Effect, Layer, References, type Scope } from "effect"
import { layer as httpHost } from "../src/HttpHost.js"
import { Readiness } from "../src/health/Readiness.js"
import { HttpServer } from "../src/HttpServer.js"
import type { Limits } from "../src/http/Limits.js"
import { layer as desk } from "./support/Desk.js"
import { KEY, layer as scripted, Script, succeed } from "./support/Scripted.js"
import { open } from "./support/Wire.js"

const hostWith = (limits: Partial<Limits>) =>
  httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, limits }).pipe(
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(scripted),
    Layer.provide(desk),
    Layer.provide(Layer.succeed(Settings, { baseUrl: "http://outbound.test" })),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )

const TestHost = hostWith({})

/** Waits for a client no longer than a test likes to. */
const ImpatientHost = hostWith({ headersMillisMax: 300, requestMillisMax: 600, connectionsCheckMillis: 50 })

const run = <A, E>(effect: Effect.Effect<A, E, HttpServer | Script>, host = TestHost) =>
  effect.pipe(Effect.provide(host))

interface Got {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted member by member
  readonly body: any
}

const call = (
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: NonNullable<RequestInit["body"]> } = {}
) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    return yield* Effect.promise(async (): Promise<Got> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...init })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
    })
  })

const signed = { authorization: `Bearer ${KEY}` }
const signedJson = { ...signed, "content-type": "application/json" }
const post = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = signedJson) =>
  call("POST", "/v1/verify_email", { headers, body })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe("an answer", () => {
  it.live("carries the request id, the key's rate, and is kept by nobody", () =>
    run(
      Effect.gen(function* () {
        const { body, headers, status } = yield* call("GET", "/v1/me", { headers: signed })
        assert.strictEqual(status, 200)
        assert.match(headers.get("x-request-id")!, UUID)
        assert.strictEqual(body.svc.request_id, headers.get("x-request-id"))
        assert.strictEqual(headers.get("ratelimit-policy"), `"key";q=300;w=60`)
        assert.strictEqual(headers.get("ratelimit"), `"key";r=299;t=60`)
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.strictEqual(headers.get("cache-control"), "no-store")
      })
    )
  )

  it.live("says when to come back, and of a replay the first call's id", () =>
    run(
      Effect.gen(function* () {
        const script = yield* Script
        script.behave = (incoming) =>
          Effect.succeed({ ...succeed(incoming), requestId: "original", status: 429, retryAfterSeconds: 7 })
        const { headers, status } = yield* call("GET", "/v1/me", { headers: signed })
        assert.deepStrictEqual(
          [status, headers.get("retry-after"), headers.get("x-request-id")],
          [429, "7", "original"]
        )
      })
    )
  )

  it.live("to a call that hit a defect names the request id and nothing else", () =>
    run(
      Effect.gen(function* () {
        const script = yield* Script
        script.behave = () => Effect.die(new Error("connect to db.internal with secret hunter2"))
        const { body, headers, status } = yield* call("GET", "/v1/me", { headers: signed })
        assert.strictEqual(status, 500)
        assert.deepStrictEqual(body, {
          error: {
            code: "internal",
            message: WIRE.internal.message({}),
            request_id: headers.get("x-request-id")
          }
        })
      })
    )
  )
})

describe("what is wrong with a request", () => {
  it.live("a missing or malformed credential is answered before anything else", () =>
    run(
      Effect.gen(function* () {
        const attempts = [
          call("GET", "/v1/me"),
          call("GET", "/v1/nothing"),
          call("DELETE", "/v1/me"),
          call("GET", "/v1/requests/x"),
          post("{", {}),
          post("x", { "content-type": "text/plain" }),
          ...["", "Bearer", "Bearer ", "Basic abc", `Bearer ${KEY} x`, `Bearer "${KEY}"`, KEY].map((authorization) =>
            call("GET", "/v1/me", { headers: { authorization } })
          )
        ]
        for (const attempt of attempts) {
          const { body, headers, status } = yield* attempt
          assert.strictEqual(status, 401)
          assert.strictEqual(body.error.code, "unauthorized")
          assert.strictEqual(headers.get("www-authenticate"), "Bearer")
          assert.isNull(headers.get("ratelimit"))
          assert.match(body.error.request_id, UUID)
        }
        const { arrived } = yield* Script
        assert.isTrue(arrived.every(({ bearer }) => bearer === null))
      })
    )
  )

  it.live("the scheme's case does not matter", () =>
    run(
      Effect.gen(function* () {
        for (const scheme of ["bearer", "BEARER", "Bearer  "]) {
          const { status } = yield* call("GET", "/v1/me", { headers: { authorization: `${scheme} ${KEY}` } })
          assert.strictEqual(status, 200)
        }
      })
    )
  )

  it.live("an unknown path, and an id in a path that is none, are not found", () =>
    run(
      Effect.gen(function* () {
        const paths = [
          "/v1",
          "/v1/",
          "/v1/me/",
          "/v1/ME",
          "/v1/nothing",
          "/v1/requests",
          "/v1/requests/",
          "/v1/requests/a/b"
        ]
        for (const path of [...paths, "/v1/requests/abc", "/v1/operations/%00", "/v1/operations/%E0%A4%A"]) {
          const { body, status } = yield* call("GET", path, { headers: signed })
          assert.deepStrictEqual([path, status, body.error.code], [path, 404, "not_found"])
        }
        const { body, headers, status } = yield* call("GET", "/nothing")
        assert.deepStrictEqual([status, body.error.code], [404, "not_found"])
        assert.strictEqual(body.error.request_id, headers.get("x-request-id"))
      })
    )
  )

  it.live("a method that the path does not know is refused with those it knows", () =>
    run(
      Effect.gen(function* () {
        for (const [method, path, allow] of [
          ["POST", "/v1/me", "GET"],
          ["GET", "/v1/verify_email", "POST"],
          ["OPTIONS", "/v1/verify_email", "POST"],
          ["DELETE", "/v1/operations/018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70", "GET"],
          ["PATCH", "/v1/campaigns", "GET, POST"]
        ] as const) {
          const { body, headers, status } = yield* call(method, path, { headers: signed })
          assert.deepStrictEqual([status, body.error.code, headers.get("allow")], [405, "invalid_request", allow])
        }
        const head = yield* call("HEAD", "/v1/me", { headers: signed })
        assert.deepStrictEqual([head.status, head.headers.get("allow"), head.body], [405, "GET", null])
      })
    )
  )

  it.live("another content type, a compressed body, another charset are refused", () =>
    run(
      Effect.gen(function* () {
        const types = [
          "text/plain",
          "application/x-www-form-urlencoded",
          "application/json; charset=utf-16",
          "application/jsonx",
          ""
        ]
        for (const type of types) {
          const { body, status } = yield* post("{}", { ...signed, "content-type": type })
          assert.deepStrictEqual([type, status, body.error.details], [type, 415, { reason: "unsupported_media_type" }])
        }
        const gzipped = yield* post("{}", { ...signedJson, "content-encoding": "gzip" })
        assert.strictEqual(gzipped.status, 415)
        for (const type of [
          "application/json",
          "Application/JSON; charset=UTF-8",
          `application/json;charset="utf-8"`
        ]) {
          assert.strictEqual((yield* post("{}", { ...signed, "content-type": type })).status, 200)
        }
      })
    )
  )

  it.live("a body that is no JSON, no UTF-8, or nests too deep is malformed; one that is no object has an issue", () =>
    run(
      Effect.gen(function* () {
        const deep = `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`
        for (const body of [
          "{",
          "{}x",
          " ",
          "{'a':1}",
          Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
          deep
        ]) {
          const { body: answer, status } = yield* post(body)
          assert.deepStrictEqual([status, answer.error.details], [400, { reason: "malformed_json" }])
        }
        for (const body of ["[]", "null", "1", `"text"`]) {
          const { body: answer, status } = yield* post(body)
          assert.deepStrictEqual(
            [status, answer.error.details.issues],
            [400, [{ path: "", message: "must be a JSON object" }]]
          )
        }
      })
    )
  )

  it.live("an object with more members than any call needs is refused before it is read, wherever it stands", () =>
    run(
      Effect.gen(function* () {
        const { arrived } = yield* Script
        // What stands in a string is no member.
        const members = (count: number) =>
          `{${Array.from({ length: count }, (_, index) => `"k${index}":"\\"{:[:"`).join(",")}}`
        yield* post(`{"a":[${members(10_000)},${members(10_000)}]}`)
        assert.deepStrictEqual(
          arrived.map(({ reject }) => reject),
          [null]
        )
        for (const body of [members(10_001), `{"a":[${members(1)},{"b":${members(10_001)}}]}`]) {
          const { body: answer, status } = yield* post(body)
          assert.deepStrictEqual(
            [status, answer.error.details.issues],
            [400, [{ path: "", message: "must not contain an object with more than 10000 members" }]]
          )
        }
      })
    )
  )

  it.live("query parameters that nothing knows are refused by name, also beside a body or a path", () =>
    run(
      Effect.gen(function* () {
        const id = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
        const beside = yield* call("POST", "/v1/verify_email?x=1", { headers: signedJson, body: "{}" })
        assert.deepStrictEqual([beside.status, beside.body.error.details.issues[0].path], [400, "x"])
        const twice = yield* call("GET", `/v1/requests/${id}?request_id=${id}`, { headers: signed })
        assert.deepStrictEqual([twice.status, twice.body.error.details.issues[0].path], [400, "request_id"])
      })
    )
  )
})

describe("what reaches the pipeline", () => {
  it.live("is the body as sent, __proto__ included as an ordinary name", () =>
    run(
      Effect.gen(function* () {
        const { arrived } = yield* Script
        yield* post(`{"__proto__":{"admin":true},"email":"a","email":"b"}`)
        const input = arrived[0]!.input
        assert.deepStrictEqual(Object.keys(input), ["__proto__", "email"])
        assert.strictEqual(input["email"], "b")
        assert.isUndefined(({} as { admin?: boolean }).admin)
      })
    )
  )

  it.live("is an empty object where there is no body, whatever the content type", () =>
    run(
      Effect.gen(function* () {
        const { arrived } = yield* Script
        yield* call("POST", "/v1/get_replies", { headers: signed })
        assert.deepStrictEqual(arrived[0]!.input, {})
        assert.isNull(arrived[0]!.reject)
      })
    )
  )

  it.live("is the query by name, repeated ones as a list, and the path's id", () =>
    run(
      Effect.gen(function* () {
        const { arrived } = yield* Script
        yield* call("GET", "/v1/trail?kind=sent&kind=reply&limit=3&email=a%2Bb%40c.test", { headers: signed })
        assert.deepStrictEqual(arrived[0]!.input, { kind: ["sent", "reply"], limit: "3", email: "a+b@c.test" })
        yield* call("GET", "/v1/requests/018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70", { headers: signed })
        assert.deepStrictEqual(arrived[1]!.input, { request_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70" })
        assert.strictEqual(arrived[1]!.verb?.name, "get_request")
      })
    )
  )

  it.live("tells a header that was not sent from an empty one", () =>
    run(
      Effect.gen(function* () {
        const { arrived } = yield* Script
        yield* post("{}")
        yield* post("{}", { ...signedJson, "idempotency-key": "", "svc-run-id": "run" })
        assert.deepStrictEqual([arrived[0]!.idempotencyKey, arrived[0]!.runId], [null, null])
        assert.deepStrictEqual([arrived[1]!.idempotencyKey, arrived[1]!.runId], ["", "run"])
      })
    )
  )
})

const head = (lines: ReadonlyArray<string>) => `${lines.join("\r\n")}\r\n\r\n`
const authorized = (lines: ReadonlyArray<string>) =>
  head([
    "POST /v1/verify_email HTTP/1.1",
    "host: x",
    `authorization: Bearer ${KEY}`,
    "content-type: application/json",
    ...lines
  ])

describe("on the wire", () => {
  const wire = Effect.flatMap(HttpServer, ({ port }) => open(port))
  const runScoped = <A, E>(effect: Effect.Effect<A, E, HttpServer | Script | Scope.Scope>, host = TestHost) =>
    run(Effect.scoped(effect), host)

  it.live("a chunked body is read like any other, and the connection stays", () =>
    runScoped(
      Effect.gen(function* () {
        const client = yield* wire
        client.write(authorized(["transfer-encoding: chunked"]))
        client.write(`9\r\n{"email":\r\n`)
        client.write(`4\r\n"x"}\r\n0\r\n\r\n`)
        assert.include(yield* client.until(`{"email":"x"}`), "HTTP/1.1 200")
        client.write(head(["GET /v1/me HTTP/1.1", "host: x", `authorization: Bearer ${KEY}`]))
        assert.strictEqual((yield* client.until(/200 OK[^]*200 OK[^]*svc/)).split("HTTP/1.1 200").length, 3)
      })
    )
  )

  it.live("a declared body over 4 MiB is refused before it is sent, a chunked one at the bound", () =>
    runScoped(
      Effect.gen(function* () {
        const declared = yield* wire
        declared.write(authorized(["content-length: 4194305"]))
        const first = yield* declared.until("max_bytes")
        assert.include(first, "HTTP/1.1 413")
        assert.include(first, "connection: close")
        const chunked = yield* wire
        chunked.write(authorized(["transfer-encoding: chunked"]))
        const chunk = Buffer.alloc(1024 * 1024, " ")
        for (let i = 0; i < 5; i++) {
          chunked.write(`100000\r\n`)
          chunked.write(chunk)
          chunked.write("\r\n")
        }
        const second = yield* chunked.closed
        assert.include(second, "HTTP/1.1 413")
        assert.include(second, `"max_bytes":4194304`)
        const { arrived } = yield* Script
        assert.deepStrictEqual(
          arrived.map(({ input }) => input),
          [{}, {}]
        )
      })
    )
  )

  it.live("a body of exactly 4 MiB is read", () =>
    run(
      Effect.gen(function* () {
        const filler = "x".repeat(4 * 1024 * 1024 - 10)
        assert.strictEqual((yield* post(`{"note":"${filler}`.slice(0, 4 * 1024 * 1024 - 2) + `"}`)).status, 200)
      })
    )
  )

  it.live("without a credential the answer comes before the body, and the connection closes", () =>
    runScoped(
      Effect.gen(function* () {
        const client = yield* wire
        client.write(head(["POST /v1/verify_email HTTP/1.1", "host: x", "content-length: 4000000"]))
        const answer = yield* client.until("request_id")
        assert.include(answer, "HTTP/1.1 401")
        assert.include(answer, "connection: close")
        yield* client.closed
      })
    )
  )

  it.live("a client that asks first is told to go on only where its body is wanted", () =>
    runScoped(
      Effect.gen(function* () {
        const wanted = yield* wire
        wanted.write(authorized(["content-length: 2", "expect: 100-continue"]))
        yield* wanted.until("HTTP/1.1 100 Continue")
        wanted.write("{}")
        yield* wanted.until("HTTP/1.1 200 OK")
        const unwanted = yield* wire
        unwanted.write(head(["POST /v1/verify_email HTTP/1.1", "host: x", "content-length: 2", "expect: 100-continue"]))
        const answer = yield* unwanted.until("request_id")
        assert.match(answer, /^HTTP\/1.1 401/)
        assert.include(answer, "connection: close")
      })
    )
  )

  it.live("headers that come too slowly, a body that stops, and headers too large end in an answer", () =>
    runScoped(
      Effect.gen(function* () {
        const slowHead = yield* wire
        slowHead.write("GET /v1/me HTTP/1.1\r\nhost: x\r\n")
        const slowBody = yield* wire
        slowBody.write(authorized(["content-length: 100"]))
        slowBody.write("{")
        const large = yield* wire
        large.write(`GET /v1/me HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(20_000)}\r\n\r\n`)
        assert.match(yield* large.closed, /^HTTP\/1.1 431[^]*request_id/)
        assert.match(yield* slowHead.closed, /^HTTP\/1.1 408[^]*request_id/)
        assert.match(yield* slowBody.closed, /^HTTP\/1.1 408/)
        const garbage = yield* wire
        garbage.write("NONSENSE\r\n\r\n")
        assert.match(yield* garbage.closed, /^HTTP\/1.1 400[^]*x-request-id/)
        assert.lengthOf((yield* Script).arrived, 0)
      }),
      ImpatientHost
    )
  )

  it.live("a call whose client hangs up runs to its end", () =>
    runScoped(
      Effect.gen(function* () {
        const script = yield* Script
        const begun = yield* Deferred.make<void>()
        const goOn = yield* Deferred.make<void>()
        const ended = yield* Deferred.make<void>()
        script.behave = (incoming) =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(Deferred.await(goOn)),
            Effect.andThen(Deferred.succeed(ended, undefined)),
            Effect.as(succeed(incoming))
          )
        const client = yield* wire
        client.write(authorized(["content-length: 2"]) + "{}")
        yield* Deferred.await(begun)
        client.socket.resetAndDestroy()
        yield* client.closed
        yield* Deferred.succeed(goOn, undefined)
        yield* Deferred.await(ended)
      })
    )
  )

  it.live("a body that its client never finishes begins no call", () =>
    runScoped(
      Effect.gen(function* () {
        const client = yield* wire
        client.write(authorized(["content-length: 100"]) + "{")
        client.socket.resetAndDestroy()
        yield* client.closed
        yield* call("GET", "/v1/me", { headers: signed })
        assert.deepStrictEqual(
          (yield* Script).arrived.map(({ verb }) => verb?.name),
          ["get_me"]
        )
      })
    )
  )
})

describe("a PATCH", () => {
  const path = "/v1/keys/018F3A5E-7b1c-7d2e-9f10-2b3c4d5e6f70"
  const patch = (url: string, body: string) =>
    call("PATCH", url, { headers: { ...signedJson, "idempotency-key": "one" }, body })

  it.live("is its body and the id that its path names", () =>
    run(
      Effect.gen(function* () {
        const script = yield* Script
        yield* patch(path, `{"autonomous_external_actions":false}`)
        const [{ idempotencyKey, input, verb } = {}] = script.arrived
        const key_id = path.split("/").at(-1)
        assert.deepStrictEqual(
          [verb?.name, input, idempotencyKey],
          ["update_key", { autonomous_external_actions: false, key_id }, "one"]
        )
      })
    )
  )

  it.live("names its key once, by a UUID, and no other method knows the path", () =>
    run(
      Effect.gen(function* () {
        const answers = [
          yield* patch(path, `{"key_id":"${path.split("/").at(-1)}","scopes":[]}`),
          yield* patch("/v1/keys/mine", `{"scopes":[]}`),
          yield* patch(`${path}?scopes=x`, `{"scopes":[]}`),
          yield* call("GET", path, { headers: signed }),
          yield* call("PATCH", path, { headers: { ...signed, "content-type": "text/plain" }, body: "{}" })
        ]
        assert.deepStrictEqual(
          answers.map(({ body, status }) => [status, body.error.code, body.error.details]),
          [
            [400, "invalid_request", { issues: [{ path: "key_id", message: "unknown field" }] }],
            [404, "not_found", undefined],
            [
              400,
              "invalid_request",
              { issues: [{ path: "scopes", message: "is not a query parameter of this call" }] }
            ],
            [405, "invalid_request", { reason: "method_not_allowed" }],
            [415, "invalid_request", { reason: "unsupported_media_type" }]
          ]
        )
        assert.strictEqual(answers[3]?.headers.get("allow"), "PATCH")
      })
    )
  )
})
