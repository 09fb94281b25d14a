import { assert, layer as describeLayer } from "@effect/vitest"
import { CLOSED_WITH, closing, PAUSED_BY_OPERATOR, Releases, TOOLS } from "@outbound/domain/calls/releases/Releases.js"
import { type VerbName, verbList } from "@outbound/domain/verbs/verbs.js"
import { Effect, Layer } from "effect"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { asking, assertBalance, assertRefused, resultOf, SUITE } from "./support.js"
import { CALLS } from "./wellFormed.js"

const CHAT = { model: "sandbox-mini", messages: [{ role: "user", content: "Hello" }] }

const LISTS = Object.keys(CLOSED_WITH) as ReadonlyArray<VerbName>

const inputOf = (tool: VerbName) => (tool === "llm_chat" ? CHAT : (CALLS[tool]?.[1] ?? {}))

/** What an operator's pausing of tools does to their calls, on a host of which all of them are paused. */
export const closedToolsContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  const closed = service.pipe(Layer.provide(Layer.succeed(Releases, closing([...TOOLS]))))

  describeLayer(closed, SUITE)(`tools that the operator has paused (${name})`, (it) => {
    it("are those that may say so", () => {
      const saying = verbList.filter(({ errors }) => errors.includes("tool_unavailable")).map((verb) => verb.name)
      assert.sameMembers([...TOOLS, ...LISTS], saying)
    })

    it.effect("are refused with tool and reason, dry or not, with nobody asked and nothing charged", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const tool of TOOLS) {
          for (const more of tool === "llm_chat" ? [{}] : [{}, { dry_run: true }]) {
            const [refused, asked] = yield* asking(client.call(tool, { ...inputOf(tool), ...more }))
            assert.strictEqual(refused.status, 503, refused.text)
            assertRefused(refused, "tool_unavailable", { tool, reason: PAUSED_BY_OPERATOR })
            assert.deepStrictEqual(asked, [])
          }
        }
        yield* assertBalance(client, "300")
      })
    )

    it.effect("take the lists of their calls with them", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const tool of LISTS) {
          const [refused, asked] = yield* asking(client.call(tool, inputOf(tool), { key: tool }))
          assertRefused(refused, "tool_unavailable", { tool, reason: PAUSED_BY_OPERATOR })
          assert.deepStrictEqual(asked, [])
        }
        yield* assertBalance(client, "300")
      })
    )

    it.effect("are told by get_me, and everything else goes on", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const me = resultOf(yield* client.call("get_me"))
        const verbs = me.verbs as ReadonlyArray<{ verb: string; allowed: boolean; reason: string | null }>
        const paused = verbs.filter(({ reason }) => reason === "tool_unavailable")
        assert.sameMembers(
          paused.map(({ verb }) => verb),
          [...TOOLS, ...LISTS]
        )
        for (const { allowed } of paused) assert.isFalse(allowed)
        const [scope, input] = CALLS.create_campaign ?? assert.fail()
        assert.isTrue(me.scopes.includes(scope))
        assert.strictEqual(resultOf(yield* client.call("create_campaign", input, { key: "one" })).state, "draft")
      })
    )
  })
}
