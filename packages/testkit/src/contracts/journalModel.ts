import { assert } from "@effect/vitest"
import type { AdmittedCall } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { type Credits, format, fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import { Effect, Option, type Scope } from "effect"
import * as FC from "fast-check"
import { propertyIn } from "../property.js"
import { anAttempt, costing, givenCaller, settlementOf } from "./calls.js"
import { DAY, freshId, grant, NOON } from "./fixtures.js"
import { TestHosts } from "../memory/Hooks.js"
import type { JournalIt, JournalStores } from "./journalSupport.js"

const micros = FC.bigInt({ min: 0n, max: 5_000_000n })
const slot = FC.nat(4)

const Op = FC.oneof(
  FC.record({ tag: FC.constant("grant" as const), micros: FC.bigInt({ min: 1n, max: 5_000_000n }) }),
  { weight: 4, arbitrary: FC.record({ tag: FC.constant("admit" as const), slot, micros, inRun: FC.boolean() }) },
  { weight: 3, arbitrary: FC.record({ tag: FC.constant("settle" as const), slot, micros }) },
  FC.record({ tag: FC.constant("start" as const), slot }),
  FC.record({ tag: FC.constant("die" as const) }),
  FC.record({ tag: FC.constant("nextMonth" as const) })
)
type Op = typeof Op extends FC.Arbitrary<infer T> ? T : never

const CAP = 12_000_000n
const RUN_BUDGET = 9_000_000n
const FIRST_CREDITS = "20"

interface ModelCall {
  readonly real: AdmittedCall
  readonly reserved: bigint
  readonly month: number
  readonly inRun: boolean
  open: boolean
  charged: bigint
  started: boolean
}

/** The journal as one may think of it: a list of calls, from which every sum is taken anew. */
class Model {
  granted = 20_000_000n
  month = 0
  readonly calls: Array<ModelCall> = []
  readonly slots = new Map<number, ModelCall>()

  private sum(which: (call: ModelCall) => boolean, of: (call: ModelCall) => bigint): bigint {
    return this.calls.filter(which).reduce((total, call) => total + of(call), 0n)
  }

  private spent(which: (call: ModelCall) => boolean): bigint {
    return this.sum(which, (call) => (call.open ? call.reserved : call.charged))
  }

  get balance(): bigint {
    return (
      this.granted -
      this.sum(
        () => true,
        (call) => call.charged
      )
    )
  }

  get reserved(): bigint {
    return this.sum(
      (call) => call.open,
      (call) => call.reserved
    )
  }

  get spentThisMonth(): bigint {
    return this.spent((call) => call.month === this.month)
  }

  expected(amount: bigint, inRun: boolean): string {
    if (inRun && RUN_BUDGET - this.spent((call) => call.inRun) < amount) return "run_budget_exceeded"
    if (amount > 0n && CAP - this.spentThisMonth < amount) return "payment_required"
    return this.balance - this.reserved < amount ? "insufficient_credits" : "Admitted"
  }
}

const start = Effect.gen(function* () {
  const { key, keyHash, workspaceId } = yield* givenCaller(FIRST_CREDITS, {
    monthlySpendCap: fromMicros(CAP),
    ratePerMinute: 10_000
  })
  const { atomically } = yield* UnitOfWork
  const runs = yield* RunStore
  const hosts = yield* TestHosts
  const runId = freshId()
  const run = { runId, workspaceId, name: "A run", budget: fromMicros(RUN_BUDGET), createdAtMillis: NOON }
  yield* atomically(runs.insert({ ...run, expiresAtMillis: NOON + 10_000 * DAY }))
  return { keyId: key.keyId, keyHash, workspaceId, runId, host: yield* hosts.start, model: new Model() }
})

type Story = Effect.Success<typeof start>

const nowOf = (model: Model): number => Date.UTC(2026, 2 + model.month, 10, 12)

const admit = (story: Story, op: Op & { tag: "admit" }) =>
  Effect.gen(function* () {
    const { host, keyHash, model, runId } = story
    const attempt = anAttempt(keyHash, {
      nowMillis: nowOf(model),
      runId: op.inRun ? runId : null,
      plan: costing(fromMicros(op.micros))
    })
    const admission = yield* host.journal.admit(attempt)
    const expected = model.expected(op.micros, op.inRun)
    assert.strictEqual(admission._tag === "Refused" ? admission.error.code : admission._tag, expected)
    if (admission._tag !== "Admitted") return
    const { month } = model
    const fresh = { open: true, charged: 0n, started: false }
    const call = { real: admission.call, reserved: op.micros, month, inRun: op.inRun, ...fresh }
    model.calls.push(call)
    model.slots.set(op.slot, call)
  })

const settle = (story: Story, op: Op & { tag: "settle" }) =>
  Effect.gen(function* () {
    const call = story.model.slots.get(op.slot)
    if (call === undefined) return
    const charge: Credits = fromMicros(op.micros)
    const settled = yield* story.host.journal.settle(settlementOf(call.real, { charge }))
    assert.strictEqual(settled._tag, call.open ? "Settled" : "Fenced")
    if (!call.open) return
    call.open = false
    call.charged = op.micros < call.reserved ? op.micros : call.reserved
  })

const die = (story: Story) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const hosts = yield* TestHosts
    yield* story.host.kill
    const left = story.model.calls.filter((call) => call.open)
    assert.isAtLeast(yield* journal.sweep, left.length)
    for (const call of left) {
      call.open = false
      const record = Option.getOrThrow(yield* journal.request(story.workspaceId, call.real.requestId))
      assert.strictEqual(record.status, call.started ? "unknown" : "failed")
    }
    return { ...story, host: yield* hosts.start }
  })

