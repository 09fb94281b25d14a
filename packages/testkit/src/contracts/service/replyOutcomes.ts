import { assert, layer as describeLayer } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { ASKING_MILLIS_MAX, LOOK_UPS_MAX } from "@outbound/domain/outreach/replies/ReplyOutcome.js"
import { Clock, Deferred, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import type { Client } from "../../service/Client.js"
import { Faults } from "../../service/Service.js"
import { TestHosts, TestSuspension } from "../../memory/Hooks.js"
import { JournalSwitch } from "../JournalSwitch.js"
import {
  answer,
  answered,
  answerer,
  approved,
  BODY,
  ourReplies,
  pauseMailboxes,
  sentAnswers,
  suppressAs
} from "./replyStories.js"
import {
  drive,
  ended,
  freshKey,
  kindsOf,
  ok,
  refused,
  SENDING,
  type ServiceOnStores,
  SUITE,
  trailOf,
  whileSending
} from "./stories.js"

type Needs = ServiceOnStores | CallJournal | OperationStore | JournalSwitch | TestHosts | TestSuspension

const UNSENT = [
  Behaviour.Fail({ reason: "transient" }),
  Behaviour.Fail({ reason: "account" }),
  Behaviour.Fail({ reason: "invalid" })
]

/** What becomes of an answer on its way out: it is sent at most once, and what is said of it is true. */
export const replyOutcomesContract = <E>(name: string, service: Layer.Layer<Needs, E>) => {
  describeLayer(service, SUITE)(`outcomes of reply_to_thread (${name})`, (it) => {
    it.effect("what provably was not sent gives its approval and its key back", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        for (const behaviour of UNSENT) {
          const failed = yield* confirmed.send(key).pipe(whileSending(behaviour))
          refused(failed, 503, "provider_unavailable", { retry_after_seconds: 5 })
          const operation = yield* ended(client, failed.requestId)
          assert.strictEqual(operation.status, "failed")
        }
        const limited = Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 30 })
        refused(yield* confirmed.send(freshKey()).pipe(whileSending(limited)), 503, "provider_unavailable", {
          retry_after_seconds: 30
        })
        assert.isEmpty(yield* ourReplies(client, reply_id))
        assert.isEmpty(yield* trailOf(client, { kind: "reply_sent" }))
        ok(yield* confirmed.send(key))
        assert.lengthOf(yield* sentAnswers(client), UNSENT.length + 2)
        assert.isEmpty(yield* sentAnswers(client, "findSent"), "what is known is not asked for")
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { kind: "reply_sent" })), ["reply_sent"])
        assert.strictEqual(ok(yield* client.call("get_me")).result.replies.workspace_sent_today, 1)
      })
    )

    it.effect("of unknown outcome it is never sent again, found once to be sent, and then answers as sent", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const body_text = `${BODY} [[unknown]]`
        const confirmed = yield* approved(client, reply_id, body_text)
        const key = freshKey()
        const faults = yield* Faults
        // As long as the provider is being asked, nobody knows.
        yield* faults.script(SENDING, [Behaviour.Answer(), Behaviour.Late({ after: "2 seconds" })])
        const unknown = yield* confirmed.send(key)
        const operation_id = unknown.requestId
        refused(unknown, 502, "operation_unknown_state", { operation_id })
        const replay = yield* confirmed.send(key)
        refused(replay, 502, "operation_unknown_state", { operation_id })
        assert.strictEqual(replay.text, unknown.text)
        refused(yield* confirmed.send(freshKey()), 409, "approval_superseded")
        refused(yield* answer(client, reply_id), 409, "reply_intent_pending")
        const waiting = ok(yield* client.call("get_operation", { operation_id })).result
        assert.deepInclude(waiting, { kind: "reply", status: "waiting_external", finished_at: null })
        const [told] = yield* ourReplies(client, reply_id)
        assert.deepInclude(told, { status: "unknown", sent_at: null })
        const record = ok(yield* client.call("get_request", { request_id: operation_id })).result
        assert.deepInclude(record, { status: "unknown", http_status: 502, error_code: "operation_unknown_state" })

        const operation = yield* ended(client, operation_id)
        assert.deepInclude(operation, { status: "succeeded", error: null })
        const now = ok(yield* confirmed.send(key))
        assert.deepInclude(now.result, { status: "sent", sent_reply_id: told.sent_reply_id })
        assert.deepStrictEqual([now.svc.replayed, now.svc.request_id], [true, operation_id])
        assert.deepInclude(ok(yield* client.call("get_request", { request_id: operation_id })).result, {
          status: "succeeded",
          http_status: 200,
          error_code: null
        })
        const [sent] = yield* ourReplies(client, reply_id)
        assert.deepInclude(sent, { status: "sent", sent_at: now.result.sent_at })
        refused(yield* answer(client, reply_id), 409, "reply_already_sent", { sent_reply_id: told.sent_reply_id })
        assert.lengthOf(yield* sentAnswers(client), 1)
        assert.lengthOf(yield* sentAnswers(client, "findSent"), 1)
        const [event, ...more] = yield* trailOf(client, { kind: "reply_sent" })
        assert.deepStrictEqual([event?.source, event?.operation_id, more.length], ["system", operation_id, 0])
      })
    )

    it.effect("found not to be sent, its approval is good again for the same call", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id, "[[fail]]")
        const key = freshKey()
        const unknown = yield* confirmed.send(key)
        refused(unknown, 502, "operation_unknown_state", { operation_id: unknown.requestId })
        const operation = yield* ended(client, unknown.requestId)
        assert.strictEqual(operation.status, "failed")
        assert.isString(operation.error.message)
        assert.isEmpty(yield* ourReplies(client, reply_id))
        assert.isEmpty(yield* trailOf(client, { kind: "reply_sent" }))
        assert.strictEqual(ok(yield* client.call("get_me")).result.replies.workspace_sent_today, 0)
        const record = ok(yield* client.call("get_request", { request_id: unknown.requestId })).result
        assert.deepInclude(record, { status: "failed", http_status: 503, error_code: "provider_unavailable" })
        const again = yield* confirmed.send(key)
        refused(again, 502, "operation_unknown_state", { operation_id: again.requestId })
        assert.notStrictEqual(again.requestId, unknown.requestId)
        yield* ended(client, again.requestId)
        ok(yield* (yield* approved(client, reply_id)).send())
      })
    )

    it.effect("a provider that is silent, breaks, or acts and fails is asked what it did", () =>
      Effect.gen(function* () {
        for (const behaviour of [
          Behaviour.Never(),
          Behaviour.Die({ defect: new Error("broken") }),
          Behaviour.ActThenFail({ reason: "unknown_outcome" }),
          Behaviour.Late({ after: "31 seconds" })
        ]) {
          const client = yield* answerer()
          const { reply_id } = yield* answered(client)
          const confirmed = yield* approved(client, reply_id)
          const faults = yield* Faults
          yield* faults.script(SENDING, [behaviour])
          const unknown = yield* drive(client, confirmed.send())
          refused(unknown, 502, "operation_unknown_state", { operation_id: unknown.requestId })
          const operation = yield* ended(client, unknown.requestId)
          assert.strictEqual(operation.status, "succeeded", behaviour._tag)
          assert.lengthOf(yield* sentAnswers(client), 1)
        }
      })
    )

    it.effect("a provider that can't say what it did is asked again, so often and no more", () =>
      Effect.gen(function* () {
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id, "[[unknown]]")
        const key = freshKey()
        const unknown = yield* confirmed.send(key)
        const given = Effect.gen(function* () {
          for (let round = 0; round < LOOK_UPS_MAX + 5; round += 1) {
            yield* TestClock.adjust("5 seconds")
            yield* client.call("get_usage")
          }
          return yield* ended(client, unknown.requestId)
        })
        const operation = yield* given.pipe(whileSending(Behaviour.Fail({ reason: "transient" })))
        assert.strictEqual(operation.status, "failed")
        assert.lengthOf(yield* sentAnswers(client, "findSent"), LOOK_UPS_MAX)
        refused(yield* confirmed.send(key), 502, "operation_unknown_state", { operation_id: unknown.requestId })
        refused(yield* answer(client, reply_id), 409, "reply_intent_pending")
        assert.lengthOf(yield* sentAnswers(client), 1)
      })
    )

    it.effect("what comes between the claim and the sending stops it, and nothing is left of it", () =>
      Effect.gen(function* () {
        const control = yield* JournalSwitch
        const suspension = yield* TestSuspension
        const nowMillis = yield* Clock.currentTimeMillis
        const email = "interested@magic.test"
        const context = yield* Effect.context<Needs>()
        const comings: ReadonlyArray<readonly [string, (client: Client) => Effect.Effect<void, never, Needs>]> = [
          ["suppressed_recipient", (client) => suppressAs(client, email, "unsubscribe")],
          ["mailbox_unavailable", pauseMailboxes],
          ["agent_suspended", (client) => suspension.suspend(client.workspaceId, nowMillis, "enough")]
        ]
        for (const [code, comes] of comings) {
          for (const at of ["beforeNextEffect", "afterNextEffect"] as const) {
            const client = yield* answerer()
            const { reply_id } = yield* answered(client, email)
            const confirmed = yield* approved(client, reply_id)
            yield* control[at](Effect.provide(comes(client), context))
            const stopped = yield* confirmed.send()
            assert.strictEqual(stopped.error?.code, code, stopped.text)
            assert.isEmpty(yield* sentAnswers(client), code)
            assert.isEmpty(yield* ourReplies(client, reply_id))
            assert.strictEqual((yield* ended(client, stopped.requestId)).status, "failed")
            const { replies } = ok(yield* client.call("get_me")).result
            assert.strictEqual(replies.workspace_sent_today, 0)
            const cancelled = yield* trailOf(client, { kind: "approval_cancelled" })
            assert.lengthOf(cancelled, code === "agent_suspended" ? 1 : 0)
          }
        }
      })
    )

    it.effect("a host whose lease is over begins nothing", () =>
      Effect.gen(function* () {
        const [control, hosts] = [yield* JournalSwitch, yield* TestHosts]
        const client = yield* answerer()
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        const host = yield* hosts.start
        yield* control.use(host.journal)
        yield* control.beforeNextEffect(host.kill)
        refused(yield* confirmed.send(key), 500, "internal")
        yield* control.use(null)
        assert.isEmpty(yield* sentAnswers(client))
        ok(yield* confirmed.send(key))
        assert.lengthOf(yield* sentAnswers(client), 1)
      }).pipe(Effect.scoped, Effect.orDie)
    )

    it.effect("a host that dies before it asked the provider has sent nothing, and its call may be repeated", () =>
      Effect.gen(function* () {
        const [control, hosts] = [yield* JournalSwitch, yield* TestHosts]
        const [operations, journal] = [yield* OperationStore, yield* CallJournal]
        for (const at of ["beforeNextEffect", "afterNextEffect"] as const) {
          const client = yield* answerer()
          const { workspaceId } = client
          const { reply_id } = yield* answered(client)
          const confirmed = yield* approved(client, reply_id)
          const key = freshKey()
          const host = yield* hosts.start
          const reached = yield* Deferred.make<void>()
          const resume = yield* Deferred.make<void>()
          yield* control.use(host.journal)
          yield* control[at](Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(resume)))
          const stuck = yield* Effect.forkChild(confirmed.send(key))
          yield* Deferred.await(reached)
          yield* control.use(null)
          const [operation] = (yield* operations.open(1_000)).filter((one) => one.workspaceId === workspaceId)
          const operationId = operation?.operationId ?? assert.fail("nobody would find out")
          refused(yield* answer(client, reply_id), 409, "reply_intent_pending")
          assert.isEmpty(yield* ourReplies(client, reply_id), "what is being sent is not sent")
          yield* host.kill
          assert.isAtLeast(yield* journal.sweep, 1)
          const ending = yield* ended(client, operationId)
          assert.strictEqual(ending.status, "failed")
          // The host was only believed dead: what it does now changes nothing.
          yield* control.use(host.journal)
          yield* Deferred.succeed(resume, undefined)
          const late = yield* Fiber.join(stuck)
          yield* control.use(null)
          refused(late, 500, "internal")
          assert.isEmpty(yield* sentAnswers(client))
          const sent = ok(yield* confirmed.send(key))
          assert.lengthOf(yield* sentAnswers(client), 1)
          const [ours] = yield* ourReplies(client, reply_id)
          assert.strictEqual(ours.sent_reply_id, sent.result.sent_reply_id)
          assert.strictEqual(ok(yield* confirmed.send(key)).result.sent_reply_id, sent.result.sent_reply_id)
        }
      }).pipe(Effect.scoped, Effect.orDie)
    )

    it.effect("a host that dies while the provider has the answer leaves it unknown, to be found out once", () =>
      Effect.gen(function* () {
        const [control, hosts] = [yield* JournalSwitch, yield* TestHosts]
        const [operations, journal] = [yield* OperationStore, yield* CallJournal]
        const faults = yield* Faults
        const client = yield* answerer()
        const { workspaceId } = client
        const { reply_id } = yield* answered(client)
        const confirmed = yield* approved(client, reply_id)
        const key = freshKey()
        const host = yield* hosts.start
        yield* faults.script(SENDING, [Behaviour.Late({ after: "25 seconds" })])
        yield* control.use(host.journal)
        const stuck = yield* Effect.forkChild(confirmed.send(key))
        while ((yield* sentAnswers(client)).length === 0) {
          yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
        }
        yield* control.use(null)
        yield* host.kill
        assert.isAtLeast(yield* journal.sweep, 1)
        const [operation] = (yield* operations.open(1_000)).filter((one) => one.workspaceId === workspaceId)
        const operationId = operation?.operationId ?? assert.fail("nobody would find out")
        const record = ok(yield* client.call("get_request", { request_id: operationId })).result
        assert.deepInclude(record, { status: "unknown", error_code: "operation_unknown_state" })
        yield* TestClock.adjust("10 seconds")
        assert.isEmpty(yield* sentAnswers(client, "findSent"), "the provider may still be at it")
        // The answer comes to a host that was believed dead: its settlement is fenced, and says what it knows.
        yield* control.use(host.journal)
        const late = yield* drive(client, Fiber.join(stuck))
        yield* control.use(null)
        refused(late, 502, "operation_unknown_state", { operation_id: operationId })
        refused(yield* confirmed.send(key), 502, "operation_unknown_state", { operation_id: operationId })
        yield* TestClock.adjust(ASKING_MILLIS_MAX)
        assert.strictEqual((yield* ended(client, operationId)).status, "succeeded")
        assert.strictEqual(ok(yield* confirmed.send(key)).result.status, "sent")
        assert.lengthOf(yield* sentAnswers(client), 1)
        assert.lengthOf(yield* sentAnswers(client, "findSent"), 1)
        assert.deepStrictEqual(kindsOf(yield* trailOf(client, { kind: "reply_sent" })), ["reply_sent"])
      }).pipe(Effect.scoped, Effect.orDie)
    )
  })
}
