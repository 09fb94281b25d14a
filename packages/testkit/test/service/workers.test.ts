import { assert, layer as describeLayer } from "@effect/vitest"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  deliveries,
  freshKey,
  grant,
  kindsOf,
  launched,
  member,
  ok,
  PURCHASE,
  sender,
  SUITE,
  to,
  trailOf
} from "../../src/contracts/service/stories.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const seconds = (count: number) => Effect.replicateEffect(TestClock.adjust("1 second"), count)

describeLayer(Layer.provideMerge(Outbound.workers, quietMemory), SUITE)("a host's workers", (it) => {
  it.effect("send, read and end by themselves", () =>
    Effect.gen(function* () {
      const client = yield* sender()
      const campaign_id = yield* launched(client, { recipients: to("interested@magic.test", "silent@magic.test") })
      yield* seconds(16)
      assert.lengthOf(yield* deliveries(campaign_id), 3)
      assert.lengthOf(ok(yield* client.call("get_replies", { campaign_id })).result.replies, 1)
      assert.include(kindsOf(yield* trailOf(client, { campaign_id })), "completed")
    })
  )

  it.effect("start the work that a host did not come to start, and outlive a store that fails", () =>
    Effect.gen(function* () {
      const faults = yield* MemoryFaults
      const client = yield* member()
      yield* grant(client, "10000")
      const quote = ok(yield* client.call("setup_sending", PURCHASE))
      yield* decide(client, quote.result.approval_url, "approve")
      const confirmed = { ...PURCHASE, confirmation_token: quote.result.confirmation_token as string }
      const bought = ok(yield* client.call("setup_sending", confirmed, { key: freshKey() }))
      yield* faults.failNext("OperationStore.get", 3)
      for (const operation of ["SendingStore.claimDue", "ReplyStore.lockInbox", "OperationStore.open"]) {
        yield* faults.failNext(operation, 2)
      }
      yield* seconds(30)
      const { operation_id } = bought.result
      assert.strictEqual(ok(yield* client.call("get_operation", { operation_id })).result.status, "succeeded")
      const campaign_id = yield* launched(client, { recipients: to("other@magic.test") })
      yield* seconds(5)
      assert.lengthOf(ok(yield* client.call("get_replies", { campaign_id })).result.replies, 1)
    })
  )
})
