import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { makeReplyOutcome } from "@outbound/domain/outreach/replies/ReplyOutcome.js"
import { type SentReply, SentReplyStore } from "@outbound/domain/outreach/replies/SentReplyStore.js"
import { Effect, Layer, Option } from "effect"
import {
  addressHashOf,
  freshId,
  givenKey,
  givenWorkspace,
  hashOf,
  HOUR,
  MINUTE,
  NOON
} from "../../src/contracts/fixtures.js"
import { makeApproval } from "../../src/contracts/outboundFixtures.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestIds from "../../src/memory/TestIds.js"

/** An answer that a host asked a provider to send, with its operation and the approval that it used. */
const given = Effect.gen(function* () {
  const { atomically } = yield* UnitOfWork
  const [approvals, operations, replies] = [yield* ApprovalStore, yield* OperationStore, yield* SentReplyStore]
  const trail = yield* TrailStore
  const ends = yield* makeReplyOutcome
  const { workspaceId } = yield* givenWorkspace()
  const { key } = yield* givenKey(workspaceId)
  const approval = makeApproval({
    workspaceId,
    keyId: key.keyId,
    tokenHash: hashOf(freshId()),
    state: "used",
    expiresAtMillis: NOON + HOUR,
    usedByIdempotencyKey: "k"
  })
  const requestId = freshId()
  const sent: SentReply = {
    workspaceId,
    sentReplyId: freshId(),
    replyId: freshId(),
    campaignId: freshId(),
    campaignLeadId: freshId(),
    threadId: null,
    requestId,
    approvalId: approval.approvalId,
    mailboxId: freshId(),
    addressHash: addressHashOf(workspaceId, "ann@acme.test"),
    fromEmail: "jo@us.test",
    toEmail: "ann@acme.test",
    subject: "Re: Hello",
    bodyText: "Gladly.",
    references: [],
    state: "pending",
    createdAtMillis: NOON,
    askedAtMillis: NOON,
    sentAtMillis: null,
    lookUps: 0
  }
  yield* atomically(
    Effect.gen(function* () {
      yield* approvals.insert(approval)
      yield* replies.insert(sent)
      yield* operations.insert({
        workspaceId,
        operationId: requestId,
        kind: "reply",
        status: "running",
        requestId,
        items: [{ id: sent.sentReplyId, kind: "reply", status: "pending", detail: null }],
        error: null,
        createdAtMillis: NOON,
        updatedAtMillis: NOON,
        finishedAtMillis: null
      })
    })
  )
  const now = Effect.gen(function* () {
    const reply = Option.getOrThrow(yield* replies.get(workspaceId, sent.sentReplyId))
    const operation = Option.getOrThrow(yield* operations.get(workspaceId, requestId))
    const { approval: used } = Option.getOrThrow(yield* approvals.find(workspaceId, approval.approvalId))
    const filter = { workspaceId, campaignId: null, email: null, sinceMillis: null, untilMillis: null, after: null }
    const told = yield* trail.page({ ...filter, kinds: ["reply_sent"], limit: 9 })
    return {
      reply: [reply.state, reply.sentAtMillis],
      operation: [operation.status, operation.items[0]?.status, operation.error, operation.finishedAtMillis],
      approval: [used.state, used.usedByIdempotencyKey],
      told: told.map(({ email, operationId, source }) => [email, operationId === requestId, source])
    }
  })
  const put = (changed: Partial<SentReply>) => atomically(replies.update({ ...sent, ...changed }))
  return { atomically, ends, now, put, sent }
})

const story = <E>(name: string, body: Effect.Effect<void, E, Effect.Services<typeof given>>) =>
  it.effect(name, () => Effect.provide(body, Layer.merge(memory, TestIds.layer)))

const AT = { nowMillis: NOON + MINUTE, sentAtMillis: NOON + 1 }

story(
  "what was sent ends its operation, is told once, and keeps its approval used",
  Effect.gen(function* () {
    const { atomically, ends, now, sent } = yield* given
    assert.isTrue(Option.isSome(yield* atomically(ends.sent(sent, AT, "api"))))
    const after = yield* now
    assert.deepStrictEqual(after, {
      reply: ["sent", NOON + 1],
      operation: ["succeeded", "done", null, NOON + MINUTE],
      approval: ["used", "k"],
      told: [["ann@acme.test", true, "api"]]
    })
    assert.isTrue(Option.isNone(yield* atomically(ends.sent(sent, { ...AT, sentAtMillis: NOON + 2 }, "system"))))
    assert.isTrue(Option.isNone(yield* atomically(ends.unsent(sent, NOON + 2, "no"))))
    assert.deepStrictEqual(yield* now, after, "what has left is never taken back")
  })
)

story(
  "what was certainly not sent gives its approval back to the same call",
  Effect.gen(function* () {
    const { atomically, ends, now, sent } = yield* given
    assert.isTrue(Option.isSome(yield* atomically(ends.unsent(sent, NOON + MINUTE, "refused"))))
    assert.deepStrictEqual(yield* now, {
      reply: ["failed", null],
      operation: ["failed", "failed", "refused", NOON + MINUTE],
      approval: ["approved", null],
      told: []
    })
    assert.isTrue(Option.isNone(yield* atomically(ends.sent(sent, AT, "api"))))
  })
)

story(
  "what nobody knows of waits to be found out, and is then what it is",
  Effect.gen(function* () {
    const { atomically, ends, now, sent } = yield* given
    assert.isTrue(Option.isSome(yield* atomically(ends.unknown(sent, NOON + 1))))
    const waiting = yield* now
    assert.deepStrictEqual(waiting.reply, ["unknown", null])
    assert.deepStrictEqual(waiting.operation.slice(1), ["pending", null, null])
    assert.deepStrictEqual(waiting.approval, ["used", "k"])
    assert.isTrue(Option.isNone(yield* atomically(ends.unknown(sent, NOON + 2))))
    assert.isTrue(Option.isSome(yield* atomically(ends.sent(sent, AT, "system"))))
    assert.deepStrictEqual((yield* now).reply, ["sent", NOON + 1])
  })
)

story(
  "what never is found out stays unknown, uses up its approval, and its operation has failed",
  Effect.gen(function* () {
    const { atomically, ends, now, sent } = yield* given
    yield* atomically(ends.unknowable(sent, NOON + MINUTE, "we can't tell"))
    const { approval, operation, reply, told } = yield* now
    assert.deepStrictEqual(reply, ["unknown", null])
    assert.deepStrictEqual(operation, ["failed", "failed", "we can't tell", NOON + MINUTE])
    assert.deepStrictEqual([approval, told], [["used", "k"], []])
  })
)

story(
  "a host that was taken for dead ends nothing that another host has asked for since",
  Effect.gen(function* () {
    const { atomically, ends, now, put, sent } = yield* given
    yield* put({ askedAtMillis: NOON + 1 })
    const before = yield* now
    assert.isTrue(Option.isNone(yield* atomically(ends.sent(sent, AT, "api"))))
    assert.isTrue(Option.isNone(yield* atomically(ends.unsent(sent, NOON + MINUTE, "refused"))))
    assert.isTrue(Option.isNone(yield* atomically(ends.unknown(sent, NOON + MINUTE))))
    assert.deepStrictEqual(yield* now, before)
    assert.isTrue(Option.isSome(yield* atomically(ends.sent({ ...sent, askedAtMillis: NOON + 1 }, AT, "api"))))
  })
)
