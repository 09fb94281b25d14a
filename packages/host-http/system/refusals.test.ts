import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { exchange } from "./support/Raw.js"
import { Served } from "./support/Served.js"
import { makeTenant } from "./support/Tenant.js"

const MEBIBYTE = 1024 * 1024
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

interface Parts {
  /** In place of all else. */
  readonly raw?: string
  readonly line?: string
  /** Without it: whatever the key is. */
  readonly authorization?: string | null
  readonly headers?: ReadonlyArray<string>
  readonly body?: string | Buffer
  /** Where the body's length is not said by itself. */
  readonly framing?: ReadonlyArray<string>
  /** The service itself must close the connection, and take nothing more from it. */
  readonly isMalformed?: true
}

interface Refusal extends Parts {
  readonly what: string
  readonly status: number
  readonly code: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly header?: readonly [name: string, value: string]
  /** Refused before anybody asked whose key it is. */
  readonly isAnonymous?: true
}

const VERIFY = "POST /v1/verify_email HTTP/1.1"
const JSON_TYPE = "content-type: application/json"
const KNOWN = JSON.stringify({ email: "valid@magic.test" })
const CHUNKED = ["transfer-encoding: chunked"]

const bytesOf = (parts: Parts, apiKey: string): Buffer => {
  if (parts.raw !== undefined) return Buffer.from(parts.raw)
  const { authorization = `Bearer ${apiKey}`, body = "", headers = [JSON_TYPE], line = VERIFY } = parts
  const content = Buffer.from(body)
  const head = [
    line,
    "host: outbound",
    ...(authorization === null ? [] : [`authorization: ${authorization}`]),
    ...(parts.isMalformed === true ? [] : ["connection: close"]),
    ...headers,
    ...(parts.framing ?? [`content-length: ${content.length}`])
  ]
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), content])
}

const chunked = (content: string): string => `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`

/** A request that must never be taken for one of its own. */
const SMUGGLED = "GET /healthz HTTP/1.1\r\nhost: outbound\r\n\r\n"

const invalid = { status: 400, code: "invalid_request" } as const
const unauthorized = { status: 401, code: "unauthorized", header: ["www-authenticate", "Bearer"] } as const
const notHttp = { ...invalid, isAnonymous: true, isMalformed: true } as const

