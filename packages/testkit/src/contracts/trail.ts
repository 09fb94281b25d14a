import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type TrailEvent, type TrailFilter, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Effect, type Layer } from "effect"
import { asOf, freshId, NOON, SUITE } from "./fixtures.js"

const EVENTS_MAX = 10_000

/** What every trail guarantees. */
export const trailContract = <E>(name: string, adapter: Layer.Layer<TrailStore | UnitOfWork, E>): void => {
  const eventOf = (workspaceId: string, given: Partial<TrailEvent> = {}): TrailEvent => ({
    eventId: freshId(),
    workspaceId,
    kind: "admitted",
    source: "api",
    observedAtMillis: NOON,
    campaignId: null,
    campaignLeadId: null,
    replyId: null,
    requestId: null,
    operationId: null,
    email: null,
    detail: {},
    ...given
  })

  const append = (...events: ReadonlyArray<TrailEvent>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const trail = yield* TrailStore
      yield* atomically(trail.append(events))
    })

  const page = (workspaceId: string, given: Partial<TrailFilter> = {}) =>
    Effect.flatMap(TrailStore, (trail) =>
      trail.page({
        workspaceId,
        campaignId: null,
        email: null,
        kinds: [],
        sinceMillis: null,
        untilMillis: null,
        limit: 100,
        after: null,
        ...given
      })
    )

  const idsOf = (events: ReadonlyArray<TrailEvent>) => events.map(({ eventId }) => eventId)

  const at = (year: number, month: number, day: number) => asOf(Date.UTC(year, month - 1, day))

  it.layer(adapter, SUITE)(`trail (${name})`, (it) => {
    it.effect("an event comes back as it was written, and only to its own workspace", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const event = eventOf(workspaceId, {
          kind: "bounce",
          source: "provider_poll",
          observedAtMillis: NOON + 123,
          campaignId: freshId(),
          campaignLeadId: freshId(),
          replyId: freshId(),
          requestId: freshId(),
          operationId: freshId(),
          email: "ann@example.com",
          detail: { type: "hard", status: "5.1.1", nested: { "ünïcode 🙂": [1, null, true] } }
        })
        yield* append(event)
        assert.deepStrictEqual(yield* page(workspaceId), [event])
        assert.isEmpty(yield* page(freshId()))
      })
    )

    it.effect("pages run newest first, without a gap or a repeat, also among events of one moment", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const events = Array.from({ length: 25 }, (_, i) =>
          eventOf(workspaceId, { observedAtMillis: NOON + Math.floor(i / 10) })
        )
        yield* append(...events.toReversed())
        const seen: Array<TrailEvent> = []
        for (let pages = 0; pages < 10; pages++) {
          const after = seen.at(-1) ?? null
          const next = yield* page(workspaceId, { limit: 4, after })
          seen.push(...next)
          if (next.length < 4) break
        }
        assert.deepStrictEqual(idsOf(seen), idsOf(events).toReversed())
      })
    )

    it.effect("filters narrow by campaign, person, kind and time, together too", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const campaignId = freshId()
        const email = "ann@example.com"
        const a = eventOf(workspaceId, { observedAtMillis: NOON, campaignId, email })
        const b = eventOf(workspaceId, { observedAtMillis: NOON + 1, campaignId, kind: "sent", email })
        const c = eventOf(workspaceId, { observedAtMillis: NOON + 2, campaignId: freshId(), kind: "reply", email })
        const d = eventOf(workspaceId, {
          observedAtMillis: NOON + 3,
          campaignId,
          kind: "reply",
          email: "bo@example.com"
        })
        const e = eventOf(workspaceId, { observedAtMillis: NOON + 4, kind: "killed" })
        yield* append(a, b, c, d, e)
        const found = (filter: Partial<TrailFilter>) => Effect.map(page(workspaceId, filter), idsOf)
        assert.deepStrictEqual(yield* found({ campaignId }), idsOf([d, b, a]))
        assert.deepStrictEqual(yield* found({ email }), idsOf([c, b, a]))
        assert.deepStrictEqual(yield* found({ email: "nobody@example.com" }), [])
        assert.deepStrictEqual(yield* found({ kinds: ["killed", "reply"] }), idsOf([e, d, c]))
        assert.deepStrictEqual(yield* found({ kinds: ["killed", "reply"], limit: 2 }), idsOf([e, d]))
        assert.deepStrictEqual(yield* found({ kinds: ["reply", "sent"], after: d }), idsOf([c, b]))
        assert.deepStrictEqual(yield* found({ kinds: ["reply"], campaignId }), idsOf([d]))
        assert.deepStrictEqual(yield* found({ kinds: ["sent", "reply"], campaignId, email }), idsOf([b]))
        assert.deepStrictEqual(yield* found({ sinceMillis: NOON + 1, untilMillis: NOON + 3 }), idsOf([c, b]))
      })
    )

    it.effect("what a transaction appended is gone when it fails", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const trail = yield* TrailStore
        const workspaceId = freshId()
        const lost = trail.append([eventOf(workspaceId, { email: "ann@example.com" })])
        yield* Effect.result(atomically(Effect.andThen(lost, Effect.fail("refused"))))
        assert.isEmpty(yield* page(workspaceId))
        yield* append()
      })
    )

    it.effect(
      "one person in several workspaces is another one in each, also where their events are appended together",
      () =>
        Effect.gen(function* () {
          const email = `${freshId()}@example.com`
          const workspaces = [freshId(), freshId(), freshId()]
          const events = workspaces.flatMap((workspaceId) => [eventOf(workspaceId, { email }), eventOf(workspaceId)])
          yield* append(...events)
          for (const [at, workspaceId] of workspaces.entries()) {
            const [named, unnamed] = events.slice(2 * at)
            assert.deepStrictEqual(yield* page(workspaceId, { email }), [named!])
            assert.sameDeepMembers([...(yield* page(workspaceId))], [named!, unnamed!])
          }
        })
    )

    it.effect("a large call's events are appended at once, several to one person", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const events = Array.from({ length: EVENTS_MAX }, (_, i) =>
          eventOf(workspaceId, { email: `person-${i % (EVENTS_MAX / 2)}@example.com` })
        )
        yield* append(...events)
        assert.lengthOf(yield* page(workspaceId, { limit: EVENTS_MAX + 1 }), EVENTS_MAX)
        assert.lengthOf(yield* page(workspaceId, { email: "person-7@example.com" }), 2)
      })
    )

    it.effect("an address is shown for 24 months after its person was last seen, and the event stays", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const email = "ann@example.com"
        const first = eventOf(workspaceId, { email })
        const second = eventOf(workspaceId, { email, observedAtMillis: NOON + 1 })
        yield* append(first).pipe(at(2026, 3, 10))
        yield* append(second).pipe(at(2026, 9, 1))
        const emails = Effect.map(page(workspaceId), (events) => events.map((event) => event.email))
        assert.deepStrictEqual(yield* emails.pipe(at(2028, 8, 31)), [email, email])
        assert.deepStrictEqual(yield* emails.pipe(at(2028, 9, 1)), [null, null])
        assert.isEmpty(yield* page(workspaceId, { email }).pipe(at(2028, 9, 1)))
        // A clock that was set back makes nobody be seen earlier than they were.
        yield* append(eventOf(workspaceId, { email, observedAtMillis: NOON + 2 })).pipe(at(2026, 1, 5))
        assert.deepStrictEqual(yield* emails.pipe(at(2028, 8, 31)), [email, email, email])
      })
    )
  })
}
