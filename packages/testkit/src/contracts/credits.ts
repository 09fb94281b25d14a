import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { ConsoleReads, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { credits, format, fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import * as FC from "fast-check"
import { propertyIn } from "../property.js"
import { admitted, anAttempt, answer, costing, givenCaller, moneyOf, settlementOf } from "./calls.js"
import { type ContractOptions, DAY, freshId, givenWorkspace, grant, HOUR, NOON, SUITE } from "./fixtures.js"

const RUNS = 100
const TAKERS = 20

const amount = FC.bigInt({ min: 1n, max: 3_000_000n })
const Op = FC.oneof(
  FC.record({ tag: FC.constant("add" as const), amount, kind: FC.constantFrom("grant", "top_up", "refund") }),
  FC.record({ tag: FC.constant("take" as const), amount, entry: FC.nat(3) }),
  FC.record({ tag: FC.constant("take up to" as const), amount }),
  FC.record({ tag: FC.constant("reserve" as const), amount }),
  FC.record({ tag: FC.constant("settle" as const), amount })
)

/** What every store of credits guarantees. */
export const creditsContract = <E>(
  name: string,
  adapter: Layer.Layer<CallJournal | ConsoleReads | CreditStore | KeyStore | UnitOfWork | WorkspaceStore, E>,
  options: ContractOptions = {}
): void => {
  const take = (workspaceId: string, amount: string, entryId = freshId()) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* CreditStore
      const entry = { entryId, workspaceId, kind: "upkeep", amount: credits(amount), atMillis: NOON } as const
      return yield* atomically(store.take(entry))
    })

  it.layer(adapter, SUITE)(`credits (${name})`, (it) => {
    it.effect("a workspace begins with nothing", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "0", reserved: "0" })
      })
    )

    it.effect("what is added is there to the last micro-credit, and answered", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        yield* grant(workspaceId, "300")
        const after = yield* grant(workspaceId, "9999999999.123457")
        assert.strictEqual(format(after.balance), "10000000299.123457")
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10000000299.123457", reserved: "0" })
      })
    )

    it.effect("an addition in a body that fails never was", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenWorkspace()
        yield* Effect.result(atomically(Effect.andThen(grant(workspaceId, "5"), Effect.fail("refused"))))
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "0", reserved: "0" })
      })
    )

    it.effect("taking needs that much available: what calls have reserved is not", () =>
      Effect.gen(function* () {
        const { keyHash, workspaceId } = yield* givenCaller("10")
        yield* admitted(anAttempt(keyHash, { plan: costing(credits("4")) }))
        assert.isFalse(yield* take(workspaceId, "6.000001"))
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "10", reserved: "4" })
        assert.isTrue(yield* take(workspaceId, "6"))
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "4", reserved: "4" })
        assert.strictEqual(yield* answer(anAttempt(keyHash)), "insufficient_credits")
      })
    )

    it.effect("an entry is taken once, however often and at the same time it is asked for", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        yield* grant(workspaceId, "1000")
        const entryId = freshId()
        const taken = yield* Effect.replicateEffect(take(workspaceId, "750", entryId), TAKERS, {
          concurrency: "unbounded"
        })
        assert.isTrue(taken.every((one) => one))
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "250", reserved: "0" })
      })
    )

    it.effect("many takers at once never take more than there is", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        yield* grant(workspaceId, "10")
        const each = Effect.suspend(() => take(workspaceId, "3"))
        const taken = yield* Effect.replicateEffect(each, TAKERS, { concurrency: "unbounded" })
        assert.lengthOf(
          taken.filter((one) => one),
          3
        )
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "1", reserved: "0" })
      })
    )

    it.effect("an entry taken elsewhere, or of another kind, is another one", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CreditStore
        const [one, other] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const entryId = freshId()
        for (const { workspaceId } of [one, other]) {
          yield* grant(workspaceId, "10")
          const reversal = { entryId, workspaceId, kind: "reversal", amount: credits("4"), atMillis: NOON } as const
          assert.strictEqual(format(yield* atomically(store.takeUpTo(reversal))), "4")
          assert.isTrue(yield* take(workspaceId, "3", entryId))
          assert.isTrue(yield* take(workspaceId, "3", entryId))
          assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "3", reserved: "0" })
        }
      })
    )

    it.effect("of more than there is what is there is taken, of less no more, and nothing that calls reserved", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CreditStore
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const takeUpTo = (amount: string) =>
          atomically(
            store.takeUpTo({
              entryId: freshId(),
              workspaceId,
              kind: "reversal",
              amount: credits(amount),
              atMillis: NOON
            })
          ).pipe(Effect.map(format))
        assert.strictEqual(yield* takeUpTo("2.5"), "2.5")
        assert.strictEqual(yield* takeUpTo("0.000001"), "0.000001")
        yield* admitted(anAttempt(keyHash, { plan: costing(credits("4")) }))
        assert.strictEqual(yield* takeUpTo("100"), "3.499999")
        assert.strictEqual(yield* takeUpTo("100"), "0")
        assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "4", reserved: "4" })
        const reads = yield* ConsoleReads
        const entries = yield* reads.ledger(workspaceId, EVERY_ENTRY, null, 100)
        assert.sameMembers(
          entries.flatMap(({ kind, micros }) => (kind === "reversal" ? [micros as bigint] : [])),
          [-2_500_000n, -1n, -3_499_999n]
        )
      })
    )

    it.effect("a call that cost nothing leaves no entry, one that cost something the one", () =>
      Effect.gen(function* () {
        const [journal, reads] = [yield* CallJournal, yield* ConsoleReads]
        const { keyHash, workspaceId } = yield* givenCaller("10")
        for (const [charge, notes] of [
          ["0", false],
          ["0", true],
          ["1.5", false],
          ["4", true]
        ] as const) {
          const call = yield* admitted(anAttempt(keyHash, { plan: costing(credits("4")) }))
          const kept = notes ? { notes: { costs: null, evidence: "{}" } } : {}
          yield* journal.settle(settlementOf(call, { charge: credits(charge), ...kept }))
        }
        const entries = yield* reads.ledger(workspaceId, EVERY_ENTRY, null, 100)
        assert.sameMembers(
          entries.flatMap(({ kind, micros }) => (kind === "charge" ? [micros as bigint] : [])),
          [-1_500_000n, -4_000_000n]
        )
      })
    )

    it.effect("what is taken makes no payment method", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* CreditStore
        const { keyHash, workspaceId } = yield* givenCaller("10")
        yield* take(workspaceId, "1")
        const reversal = { entryId: freshId(), workspaceId, kind: "reversal", amount: credits("1") } as const
        yield* atomically(store.takeUpTo({ ...reversal, atMillis: NOON }))
        assert.strictEqual(yield* answer(anAttempt(keyHash, { isPurchase: true })), "card_required")
        const paid = { entryId: freshId(), workspaceId, kind: "top_up", amount: credits("1"), requestId: null } as const
        yield* atomically(store.add({ ...paid, countsAsPaymentMethod: true, atMillis: NOON }))
        assert.strictEqual(yield* answer(anAttempt(keyHash, { isPurchase: true })), "Admitted")
      })
    )

    it.effect("usage counts a call when it ended, once, and neither what was refused nor what came before", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const store = yield* CreditStore
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const midnight = NOON + 12 * HOUR
        const end = (nowMillis: number, settledAtMillis: number) =>
          Effect.flatMap(admitted(anAttempt(keyHash, { nowMillis })), (call) =>
            journal.settle(settlementOf(call, { settledAtMillis }))
          )
        const usage = (sinceMillis: number) =>
          Effect.map(store.usageSince(workspaceId, sinceMillis), (rows) =>
            rows.map(({ calls, charged, verb }) => [verb, calls, format(charged)])
          )
        yield* end(NOON - HOUR, NOON - 1)
        yield* end(NOON - HOUR, NOON)
        yield* end(NOON, midnight)
        assert.strictEqual(yield* answer(anAttempt(keyHash, { plan: costing(credits("99")) })), "insufficient_credits")
        const { atomically } = yield* UnitOfWork
        const upkeep = { workspaceId, kind: "upkeep", amount: credits("7") } as const
        for (const atMillis of [NOON - 1, NOON])
          yield* atomically(store.take({ ...upkeep, entryId: freshId(), atMillis }))
        assert.deepStrictEqual(yield* usage(NOON), [
          ["upkeep", 1, "7"],
          ["verify_email", 2, "2"]
        ])
        assert.deepStrictEqual(yield* usage(NOON + 1), [["verify_email", 1, "1"]])
        assert.deepStrictEqual(yield* usage(midnight), [["verify_email", 1, "1"]])
        assert.deepStrictEqual(yield* usage(midnight + 1), [])
      })
    )

    it.effect("usage sums finished calls in mode act by verb, and upkeep beside them", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const store = yield* CreditStore
        const { keyHash, workspaceId } = yield* givenCaller("1000")
        const other = yield* givenCaller("10")
        const end = (charge: string, given: Parameters<typeof anAttempt>[1] = {}, hash = keyHash) =>
          Effect.gen(function* () {
            const call = yield* admitted(anAttempt(hash, { plan: costing(credits("22")), ...given }))
            yield* journal.settle(settlementOf(call, { charge: credits(charge) }))
          })
        yield* end("1")
        yield* end("0.5")
        yield* end("17", { verb: "enrich" })
        yield* end("5", { verb: "enrich", nowMillis: NOON - 30 * DAY })
        yield* end("0", { verb: "get_replies", mode: "read", plan: costing(zero) })
        yield* end("1", { plan: costing(credits("1")) }, other.keyHash)
        yield* admitted(anAttempt(keyHash))
        yield* journal.admit(anAttempt(keyHash, { mode: "dry_run" }))
        yield* take(workspaceId, "750")
        const usage = yield* store.usageSince(workspaceId, NOON - DAY)
        const expected = [
          ["verify_email", 2, "1.5"],
          ["enrich", 1, "17"],
          ["upkeep", 1, "750"]
        ]
        const shown = (of: typeof usage) =>
          of.map(({ calls, charged, verb }) => [verb, verb === "upkeep" ? 1 : calls, format(charged)])
        assert.sameDeepMembers(shown(usage), expected)
        // Within a day each call counts by its own time, and nothing of before.
        yield* end("3", { nowMillis: NOON - 2 * HOUR })
        yield* take(other.workspaceId, "1")
        assert.sameDeepMembers(shown(yield* store.usageSince(workspaceId, NOON - HOUR)), expected)
        assert.sameDeepMembers(shown(yield* store.usageSince(workspaceId, NOON + HOUR)), [])
      })
    )

    propertyIn(it)(
      "the balance is the sum of the ledger, and what is reserved the sum of open reservations, after every step",
      [FC.array(Op, { maxLength: 25 })],
      ([ops]) =>
        Effect.gen(function* () {
          const { atomically } = yield* UnitOfWork
          const journal = yield* CallJournal
          const store = yield* CreditStore
          const { keyHash, workspaceId } = yield* givenCaller("5", { ratePerMinute: 10_000 })
          const ledger: Array<bigint> = [5_000_000n]
          const entries = new Map<number, string>()
          const taken = new Set<number>()
          const open: Array<Effect.Success<ReturnType<typeof admitted>>> = []
          const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((a, b) => a + b, 0n)
          for (const op of ops) {
            const amount = fromMicros(op.amount)
            const free = sum(ledger) - sum(open.map((call) => call.reserved))
            if (op.tag === "add") {
              const kind = op.kind as "grant" | "top_up" | "refund"
              const of = { entryId: freshId(), requestId: null, countsAsPaymentMethod: kind === "top_up" }
              yield* atomically(store.add({ ...of, workspaceId, kind, amount, atMillis: NOON }))
              ledger.push(op.amount)
            } else if (op.tag === "take") {
              const entryId = entries.get(op.entry) ?? freshId()
              entries.set(op.entry, entryId)
              const covered = taken.has(op.entry) || free >= op.amount
              const entry = { entryId, workspaceId, kind: "upkeep", amount, atMillis: NOON } as const
              assert.strictEqual(yield* atomically(store.take(entry)), covered)
              if (covered && !taken.has(op.entry)) ledger.push(-op.amount)
              if (covered) taken.add(op.entry)
            } else if (op.tag === "take up to") {
              const taken = yield* atomically(
                store.takeUpTo({ entryId: freshId(), workspaceId, kind: "reversal", amount, atMillis: NOON })
              )
              assert.strictEqual(taken as bigint, free < op.amount ? free : op.amount)
              ledger.push(-taken)
            } else if (op.tag === "reserve") {
              const admission = yield* journal.admit(anAttempt(keyHash, { plan: costing(amount) }))
              assert.strictEqual(admission._tag, free >= op.amount ? "Admitted" : "Refused")
              if (admission._tag === "Admitted") open.push(admission.call)
            } else {
              const call = open.shift()
              if (call === undefined) continue
              yield* journal.settle(settlementOf(call, { charge: amount }))
              ledger.push(-(op.amount < call.reserved ? op.amount : call.reserved))
            }
            const { balance, reserved } = yield* store.balance(workspaceId)
            assert.strictEqual(balance as bigint, sum(ledger))
            assert.strictEqual(reserved as bigint, sum(open.map((call) => call.reserved)))
            assert.isTrue(balance >= reserved)
          }
        }),
      { fastCheck: { numRuns: options.runs ?? RUNS } }
    )
  })
}
