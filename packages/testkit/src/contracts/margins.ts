import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { CallStories } from "@outbound/domain/control/CallStories.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { AMOUNT_MAX, CallNotes, MICROS_MAX } from "@outbound/domain/sources/CallNotes.js"
import { LaterStore } from "@outbound/domain/sources/LaterStore.js"
import { MarginStore } from "@outbound/domain/calls/MarginStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { admitted, anAttempt, claimOf, costing, outcomeOf, settlementOf } from "./calls.js"
import { DAY, freshId, givenKey, givenWorkspace, grant, HOUR, NOON, SUITE } from "./fixtures.js"

const spend = (notes: CallNotes, vendor: string, amount: number, micros: number) =>
  notes.spend({ vendor, unit: "credit", amount, micros })

/** What is told of calls' costs, however they were settled. */
export const marginsContract = <E>(
  name: string,
  adapter: Layer.Layer<
    CallJournal | CallStories | CreditStore | KeyStore | LaterStore | MarginStore | UnitOfWork | WorkspaceStore,
    E
  >
): void => {
  const givenCaller = (kind: "live" | "sandbox") =>
    Effect.gen(function* () {
      const { workspaceId } = yield* givenWorkspace({ kind })
      yield* grant(workspaceId, "100")
      return { workspaceId, ...(yield* givenKey(workspaceId, { workspaceKind: kind })) }
    })

  it.layer(adapter, SUITE)(`margins (${name})`, (it) => {
    it.effect("costs and evidence are kept with the call, whole, failed and remembered ones alike", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const stories = yield* CallStories
        const store = yield* MarginStore
        const { keyHash, workspaceId } = yield* givenCaller("live")
        const notes = new CallNotes()
        spend(notes, "first", 1, 9_000)
        spend(notes, "first", 0.5, 4_500)
        spend(notes, "second", 3, 30_000)
        notes.witness("prober", { mx: "mx.corp.example", said: "550 <ada@corp.example> \0 unknown" })
        const kept = notes.kept() ?? assert.fail("there are notes")

        const whole = yield* admitted(anAttempt(keyHash))
        const failed = yield* admitted(anAttempt(keyHash))
        const remembered = yield* admitted(anAttempt(keyHash, { idempotency: claimOf("k", "{}") }))
        const free = yield* admitted(anAttempt(keyHash))
        yield* Effect.all(
          [
            journal.settle(settlementOf(whole, { notes: kept })),
            journal.settle(settlementOf(free)),
            journal.settle(
              settlementOf(failed, {
                status: "failed",
                httpStatus: 424,
                errorCode: "own_key_failed",
                charge: zero,
                notes: { costs: null, evidence: kept.evidence }
              })
            ),
            journal.settle(
              settlementOf(remembered, {
                charge: credits("0.5"),
                outcome: outcomeOf(remembered, "{}"),
                notes: { costs: kept.costs, evidence: null }
              })
            )
          ],
          { concurrency: "unbounded" }
        )

        const evidence = [
          { source: "prober", facts: { mx: "mx.corp.example", said: "550 <[address]> \uFFFD unknown" } }
        ]
        const costs = [
          { vendor: "first", unit: "credit", amount: 1.5, micros: 13_500, answers: 2 },
          { vendor: "second", unit: "credit", amount: 3, micros: 30_000, answers: 1 }
        ]
        const told = (requestId: string) => Effect.map(stories.of(requestId), Option.getOrThrow)
        assert.deepInclude(yield* told(whole.requestId), { costs, evidence })
        assert.deepInclude(yield* told(failed.requestId), { costs: [], evidence })
        assert.deepInclude(yield* told(remembered.requestId), { costs, evidence: [] })
        assert.deepInclude(yield* told(free.requestId), { costs: [], evidence: [] })
        assert.strictEqual((yield* told(failed.requestId)).record.errorCode, "own_key_failed")
        assert.isTrue(Option.isNone(yield* stories.of(freshId())))

        const margin = { verb: "verify_email", unit: "credit", calls: 2, charged: credits("1.5") }
        assert.deepStrictEqual(yield* store.margins({ sinceMillis: NOON, workspaceId }), {
          verbs: [{ verb: "verify_email", calls: 4, charged: credits("2.5") }],
          vendors: [
            { ...margin, vendor: "first", amount: 3, micros: 27_000 },
            { ...margin, vendor: "second", amount: 6, micros: 60_000 }
          ],
          unknownJobs: []
        })
        assert.deepStrictEqual(yield* store.margins({ sinceMillis: NOON + HOUR, workspaceId }), {
          verbs: [],
          vendors: [],
          unknownJobs: []
        })
      })
    )

    it.effect("nothing that a vendor says keeps a call from being settled, or margins from being told", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const stories = yield* CallStories
        const store = yield* MarginStore
        const { keyHash, workspaceId } = yield* givenCaller("live")
        for (let call = 0; call < 2; call++) {
          const notes = new CallNotes()
          for (let times = 0; times < 2; times++) spend(notes, "fir\0st", Number.MAX_VALUE, Number.MAX_VALUE)
          notes.witness("source", { "a\0b": { "\ud800": ["\udc00"] }, "ada@corp.example": 1 })
          const kept = notes.kept() ?? assert.fail("there are notes")
          const { requestId } = yield* admitted(anAttempt(keyHash)).pipe(
            Effect.tap((call) => journal.settle(settlementOf(call, { notes: kept })))
          )
          const { evidence } = Option.getOrThrow(yield* stories.of(requestId))
          assert.deepStrictEqual(evidence, [
            { source: "source", facts: { "a\uFFFDb": { "\uFFFD": ["\uFFFD"] }, "[address]": 1 } }
          ])
        }
        const { vendors } = yield* store.margins({ sinceMillis: NOON, workspaceId })
        assert.deepStrictEqual(
          vendors.map(({ amount, calls, micros }) => ({ amount, calls, micros })),
          [{ calls: 2, amount: 2 * AMOUNT_MAX, micros: 2 * MICROS_MAX }]
        )
      })
    )

    it.effect("jobs of which nobody knows whether they were paid for are counted, and shown with their call", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const later = yield* LaterStore
        const stories = yield* CallStories
        const store = yield* MarginStore
        const { atomically } = yield* UnitOfWork
        const { keyHash, workspaceId } = yield* givenCaller("live")
        const call = yield* admitted(anAttempt(keyHash))
        yield* journal.settle(settlementOf(call))
        const [marker, known] = [freshId(), freshId()]
        const times = { afterMillis: HOUR, keepMillis: DAY }
        for (const followUpId of [marker, known]) {
          const key = { workspaceId, source: "full_enrich_emails", subjectHash: followUpId }
          const standing = { ...key, ...times, followUpId, requestId: call.requestId }
          yield* atomically(later.insert({ ...standing, sealed: "request", addressHashes: [] }))
          const answer = { sealed: "answer", addressHashes: [], keepMillis: DAY, isUnknown: followUpId === marker }
          yield* atomically(later.settle(key, answer))
        }
        const { jobs } = Option.getOrThrow(yield* stories.of(call.requestId))
        assert.deepStrictEqual(
          jobs.filter(({ isUnknown }) => isUnknown).map(({ marker, source }) => ({ marker, source })),
          [{ marker, source: "full_enrich_emails" }]
        )
        assert.sameMembers(
          jobs.map(({ marker }) => marker),
          [marker, known]
        )
        const of = (workspaceId: string) => store.margins({ sinceMillis: 0, workspaceId })
        assert.deepStrictEqual((yield* of(workspaceId)).unknownJobs, [{ source: "full_enrich_emails", jobs: 1 }])
        assert.deepStrictEqual((yield* of((yield* givenCaller("live")).workspaceId)).unknownJobs, [])
      })
    )

    it.effect("what looked or only foresaw is no call that earns, nor what was refused, or ended before", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const store = yield* MarginStore
        const { keyHash, workspaceId } = yield* givenCaller("live")
        const ended = (nowMillis: number, given: Parameters<typeof anAttempt>[1] = {}) =>
          Effect.flatMap(admitted(anAttempt(keyHash, { nowMillis, ...given })), (call) =>
            journal.settle(settlementOf(call))
          )
        const free = { plan: costing(zero) }
        yield* journal.admit(anAttempt(keyHash, { mode: "dry_run", ...free }))
        yield* ended(NOON, { mode: "read", verb: "get_usage", ...free })
        yield* ended(NOON - DAY)
        yield* journal.admit(anAttempt(keyHash, { plan: costing(credits("1000")) }))
        yield* ended(NOON)
        assert.deepStrictEqual((yield* store.margins({ sinceMillis: NOON, workspaceId })).verbs, [
          { verb: "verify_email", calls: 1, charged: credits("1") }
        ])
      })
    )

    it.effect("a sandbox costs nothing, and a workspace's margin is its own", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const store = yield* MarginStore
        const notes = new CallNotes()
        spend(notes, "first", 1, 9_000)
        const kept = notes.kept() ?? assert.fail("there are notes")
        const sandbox = yield* givenCaller("sandbox")
        const live = yield* givenCaller("live")
        yield* journal.settle(settlementOf(yield* admitted(anAttempt(sandbox.keyHash)), { notes: kept }))
        yield* journal.settle(settlementOf(yield* admitted(anAttempt(live.keyHash)), { notes: kept }))
        const of = (workspaceId: string | null) => store.margins({ sinceMillis: NOON, workspaceId })
        assert.deepStrictEqual((yield* of(sandbox.workspaceId)).verbs, [])
        assert.strictEqual((yield* of(live.workspaceId)).vendors[0]?.micros, 9_000)
        assert.isAtLeast((yield* of(null)).vendors.find(({ vendor }) => vendor === "first")?.micros ?? 0, 9_000)
      })
    )
  })
}
