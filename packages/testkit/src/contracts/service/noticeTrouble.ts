import { assert, layer as describeLayer } from "@effect/vitest"
import {
  NOTICES_PER_HOUR_MAX,
  NoticeStore,
  TURN_MILLIS_MAX
} from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { ATTEMPTS_MAX } from "@outbound/domain/control/notices/retrying.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { chatAnswering } from "../../webhooks/ScriptedChat.js"
import { asking, failing, idOf, type NoticeNeeds, round, states, telling } from "./noticeSupport.js"
import { askLaunch, draft, freshKey, silent, SUITE } from "./stories.js"

const OTHER_HOST = "0197c3a0-0000-7000-8000-0000000ffffe"

/** Another host claims every notice that is due, and records none. */
const claimElsewhere = Effect.gen(function* () {
  const { atomically } = yield* UnitOfWork
  const store = yield* NoticeStore
  const nowMillis = yield* Clock.currentTimeMillis
  return yield* atomically(store.claim({ claimId: OTHER_HOST, nowMillis, leaseMillis: 60_000, limit: 1_000 }))
})

/** What becomes of notices that fail, or may have failed. */
export const noticeTroubleContract = <E>(name: string, service: Layer.Layer<NoticeNeeds, E>): void => {
  describeLayer(telling(service), SUITE)(`notices that fail (${name})`, (it) => {
    it.effect("a channel that is asked too often is left alone as long as it says, then told once", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, chatAnswering(429, 90_000))
        const { approvalUrl } = yield* of.ask
        yield* round
        of.chat.react(of.url, null)
        yield* TestClock.adjust("89 seconds")
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 1)
        yield* TestClock.adjust("1 second")
        yield* round
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 2)
        assert.deepStrictEqual(states(yield* of.listed(approvalUrl))[2], "slack sent")
      }).pipe(Effect.orDie)
    )

    it.effect("a channel that can't be reached is tried a bounded number of times, and the console says so", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, failing("unreachable", false))
        const { approvalUrl } = yield* of.ask
        for (let minutes = 0; minutes < 60; minutes += 5) {
          yield* round
          yield* TestClock.adjust("5 minutes")
        }
        assert.lengthOf(of.posts(approvalUrl), ATTEMPTS_MAX)
        const [standing] = yield* of.notices.channels(of.member)
        assert.deepInclude(standing!.last, { state: "failed", failure: "unreachable" })
        assert.strictEqual((yield* of.listed(approvalUrl)).filter(({ state }) => state === "failed").length, 1)
      }).pipe(Effect.orDie)
    )

    it.effect("a channel that is gone is not tried again", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, chatAnswering(404))
        const { approvalUrl } = yield* of.ask
        yield* round
        yield* TestClock.adjust("10 minutes")
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 1)
        const [standing] = yield* of.notices.channels(of.owner)
        assert.deepInclude(standing!.last, { state: "failed", failure: "status", status: 404 })
      }).pipe(Effect.orDie)
    )

    it.effect("what may have arrived is never repeated, by chat or by mail", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.chat.react(of.url, failing("timeout", true))
        of.mail.trouble = Effect.fail(new ProviderFailure({ provider: "mail", reason: "unknown_outcome" }))
        const { approvalUrl } = yield* of.ask
        yield* round
        of.chat.react(of.url, null)
        of.mail.trouble = null
        yield* TestClock.adjust("1 hour")
        yield* round
        assert.lengthOf(of.posts(approvalUrl), 1)
        assert.lengthOf(of.letters(approvalUrl), 2)
        assert.deepStrictEqual(states(yield* of.listed(approvalUrl)), ["mail unknown", "mail unknown", "slack unknown"])
      }).pipe(Effect.orDie)
    )

    it.effect("letters that no server takes are tried again, and arrive once", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        of.mail.trouble = Effect.fail(new ProviderFailure({ provider: "mail", reason: "transient" }))
        const { approvalUrl } = yield* of.ask
        yield* round
        of.mail.trouble = null
        yield* TestClock.adjust("2 seconds")
        yield* round
        yield* round
        assert.lengthOf(of.letters(approvalUrl), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("what a host had taken when it died is not told twice; its reminder still comes", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* NoticeStore
        const of = yield* asking()
        const { approvalUrl } = yield* of.ask
        const nowMillis = yield* Clock.currentTimeMillis
        const taken = yield* claimElsewhere
        const dead = taken.filter(({ approvalId }) => approvalId === idOf(approvalUrl))
        assert.lengthOf(dead, 3)
        yield* round
        assert.isEmpty(of.letters(approvalUrl))
        yield* TestClock.adjust("60 seconds")
        yield* round
        assert.isEmpty([...of.letters(approvalUrl), ...of.posts(approvalUrl)])
        const listed = yield* of.listed(approvalUrl)
        assert.deepStrictEqual(states(listed), ["mail unknown", "mail unknown", "slack unknown"])
        // It was only frozen: what it says now comes too late.
        const atMillis = nowMillis + 61_000
        const late = { state: "sent", failure: null, status: null, atMillis, dueAtMillis: atMillis } as const
        assert.isFalse(yield* atomically(store.record(dead[0]!, late)))
        yield* TestClock.adjust("22 hours")
        yield* round
        assert.lengthOf(of.letters(approvalUrl), 2)
      }).pipe(Effect.orDie)
    )

    it.effect("what a host had taken when it died holds up the next notice to the same people for three seconds", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const lost = yield* of.ask
        yield* claimElsewhere
        const next = yield* of.ask
        const heard = ({ approvalUrl }: typeof next) => of.letters(approvalUrl).length + of.posts(approvalUrl).length
        yield* TestClock.adjust(TURN_MILLIS_MAX - 1)
        yield* round
        assert.strictEqual(heard(next), 0)
        yield* TestClock.adjust(1)
        yield* round
        assert.deepStrictEqual([heard(lost), heard(next)], [0, 3])
      }).pipe(Effect.orDie)
    )

    it.effect("a recipient who takes notices slowly is sent two at once, no more", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        const askForAnother = Effect.gen(function* () {
          const { result } = yield* draft(of.client, { name: "Summer", recipients: silent(3) })
          return idOf((yield* askLaunch(of.client, result.campaign_id, freshKey())).result.approval_url)
        })
        const ours = new Set(yield* Effect.replicateEffect(askForAnother, 3))
        const claim = Effect.gen(function* () {
          const taken = yield* claimElsewhere
          yield* TestClock.adjust(TURN_MILLIS_MAX)
          return taken.filter(({ approvalId }) => ours.has(approvalId)).length
        })
        assert.deepStrictEqual(yield* Effect.replicateEffect(claim, 3), [3, 3, 0])
      }).pipe(Effect.orDie)
    )

    it.effect("a flood of requests costs each recipient a bounded number of messages an hour", () =>
      Effect.gen(function* () {
        const of = yield* asking()
        yield* Effect.replicateEffect(of.ask, NOTICES_PER_HOUR_MAX)
        const last = yield* of.ask
        yield* round
        assert.isEmpty([...of.letters(last.approvalUrl), ...of.posts(last.approvalUrl)])
        const listed = yield* of.listed(last.approvalUrl)
        assert.isTrue(listed.every(({ failure, state }) => state === "failed" && failure === "too_many"))
        yield* TestClock.adjust("1 hour")
        const next = yield* of.ask
        yield* round
        assert.lengthOf(of.letters(next.approvalUrl), 2)
      }).pipe(Effect.orDie)
    )
  })
}
