import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { ConsoleReads, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import * as FC from "fast-check"
import { propertyIn } from "../property.js"
import { admitted, anAttempt, costing, givenCaller, settlementOf } from "./calls.js"
import { type ContractOptions, DAY, givenKey, HOUR, idAt, SUITE } from "./fixtures.js"
import { MIDNIGHT } from "./outboundFixtures.js"

type Stores = CallJournal | ConsoleReads | CreditStore | KeyStore | UnitOfWork | WorkspaceStore

const RUNS = 30
const KEYS = 3
const DAYS = 4

const calls = FC.array(
  FC.record({
    key: FC.nat(KEYS - 1),
    atHour: FC.nat(DAYS * 24 - 1),
    reserved: FC.bigInt(0n, 3_000_000n),
    charged: FC.bigInt(0n, 3_000_000n),
    mode: FC.constantFrom("act" as const, "act" as const, "read" as const),
    status: FC.constantFrom("succeeded" as const, "failed" as const, "unknown" as const)
  }),
  { maxLength: 25 }
)

const sumOf = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** The figures of the usage page, of calls that ended on the host's way of settling them. */
export const usageContract = <E>(name: string, adapter: Layer.Layer<Stores, E>, options: ContractOptions = {}): void =>
  it.layer(adapter, SUITE)(`usage (${name})`, (it) => {
    propertyIn(it)(
      "by key, by day and in the ledger the same calls cost the same",
      [calls],
      ([given]) =>
        Effect.gen(function* () {
          const journal = yield* CallJournal
          const reads = yield* ConsoleReads
          const { key, keyHash, workspaceId } = yield* givenCaller("1000")
          const keys = [{ key, keyHash }]
          while (keys.length < KEYS) keys.push(yield* givenKey(workspaceId))
          const open = yield* Effect.forEach(
            given.toSorted((a, b) => a.atHour - b.atHour),
            (call) => {
              const nowMillis = MIDNIGHT + call.atHour * HOUR
              const { keyHash: hash } = keys[call.key]!
              const plan = costing(fromMicros(call.mode === "act" ? call.reserved : 0n))
              const admission = admitted(
                anAttempt(hash, { requestId: idAt(nowMillis), mode: call.mode, nowMillis, plan })
              )
              return Effect.map(admission, (admittedCall) => ({ ...call, nowMillis, admittedCall }))
            }
          )
          yield* Effect.forEach(
            open,
            ({ admittedCall, charged, nowMillis, status }) =>
              journal.settle(
                settlementOf(admittedCall, { status, charge: fromMicros(charged), settledAtMillis: nowMillis })
              ),
            { concurrency: "unbounded" }
          )
          const ended = open
            .filter(({ mode }) => mode === "act")
            .map((call) => ({ ...call, cost: call.charged < call.reserved ? call.charged : call.reserved }))
          const ledger = yield* reads.ledger(workspaceId, EVERY_ENTRY, null, 100)
          const charges = ledger.filter(({ kind }) => kind === "charge")
          const keyOf = new Map(charges.map(({ key: of, requestId }) => [requestId ?? "", of?.keyId ?? ""]))
          assert.deepStrictEqual(yield* reads.keysOfCalls(workspaceId, [...keyOf.keys()]), keyOf)
          assert.strictEqual((yield* reads.keysOfCalls(idAt(MIDNIGHT), [...keyOf.keys()])).size, 0)
          for (let day = 0; day <= DAYS; day += 1) {
            const fromMillis = MIDNIGHT + day * DAY
            const since = ended.filter(({ nowMillis }) => nowMillis >= fromMillis)
            const byKey = yield* reads.usageByKey(workspaceId, fromMillis, KEYS)
            const expected = keys.flatMap(({ key: { keyId } }, index) => {
              const theirs = since.filter((call) => call.key === index)
              return theirs.length === 0
                ? []
                : [{ keyId, calls: theirs.length, charged: sumOf(theirs.map(({ cost }) => cost)) }]
            })
            assert.sameDeepMembers(
              byKey.map(({ calls, charged, keyId }) => ({ keyId, calls, charged: BigInt(charged) })),
              expected
            )
            const [dearest] = yield* reads.usageByKey(workspaceId, fromMillis, 1)
            assert.deepStrictEqual(dearest, byKey[0])
            const spent = sumOf(byKey.map(({ charged }) => charged))
            const entered = ledger.filter(({ atMillis, kind }) => kind === "charge" && atMillis >= fromMillis)
            assert.strictEqual(spent, -sumOf(entered.map(({ micros }) => micros)))
            const ofDay = yield* reads.usageOfDay(workspaceId, fromMillis, 100)
            const here = yield* reads.ledger(workspaceId, { ...EVERY_ENTRY, dayMillis: fromMillis }, null, 100)
            const charges = here.filter(({ kind }) => kind === "charge")
            assert.strictEqual(sumOf(ofDay.map((line) => line.charged)), -sumOf(charges.map(({ micros }) => micros)))
            for (const { charged, keyId } of yield* reads.usageByKey(workspaceId, fromMillis, KEYS)) {
              const theirs = ledger.filter(({ atMillis, key: of }) => of?.keyId === keyId && atMillis >= fromMillis)
              assert.strictEqual(charged as bigint, -sumOf(theirs.map(({ micros }) => micros)))
              const drilled = yield* reads.ledger(
                workspaceId,
                { ...EVERY_ENTRY, dayMillis: fromMillis, keyId },
                null,
                100
              )
              assert.deepStrictEqual(
                drilled,
                here.filter(({ key: of }) => of?.keyId === keyId)
              )
            }
            const byDay = yield* reads.usageByDay(workspaceId, fromMillis)
            assert.strictEqual(spent, sumOf(byDay.map(({ charged }) => charged)))
          }
        }),
      { fastCheck: { numRuns: options.runs ?? RUNS } }
    )
  })
