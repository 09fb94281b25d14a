import { assert, layer } from "@effect/vitest"
import { REPLY_EXCERPT_CHARS_MAX } from "@outbound/domain/calls/approvals/Snapshot.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import type { Reply } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { answeredTo } from "../../src/contracts/service/ownAnswers.js"
import { taken } from "../../src/contracts/service/ownStories.js"
import {
  answer,
  answered,
  answerer,
  approved,
  BODY,
  ourReplies,
  sentAnswers
} from "../../src/contracts/service/replyStories.js"
import { freshKey, ok, refused, SUITE } from "../../src/contracts/service/stories.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { keyOf } from "../../src/memory/Table.js"
import { type Client, decide } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const service = Layer.provideMerge(MemoryHosts.layer, quietMemory)

layer(service, SUITE)("answering, where little is missing", (it) => {
  const given = Effect.gen(function* () {
    const client = yield* answerer()
    return { client, reply_id: (yield* answered(client)).reply_id }
  })

  /** As if it had come in so. */
  const change = ({ workspaceId }: Client, reply_id: string, changed: Partial<Reply>) =>
    Effect.flatMap(Memory, ({ atomically, write }) =>
      atomically(
        write(({ replies }) => replies.update(keyOf(workspaceId, reply_id), (reply) => ({ ...reply, ...changed })))
      )
    )

  const snapshotOf = (approvalUrl: string) =>
    Effect.flatMap(Memory, ({ read }) =>
      read(({ approvals }) => {
        const [approval] = approvals.filter(({ approvalId }) => approvalUrl.endsWith(approvalId))
        if (approval?.snapshot.kind !== "reply") return assert.fail("it shows no answer")
        return approval.snapshot
      })
    )

  it.effect("what is approved is to whom, from whom and under which subject: another one needs another approval", () =>
    Effect.gen(function* () {
      for (const changed of [
        { subject: "Something else" },
        { fromEmail: "someone-else@magic.test" },
        { toEmail: "another-mailbox@magic.test" }
      ] satisfies ReadonlyArray<Partial<Reply>>) {
        const { client, reply_id } = yield* given
        const confirmed = yield* approved(client, reply_id)
        yield* change(client, reply_id, changed)
        const found = yield* confirmed.send()
        assert.include(["approval_changed", "mailbox_unavailable"], found.error?.code)
        if (changed.toEmail === undefined)
          refused(found, 409, "approval_changed", { approval_url: confirmed.approvalUrl })
        assert.isEmpty(yield* sentAnswers(client))
      }
    })
  )

  it.effect("an id may be written in capitals, when it is asked, tried and sent", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const id = reply_id.toUpperCase()
      assert.deepStrictEqual(ok(yield* answer(client, id, { dry_run: true })).result.plan.would_exceed, [])
      ok(yield* (yield* approved(client, id)).send())
      assert.lengthOf(yield* ourReplies(client, reply_id), 1)
    })
  )

  it.effect("an answer that was sent has handled the reply, and its operation says that it is one", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const { read } = yield* Memory
      const handled = read(({ handling }) => handling.get(keyOf(client.workspaceId, reply_id))?.handledAtMillis ?? null)
      assert.isNull(yield* handled)
      const { result, svc } = ok(yield* (yield* approved(client, reply_id)).send())
      assert.strictEqual(yield* handled, Date.parse(result.sent_at))
      const [operation] = yield* read(({ operations }) =>
        operations.filter((row) => row.operation.operationId === svc.request_id)
      )
      assert.deepStrictEqual(
        operation?.operation.items.map(({ id, kind }) => ({ id, kind })),
        [{ id: result.sent_reply_id, kind: "reply" }]
      )
    })
  )

  it.effect("an approver sees as much of the reply as fits, and is told where something is missing", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const shown = (changed: Partial<Reply>) =>
        Effect.gen(function* () {
          yield* change(client, reply_id, changed)
          const { result } = ok(yield* answer(client, reply_id, {}, freshKey()))
          const { answers } = yield* snapshotOf(result.approval_url)
          return [answers.text.length, answers.truncated]
        })
      const text = "x".repeat(REPLY_EXCERPT_CHARS_MAX)
      assert.deepStrictEqual(yield* shown({ bodyText: text }), [REPLY_EXCERPT_CHARS_MAX, false])
      const [length, truncated] = yield* shown({ bodyText: `${text}x` })
      assert.isAtMost(length as number, REPLY_EXCERPT_CHARS_MAX + 1)
      assert.isTrue(truncated)
      assert.deepStrictEqual(yield* shown({ bodyText: "short", bodyTruncated: true }), [5, true])
      assert.deepStrictEqual(yield* shown({ bodyText: "short", bodyTruncated: false }), [5, false])
    })
  )

  it.effect("a plan says what would be sent, and of what has no answer what came in", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const would = Effect.map(answer(client, reply_id, { dry_run: true }), (found) => ok(found).result.plan.would)
      const before = yield* would
      yield* change(client, reply_id, {
        fromEmail: "INTERESTED@magic.test",
        toEmail: (before.from_email as string).toUpperCase(),
        subject: "Hello"
      })
      assert.deepStrictEqual(yield* would, before)
      const came = { fromEmail: "nobody", toEmail: "NOWHERE@magic.test", subject: "Hello" }
      yield* change(client, reply_id, came)
      assert.deepInclude(yield* would, { to_email: "nobody", from_email: "NOWHERE@magic.test", subject: "Hello" })
    })
  )

  it.effect("whose suppression can't be looked up is not answered, and a plan says so", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const { failNext } = yield* MemoryFaults
      yield* failNext("SuppressionStore.sourcesOf", 1)
      const plan = ok(yield* answer(client, reply_id, { dry_run: true })).result.plan
      assert.deepStrictEqual(plan.would_exceed, ["contact_history_unavailable"])
      yield* failNext("SuppressionStore.sourcesOf", 1)
      assert.strictEqual((yield* answer(client, reply_id)).error?.code, "contact_history_unavailable")
      ok(yield* answer(client, reply_id))
    })
  )

  it.effect("a person answers in their own name though agents may not", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const { read } = yield* Memory
      const [owner] = yield* read(({ users }) => users.filter(({ email }) => email === client.ownerEmail))
      const { atomically } = yield* UnitOfWork
      yield* atomically(Effect.flatMap(WorkspaceStore, ({ setReplySend }) => setReplySend(client.workspaceId, false)))
      const [calls, ids] = [yield* Calls, yield* Ids]
      const as = (byUserId: string, more: JsonObject = {}) =>
        Effect.gen(function* () {
          const { keyId, workspaceId } = client
          const { body } = yield* calls.answer({
            requestId: ids.next(yield* Clock.currentTimeMillis),
            bearer: null,
            asKey: { workspaceId, keyId, byUserId },
            verb: verbs.reply_to_thread,
            input: { reply_id, body_text: BODY, ...more },
            reject: null,
            idempotencyKey: freshKey(),
            runId: null
          })
          return JSON.parse(body)
        })
      refused(yield* answer(client, reply_id), 403, "reply_send_disabled")
      const { approval_url, confirmation_token } = (yield* as(owner!.userId)).result
      yield* decide(client, approval_url, "approve")
      assert.strictEqual((yield* as(owner!.userId, { confirmation_token })).result?.status, "sent")
      assert.lengthOf(yield* sentAnswers(client), 1)
    })
  )

  it.effect("the mailbox that received a message sends its answer, however its address is written", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const { atomically, write } = yield* Memory
      yield* atomically(
        write(({ mailboxes }) => {
          for (const { address, mailboxId } of mailboxes.filter((one) => one.workspaceId === client.workspaceId))
            mailboxes.update(keyOf(client.workspaceId, mailboxId), (one) => ({
              ...one,
              address: address.toUpperCase()
            }))
        })
      )
      ok(yield* (yield* approved(client, reply_id)).send())
    })
  )

  /** Makes this happen before the first use of an operation. */
  const meanwhile = <A, E, R>(
    operation: string,
    happens: Effect.Effect<unknown, never, Memory | MemoryFaults>,
    call: Effect.Effect<A, E, R>
  ) =>
    Effect.gen(function* () {
      const { beforeEach } = yield* MemoryFaults
      const services = yield* Effect.context<Memory | MemoryFaults>()
      let times = 0
      yield* beforeEach((one) => {
        if (one !== operation) return Effect.void
        times += 1
        return times === 1 ? Effect.asVoid(Effect.provide(happens, services)) : Effect.void
      })
      const found = yield* Effect.ensuring(call, beforeEach(null))
      assert.isAbove(times, 0, `it does not use ${operation}`)
      return found
    })

  it.effect("an answer that another host began to send is not sent by this one", () =>
    Effect.gen(function* () {
      const { client, reply_id } = yield* given
      const begun = Effect.flatMap(Memory, ({ atomically, write }) =>
        atomically(
          write(({ sentReplies }) => {
            for (const one of sentReplies.where("workspace", client.workspaceId))
              sentReplies.set(keyOf(client.workspaceId, one.sentReplyId), { ...one, askedAtMillis: 5 })
          })
        )
      )
      const found = yield* meanwhile("SentReplyStore.lock", begun, (yield* approved(client, reply_id)).send())
      assert.strictEqual(found.status, 500, found.text)
      assert.isEmpty(yield* sentAnswers(client))
    })
  )

  it.effect("an answer whose last check is old is not sent, nor one of which nobody can say whom to ask", () =>
    Effect.gen(function* () {
      const asked = (
        sentWhile: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R | Memory | MemoryFaults>
      ) =>
        Effect.gen(function* () {
          const { client, owner, reply_id } = yield* answeredTo()
          const confirmed = yield* approved(client, reply_id)
          const found = yield* sentWhile(confirmed.send())
          assert.strictEqual(found.error?.code, "provider_unavailable", found.text)
          assert.lengthOf(yield* taken(owner), 1, "the campaign's own message alone")
          ok(yield* (yield* approved(client, reply_id)).send())
          assert.lengthOf(yield* taken(owner), 2)
        })
      yield* asked((call) => meanwhile("OwnMailboxStore.get", TestClock.adjust("31 seconds"), call))
      const { failNext } = yield* MemoryFaults
      yield* asked((call) => Effect.andThen(failNext("OwnMailboxStore.get", 1), call))
    })
  )

  it.effect("an answer whose check is half a minute old is still sent", () =>
    Effect.gen(function* () {
      const { client, owner, reply_id } = yield* answeredTo()
      const call = (yield* approved(client, reply_id)).send()
      ok(yield* meanwhile("OwnMailboxStore.get", TestClock.adjust("30 seconds"), call))
      assert.lengthOf(yield* taken(owner), 2)
    })
  )
})
