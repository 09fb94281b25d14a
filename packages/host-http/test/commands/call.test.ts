import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { encodeError, refuse, statusOf, WIRE_CODES } from "@outbound/domain/kernel/errors/Wire.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { Effect, Layer, References } from "effect"
import { callCommands } from "../../src/commands/call/callCommands.js"
import { EXIT, exitOf } from "../../src/commands/call/exitCodes.js"
import { verbFlags } from "../../src/commands/call/verbFlags.js"
import { Readiness } from "../../src/health/Readiness.js"
import { layer as httpHost } from "../../src/HttpHost.js"
import { HttpServer } from "../../src/HttpServer.js"
import { layer as desk } from "../support/Desk.js"
import { running } from "../support/Program.js"
import { KEY, layer as scripted, Script } from "../support/Scripted.js"

const TestHost = httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, limits: {} }).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(scripted),
  Layer.provide(desk),
  Layer.provide(Layer.succeed(Settings, { baseUrl: "http://outbound.test" })),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

/** The program, with a key and the address of a service. */
const calling = Effect.gen(function* () {
  const { port } = yield* HttpServer
  return yield* running([], { environment: { OUTBOUND_API_KEY: KEY, OUTBOUND_URL: `http://127.0.0.1:${port}` } })
})

describe("outbound call", () => {
  it("has a command for each verb, and a flag for each member of its request", () => {
    const { commands } = callCommands({}, () => "key")
    assert.deepStrictEqual(
      commands.map(({ name }) => name),
      verbList.map(({ name }) => name)
    )
    for (const verb of verbList) {
      for (const [name, { help }] of Object.entries(verbFlags(verb)))
        assert.match(name, /^[a-z][a-z0-9-]*$/, help.about)
    }
    const { "dry-run": dry, limit, titles } = verbFlags(verbList.find(({ name }) => name === "find_leads")!)
    assert.deepStrictEqual([dry?.help.value, limit?.help.value, titles?.help.need], [null, "NUMBER", "repeatable"])
  })

  it.live("sends what the flags say, with a key of its own, and prints the answer", () =>
    Effect.gen(function* () {
      const run = yield* calling
      const script = yield* Script
      const words = [
        "call",
        "find_leads",
        "--titles",
        "CTO",
        "--titles",
        "VP Sales",
        "--limit",
        "2",
        "--dry-run",
        "--json"
      ]
      const { isGood, out } = yield* run(words)
      assert.isTrue(isGood)
      assert.deepInclude(JSON.parse(out[0] ?? "").result.input, {
        titles: ["CTO", "VP Sales"],
        limit: 2,
        dry_run: true
      })
      yield* run(["call", "verify_email", "--email", "a@b.test", "--idempotency-key", "mine"])
      yield* run(["call", "verify_email", "--body", '{"email":"c@d.test"}'])
      const [, second, third] = script.arrived
      assert.deepStrictEqual(second?.input, { email: "a@b.test" })
      assert.strictEqual(second?.idempotencyKey, "mine")
      assert.deepStrictEqual(third?.input, { email: "c@d.test" })
      assert.match(third?.idempotencyKey ?? "", /^[0-9a-f-]{36}$/)
    }).pipe(Effect.provide(TestHost))
  )

  it.live("puts into the address what belongs there, and asks reads by their query", () =>
    Effect.gen(function* () {
      const run = yield* calling
      const script = yield* Script
      const id = "0197c3a0-0000-7000-8000-00000000000c"
      yield* run(["call", "pause_campaign", "--campaign-id", id, "--reason", "enough"])
      yield* run(["call", "get_trail", "--limit", "5"])
      assert.deepStrictEqual(
        script.arrived.map(({ input, verb }) => [verb?.name, input]),
        [
          ["pause_campaign", { campaign_id: id, reason: "enough" }],
          ["get_trail", { limit: "5" }]
        ]
      )
    }).pipe(Effect.provide(TestHost))
  )

  it.live("says all mistakes at once, before anything is sent", () =>
    Effect.gen(function* () {
      const run = yield* running([], { environment: { OUTBOUND_URL: "nowhere" } })
      const words = ["call", "find_leads", "--limit", "two", "--title", "CTO", "--body", "[]"]
      const { complaint, isGood } = yield* run(words)
      assert.isFalse(isGood)
      for (const said of [
        "--limit must be a number",
        "--title is not a flag",
        "--titles",
        "--body must be a JSON object",
        "--url must be an address",
        "OUTBOUND_API_KEY is not set"
      ])
        assert.include(complaint ?? "", said)
    })
  )

  it.live("prints a refusal as the service said it, and exits by its kind", () =>
    Effect.gen(function* () {
      const run = yield* calling
      const script = yield* Script
      const error = refuse("not_found", {})
      script.behave = (call) =>
        Effect.succeed({
          requestId: call.requestId,
          status: statusOf(error),
          body: JSON.stringify({ error: { ...encodeError(error), request_id: call.requestId } }),
          rate: null,
          retryAfterSeconds: null
        })
      const { isGood, out } = yield* run(["call", "verify_email", "--email", "a@b.test", "--json"])
      assert.isFalse(isGood)
      assert.strictEqual(JSON.parse(out[0] ?? "").error.code, "not_found")
      for (const code of WIRE_CODES) assert.include(Object.values<number>(EXIT), exitOf(400, code), code)
      const known = {
        confirmation_required: 3,
        insufficient_credits: 4,
        rate_limited: 5,
        unauthorized: 6,
        invalid_request: 2
      }
      for (const [code, exit] of Object.entries(known)) assert.strictEqual(exitOf(400, code), exit, code)
      assert.deepStrictEqual([exitOf(502, ""), exitOf(429, ""), exitOf(418, "teapot")], [5, 5, 2])
    }).pipe(Effect.provide(TestHost))
  )

  it.live("says where nothing answers", () =>
    Effect.gen(function* () {
      const run = yield* running([], { environment: { OUTBOUND_API_KEY: KEY } })
      const { complaint } = yield* run(["call", "get_me", "--url", "http://127.0.0.1:9"])
      assert.include(complaint ?? "", "http://127.0.0.1:9 does not answer")
    })
  )
})
