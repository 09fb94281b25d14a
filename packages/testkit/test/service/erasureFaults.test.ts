import { assert, layer } from "@effect/vitest"
import { Erasure } from "@outbound/domain/control/erasure/Erasure.js"
import { TestRows } from "../../src/memory/Hooks.js"
import { answered, answerer, approved } from "../../src/contracts/service/replyStories.js"
import { freshKey, ok, trailOf } from "../../src/contracts/service/stories.js"
import { Effect, Exit, Layer } from "effect"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

const OPERATIONS = [
  "ErasureStore.open",
  "ErasureStore.contacts",
  "ErasureStore.outcomes",
  "ErasureStore.update",
  "ErasureStore.takeWaiting",
  "ErasureStore.eraseLeads",
  "TrailStore.append",
  "ErasureStore.eraseReplies",
  "ErasureStore.eraseAnswers",
  "ErasureStore.rewriteOutcome",
  "ErasureStore.words",
  "ErasureStore.rewrite",
  "ErasureStore.forgetContacts",
  "ErasureStore.forgetFollowUps",
  "ErasureStore.forgetPerson",
  "ErasureStore.forgetSubjects",
  "ErasureStore.forgetNamed",
  "ErasureStore.forgetOffered",
  "ErasureStore.forgetSubject",
  "ErasureStore.finish"
]

layer(Layer.provideMerge(MemoryHosts.layer, quietMemory))("an erasure that breaks off", (it) => {
  it.effect(
    "wherever it was, is finished by the same again, under one request, and told once",
    () =>
      Effect.gen(function* () {
        const faults = yield* MemoryFaults
        const rows = yield* TestRows
        const { eraseFor } = yield* Erasure
        for (const operation of OPERATIONS) {
          const client = yield* answerer()
          const email = "interested@magic.test"
          yield* client.call("enrich", { person: { email } }, { key: freshKey() })
          const { reply_id } = yield* answered(client, email)
          ok(yield* (yield* approved(client, reply_id)).send())
          yield* faults.failNext(operation, 1)
          const first = yield* Effect.exit(eraseFor(client.workspaceId, email))
          assert.isTrue(Exit.isFailure(first), operation)
          yield* Effect.orDie(eraseFor(client.workspaceId, email))
          assert.deepStrictEqual(yield* rows.standing(email), [], operation)
          assert.lengthOf(yield* trailOf(client, { kind: "erased" }), 1, operation)
        }
      }),
    180_000
  )
})
