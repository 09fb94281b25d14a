import { assert, it } from "@effect/vitest"
import { Inbound, type InboundEvent } from "@outbound/domain/outreach/mail/Inbound.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Effect, type Layer } from "effect"
import { freshId, NOON, SUITE } from "./fixtures.js"

const WORKERS = 6

/** What every inbox guarantees. */
export const inboxContract = <E>(name: string, adapter: Layer.Layer<Inbound | ReplyStore | UnitOfWork, E>): void => {
  const eventOf = (workspaceId: string, given: Partial<InboundEvent> = {}): InboundEvent => ({
    workspaceId,
    provider: "sandbox",
    providerEventId: freshId(),
    kind: "reply",
    source: "provider_poll",
    inReplyTo: `${freshId()}@acme-mail.test`,
    messageId: null,
    fromEmail: "ann@example.com",
    toEmail: null,
    subject: "Re: Hello",
    bodyText: "Yes, please.",
    bodyHtml: null,
    classification: null,
    bounce: null,
    receivedAtMillis: NOON,
    ...given
  })

  const receive = (...events: ReadonlyArray<InboundEvent>) =>
    Effect.flatMap(Inbound, (inbound) => inbound.receive(events))

  /** What waits for the workspace. */
  const waiting = (workspaceId: string, nowMillis = NOON) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const replies = yield* ReplyStore
      const found = yield* atomically(replies.lockInbox(nowMillis, 1_000))
      return found.filter((event) => event.workspaceId === workspaceId)
    })

  const take = (event: InboundEvent) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const replies = yield* ReplyStore
      yield* atomically(replies.takeFromInbox(event))
    })

  it.layer(adapter, SUITE)(`inbox (${name})`, (it) => {
    it.effect("an event comes out as it came in, once it has arrived", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const reply = eventOf(workspaceId, { toEmail: "jo@acme-mail.test", bodyHtml: "<p>Ünïcode 🙂</p>" })
        const bounce = eventOf(workspaceId, {
          kind: "bounce",
          source: "provider_webhook",
          classification: "bounce",
          bounce: { type: "hard", status: "5.1.1" },
          receivedAtMillis: NOON - 1
        })
        yield* receive(reply, bounce, eventOf(workspaceId, { receivedAtMillis: NOON + 1 }))
        assert.deepStrictEqual(yield* waiting(workspaceId), [bounce, reply])
      })
    )

    it.effect("events of every kind come out whole, with all that was found out about them", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const events = [
          eventOf(workspaceId, { kind: "complaint", source: "provider_webhook", byAddressAlone: true }),
          eventOf(workspaceId, { kind: "unsubscribe", writerDenied: true }),
          eventOf(workspaceId, {
            kind: "bounce",
            bounce: { type: "soft", status: "5.7.1", reason: "reputation", says: "blocked", ends: true }
          }),
          eventOf(workspaceId, { named: { idHash: freshId(), isOfCopy: true }, messageId: "b6@mail.x.test" })
        ].map((event, at) => ({ ...event, receivedAtMillis: NOON - 9 + at }))
        yield* receive(...events)
        assert.deepStrictEqual(yield* waiting(workspaceId), events)
      })
    )

    it.effect("an event reported again is one, before and after it was taken", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const event = eventOf(workspaceId)
        yield* receive(event, event)
        yield* receive({ ...event, subject: "told otherwise" })
        assert.deepStrictEqual(yield* waiting(workspaceId), [event])
        yield* take(event)
        assert.isEmpty(yield* waiting(workspaceId))
        yield* receive(event)
        assert.isEmpty(yield* waiting(workspaceId))
      })
    )

    it.effect("providers and workspaces number their events for themselves", () =>
      Effect.gen(function* () {
        const [one, two] = [freshId(), freshId()]
        const event = eventOf(one)
        yield* receive(event, { ...event, provider: "other" }, { ...event, workspaceId: two })
        assert.lengthOf(yield* waiting(one), 2)
        assert.lengthOf(yield* waiting(two), 1)
        yield* receive()
      })
    )

    it.effect("of events that bear one number in several places, the one that is taken is gone alone", () =>
      Effect.gen(function* () {
        const [one, other] = [freshId(), freshId()]
        const providerEventId = freshId()
        const events = [
          eventOf(one, { providerEventId }),
          eventOf(one, { providerEventId, provider: "another" }),
          eventOf(one),
          eventOf(other, { providerEventId })
        ]
        yield* receive(...events)
        yield* take(events[0]!)
        const named = (workspaceId: string) =>
          Effect.map(waiting(workspaceId), (found) =>
            found.map((event) => `${event.provider} ${event.providerEventId}`).sort()
          )
        assert.deepStrictEqual(
          yield* named(one),
          [`another ${providerEventId}`, `sandbox ${events[2]!.providerEventId}`].sort()
        )
        assert.deepStrictEqual(yield* named(other), [`sandbox ${providerEventId}`])
      })
    )

    it.effect("what a transaction took comes back when it fails", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const replies = yield* ReplyStore
        const workspaceId = freshId()
        const event = eventOf(workspaceId)
        yield* receive(event)
        yield* Effect.result(atomically(Effect.andThen(replies.takeFromInbox(event), Effect.fail("refused"))))
        assert.deepStrictEqual(yield* waiting(workspaceId), [event])
      })
    )

    it.effect("an event is taken once: who comes second changes nothing, and hears of it", () =>
      Effect.gen(function* () {
        const event = eventOf(freshId())
        yield* receive(event)
        yield* take(event)
        assert.strictEqual((yield* Effect.exit(take(event)))._tag, "Failure")
        assert.strictEqual((yield* Effect.exit(take(eventOf(freshId()))))._tag, "Failure")
      })
    )

    it.effect(
      "keys that copies have in common are kept once, for the workspace and the provider, unless it fails",
      () =>
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const replies = yield* ReplyStore
          const [one, two] = [eventOf(freshId()), eventOf(freshId())]
          const keep = (event: InboundEvent, ...keys: ReadonlyArray<string>) =>
            atomically(replies.keepKeys(event, keys))
          assert.isTrue(yield* keep(one, "a", "b"))
          assert.isFalse(yield* keep({ ...one, providerEventId: freshId() }, "b", "c"))
          assert.isFalse(yield* keep(one, "c"))
          assert.isTrue(yield* keep(one))
          assert.isTrue(yield* keep(two, "a"))
          assert.isTrue(yield* keep({ ...one, provider: "other" }, "a"))
          yield* Effect.result(atomically(Effect.andThen(replies.keepKeys(two, ["d"]), Effect.fail("refused"))))
          assert.isTrue(yield* keep(two, "d"))
          yield* receive(one)
          assert.deepStrictEqual(yield* waiting(one.workspaceId), [one])
        })
    )

    it.effect("of two transactions at once that keep one key, one is first", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const replies = yield* ReplyStore
        const event = eventOf(freshId())
        const kept = yield* Effect.replicateEffect(atomically(replies.keepKeys(event, ["b", "a"])), WORKERS, {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          kept.filter((isFirst) => isFirst),
          1
        )
      })
    )

    it.effect("workers at once apply each event once", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const replies = yield* ReplyStore
        const workspaceId = freshId()
        const events = Array.from({ length: 20 }, () => eventOf(workspaceId))
        yield* receive(...events)
        const work = atomically(
          Effect.gen(function* () {
            const mine = (yield* replies.lockInbox(NOON, 3)).filter((event) => event.workspaceId === workspaceId)
            yield* Effect.forEach(mine, replies.takeFromInbox, { discard: true })
            return mine.map(({ providerEventId }) => providerEventId)
          })
        )
        // Others' events stand before ours in the queue.
        yield* atomically(
          Effect.gen(function* () {
            const others = (yield* replies.lockInbox(NOON, 1_000)).filter((event) => event.workspaceId !== workspaceId)
            yield* Effect.forEach(others, replies.takeFromInbox, { discard: true })
          })
        )
        const taken = yield* Effect.replicateEffect(Effect.replicateEffect(work, 8), WORKERS, {
          concurrency: "unbounded"
        })
        assert.sameMembers(
          taken.flat(2),
          events.map(({ providerEventId }) => providerEventId)
        )
        assert.isEmpty(yield* waiting(workspaceId))
      })
    )

    it.effect("text that nobody should send does not stop what others sent", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        yield* receive(eventOf(workspaceId, { subject: "a\0b", bodyText: "\uD800" }), eventOf(workspaceId))
        assert.lengthOf(yield* waiting(workspaceId), 2)
      })
    )
  })
}
