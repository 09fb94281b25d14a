import { assert, describe, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { makeBooking } from "@outbound/domain/wings/payments/Booking.js"
import type { PaymentStanding } from "@outbound/domain/wings/payments/PaymentProvider.js"
import { type Payment, PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { credits, format, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer, Option } from "effect"
import { freshId, givenWorkspace, HOUR, MINUTE, NOON } from "../../../src/contracts/fixtures.js"
import { layer as memory } from "../../../src/memory/layer.js"
import * as TestIds from "../../../src/memory/TestIds.js"

const CENTS = 2_500

const layer = Layer.merge(memory, TestIds.layer)

type Noted = { readonly kind: string; readonly micros: bigint; readonly counts?: boolean; readonly entryId: string }

/** A payment over stores in memory, and what is written to the ledger for it. */
const booked = Effect.gen(function* () {
  const { atomically } = yield* UnitOfWork
  const store = yield* PaymentStore
  const ledger = yield* CreditStore
  const entries: Array<Noted> = []
  const returns: Array<Omit<Noted, "kind">> = []
  const { apply, conclude } = yield* makeBooking.pipe(
    Effect.provideService(CreditStore, {
      ...ledger,
      add: (entry) => {
        const { amount, countsAsPaymentMethod: counts, entryId, kind } = entry
        entries.push({ kind, micros: amount, counts, entryId })
        return ledger.add(entry)
      },
      takeUpTo: (entry) =>
        Effect.tap(ledger.takeUpTo(entry), (taken) =>
          Effect.sync(() => entries.push({ kind: entry.kind, micros: -taken, entryId: entry.entryId }))
        )
    }),
    Effect.provideService(PaymentStore, {
      ...store,
      insertReturn: (entry) => {
        returns.push({ micros: entry.micros, entryId: entry.entryId })
        return store.insertReturn(entry)
      }
    })
  )
  const { workspaceId } = yield* givenWorkspace()
  const payment: Payment = {
    workspaceId,
    paymentId: freshId(),
    userId: freshId(),
    credits: credits("2500"),
    cents: CENTS,
    state: "created",
    reference: null,
    url: null,
    entryId: null,
    returnedCents: 0,
    takenBack: zero,
    createdAtMillis: NOON,
    changedAtMillis: NOON,
    looks: 0,
    nextLookAtMillis: NOON
  }
  yield* atomically(store.insert(payment))
  const standing = (state: PaymentStanding["state"], given: Partial<PaymentStanding> = {}): PaymentStanding => ({
    reference: "ref",
    state,
    url: `https://pay.test/${state}`,
    cents: CENTS,
    returnedCents: null,
    ...given
  })
  const now = Effect.map(store.find(workspaceId, payment.paymentId), Option.getOrThrow)
  const balance = Effect.map(ledger.balance(workspaceId), (found) => format(found.balance))
  const spend = (amount: string) =>
    atomically(
      ledger.take({ entryId: freshId(), workspaceId, kind: "upkeep", amount: credits(amount), atMillis: NOON })
    )
  const looked = (looks: number) =>
    Effect.flatMap(now, (found) => atomically(store.update({ ...found, looks, nextLookAtMillis: NOON })))
  return { apply, balance, conclude, entries, looked, now, payment, returns, spend, standing }
})

const told = <E>(name: string, story: Effect.Effect<void, E, Effect.Services<typeof booked>>) =>
  it.effect(name, () => Effect.provide(story, layer))

const event = (eventId: string) => ({ eventId, kind: "test" })

describe("a payment's booking", () => {
  told(
    "books what was bought once, as a top-up that shows a way to pay",
    Effect.gen(function* () {
      const { apply, balance, entries, now, payment, standing } = yield* booked
      assert.strictEqual((yield* apply(payment, standing("paid"), NOON + 1)).kind, "applied")
      assert.strictEqual((yield* apply(payment, standing("paid"), NOON + 2)).kind, "applied")
      assert.strictEqual((yield* apply(payment, standing("paid"), NOON + 3, event("a"))).kind, "applied")
      assert.deepStrictEqual(
        entries.map(({ counts, kind, micros }) => [kind, micros, counts]),
        [["top_up", credits("2500") as bigint, true]]
      )
      const { changedAtMillis, entryId, reference, state, url } = yield* now
      assert.deepStrictEqual([state, entryId, url, reference], ["paid", entries[0]?.entryId, null, "ref"])
      assert.strictEqual(changedAtMillis, NOON + 1, "a repeat changes nothing")
      assert.strictEqual(yield* balance, "2500")
    })
  )

  told(
    "keeps the page while it can be paid there, and no longer",
    Effect.gen(function* () {
      const { apply, now, payment, standing } = yield* booked
      yield* apply(payment, standing("open"), NOON + 1)
      assert.strictEqual((yield* now).url, "https://pay.test/open")
      yield* apply(payment, standing("failed"), NOON + 2)
      const { changedAtMillis, nextLookAtMillis, url } = yield* now
      assert.deepStrictEqual([url, changedAtMillis, nextLookAtMillis], [null, NOON + 2, null])
    })
  )

  told(
    "takes back what went back to the payer, each time the difference, under an entry of its own",
    Effect.gen(function* () {
      const { apply, balance, entries, now, payment, returns, standing } = yield* booked
      yield* apply(payment, standing("paid"), NOON + 1)
      for (const returnedCents of [1_000, 1_000, null, CENTS, 10 * CENTS]) {
        yield* apply(payment, standing("paid", { returnedCents }), NOON + 2)
      }
      const amounts = [credits("1000"), credits("1500")] as ReadonlyArray<bigint>
      assert.deepStrictEqual(
        entries.slice(1).map(({ kind, micros }) => [kind, -micros]),
        amounts.map((micros) => ["reversal", micros])
      )
      assert.deepStrictEqual(
        returns,
        entries.slice(1).map(({ entryId, micros }) => ({ micros: -micros, entryId }))
      )
      assert.strictEqual(yield* balance, "0")
      assert.strictEqual((yield* now).returnedCents, CENTS)
    })
  )

  told(
    "gives again what was taken for a dispute that was won, and makes no way to pay of it",
    Effect.gen(function* () {
      const { apply, balance, entries, payment, returns, standing } = yield* booked
      yield* apply(payment, standing("paid", { returnedCents: CENTS }), NOON + 1)
      yield* apply(payment, standing("paid", { returnedCents: 500 }), NOON + 2)
      const { counts, entryId, kind, micros } = entries.at(-1)!
      assert.deepStrictEqual([kind, micros, counts], ["reversal", credits("2000") as bigint, false])
      assert.deepStrictEqual(returns.at(-1), { micros: -(credits("2000") as bigint), entryId })
      assert.strictEqual(yield* balance, "2000")
    })
  )

  told(
    "writes no entry where nothing is there to take, and says that it is owed",
    Effect.gen(function* () {
      const { apply, balance, now, payment, returns, spend, standing } = yield* booked
      yield* apply(payment, standing("paid"), NOON + 1)
      assert.isTrue(yield* spend("2500"))
      yield* apply(payment, standing("paid", { returnedCents: CENTS }), NOON + 2)
      assert.deepStrictEqual([returns, yield* balance], [[], "0"])
      const { nextLookAtMillis, returnedCents, takenBack } = yield* now
      assert.deepStrictEqual([returnedCents, takenBack as bigint], [CENTS, 0n])
      assert.strictEqual(nextLookAtMillis, NOON + 2 + HOUR)
    })
  )

  told(
    "never takes anything for a payment that was not made",
    Effect.gen(function* () {
      const { apply, conclude, entries, now, payment, returns, standing } = yield* booked
      yield* apply(payment, standing("open", { returnedCents: 500 }), NOON + 1)
      yield* apply(payment, standing("failed", { returnedCents: 500 }), NOON + 2)
      yield* conclude(yield* now, "fail", NOON + 3)
      assert.deepStrictEqual([entries, returns], [[], []])
    })
  )

  told(
    "looks as often again once it is paid, and once money went back; not for a repeat",
    Effect.gen(function* () {
      const { apply, looked, now, payment, standing } = yield* booked
      const looks = Effect.map(now, (found) => found.looks)
      yield* looked(5)
      yield* apply(payment, standing("open"), NOON + 1)
      assert.strictEqual(yield* looks, 5)
      yield* apply(payment, standing("paid"), NOON + 2)
      assert.strictEqual(yield* looks, 0)
      yield* looked(3)
      yield* apply(payment, standing("paid"), NOON + 3)
      assert.strictEqual(yield* looks, 3)
      yield* apply(payment, standing("paid", { returnedCents: 100 }), NOON + 4)
      const { changedAtMillis, looks: again } = yield* now
      assert.deepStrictEqual([again, changedAtMillis], [0, NOON + 4])
    })
  )

  told(
    "believes no notice that money came to us again, and asks at once",
    Effect.gen(function* () {
      const { apply, now, payment, standing } = yield* booked
      const notice = (returnedCents: number, eventId: string) =>
        apply(payment, standing("paid", { returnedCents }), NOON + 5, event(eventId))
      yield* notice(1_000, "a")
      const isDue = Effect.map(now, (found) => found.nextLookAtMillis === NOON + 5)
      assert.isFalse(yield* isDue)
      yield* notice(1_000, "b")
      assert.isFalse(yield* isDue, "the same again is nothing to ask about")
      yield* notice(500, "c")
      assert.isTrue(yield* isDue)
      assert.strictEqual((yield* now).returnedCents, 1_000)
    })
  )
})

describe("a report of a payment", () => {
  told(
    "counts once under its id, and is missing where there is no such payment",
    Effect.gen(function* () {
      const { apply, now, payment, standing } = yield* booked
      assert.strictEqual((yield* apply(payment, standing("open"), NOON + 1, event("a"))).kind, "applied")
      const again = yield* apply(payment, standing("failed"), NOON + 2, event("a"))
      assert.strictEqual(again.kind, "known")
      assert.strictEqual((yield* now).state, "action_required")
      const missing = yield* apply({ ...payment, paymentId: freshId() }, standing("paid"), NOON + 3)
      assert.deepStrictEqual(missing, { kind: "missing" })
    })
  )

  told(
    "of another amount or under another reference is foreign; but money that arrived counts under any",
    Effect.gen(function* () {
      const { apply, balance, now, payment, standing } = yield* booked
      assert.strictEqual((yield* apply(payment, standing("paid", { cents: CENTS - 1 }), NOON + 1)).kind, "foreign")
      assert.strictEqual((yield* apply(payment, standing("paid", { cents: null }), NOON + 1)).kind, "foreign")
      assert.strictEqual(yield* balance, "0")
      yield* apply(payment, standing("open"), NOON + 2)
      const other = (state: PaymentStanding["state"]) =>
        apply(payment, standing(state, { reference: "other" }), NOON + 3)
      assert.strictEqual((yield* other("failed")).kind, "foreign")
      assert.strictEqual((yield* other("open")).kind, "foreign")
      assert.strictEqual((yield* now).state, "action_required")
      assert.strictEqual((yield* other("paid")).kind, "applied")
      assert.deepStrictEqual([(yield* now).reference, yield* balance], ["other", "2500"])
    })
  )

  told(
    "that we asked for and can't believe is not asked for again at once; one that was sent changes nothing",
    Effect.gen(function* () {
      const { apply, looked, now, payment, standing } = yield* booked
      const nextLook = Effect.map(now, (found) => found.nextLookAtMillis)
      const foreign = standing("paid", { cents: 1 })
      yield* apply(payment, foreign, NOON + MINUTE, event("a"))
      assert.strictEqual(yield* nextLook, NOON)
      yield* apply(payment, foreign, NOON + MINUTE)
      assert.strictEqual(yield* nextLook, NOON + 2 * MINUTE)
      yield* apply(payment, standing("failed"), NOON + 2 * MINUTE)
      yield* looked(1)
      const late = yield* apply(payment, standing("open"), NOON + 3 * MINUTE)
      assert.deepStrictEqual([late.kind, yield* nextLook], ["late", null])
    })
  )

  told(
    "that never came leaves it unknown, and one that is paid already as it is",
    Effect.gen(function* () {
      const { apply, conclude, looked, now, payment, standing } = yield* booked
      assert.strictEqual((yield* conclude(payment, "lose", NOON + 1)).state, "unknown")
      assert.strictEqual((yield* now).state, "unknown")
      yield* apply(payment, standing("paid"), NOON + 2)
      yield* looked(8)
      const after = yield* conclude(payment, "fail", NOON + 3)
      assert.deepStrictEqual([after.state, after.nextLookAtMillis], ["paid", null])
      assert.deepStrictEqual(yield* now, after)
    })
  )
})
