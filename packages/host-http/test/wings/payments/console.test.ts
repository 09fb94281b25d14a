import { assert, describe, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits as parse, format } from "@outbound/domain/kernel/money/Credits.js"
import { Memory } from "@outbound/testkit/memory/Memory.js"
import { MAGIC_TOP_UPS } from "@outbound/sandbox/wings/payments/SandboxPayments.js"
import { PaymentStore } from "@outbound/domain/wings/payments/PaymentStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Option } from "effect"
import { Desk } from "../../support/Desk.js"
import { run, visitor } from "../../support/Visitor.js"

const TOP_UP = "/console/credits/top-up"

const balanceOf = (workspaceId: string) =>
  Effect.gen(function* () {
    const credits = yield* CreditStore
    return format((yield* credits.balance(workspaceId)).balance)
  })

/** An owner at the form, and what the form carries. */
const atTheForm = Effect.gen(function* () {
  const desk = yield* Desk
  const us = yield* visitor(desk.ours)
  const { text } = yield* us.get("/console/credits")
  const payment_id = /name="payment_id" value="([^"]+)"/.exec(text)![1]!
  const buy = (credits: string | number) => us.post(TOP_UP, { payment_id, credits: String(credits) })
  return { us, workspaceId: desk.ours.workspaceId, path: `/console/payments/${payment_id}`, buy }
})

describe("buying credits", () => {
  it.live("books what is paid, once, however often the form is sent, and counts as a payment method", () =>
    run(
      Effect.gen(function* () {
        const { buy, path, us, workspaceId } = yield* atTheForm
        const memory = yield* Memory
        const hasMethod = memory.read(({ accounts }) => accounts.get(workspaceId)?.hasPaymentMethod)
        assert.isFalse(yield* hasMethod)
        const sent = yield* Effect.all([buy("2,500"), buy("2,500"), buy("2,500")], { concurrency: "unbounded" })
        for (const { headers, status } of sent) assert.deepStrictEqual([status, headers.get("location")], [303, path])
        assert.strictEqual(yield* balanceOf(workspaceId), "2500")
        assert.isTrue(yield* hasMethod)
        const page = yield* us.get(path)
        for (const words of ["The payment succeeded", "2,500 credits", "$25.00"]) assert.include(page.text, words)
        const { text } = yield* us.get("/console/credits")
        assert.include(text, "Topped up")
        assert.include(text, path)
      })
    )
  )

  it.live("leads to the provider where that asks for it, and books when the payer comes back", () =>
    run(
      Effect.gen(function* () {
        const { buy, path, us, workspaceId } = yield* atTheForm
        yield* buy(MAGIC_TOP_UPS.action)
        const page = yield* us.get(path)
        assert.include(page.text, `href="http://outbound.test${path}?returned=1"`)
        assert.strictEqual(yield* balanceOf(workspaceId), "0")
        const back = yield* us.get(`${path}?returned=1`)
        assert.deepStrictEqual([back.status, back.headers.get("location")], [303, path])
        yield* us.get(`${path}?returned=1`)
        yield* us.post(`${path}/look`)
        assert.strictEqual(yield* balanceOf(workspaceId), "1001")
      })
    )
  )

  it.live("books nothing for what is declined or given up", () =>
    run(
      Effect.gen(function* () {
        for (const credits of [MAGIC_TOP_UPS.declined, MAGIC_TOP_UPS.abandoned]) {
          const { buy, path, us, workspaceId } = yield* atTheForm
          yield* buy(credits)
          yield* us.post(`${path}/look`)
          assert.include((yield* us.get(path)).text, "The payment failed")
          assert.strictEqual(yield* balanceOf(workspaceId), "0")
        }
      })
    )
  )

  it.live("says what went back to the payer, and what is still owed for it", () =>
    run(
      Effect.gen(function* () {
        const { buy, path, us, workspaceId } = yield* atTheForm
        yield* buy("1000")
        const store = yield* PaymentStore
        const { atomically } = yield* UnitOfWork
        const payment = Option.getOrThrow(yield* store.find(workspaceId, path.slice(path.lastIndexOf("/") + 1)))
        const set = (given: Partial<typeof payment>) => atomically(store.update({ ...payment, ...given }))
        yield* set({ returnedCents: 600, takenBack: parse("400") })
        const { text } = yield* us.get(path)
        for (const words of [
          "Partly returned",
          "$6.00 went back",
          "400 credits were taken",
          "200 credits more are owed"
        ]) {
          assert.include(text, words)
        }
        assert.include((yield* us.get("/console/credits")).text, "Partly returned")
        yield* set({ returnedCents: 1_000, takenBack: parse("1000") })
        assert.notInclude((yield* us.get(path)).text, "are owed")
      })
    )
  )

  it.live("says so where the provider's answer is uncertain, and finds out", () =>
    run(
      Effect.gen(function* () {
        const first = yield* atTheForm
        yield* first.buy(MAGIC_TOP_UPS.uncertain)
        assert.include((yield* first.us.get(first.path)).text, "don’t know yet whether you paid")
        assert.strictEqual(yield* balanceOf(first.workspaceId), "0")
        yield* first.us.post(`${first.path}/look`)
        assert.strictEqual(yield* balanceOf(first.workspaceId), "1003")
        const second = yield* atTheForm
        yield* second.buy(MAGIC_TOP_UPS.uncertainFailed)
        yield* second.us.post(`${second.path}/look`)
        assert.include((yield* second.us.get(second.path)).text, "The payment failed")
        assert.strictEqual(yield* balanceOf(second.workspaceId), "1003")
      })
    )
  )

  it.live("asks for a whole number within its bounds, shows again what was typed, and is for owners", () =>
    run(
      Effect.gen(function* () {
        const { buy, workspaceId } = yield* atTheForm
        for (const credits of ["499", "1000001", "12.5", "many", "-500", " "]) {
          const refused = yield* buy(credits)
          assert.strictEqual(refused.status, 400, credits)
          assert.include(refused.text, "Credits must be a whole number", credits)
          assert.include(refused.text, `value="${credits}"`)
        }
        const desk = yield* Desk
        const member = yield* visitor(desk.ours, "member")
        assert.include((yield* member.get("/console/credits")).text, "Only an owner can buy credits")
        assert.strictEqual(yield* balanceOf(workspaceId), "0")
      })
    )
  )
})
