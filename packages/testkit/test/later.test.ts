import { assert, layer as describeLayer } from "@effect/vitest"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { SourceAccessFactory } from "@outbound/domain/sources/SourceAccessFactory.js"
import { Effect, Layer, TestClock } from "effect"
import { TestPassing } from "../src/contracts/Hooks.js"
import { laterContract } from "../src/contracts/later.js"
import { followUpLanesContract } from "../src/contracts/service/followUpLanes.js"
import { followUpsContract } from "../src/contracts/service/followUps.js"
import { liveWithFollowUps } from "../src/contracts/service/followUpScripts.js"
import { member, ok } from "../src/contracts/service/stories.js"
import * as MemoryLayer from "../src/memory/layer.js"
import * as MemoryHosts from "../src/memory/MemoryHosts.js"
import { MemoryFaults } from "../src/memory/MemoryFaults.js"
import { layerMemory, over } from "../src/service/Service.js"

const passing = Layer.succeed(TestPassing, { pass: (millis) => TestClock.adjust(millis) })

laterContract("memory", Layer.merge(MemoryLayer.layer, passing))

const scripted = Layer.merge(Layer.provideMerge(MemoryHosts.layer, over(MemoryLayer.layer, liveWithFollowUps)), passing)
followUpsContract("memory", scripted)
followUpLanesContract("memory", scripted)

describeLayer(layerMemory)("what comes later", (it) => {
  it.effect("costs a call nothing where no source asks for it", () =>
    Effect.gen(function* () {
      const faults = yield* MemoryFaults
      const client = yield* member()
      yield* faults.failNext("LaterStore.find", 1)
      yield* faults.failNext("LaterStore.insert", 1)
      ok(yield* client.call("enrich", { person: { email: "valid@magic.test" } }))
      const { later } = (yield* SourceAccessFactory).of({ workspaceId: client.workspaceId, workspaceKind: "sandbox" })
      const found = yield* Effect.either(later.find("a_source", "a subject"))
      const request = { source: "a_source", subject: "a subject", email: null, request: {}, afterSeconds: 1 }
      const asked = yield* Effect.either(later.ask(request))
      for (const failed of [found, asked]) {
        assert.isTrue(failed._tag === "Left" && failed.left instanceof ProviderFailure)
        assert.isTrue(failed._tag === "Left" && failed.left.reason === "transient")
      }
    })
  )
})
