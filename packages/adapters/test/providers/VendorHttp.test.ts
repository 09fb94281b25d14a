import { assert, describe, it } from "@effect/vitest"
import { SECRET, told } from "@outbound/testkit/contracts/providers/sources.js"
import { makeReplayServer } from "@outbound/testkit/vendors/ReplayServer.js"
import { Cause, Effect, Exit, Fiber, Option, Redacted, Result, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { existsSync } from "node:fs"
import { inspect } from "node:util"
import { gzipSync } from "node:zlib"
import { sayingOf } from "../../src/providers/saying.js"
import { VENDORS } from "../../src/providers/vendors.js"
import { makeVendorHttp, type VendorHttpOptions, type VendorRequest } from "../../src/providers/VendorHttp.js"

const BUYS: VendorRequest = { method: "POST", path: "/orders", body: { of: "one" }, hasEffect: true }

/** A client of a vendor on this machine, and that vendor. */
const client = (options: Partial<VendorHttpOptions> = {}) =>
  Effect.gen(function* () {
    const server = yield* makeReplayServer
    const http = yield* makeVendorHttp({
      name: "some_vendor",
      baseUrl: `${server.url}/v2`,
      credential: Redacted.make(SECRET),
      authorize: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
      callsPerMinute: null,
      ...options
    })
    return { http, server }
  })

describe("what is said to a vendor", () => {
  it.effect("is sent as it was meant, below the base's path, with lists and without what is null", () =>
    Effect.gen(function* () {
      const { http, server } = yield* client()
      server.on({ request: { method: "GET", path: "/v2/people" }, answer: { json: { n: 1 } } })
      const query = { name: "Zoë & Co", tags: ["a", "b"], none: null, flag: true }
      const [, answer] = yield* told(
        http.read(Schema.Struct({ n: Schema.Number }), { method: "GET", path: "/people", query })
      )
      assert.deepStrictEqual(answer, { n: 1 })
      const [asked] = server.received
      assert.deepStrictEqual(
        [...(asked?.query ?? [])],
        [
          ["name", "Zoë & Co"],
          ["tags", "a"],
          ["tags", "b"],
          ["flag", "true"]
        ]
      )
      assert.include(asked?.headers, { authorization: `Bearer ${SECRET}`, "user-agent": "outbound/1" })
    })
  )

  it.effect("is not sent where the connection can't be made safe, and that is told as nothing", () =>
    Effect.gen(function* () {
      const { server } = yield* client()
      const { http } = yield* client({ baseUrl: server.url.replace("http:", "https:") })
      const [, failure] = yield* told(Effect.flip(http.send(BUYS)))
      assert.deepStrictEqual([failure.reason, server.received.length], ["transient", 0])
    })
  )

  it.effect("is not sent with a credential that holds a line break", () =>
    Effect.gen(function* () {
      const bad = `${SECRET}\r\nx-else: 1`
      const { http, server } = yield* client({ credential: Redacted.make(bad) })
      const [, failure] = yield* told(Effect.flip(http.send(BUYS)))
      assert.deepStrictEqual([failure.reason, failure.ownKey, server.connections()], ["account", undefined, 0])
      assert.notInclude(inspect(failure, { depth: 9, showHidden: true }), SECRET)
      const [, own] = yield* told(Effect.flip(http.send(BUYS)), Option.some(Redacted.make(bad)))
      assert.deepStrictEqual([own.reason, own.ownKey, server.connections()], ["account", "refused", 0])
    })
  )

  it.effect("is not sent more often than the vendor allows within any minute, and who waits is told for how long", () =>
    Effect.gen(function* () {
      const { http, server } = yield* client({ callsPerMinute: 2 })
      server.on({ request: { method: "POST", path: "/v2/orders" }, answer: { json: {} } })
      yield* told(http.send(BUYS))
      yield* TestClock.adjust("10 seconds")
      yield* told(http.send(BUYS))
      const [, failure] = yield* told(Effect.flip(http.send(BUYS)))
      assert.deepStrictEqual([failure.reason, failure.retryAfterSeconds, server.begun()], ["rate_limited", 50, 2])
      yield* TestClock.adjust("50 seconds")
      yield* told(http.send(BUYS))
      assert.strictEqual(server.begun(), 3)
    })
  )

  it.effect("is counted per credential: calls with an own key never wait for other keys' calls", () =>
    Effect.gen(function* () {
      const { http, server } = yield* client({ callsPerMinute: 1 })
      server.on({ request: { method: "POST", path: "/v2/orders" }, answer: { json: {} } })
      const own = Option.some(Redacted.make("an-own-key-0123"))
      yield* told(http.send(BUYS), own)
      yield* told(http.send(BUYS))
      for (const key of [own, Option.none()]) {
        const [, failure] = yield* told(Effect.flip(http.send(BUYS)), key)
        assert.strictEqual(failure.reason, "rate_limited")
      }
      assert.strictEqual(server.begun(), 2)
    })
  )

  it.effect("asks for answers that are not packed, and believes none that is", () =>
    Effect.gen(function* () {
      const { http, server } = yield* client()
      const packed = gzipSync(JSON.stringify({ n: 1 })).toString("latin1")
      const headers = { "content-encoding": "gzip" }
      server.on({ request: { method: "POST", path: "/v2/orders" }, answer: { text: packed, headers } })
      const [, failure] = yield* told(Effect.flip(http.read(Schema.Struct({ n: Schema.Number }), BUYS)))
      assert.deepStrictEqual(
        [failure.reason, server.received[0]?.headers["accept-encoding"]],
        ["unknown_outcome", "identity"]
      )
    })
  )

  it.effect("is told in words where what comes back is no HTTP", () =>
    Effect.gen(function* () {
      const { http, server } = yield* client()
      const request = { method: "POST", path: "/v2/orders" }
      server.on({ request, answer: { fault: { kind: "garbage" } } })
      const [, failure] = yield* told(Effect.flip(http.send(BUYS)))
      assert.deepStrictEqual([failure.reason, failure.cause], ["unknown_outcome", "the exchange broke off"])
    })
  )

  it.effect("is given up where the answer never ends, however often a byte of it comes", () =>
    Effect.gen(function* () {
      const { http, server } = yield* client()
      const request = { method: "POST", path: "/v2/orders" }
      server.on({ request, answer: { json: { n: 1 }, fault: { kind: "stalled", bytes: 40 } } })
      for (const [asked, reason] of [
        [BUYS, "unknown_outcome"],
        [{ method: "POST", path: "/orders" }, "transient"]
      ] as const) {
        server.forget()
        const asking = yield* Effect.forkChild(told(Effect.flip(http.send(asked))))
        yield* server.until(1)
        yield* TestClock.adjust("89 seconds")
        assert.isUndefined(asking.pollUnsafe())
        yield* TestClock.adjust("1 second")
        const [, failure] = yield* Fiber.join(asking)
        assert.strictEqual(failure.reason, reason)
        yield* server.left
      }
    })
  )

  it.effect("goes nowhere else: a redirect is no answer", () =>
    Effect.gen(function* () {
      const { http, server } = yield* client()
      const elsewhere = yield* makeReplayServer
      for (const status of [301, 302, 307, 308]) {
        server.on({
          request: { method: "GET", path: "/v2/people" },
          answer: { status, headers: { location: `${elsewhere.url}/` } }
        })
        const [, failure] = yield* told(Effect.flip(http.send({ method: "GET", path: "/people" })))
        assert.strictEqual(failure.reason, "transient", String(status))
      }
      assert.strictEqual(elsewhere.connections(), 0)
    })
  )
})

describe("what a vendor says of an error", () => {
  it("is cut between words, so that no half of a key is told, and read in no time", () => {
    const key = `${SECRET.replaceAll("-", "/")}+/${"x/9".repeat(20)}`
    const said = (length: number) => sayingOf({ error: { message: `${"word ".repeat(length)}${key}, it says` } })
    for (let length = 40; length < 62; length += 1) {
      assert.notInclude(said(length).replaceAll(`${key}, it says`, "").replaceAll(`${key},`, ""), "sk/replayed")
    }
    assert.strictEqual(sayingOf({ message: "No such\n plan" }), "No such plan")
    assert.strictEqual(sayingOf({ detail: "<ada@corp.example> is in no plan" }), "<[address]> is in no plan")
    const before = performance.now()
    assert.strictEqual(sayingOf({ message: "a".repeat(4 * 1024 * 1024) }), "")
    assert.isBelow(performance.now() - before, 10_000)
  })
})

describe("the vendors that can be configured", () => {
  it("have names of their own, by which their folders are found", () => {
    assert.lengthOf(new Set(VENDORS.map(({ name }) => name)), VENDORS.length)
    for (const { name } of VENDORS) {
      assert.match(name, /^[a-z][a-z0-9_]*$/)
      assert.isTrue(existsSync(new URL(`../../src/providers/${name}`, import.meta.url)), name)
    }
  })

  it.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))("%s is told of as it is", (_, vendor) => {
    const { baseUrl, decode, isOpen, limits, needsNoCredential, serves, title, unit, unitMicros } = vendor
    assert.isTrue(Result.isSuccess(decode({})), "without any setting")
    assert.isTrue(Result.isFailure(decode({ no_such_setting: 1 })), "a setting that is none")
    if (isOpen !== true || baseUrl !== "")
      assert.match(baseUrl, needsNoCredential === true ? /^https?:.*[^/]$/ : /^https:.*[^/]$/)
    assert.isTrue(Number.isSafeInteger(unitMicros) && unitMicros >= 0, `${unitMicros} micro-dollars`)
    assert.match(unit, /^[a-z]+$/)
    assert.isNotEmpty(title)
    assert.isNotEmpty(serves)
    for (const limit of limits) assert.match(limit, /^[A-Z].*\.$/)
  })
})

describe("the vendor of the tests", () => {
  it.effect("does not let a test pass that asks what it was not told of", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { http } = yield* Scope.provide(client(), scope)
      const [, failure] = yield* told(Effect.flip(http.send({ method: "GET", path: "/people" })))
      assert.strictEqual(failure.reason, "transient")
      const closed = yield* Effect.exit(Scope.close(scope, Exit.void))
      assert.isTrue(Exit.isFailure(closed))
      assert.include(Cause.pretty(Exit.isFailure(closed) ? closed.cause : Cause.empty), "GET /v2/people")
    })
  )
})
