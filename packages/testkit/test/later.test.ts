import { assert, layer as describeLayer } from "@effect/vitest"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { FollowUps } from "@outbound/domain/sources/FollowUps.js"
import { SourceAccessFactory } from "@outbound/domain/sources/SourceAccessFactory.js"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { TestPassing } from "../src/memory/Hooks.js"
import { laterContract } from "../src/contracts/later.js"
import { followUpLanesContract } from "../src/contracts/service/followUpLanes.js"
import { followUpsContract } from "../src/contracts/service/followUps.js"
import { answering, given, liveWithFollowUps, tagOf, timesAsked } from "../src/contracts/service/followUpScripts.js"
import { member, ok } from "../src/contracts/service/stories.js"
import * as MemoryLayer from "../src/memory/layer.js"
import * as MemoryHosts from "../src/memory/MemoryHosts.js"
import { MemoryFaults } from "../src/memory/MemoryFaults.js"
import * as MemoryWork from "../src/memory/MemoryWork.js"
import { quietMemory, over } from "../src/service/Service.js"

const passing = Layer.succeed(TestPassing, { pass: (millis) => TestClock.adjust(millis) })

laterContract("memory", Layer.merge(MemoryLayer.layer, passing))

const scripted = Layer.merge(Layer.provideMerge(MemoryHosts.layer, over(MemoryLayer.layer, liveWithFollowUps)), passing)
followUpsContract("memory", scripted)
followUpLanesContract("memory", scripted)

describeLayer(quietMemory)("what comes later", (it) => {
  it.effect("costs a call nothing where no source asks for it", () =>
    Effect.gen(function* () {
      const faults = yield* MemoryFaults
      const client = yield* member()
      yield* faults.failNext("LaterStore.find", 1)
      yield* faults.failNext("LaterStore.insert", 1)
      ok(yield* client.call("enrich", { person: { email: "valid@magic.test" } }))
      const { later } = (yield* SourceAccessFactory).of({ workspaceId: client.workspaceId, workspaceKind: "sandbox" })
      const found = yield* Effect.result(later.find("a_source", "a subject"))
      const request = { source: "a_source", subject: "a subject", email: null, request: {}, afterSeconds: 1 }
      const asked = yield* Effect.result(later.ask(request))
      for (const failed of [found, asked]) {
        assert.isTrue(failed._tag === "Failure" && failed.failure instanceof ProviderFailure)
        assert.isTrue(failed._tag === "Failure" && failed.failure.reason === "transient")
      }
    })
  )
})

/** Beside the service's own, which leaves follow-ups to the suites. */
const runner = Layer.fresh(MemoryWork.runner).pipe(Layer.provide(Outbound.jobs))

describeLayer(Layer.provideMerge(runner, scripted))("the job of a source", (it) => {
  it.effect("wakes when a follow-up is due, each time anew, without anybody looking", () =>
    Effect.gen(function* () {
      let asked = 0
      const soon = yield* given((one) => {
        asked += 1
        return asked < 3 ? Effect.succeed({ _tag: "Again", afterSeconds: 120 }) : answering(one)
      })
      const late = yield* given(answering, { afterSeconds: 300 })
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(timesAsked(soon.subject), 0)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(timesAsked(soon.subject), 1)
      yield* TestClock.adjust("240 seconds")
      assert.strictEqual(tagOf(yield* soon.find), "Answered")
      assert.strictEqual(timesAsked(late.subject), 0)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(tagOf(yield* late.find), "Answered")
    })
  )
})

describeLayer(scripted)("the job of a source", (it) => {
  it.effect("is announced again where it was lost", () =>
    Effect.gen(function* () {
      const { announce } = yield* FollowUps
      const lost = yield* given(answering)
      // Nobody here does what this job wakes.
      yield* TestClock.adjust("1 minute")
      yield* Layer.build(runner)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(timesAsked(lost.subject), 0)
      yield* announce
      yield* TestClock.adjust("1 second")
      assert.strictEqual(tagOf(yield* lost.find), "Answered")
    })
  )
})
