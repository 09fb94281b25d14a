import { assert, describe, it } from "@effect/vitest"
import { nextLook, owedBy } from "../../../src/wings/payments/Booking.js"
import { PaymentMachine, type PaymentState } from "../../../src/control/payments/PaymentMachine.js"
import type { Payment } from "../../../src/wings/payments/PaymentStore.js"
import { DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS } from "../../../src/kernel/durations.js"
import { after } from "../../../src/kernel/machine.js"
import { credits, fromMicros, zero } from "../../../src/kernel/money/Credits.js"

const NOON = Date.UTC(2026, 0, 1, 12)

const payment = (given: Partial<Payment> = {}): Payment => ({
  workspaceId: "w",
  paymentId: "p",
  userId: "u",
  credits: credits("2500"),
  cents: 2_500,
  state: "created",
  reference: null,
  url: null,
  entryId: null,
  returnedCents: 0,
  takenBack: zero,
  createdAtMillis: NOON,
  changedAtMillis: NOON,
  looks: 0,
  nextLookAtMillis: null,
  ...given
})

/** How long after each look the next one comes, until there is none; at most so many. */
const waits = (given: Partial<Payment>, most = 60): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let looks = 0; looks < most; looks++) {
    const next = nextLook(payment({ ...given, looks }), NOON)
    if (next === null) break
    found.push(next - NOON)
  }
  return found
}

const [MINUTE, HOUR, DAY] = [MINUTE_MILLIS, HOUR_MILLIS, DAY_MILLIS]

describe("what is owed of a payment", () => {
  it("is the share of its credits that went back, less what was taken back", () => {
    const owed = (returnedCents: number, takenBack = zero) => owedBy(payment({ returnedCents, takenBack }))
    assert.strictEqual(owed(0), 0n)
    assert.strictEqual(owed(1_000), credits("1000") as bigint)
    assert.strictEqual(owed(2_500, credits("2400")), credits("100") as bigint)
    assert.strictEqual(owed(1_000, credits("1500")), -(credits("500") as bigint))
    assert.strictEqual(owedBy(payment({ credits: credits("1"), cents: 3, returnedCents: 2 })), 666_666n)
  })
})

describe("when a payment is looked at again", () => {
  it("unfinished: after a minute, at growing intervals of an hour at most, beyond a day, and then no more", () => {
    for (const state of ["created", "action_required", "unknown"] as const) {
      const found = waits({ state })
      assert.deepStrictEqual(
        found.slice(0, 8),
        [1, 2, 4, 8, 16, 32, 60, 60].map((minutes) => minutes * MINUTE)
      )
      assert.isTrue(found.slice(6).every((wait) => wait === HOUR))
      assert.lengthOf(found, 40)
      assert.isAbove(
        found.reduce((sum, wait) => sum + wait, 0),
        30 * HOUR
      )
    }
  })

  it("failed: never", () => {
    assert.deepStrictEqual(waits({ state: "failed" }), [])
  })

  it("paid: for longer than banks take disputes, and then no more", () => {
    const found = waits({ state: "paid" })
    assert.deepStrictEqual(
      found,
      [1, 2, 4, 8, 16, 32, 64, 128].map((days) => days * DAY)
    )
    assert.isAtLeast(
      found.reduce((sum, wait) => sum + wait, 0),
      255 * DAY
    )
  })

  it("owing credits: for ever, after an hour and each day at last, also if it was looked at often before", () => {
    const found = waits({ state: "paid", returnedCents: 1 })
    assert.deepStrictEqual(
      found.slice(0, 7),
      [1, 2, 4, 8, 16, 24, 24].map((hours) => hours * HOUR)
    )
    assert.lengthOf(found, 60)
    const least = { credits: fromMicros(1n), cents: 1, returnedCents: 1 }
    assert.deepStrictEqual(waits({ state: "paid", ...least }).slice(0, 1), [HOUR])
    assert.deepStrictEqual(waits({ state: "paid", returnedCents: 1, takenBack: credits("1") }).slice(0, 1), [DAY])
    assert.deepStrictEqual(waits({ state: "paid", takenBack: credits("1") }).slice(0, 1), [DAY])
  })
})

describe("the states of a payment", () => {
  const to = (event: "ask" | "pay" | "fail" | "lose"): Readonly<Record<string, string>> =>
    Object.fromEntries(PaymentMachine.states.map((state) => [state, after(PaymentMachine, state, event)]))

  it("book money that arrives, whatever came before, and never lose it again", () => {
    assert.deepStrictEqual(new Set(Object.values(to("pay"))), new Set(["paid"]))
    for (const event of ["ask", "fail", "lose"] as const) assert.strictEqual(to(event)["paid"], "paid")
    assert.strictEqual(PaymentMachine.table.paid.pay, "same")
    assert.strictEqual(PaymentMachine.table.paid.fail, "refuse")
  })

  it("are failed, unknown or waiting as was heard last, and a failed one waits for nobody any more", () => {
    const unpaid = { created: "failed", action_required: "failed", unknown: "failed", failed: "failed", paid: "paid" }
    assert.deepStrictEqual(to("fail"), unpaid)
    assert.deepStrictEqual(to("lose"), {
      ...unpaid,
      created: "unknown",
      action_required: "action_required",
      unknown: "unknown"
    })
    assert.deepStrictEqual(to("ask"), {
      ...unpaid,
      created: "action_required",
      action_required: "action_required",
      unknown: "action_required"
    })
    // What changes nothing succeeds; what can't be is refused, and told as late.
    const refused = PaymentMachine.states.flatMap((state) =>
      PaymentMachine.events
        .filter((event) => PaymentMachine.table[state][event] === "refuse")
        .map((event) => [state, event])
    )
    assert.deepStrictEqual(refused, [
      ["paid", "ask"],
      ["paid", "fail"],
      ["paid", "lose"],
      ["failed", "ask"],
      ["failed", "lose"]
    ])
  })

  it("are over or awaited, never both; who pays now is asked for it", () => {
    const is = (name: keyof typeof PaymentMachine.is): ReadonlyArray<PaymentState> =>
      PaymentMachine.states.filter((state) => PaymentMachine.is[name](state))
    assert.deepStrictEqual(is("awaited"), ["created", "action_required", "unknown"])
    assert.deepStrictEqual(is("over"), ["paid", "failed"])
    assert.deepStrictEqual([is("payable"), is("paid")], [["action_required"], ["paid"]])
    assert.deepStrictEqual([...PaymentMachine.in.awaited].toSorted(), [...is("awaited")].toSorted())
  })
})
