import { assert, it } from "@effect/vitest"
import { makeSealing } from "@outbound/domain/control/trail/Sealing.js"
import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import {
  firstLine,
  lastLine,
  NO_SEAL,
  NOTHING_SEALED,
  NOTHING_VERIFIED,
  SEAL_EVENTS_MAX,
  sealLines,
  verifiedFault,
  verifyLine
} from "@outbound/domain/kernel/trail/seals.js"
import { retainedSince } from "@outbound/domain/kernel/trail/retention.js"
import { type TrailEvent, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Deferred, Effect, Fiber, type Layer, Option, Result } from "effect"
import { asOf, DAY, freshId, hashOf, MINUTE, NOON, SUITE } from "./fixtures.js"

const YEAR = 365 * DAY
const LATER = NOON + 2 * MINUTE

/** The first fault of an export, or null. */
export const faultOf = (lines: ReadonlyArray<string>, noted: string | null = null): string | null => {
  let verified = NOTHING_VERIFIED
  for (const line of lines) {
    const next = verifyLine(hashOf, noted, verified, line)
    if (Result.isFailure(next)) return next.failure
    verified = next.success
  }
  return verifiedFault(noted, verified)
}

export const eventIn = (workspaceId: string, given: Partial<TrailEvent> = {}): TrailEvent => ({
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

export const appended = (...events: ReadonlyArray<TrailEvent>) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const trail = yield* TrailStore
    yield* atomically(trail.append(events))
  })

/** Seals what this workspace has, as a round does. Returns how many events were sealed. */
export const sealedAt = (workspaceId: string, nowMillis: number) =>
  Effect.gen(function* () {
    const { lockUnsealed, seal } = yield* SealStore
    const { atomically } = yield* UnitOfWork
    return yield* atomically(
      Effect.flatMap(lockUnsealed(nowMillis), (found) =>
        seal(
          found.filter((one) => one === workspaceId),
          nowMillis
        )
      )
    )
  })

/** The workspace's export, and its events. */
export const exported = (workspaceId: string) =>
  Effect.gen(function* () {
    const { next } = yield* SealStore
    const lines = [firstLine(workspaceId)]
    const ids: Array<string> = []
    let head = NO_SEAL
    let seals = 0
    for (;;) {
      const found = yield* next(workspaceId, seals)
      if (Option.isNone(found)) break
      const { events, seal } = found.value
      lines.push(...sealLines(hashOf, seal, events))
      ids.push(...events.map(({ eventId }) => eventId))
      head = seal.hash
      seals = seal.number
    }
    return { lines: [...lines, lastLine({ seals, events: ids.length, head })], ids, seals, head }
  })

