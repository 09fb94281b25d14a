import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import {
  type ClaimedFollowUp,
  type FollowUpKey,
  LaterStore,
  type NewFollowUp
} from "@outbound/domain/sources/LaterStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, HOUR, MINUTE, SECOND } from "./fixtures.js"
import { TestPassing } from "../memory/Hooks.js"

// Time is the store's: in memory that of the test.
const SUITE = { timeout: "60 seconds" } as const

const AT_ONCE = 10
const MANY = 10_000

const SOURCES = ["a_source", "another_source", "source_1", "source_2", "source_3"]
const lanesOf = (limit: number, sources = SOURCES) => sources.map((source) => ({ source, limit }))

/** What every store of follow-ups guarantees. */
export const laterContract = <E>(
  name: string,
  adapter: Layer.Layer<LaterStore | TestPassing | UnitOfWork | WorkspaceStore, E>
): void => {
  const aFollowUp = (workspaceId: string, given: Partial<NewFollowUp> = {}): NewFollowUp => ({
    workspaceId,
    source: "a_source",
    subjectHash: freshId(),
    followUpId: freshId(),
    requestId: null,
    sealed: "the request",
    addressHashes: [],
    afterMillis: 0,
    keepMillis: DAY,
    ...given
  })

  const insert = (followUp: NewFollowUp) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* LaterStore
      return yield* atomically(store.insert(followUp))
    })

  const given = (followUp: Partial<NewFollowUp> = {}) =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace()
      const made = aFollowUp(workspaceId, followUp)
      assert.isTrue(yield* insert(made))
      return made
    })

  const find = (key: FollowUpKey) => Effect.flatMap(LaterStore, (store) => store.find(key))

  /** Of all that is due, that of one workspace: other tests share the store. */
  const claim = ({ workspaceId }: FollowUpKey, leaseMillis = MINUTE, limit = MANY) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* LaterStore
      const claimed = yield* atomically(store.claim({ leaseMillis, lanes: lanesOf(MANY), limit }))
      return claimed.filter((one) => one.workspaceId === workspaceId)
    })

  const claimed = (of: FollowUpKey, leaseMillis?: number) =>
    Effect.map(claim(of, leaseMillis), (all) => {
      assert.lengthOf(all, 1)
      return all[0] as ClaimedFollowUp
    })

  const inStore = <A, E2, R>(use: (store: (typeof LaterStore)["Service"]) => Effect.Effect<A, E2, R>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      return yield* atomically(use(yield* LaterStore))
    })

  const pass = (millis: number) => Effect.flatMap(TestPassing, (passing) => passing.pass(millis))

  const ANSWER = { sealed: "the answer", addressHashes: ["somebody"], keepMillis: HOUR, isUnknown: false }

  it.layer(adapter, SUITE)(`follow-ups (${name})`, (it) => {
    it.effect("one stands for each subject of a source in a workspace: a second one changes nothing", () =>
      Effect.gen(function* () {
        const first = yield* given()
        const again = { ...first, followUpId: freshId(), sealed: "another" }
        assert.isFalse(yield* insert(again))
        assert.deepStrictEqual(Option.getOrThrow(yield* find(first)), {
          sealed: "the request",
          answeredAtMillis: null,
          isUnknown: false
        })
        assert.isTrue(yield* insert({ ...again, source: "another_source" }))
        const { workspaceId } = yield* givenWorkspace()
        assert.isTrue(yield* insert({ ...again, workspaceId }))
        assert.isTrue(Option.isNone(yield* find({ ...first, subjectHash: freshId() })))
      })
    )

    it.effect("a source is due when the first of what is pending is, and not once nothing is", () =>
      Effect.gen(function* () {
        const source = `source_${freshId()}`
        const due = inStore((store) => store.due([source, `source_${freshId()}`]))
        const millis = Effect.map(due, (found) => {
          assert.isAtMost(found.length, 1)
          return found[0]?.inMillis
        })
        assert.isUndefined(yield* millis)
        yield* given({ source, afterMillis: HOUR })
        const first = yield* given({ source, afterMillis: MINUTE })
        assert.closeTo((yield* millis) ?? 0, MINUTE, MINUTE / 2)
        assert.isTrue(yield* inStore((store) => store.settle(first, ANSWER)))
        assert.closeTo((yield* millis) ?? 0, HOUR, MINUTE / 2)
        yield* pass(2 * HOUR)
        assert.strictEqual(yield* millis, 0)
        yield* pass(DAY)
        assert.isUndefined(yield* millis)
      })
    )

    it.effect("of many who ask at once for the same, one is kept", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const one = aFollowUp(workspaceId)
        const asked = Array.from({ length: AT_ONCE }, () => insert({ ...one, followUpId: freshId() }))
        const kept = yield* Effect.all(asked, { concurrency: "unbounded" })
        assert.lengthOf(kept.filter(Boolean), 1)
      })
    )

    it.effect("nothing is claimed before it is due, by two hosts at once, or again while the claim lasts", () =>
      Effect.gen(function* () {
        const followUp = yield* given({ afterMillis: MINUTE })
        assert.lengthOf(yield* claim(followUp), 0)
        yield* pass(MINUTE + SECOND)
        const claims = Array.from({ length: AT_ONCE }, () => claim(followUp))
        const all = (yield* Effect.all(claims, { concurrency: "unbounded" })).flat()
        assert.lengthOf(all, 1)
        const { source, subjectHash, workspaceId, followUpId } = followUp
        const key = { source, subjectHash, workspaceId, followUpId, sealed: "the request", addressHashes: [] }
        assert.deepStrictEqual(all[0], { ...key, workspaceKind: "sandbox", tries: 1 })
        assert.lengthOf(yield* claim(followUp), 0)
      })
    )

    it.effect("a claim takes no more than it was told, those first that are due longest", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        yield* claim({ workspaceId, source: "", subjectHash: "" })
        for (const afterMillis of [3, 1, 2]) {
          yield* insert(aFollowUp(workspaceId, { afterMillis: afterMillis * MINUTE, source: `source_${afterMillis}` }))
        }
        yield* pass(HOUR)
        const sources: Array<string> = []
        for (let turn = 0; turn < MANY && sources.length < 3; turn++) {
          const one = yield* inStore((store) => store.claim({ leaseMillis: HOUR, lanes: lanesOf(MANY), limit: 1 }))
          assert.isAtMost(one.length, 1)
          sources.push(...one.filter((it) => it.workspaceId === workspaceId).map(({ source }) => source))
        }
        assert.deepStrictEqual(sources, ["source_1", "source_2", "source_3"])
      })
    )

    it.effect(
      "what a host that died had claimed is another's after the lease, and what the first says counts no more",
      () =>
        Effect.gen(function* () {
          const followUp = yield* given()
          const dead = yield* claimed(followUp, MINUTE)
          yield* pass(MINUTE + SECOND)
          const next = yield* claimed(followUp)
          assert.strictEqual(next.tries, 2)
          assert.isFalse(yield* inStore((store) => store.answer(dead, ANSWER)))
          assert.isFalse(yield* inStore((store) => store.again(dead, { ...ANSWER, afterMillis: 0 })))
          assert.isFalse(yield* inStore((store) => store.drop(dead)))
          assert.isTrue(yield* inStore((store) => store.answer(next, ANSWER)))
        })
    )

    it.effect("each source is claimed by itself: none takes another's place, and those that are not asked stay", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const [slow, quick, other] = [freshId(), freshId(), freshId()]
        for (let count = 0; count < 4; count++) yield* insert(aFollowUp(workspaceId, { source: slow }))
        yield* insert(aFollowUp(workspaceId, { source: quick, afterMillis: SECOND }))
        yield* insert(aFollowUp(workspaceId, { source: other }))
        yield* pass(MINUTE)
        const claimOf = (limit: number) =>
          inStore((store) => store.claim({ leaseMillis: HOUR, lanes: lanesOf(2, [slow, quick]), limit }))
        const [one, two] = yield* Effect.all([claimOf(10), claimOf(10)], { concurrency: "unbounded" })
        const countOf = (source: string) => [...one, ...two].filter((claimed) => claimed.source === source).length
        assert.isAtMost(Math.max(one.length, two.length), 3)
        assert.deepStrictEqual([countOf(quick), countOf(other)], [1, 0])
        assert.isAtLeast(countOf(slow), 2)
        yield* claimOf(10)
        assert.lengthOf(yield* inStore((store) => store.claim({ leaseMillis: HOUR, lanes: [], limit: 10 })), 0)
        const left = yield* inStore((store) =>
          store.claim({ leaseMillis: HOUR, lanes: lanesOf(10, [slow, quick, other]), limit: 10 })
        )
        assert.lengthOf([...one, ...two, ...left].filter((claimed) => claimed.source === slow).slice(0, 4), 4)
        assert.lengthOf(
          left.filter(({ source }) => source === other),
          1
        )
      })
    )

    it.effect("a request is revised where it is the one that is pending, and claims of it hold no more", () =>
      Effect.gen(function* () {
        const followUp = yield* given({ addressHashes: ["somebody"] })
        const before = yield* claimed(followUp)
        const next = { sealed: "the next request", addressHashes: ["another"], afterMillis: HOUR }
        assert.isFalse(yield* inStore((store) => store.revise(followUp, "another request", next)))
        const revise = inStore((store) => store.revise(followUp, "the request", next))
        const both = yield* Effect.all([revise, revise], { concurrency: "unbounded" })
        assert.sameMembers(both, [true, false], "one of two")
        assert.isFalse(yield* inStore((store) => store.again(before, { ...next, sealed: "stale" })))
        assert.isFalse(yield* inStore((store) => store.answer(before, ANSWER)))
        yield* pass(HOUR + SECOND)
        const after = yield* claimed(followUp)
        assert.deepInclude(after, { sealed: "the next request", addressHashes: ["somebody", "another"] })
        yield* inStore((store) => store.answer(after, ANSWER))
        assert.isFalse(yield* inStore((store) => store.revise(followUp, "the answer", next)), "it is answered")
      })
    )

    it.effect("what nobody will ever know is kept as that, and asked by nobody", () =>
      Effect.gen(function* () {
        const followUp = yield* given()
        yield* inStore((store) => store.settle(followUp, { ...ANSWER, isUnknown: true }))
        assert.deepInclude(Option.getOrThrow(yield* find(followUp)), { isUnknown: true })
        assert.lengthOf(yield* claim(followUp), 0)
        assert.isFalse(yield* insert({ ...followUp, followUpId: freshId() }))
        yield* pass(HOUR + SECOND)
        assert.isTrue(yield* insert({ ...followUp, followUpId: freshId() }))
        assert.deepInclude(Option.getOrThrow(yield* find(followUp)), { isUnknown: false })
      })
    )

    it.effect("what was forgotten and asked for anew is another: no claim on the first touches it", () =>
      Effect.gen(function* () {
        const followUp = yield* given()
        const first = yield* claimed(followUp)
        assert.isTrue(yield* inStore((store) => store.drop(first)))
        assert.isTrue(yield* insert({ ...followUp, followUpId: freshId() }))
        yield* claimed(followUp)
        assert.isFalse(yield* inStore((store) => store.answer(first, ANSWER)))
      })
    )

    it.effect("one that is asked again keeps its count, its new request and its wait", () =>
      Effect.gen(function* () {
        const followUp = yield* given()
        const first = yield* claimed(followUp)
        const next = { sealed: "asked otherwise", addressHashes: ["somebody"], afterMillis: HOUR }
        assert.isTrue(yield* inStore((store) => store.again(first, next)))
        yield* pass(HOUR - MINUTE)
        assert.lengthOf(yield* claim(followUp), 0)
        yield* pass(2 * MINUTE)
        const second = yield* claimed(followUp)
        assert.deepInclude(second, { sealed: "asked otherwise", addressHashes: ["somebody"], tries: 2 })
      })
    )

    it.effect("an answer is told until its end, is claimed by nobody, and gives its place up then", () =>
      Effect.gen(function* () {
        const followUp = yield* given()
        yield* inStore((store) => Effect.flatMap(claimed(followUp), (first) => store.answer(first, ANSWER)))
        yield* pass(HOUR - MINUTE)
        const standing = Option.getOrThrow(yield* find(followUp))
        assert.strictEqual(standing.sealed, "the answer")
        assert.isNotNull(standing.answeredAtMillis)
        assert.lengthOf(yield* claim(followUp), 0)
        assert.isFalse(yield* insert({ ...followUp, followUpId: freshId() }))
        yield* pass(2 * MINUTE)
        assert.isTrue(Option.isNone(yield* find(followUp)))
        assert.isTrue(yield* insert({ ...followUp, followUpId: freshId() }))
        assert.deepInclude(yield* claimed(followUp), { tries: 1, addressHashes: [] })
      })
    )

    it.effect("what is never answered is pending for its time, and then not asked any more", () =>
      Effect.gen(function* () {
        const followUp = yield* given({ keepMillis: HOUR })
        yield* pass(HOUR + SECOND)
        assert.lengthOf(yield* claim(followUp), 0)
        assert.isTrue(Option.isNone(yield* find(followUp)))
        for (const answer of [null, ANSWER]) {
          assert.isFalse(yield* inStore((store) => store.settle(followUp, answer)))
        }
      })
    )

    it.effect("a purge takes what is over, a bounded number at a time, and nothing else", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const stays = yield* given({ keepMillis: 2 * DAY })
        for (let count = 0; count < 3; count++) yield* insert(aFollowUp(workspaceId, { keepMillis: HOUR }))
        yield* pass(DAY)
        let gone = 0
        for (let turn = 0; turn < MANY; turn++) {
          const some = yield* inStore((store) => store.purge(2))
          assert.isAtMost(some, 2)
          gone += some
          if (some === 0) break
        }
        assert.isAtLeast(gone, 3)
        assert.isTrue(Option.isSome(yield* find(stays)))
      })
    )

    it.effect("a write of a transaction that fails is none", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const followUp = aFollowUp(workspaceId)
        yield* Effect.ignore(inStore((store) => Effect.andThen(store.insert(followUp), Effect.fail("broken off"))))
        assert.isTrue(Option.isNone(yield* find(followUp)))
      })
    )
  })
}
