import { assert, describe, it } from "@effect/vitest"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect } from "effect"
import type { Script } from "./ScriptedSmtp.js"
import { against, only, TARGET } from "./support.js"

describe("asked again", () => {
  /** Puts every recipient off the first time. */
  const greylist: Script = {
    rcpt: (address, others) => (others.includes(address) ? only(TARGET)(address) : "450 4.7.1 Greylisted")
  }

  it.live("a greylist is passed with the same recipients, and the next call knows", () =>
    Effect.gen(function* () {
      const { asked, evidence, known, prober, server, verify } = yield* against(greylist)
      assert.strictEqual((yield* verify(TARGET)).status, "unknown")
      const [request] = asked
      assert.deepInclude(request, { source: "prober", subject: TARGET, email: TARGET, afterSeconds: 330 })
      known.set(TARGET, { _tag: "Pending", request: request?.request ?? {} })
      const { length } = server.heard()
      assert.strictEqual((yield* verify(TARGET)).status, "unknown")
      assert.strictEqual(server.heard().length, length)

      const answer = yield* prober.followUp.followUp(request?.request ?? {}, 1)
      if (answer._tag !== "Answer") return assert.fail(answer._tag)
      known.set(TARGET, { _tag: "Answered", answer: answer.answer, answeredAtMillis: 0 })
      assert.strictEqual((yield* verify(TARGET)).status, "valid")
      assert.deepInclude(evidence.at(-1), { because: "accepted", answered_at: "1970-01-01T00:00:00.000Z" })
      assert.strictEqual(asked.length, 1)
    })
  )

  it.live("what can't be written down takes nothing from what a server has said", () =>
    Effect.gen(function* () {
      const { evidence, prober } = yield* against({})
      const down = Effect.fail(new ProviderFailure({ provider: "prober", reason: "transient" }))
      const later = { ...noAccess.later, find: () => down, ask: () => down }
      const told: Array<unknown> = []
      const reach = {
        ...noAccess,
        later,
        evidence: (_: string, facts: unknown) => Effect.sync(() => void told.push(facts))
      }
      const check = yield* Effect.provideService(prober.verifier.verify(TARGET), CurrentSourceAccess, reach)
      assert.deepStrictEqual(check, { status: "catch_all_unknown", isCatchAllDomain: true })
      assert.lengthOf(told, 1)
      assert.lengthOf(evidence, 0)
      const busy = yield* against(greylist)
      const put = yield* Effect.provideService(busy.prober.verifier.verify(TARGET), CurrentSourceAccess, {
        ...noAccess,
        later
      })
      assert.strictEqual(put.status, "unknown")
    })
  )

  it.live("a server that keeps putting off is given up after some tries", () =>
    Effect.gen(function* () {
      const { prober } = yield* against({ rcpt: "451 4.7.1 Later" })
      const request = { email: TARGET, random: "abcdef" }
      const tags = yield* Effect.forEach([1, 2, 3, 4], (tries) => prober.followUp.followUp(request, tries))
      assert.deepStrictEqual(
        tags.map(({ _tag }) => _tag),
        ["Again", "Again", "Again", "Gone"]
      )
      assert.deepStrictEqual(yield* prober.followUp.followUp({ nothing: true }, 1), { _tag: "Gone" })
    })
  )
})