/** What every store of seals guarantees. */
export const sealsContract = <E>(
  name: string,
  adapter: Layer.Layer<SealStore | TrailStore | ErasureStore | UnitOfWork, E>
): void => {
  it.layer(adapter, SUITE)(`seals of the trail (${name})`, (it) => {
    // The first of all: nothing is sealed yet.
    it.effect("there is no head before something is sealed, and one for each trail", () =>
      Effect.gen(function* () {
        const { heads } = yield* SealStore
        assert.deepStrictEqual(yield* heads(5), { heads: [], trails: 0 })
        for (const trails of [1, 2]) {
          const workspaceId = freshId()
          yield* appended(eventIn(workspaceId))
          yield* sealedAt(workspaceId, LATER)
          assert.strictEqual((yield* heads(1)).trails, trails)
        }
      })
    )

    it.effect(
      "a trail waits for a seal from a minute after its event on, or a minute ahead of it, until it has one",
      () =>
        Effect.gen(function* () {
          const { lockUnsealed } = yield* SealStore
          const { atomically } = yield* UnitOfWork
          const [past, ahead] = [freshId(), freshId()]
          yield* appended(eventIn(past), eventIn(ahead, { observedAtMillis: NOON + 2 * MINUTE }))
          const waiting = (nowMillis: number) =>
            Effect.map(atomically(lockUnsealed(nowMillis)), (found) =>
              [past, ahead].map((workspaceId) => found.includes(workspaceId))
            )
          assert.deepStrictEqual(yield* waiting(NOON), [false, true])
          assert.deepStrictEqual(yield* waiting(NOON + MINUTE - 1), [false, true])
          assert.deepStrictEqual(yield* waiting(NOON + MINUTE), [true, true])
          assert.deepStrictEqual(yield* waiting(NOON + MINUTE + 1), [true, false])
          for (const workspaceId of [past, ahead]) assert.strictEqual(yield* sealedAt(workspaceId, NOON + MINUTE), 1)
          assert.deepStrictEqual(yield* waiting(NOON + MINUTE), [false, false])
        })
    )

    it.effect("a seal covers as many events as it may, and the next one the rest", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const events = Array.from({ length: SEAL_EVENTS_MAX + 1 }, () => eventIn(workspaceId))
        yield* appended(...events)
        const sealed = sealedAt(workspaceId, LATER)
        assert.deepStrictEqual([yield* sealed, yield* sealed, yield* sealed], [SEAL_EVENTS_MAX, 1, 0])
        const all = yield* exported(workspaceId)
        assert.lengthOf(all.ids, SEAL_EVENTS_MAX + 1)
        assert.isNull(faultOf(all.lines))
      })
    )

    it.effect("who was erased before their event was sealed has neither a person nor a salt in it", () =>
      Effect.gen(function* () {
        const { next } = yield* SealStore
        const { forgetSubject } = yield* ErasureStore
        const { atomically } = yield* UnitOfWork
        const workspaceId = freshId()
        const person = { workspaceId, email: "ann@example.com" }
        yield* appended(eventIn(workspaceId, person))
        yield* atomically(forgetSubject({ ...person, addressHash: hashOf(person.email) }, NOON))
        yield* sealedAt(workspaceId, LATER)
        const { events } = Option.getOrThrow(yield* next(workspaceId, 0))
        assert.deepStrictEqual(
          events.map(({ email, person, salt }) => ({ email, person, salt })),
          [{ email: null, person: null, salt: null }]
        )
      })
    )

    it.effect("an export has an address for 24 months after its person was last seen, and not at their end", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        yield* appended(eventIn(workspaceId, { email: "ann@example.com" })).pipe(asOf(NOON))
        yield* sealedAt(workspaceId, LATER)
        const end = Date.UTC(2028, 2, 10, 12)
        assert.strictEqual(retainedSince(end), NOON)
        const saltAt = (nowMillis: number) =>
          Effect.map(exported(workspaceId).pipe(asOf(nowMillis)), ({ lines }) => {
            assert.isNull(faultOf(lines))
            const text = lines.join("\n")
            return [text.includes("ann@example.com"), /"salt":"/.test(text)]
          })
        assert.deepStrictEqual(yield* saltAt(end - 1), [true, true])
        assert.deepStrictEqual(yield* saltAt(end), [false, false])
      })
    )

    it.effect("a workspace without an archive has nothing sealed in one", () =>
      Effect.gen(function* () {
        const { archived } = yield* SealStore
        assert.deepStrictEqual(yield* archived(freshId()), NOTHING_SEALED)
      })
    )

    it.effect("an event is sealed once, in order, after a minute, and its export verifies", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const first = eventIn(workspaceId, {
          campaignId: freshId(),
          campaignLeadId: freshId(),
          replyId: freshId(),
          requestId: freshId(),
          operationId: freshId(),
          email: "ann@example.com",
          detail: { "ünïcode 🙂": ["a\nb\\", null, 1.5], type: "hard" }
        })
        const second = eventIn(workspaceId, { observedAtMillis: NOON + 123 })
        yield* appended(second, first)
        assert.strictEqual(yield* sealedAt(workspaceId, NOON + MINUTE - 1), 0)
        assert.strictEqual(yield* sealedAt(workspaceId, NOON + MINUTE), 2)
        assert.strictEqual(yield* sealedAt(workspaceId, NOON + MINUTE), 0)
        const all = yield* exported(workspaceId)
        assert.deepStrictEqual(all.ids, [first.eventId, second.eventId])
        assert.isNull(faultOf(all.lines))
        assert.include(all.lines.join("\n"), "ann@example.com")
      })
    )

    it.effect("an event that is committed late, or of another time, is in the next seal", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const events = [
          eventIn(workspaceId),
          eventIn(workspaceId, { observedAtMillis: NOON - 60 * MINUTE }),
          eventIn(workspaceId, { observedAtMillis: NOON + 500_000 * MINUTE })
        ]
        for (const event of events) {
          yield* appended(event)
          assert.strictEqual(yield* sealedAt(workspaceId, LATER), 1)
        }
        const all = yield* exported(workspaceId)
        assert.deepStrictEqual(
          all.ids,
          events.map(({ eventId }) => eventId)
        )
        assert.isNull(faultOf(all.lines))
      })
    )

    it.effect("two hosts that seal at once make one chain", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        for (let batch = 0; batch < 5; batch++) {
          yield* appended(
            ...Array.from({ length: 7 }, () => eventIn(workspaceId, { email: `${freshId()}@example.com` }))
          )
          yield* Effect.all(
            Array.from({ length: 4 }, () => sealedAt(workspaceId, LATER)),
            { concurrency: "unbounded" }
          )
          yield* sealedAt(workspaceId, LATER)
        }
        const all = yield* exported(workspaceId)
        assert.lengthOf(new Set(all.ids), 35)
        assert.lengthOf(all.ids, 35)
        assert.isNull(faultOf(all.lines))
      })
    )

    it.effect("a host that dies while it seals leaves nothing behind, and another seals", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const { lockUnsealed, seal } = yield* SealStore
        const { atomically } = yield* UnitOfWork
        yield* appended(eventIn(workspaceId, { email: "ann@example.com" }))
        const isIn = yield* Deferred.make<void>()
        const dying = yield* Effect.forkChild(
          atomically(
            lockUnsealed(LATER).pipe(
              Effect.andThen(seal([workspaceId], LATER)),
              Effect.andThen(Deferred.succeed(isIn, undefined)),
              Effect.andThen(Effect.never)
            )
          )
        )
        yield* Deferred.await(isIn)
        yield* Fiber.interrupt(dying)
        assert.strictEqual((yield* exported(workspaceId)).seals, 0)
        assert.strictEqual(yield* sealedAt(workspaceId, LATER), 1)
        assert.isNull(faultOf((yield* exported(workspaceId)).lines))
      })
    )

    it.effect("after an erasure the chain verifies, and neither address nor salt is left", () =>
      Effect.gen(function* () {
        const workspaceId = freshId()
        const { forgetSubject } = yield* ErasureStore
        const { atomically } = yield* UnitOfWork
        const person = { workspaceId, email: "ann@example.com" }
        const erased = atomically(forgetSubject({ ...person, addressHash: hashOf(person.email) }, LATER))
        yield* appended(eventIn(workspaceId, person), eventIn(workspaceId, { ...person, email: "bo@example.com" }))
        yield* sealedAt(workspaceId, LATER)
        const before = yield* exported(workspaceId)
        yield* appended(eventIn(workspaceId, person))
        yield* erased
        yield* appended(eventIn(workspaceId, { kind: "erased" }), eventIn(workspaceId, person))
        yield* sealedAt(workspaceId, LATER)
        yield* erased
        const after = yield* exported(workspaceId)
        assert.isNull(faultOf(after.lines, before.head))
        assert.notInclude(after.lines.join("\n"), person.email)
        const salts = after.lines
          .map((line): unknown => JSON.parse(line).salt)
          .filter((salt) => typeof salt === "string")
        assert.lengthOf(salts, 1)
      })
    )

    it.effect("the heads are the last seals, the latest first", () =>
      Effect.gen(function* () {
        const { heads } = yield* SealStore
        const [old, late] = [freshId(), freshId()]
        for (const [workspaceId, atMillis] of [
          [late, 900 * YEAR],
          [old, 901 * YEAR],
          [late, 902 * YEAR]
        ] as const) {
          yield* appended(eventIn(workspaceId))
          yield* sealedAt(workspaceId, atMillis)
        }
        const found = yield* heads(2)
        assert.deepStrictEqual(found.heads, [
          { workspaceId: late, number: 2, hash: (yield* exported(late)).head, sealedAtMillis: 902 * YEAR },
          { workspaceId: old, number: 1, hash: (yield* exported(old)).head, sealedAtMillis: 901 * YEAR }
        ])
        assert.isAtLeast(found.trails, 2)
      })
    )

    it.effect("a round seals what is due, and then rests", () =>
      Effect.gen(function* () {
        const round = yield* makeSealing
        const workspaceId = freshId()
        yield* appended(eventIn(workspaceId, { observedAtMillis: 0 }))
        while ((yield* round) > 0);
        assert.isNull(faultOf((yield* exported(workspaceId)).lines))
        assert.strictEqual((yield* exported(workspaceId)).seals, 1)
      })
    )
  })
}
