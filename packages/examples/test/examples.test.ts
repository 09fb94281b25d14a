import { assert, describe, it } from "@effect/vitest"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { verbList } from "@outbound/domain/verbs/verbs.js"
import { layer as httpHost } from "@outbound/host-http/HttpHost.js"
import { HttpServer } from "@outbound/host-http/HttpServer.js"
import { Readiness } from "@outbound/host-http/health/Readiness.js"
import * as McpHost from "@outbound/host-mcp/McpHost.js"
import { makeClient } from "@outbound/testkit/service/Client.js"
import { layerMemory } from "@outbound/testkit/service/Service.js"
import { Effect, Layer, References } from "effect"
import { embedded } from "../src/embedded.js"
import { inATest } from "../src/inATest.js"
import { overHttp, type Place } from "../src/overHttp.js"
import { tools } from "../src/tools.js"

/** REST and the tools on one port, on this machine. */
const Host = Layer.unwrap(
  Effect.map(Effect.provideService(McpHost.surface(), Settings, { baseUrl: "http://localhost:8080" }), (mcp) =>
    httpHost({ host: "127.0.0.1", port: 0, metricsPort: null, surfaces: [mcp] })
  )
).pipe(
  Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
  Layer.provideMerge(layerMemory),
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
)

const against = (example: (place: Place) => Promise<ReadonlyArray<string>>) =>
  Effect.gen(function* () {
    const { apiKey } = yield* makeClient()
    const { port } = yield* HttpServer
    return yield* Effect.promise(() => example({ url: `http://127.0.0.1:${port}`, apiKey }))
  }).pipe(Effect.provide(Host))

describe("each example runs, does what it says, and ends:", () => {
  it.live("a backend embeds the service, with a provider of its own", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* embedded, [
        "ada@customers.example: valid, 1 credit, 9 left",
        "old@customers.example: invalid, 1 credit, 8 left",
        "find_leads: no provider is configured for this workspace"
      ])
    })
  )

  it.live("an agent calls it over HTTP", () =>
    Effect.gen(function* () {
      const [plan, ...rest] = yield* against(overHttp)
      assert.strictEqual(plan, "at most 0.6 credits; 3 found for 0.6")
      assert.match(rest.at(-1) ?? "", /^[\d.]+ credits left$/)
      assert.isNotEmpty(rest.filter((line) => /: .+@.+ is (valid|catch_all|unknown|risky|invalid)/.test(line)))
    })
  )

  it.live("an assistant uses its tools", () =>
    Effect.gen(function* () {
      const [offered, checked, refused, approval] = yield* against(tools)
      const count = verbList.filter(({ tool }) => tool !== null).length
      assert.match(offered ?? "", new RegExp(`^${count} tools, \\d+ of which`))
      assert.strictEqual(checked, "valid@magic.test is valid")
      assert.strictEqual(refused, "get_operation was refused: not_found")
      assert.match(approval ?? "", /\/console\/approvals\/[0-9a-f-]{36}$/)
    })
  )

  it.live("a tester runs the loop in memory", () =>
    Effect.gen(function* () {
      assert.sameMembers(
        [...(yield* inATest)],
        ["4 messages, 1 bounce", "mailer-daemon@magic.test: bounce", "interested@magic.test: interested"]
      )
    })
  )
})