const apply = (story: Story, op: Op): Effect.Effect<Story, unknown, JournalStores | TestHosts | Scope.Scope> =>
  Effect.gen(function* () {
    const { model } = story
    switch (op.tag) {
      case "grant":
        yield* grant(story.workspaceId, format(op.micros))
        model.granted += op.micros
        return story
      case "admit":
        yield* admit(story, op)
        return story
      case "settle":
        yield* settle(story, op)
        return story
      case "start": {
        const call = model.slots.get(op.slot)
        if (call === undefined) return story
        assert.strictEqual(yield* story.host.journal.effectStarts(call.real), call.open)
        if (call.open) call.started = true
        return story
      }
      case "die":
        return yield* die(story)
      case "nextMonth":
        model.month += 1
        return story
    }
  })

/** The journal agrees with a model that is small enough to read, whatever happens in whatever order. */
export const modelTests = (it: JournalIt, runs: number): void => {
  propertyIn(it)(
    "agrees with the model after every step",
    [FC.array(Op, { maxLength: 25 })],
    ([ops]) =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const store = yield* CreditStore
        let story = yield* start
        for (const op of ops) {
          story = yield* apply(story, op)
          const { keyId, model, workspaceId } = story
          const money = yield* store.balance(workspaceId)
          assert.deepStrictEqual({ ...money }, { balance: model.balance, reserved: model.reserved } as typeof money)
          const standing = yield* journal.standing(workspaceId, keyId, nowOf(model))
          assert.strictEqual(standing.spentThisMonth as bigint, model.spentThisMonth)
          assert.strictEqual(standing.available as bigint, model.balance - model.reserved)
        }
      }).pipe(Effect.scoped),
    { fastCheck: { numRuns: runs } }
  )

  propertyIn(it)(
    "whatever runs at the same time, nothing is spent twice and nothing stays reserved that has ended",
    [FC.array(Op, { minLength: 10, maxLength: 40 })],
    ([ops]) =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const store = yield* CreditStore
        const { host, keyHash, model, runId, workspaceId } = yield* start
        const calls: Array<AdmittedCall> = []
        const once = (op: Op) =>
          Effect.gen(function* () {
            if (op.tag === "grant") {
              yield* grant(workspaceId, format(op.micros))
              model.granted += op.micros
            } else if (op.tag === "admit") {
              const given = { runId: op.inRun ? runId : null, plan: costing(fromMicros(op.micros)) }
              const at = op.slot % 2 === 0 ? journal : host.journal
              const admission = yield* at.admit(anAttempt(keyHash, given))
              if (admission._tag === "Admitted") calls.push(admission.call)
            } else if (op.tag === "settle") {
              const call = calls[op.slot]
              if (call === undefined) return
              for (const at of [journal, host.journal]) {
                yield* at.settle(settlementOf(call, { charge: fromMicros(op.micros) }))
              }
            } else {
              yield* journal.sweep
            }
          })
        yield* Effect.forEach(ops, once, { concurrency: "unbounded", discard: true })
        yield* host.kill
        yield* Effect.all([journal.sweep, journal.sweep], { concurrency: "unbounded" })
        const records = yield* Effect.forEach(calls, (call) =>
          Effect.map(journal.request(workspaceId, call.requestId), Option.getOrThrow)
        )
        const charged = records.reduce((sum, record) => sum + record.charged, 0n)
        const open = records.reduce((sum, record) => sum + record.reserved, 0n)
        const { balance, reserved } = yield* store.balance(workspaceId)
        assert.strictEqual(balance as bigint, model.granted - charged)
        assert.strictEqual(reserved as bigint, open)
        assert.isTrue(balance >= reserved && charged + open <= CAP)
      }).pipe(Effect.scoped),
    { fastCheck: { numRuns: runs } }
  )
}