const REFUSALS: ReadonlyArray<Refusal> = [
  { what: "no credential", authorization: null, body: KNOWN, isAnonymous: true, ...unauthorized },
  { what: "another scheme", authorization: "Basic b3V0Ym91bmQ6", body: KNOWN, isAnonymous: true, ...unauthorized },
  { what: "a key of another form", authorization: "Bearer sk-1234", body: KNOWN, isAnonymous: true, ...unauthorized },
  {
    what: "a key that nobody has",
    authorization: `Bearer svc_key_${"A".repeat(43)}`,
    body: KNOWN,
    isAnonymous: true,
    ...unauthorized
  },
  { what: "an unknown path", line: "POST /v1/nothing HTTP/1.1", body: "{}", status: 404, code: "not_found" },
  {
    what: "a path outside the interface",
    line: "GET /nothing HTTP/1.1",
    status: 404,
    code: "not_found",
    isAnonymous: true
  },
  { what: "an id that is none", line: "GET /v1/requests/1 HTTP/1.1", status: 404, code: "not_found" },
  {
    what: "a wrong method",
    line: "DELETE /v1/verify_email HTTP/1.1",
    status: 405,
    code: "invalid_request",
    header: ["allow", "POST"]
  },
  { what: "malformed JSON", body: `{"email":`, ...invalid, details: { reason: "malformed_json" } },
  { what: "JSON that is no object", body: "[]", ...invalid },
  { what: "no body at all", body: "", ...invalid },
  { what: "an unknown field", body: `{"email":"a@b.test","extra":1}`, ...invalid },
  { what: "an unknown query parameter", line: "POST /v1/verify_email?x=1 HTTP/1.1", body: KNOWN, ...invalid },
  { what: "half of a surrogate pair", body: `{"email":"a\\ud800@b.test"}`, ...invalid },
  { what: "half of a surrogate pair in a name", body: `{"email":"a@b.test","a\\udfff":1}`, ...invalid },
  { what: "a query that is no UTF-8", line: "GET /v1/trail?since=%ED%A0%80 HTTP/1.1", ...invalid },
  ...["authorization: Bearer x", "host: other", "content-type: application/json"].map((again) => ({
    what: `${again.split(":")[0]} twice`,
    headers: [JSON_TYPE, again],
    body: KNOWN,
    isAnonymous: true as const,
    ...invalid
  })),
  {
    what: "two Idempotency-Keys",
    headers: [JSON_TYPE, "idempotency-key: a", "idempotency-key: a"],
    body: KNOWN,
    isAnonymous: true,
    ...invalid,
    details: { issues: [{ path: "Idempotency-Key", message: "must be sent once" }] }
  },
  { what: "text that PostgreSQL cannot hold", body: `{"email":"a\\u0000@b.test"}`, ...invalid },
  {
    what: "bytes that are no UTF-8",
    body: Buffer.concat([Buffer.from(`{"email":"`), Buffer.from([0xff, 0xfe]), Buffer.from(`"}`)]),
    ...invalid,
    details: { reason: "malformed_json" }
  },
  {
    what: "JSON that nests too deep",
    body: `{"email":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    ...invalid,
    details: { reason: "malformed_json" }
  },
  {
    what: "an Idempotency-Key that is too long",
    headers: [JSON_TYPE, `idempotency-key: ${"k".repeat(201)}`],
    body: KNOWN,
    ...invalid
  },
  {
    what: "another content type",
    headers: ["content-type: text/plain"],
    body: KNOWN,
    status: 415,
    code: "invalid_request"
  },
  {
    what: "a compressed body",
    headers: [JSON_TYPE, "content-encoding: gzip"],
    body: KNOWN,
    status: 415,
    code: "invalid_request"
  },
  {
    what: "a body of 4 MiB and one byte that says its length",
    body: " ".repeat(4 * MEBIBYTE + 1),
    status: 413,
    code: "invalid_request"
  },
  {
    what: "a body of 4 MiB and one byte in chunks",
    framing: CHUNKED,
    body: chunked(" ".repeat(4 * MEBIBYTE + 1)),
    status: 413,
    code: "invalid_request"
  },
  {
    what: "headers that are too large",
    headers: [JSON_TYPE, `x-large: ${"x".repeat(32 * 1024)}`],
    body: KNOWN,
    status: 431,
    code: "invalid_request",
    isAnonymous: true
  },
  {
    what: "a length and chunks at once",
    framing: ["content-length: 6", ...CHUNKED],
    body: `0\r\n\r\n${SMUGGLED}`,
    ...notHttp
  },
  {
    what: "two lengths",
    framing: ["content-length: 2", `content-length: ${KNOWN.length}`],
    body: `${KNOWN}${SMUGGLED}`,
    ...notHttp
  },
  { what: "chunks under a false name", framing: ["transfer-encoding: xchunked"], body: chunked(KNOWN), ...notHttp },
  {
    what: "chunks that are not the last coding",
    framing: ["transfer-encoding: chunked, gzip"],
    body: SMUGGLED,
    ...notHttp
  },
  { what: "a chunk whose size is none", framing: CHUNKED, body: `zz\r\n${KNOWN}\r\n0\r\n\r\n${SMUGGLED}`, ...notHttp },
  { what: "a space before a header's colon", framing: [`content-length : ${KNOWN.length}`], body: KNOWN, ...notHttp },
  { what: "a length that is no number", framing: ["content-length: -1"], body: SMUGGLED, ...notHttp },
  { what: "no HTTP at all", raw: "HELLO\r\n\r\n", ...notHttp },
  { what: "no host", raw: "GET /healthz HTTP/1.1\r\n\r\n", ...notHttp },
  {
    what: "a tunnel",
    raw: "CONNECT outbound:443 HTTP/1.1\r\nhost: outbound:443\r\n\r\n",
    status: 405,
    code: "invalid_request",
    isAnonymous: true
  },
  { what: "a folded header", headers: [JSON_TYPE, "x-folded: a\r\n b: c\r\n\tcontent-length: 0"], ...notHttp }
]

class Caller extends Context.Service<Caller, { readonly apiKey: string }>()("@outbound/host-http/system/refusals") {
  static readonly layer = Layer.effect(
    Caller,
    Effect.flatMap(Served, ({ place }) => makeTenant(place, { credits: 100 }))
  ).pipe(Layer.provideMerge(Served.layer))
}

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

layer(Caller.layer, { timeout: "180 seconds", excludeTestServices: true })(
  "is refused with the error envelope",
  (it) => {
    it.effect.each(REFUSALS)("$what", (refusal) =>
      Effect.gen(function* () {
        const { host } = yield* Served
        const { apiKey } = yield* Caller
        const { body, headers, rest, status } = yield* exchange(host, bytesOf(refusal, apiKey))
        const { error, ...others } = parsed(body)
        assert.deepStrictEqual([status, error?.code], [refusal.status, refusal.code], body)
        assert.deepStrictEqual(others, {}, "nothing stands beside the error")
        assert.isTrue(typeof error.message === "string" && error.message !== "", body)
        assert.match(error.request_id, UUID)
        assert.strictEqual(headers.get("x-request-id"), error.request_id)
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.strictEqual(headers.has("ratelimit"), refusal.isAnonymous !== true, "rate headers tell who asked")
        assert.isFalse(headers.has("retry-after"))
        if (refusal.details !== undefined) assert.deepInclude(error.details, refusal.details)
        if (refusal.header !== undefined) assert.strictEqual(headers.get(refusal.header[0]), refusal.header[1])
        assert.strictEqual(rest, "", "nothing is answered beside it")
      })
    )
  }
)
