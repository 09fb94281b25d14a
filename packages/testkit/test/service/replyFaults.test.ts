import { assert, layer as describeLayer } from "@effect/vitest"
import { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { ASKING_MILLIS_MAX } from "@outbound/domain/outreach/replies/ReplyOutcome.js"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  answer,
  answered,
  answerer,
  approved,
  ourReplies,
  sentAnswers
} from "../../src/contracts/service/replyStories.js"
import {
  ended,
  freshKey,
  kindsOf,
  ok,
  refused,
  SUITE,
  trailOf,
  whileSending
} from "../../src/contracts/service/stories.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { Behaviour } from "../../src/providers/Faulty.js"
import type { Client } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const failNext = (operation: string, times = 1) =>
  Effect.flatMap(MemoryFaults, (faults) => faults.failNext(operation, times))

/** The operation is still to be looked into, and how it ends. */
const findOut = (client: Client, operationId: string) =>
  Effect.gen(function* () {
    const { workspaceId } = client
    const operations = yield* OperationStore
    assert.deepInclude(yield* operations.open(1_000), { workspaceId, operationId })
    assert.strictEqual((yield* ended(client, operationId)).status, "failed")
  }).pipe(Effect.orDie)

describeLayer(quietMemory, SUITE)("stores that fail under an answer", (it) => {
  it.effect("suppression that can't be confirmed forbids it, before the approval and after", () =>
    Effect.gen(function* () {
      const client = yield* answerer()
      const { reply_id } = yield* answered(client)
      for (let times = 1; times <= 2; times += 1) {
        yield* failNext("SuppressionStore.sourcesOf", times)
        refused(yield* answer(client, reply_id), 503, "contact_history_unavailable")
        yield* failNext("SuppressionStore.sourcesOf", 0)
      }
      const confirmed = yield* approved(client, reply_id)
      yield* failNext("SuppressionStore.sourcesOf")
      refused(yield* confirmed.send(), 503, "contact_history_unavailable")
      assert.isEmpty(yield* sentAnswers(client))
      ok(yield* confirmed.send())
    })
  )

  it.effect("wherever it fails before the provider is asked, nothing was sent, and it may be tried again", () =>
    Effect.gen(function* () {
      for (const operation of [
        "SentReplyStore.insert",
        "SentReplyStore.lockDay",
        "OperationStore.insert",
        "ApprovalStore.update",
        "CallJournal.effectStarts",
        "SentReplyStore.lock",
        "SentReplyStore.update"
      ]) {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        yield* failNext(operation)
        refused(yield* confirmed.send(key), 500, "internal")
        assert.isEmpty(yield* sentAnswers(client), operation)
        ok(yield* confirmed.send(key))
        assert.lengthOf(yield* sentAnswers(client), 1, operation)
      }
    })
  )

  it.effect("what can't be taken back at once is found out not to have been sent", () =>
    Effect.gen(function* () {
      const client = yield* answerer()
      const { reply_id } = yield* answered(client)
      const confirmed = yield* approved(client, reply_id)
      const key = freshKey()
      // The last look, and what takes it back.
      yield* failNext("SentReplyStore.lock", 2)
      const failed = yield* confirmed.send(key)
      refused(failed, 500, "internal")
      refused(yield* confirmed.send(key), 409, "approval_superseded")
      yield* findOut(client, failed.requestId)
      assert.isEmpty(yield* sentAnswers(client))
      ok(yield* confirmed.send(key))
    })
  )

  it.effect("an answer that left and could not be written down is found, and never sent again", () =>
    Effect.gen(function* () {
      for (const operation of ["TrailStore.append", "CallJournal.settleIn", "OperationStore.update"]) {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        yield* failNext(operation)
        const unknown = yield* confirmed.send(key)
        refused(unknown, 502, "operation_unknown_state", { operation_id: unknown.requestId })
        refused(yield* confirmed.send(key), 502, "operation_unknown_state")
        refused(yield* answer(client, reply_id), 409, "reply_intent_pending")
        yield* TestClock.adjust(ASKING_MILLIS_MAX)
        assert.strictEqual((yield* ended(client, unknown.requestId)).status, "succeeded", operation)
        assert.deepInclude(ok(yield* confirmed.send(key)).result, { status: "sent" })
        assert.lengthOf(yield* sentAnswers(client), 1, operation)
        assert.lengthOf(yield* ourReplies(client, reply_id), 1)
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { kind: "reply_sent" })), ["reply_sent"])
      }
    })
  )

  it.effect("a refusal of the provider that could not be written down is looked up, and then may be repeated", () =>
    Effect.gen(function* () {
      const client = yield* answerer()
      const { reply_id } = yield* answered(client)
      const confirmed = yield* approved(client, reply_id, "[[fail]]")
      const key = freshKey()
      yield* failNext("OperationStore.update")
      const failed = yield* confirmed.send(key).pipe(whileSending(Behaviour.Fail({ reason: "transient" })))
      refused(failed, 503, "provider_unavailable")
      refused(yield* answer(client, reply_id), 409, "reply_intent_pending")
      yield* TestClock.adjust(ASKING_MILLIS_MAX)
      assert.strictEqual((yield* ended(client, failed.requestId)).status, "failed")
      assert.lengthOf(yield* sentAnswers(client, "findSent"), 1)
      refused(yield* confirmed.send(key), 502, "operation_unknown_state")
      assert.lengthOf(yield* sentAnswers(client), 2)
    })
  )
})
