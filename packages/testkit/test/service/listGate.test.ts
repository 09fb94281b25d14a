import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { listGateContract } from "../../src/contracts/service/listGate.js"
import { draft, freshKey, sender, silent, SUITE } from "../../src/contracts/service/stories.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { quietMemory } from "../../src/service/Service.js"

listGateContract("memory", quietMemory)

it.layer(quietMemory, SUITE)("the list gate where a verdict can't be read", (it) => {
  it.effect("nothing is shown, asked for or launched: the call fails as an outage", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const { result } = yield* draft(client, { recipients: silent(1) })
      const { campaign_id } = result
      const { failNext } = yield* MemoryFaults
      for (const operation of ["VerdictStore.find", "RuleStore.rules"]) {
        for (const request of [{ campaign_id }, { campaign_id, dry_run: true }]) {
          yield* failNext(operation, 1)
          const answer = yield* client.call("launch_campaign", request, { key: freshKey() })
          assert.isAtLeast(answer.status, 500, operation)
        }
      }
    }).pipe(Effect.orDie)
  )
})
