import { assert, layer } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect } from "effect"
import { answeredTo } from "../../src/contracts/service/ownAnswers.js"
import { taken, whileServers } from "../../src/contracts/service/ownStories.js"
import { approved } from "../../src/contracts/service/replyStories.js"
import { freshKey, ok } from "../../src/contracts/service/stories.js"
import { MailBehaviour } from "../../src/mail/MemoryMail.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { quietMemory } from "../../src/service/Service.js"

layer(quietMemory)("a last check that can't be made", (it) => {
  it.effect("stops an answer whose mailbox's server waits for it", () =>
    Effect.gen(function* () {
      const faults = yield* MemoryFaults
      const { client, owner, reply_id } = yield* answeredTo()
      const confirmed = yield* approved(client, reply_id)
      const key = freshKey()
      for (const operation of ["SuppressionStore.sourcesOf", "WorkspaceStore.shareSending", "SentReplyStore.lock"]) {
        const fails = MailBehaviour.Before({ happens: faults.failNext(operation, 1) })
        const stopped = yield* whileServers(fails, confirmed.send(key))
        assert.include(["contact_history_unavailable", "provider_unavailable"], stopped.error?.code, operation)
        assert.lengthOf(yield* taken(owner), 1, "the campaign's own message alone")
      }
      ok(yield* confirmed.send(key))
      assert.lengthOf(yield* taken(owner), 2)
    })
  )

  it.effect("is made: agents that may answer no more by then have sent nothing", () =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const { setReplySend } = yield* WorkspaceStore
      const { client, owner, reply_id } = yield* answeredTo()
      const confirmed = yield* approved(client, reply_id)
      const off = MailBehaviour.Before({ happens: Effect.orDie(atomically(setReplySend(client.workspaceId, false))) })
      const stopped = yield* whileServers(off, confirmed.send())
      assert.strictEqual(stopped.error?.code, "reply_send_disabled")
      assert.lengthOf(yield* taken(owner), 1, "the campaign's own message alone")
    })
  )
})
