import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { assertBalanced, CREDIT, watched } from "./support/Books.js"
import { type CallResponse, call, range, read } from "./support/Client.js"
import { assertClean } from "./support/Host.js"
import { Served } from "./support/Served.js"
import { makeTenant } from "./support/Tenant.js"

const count = (answers: ReadonlyArray<CallResponse>, status: number): number =>
  answers.filter((answer) => answer.status === status).length

/** `result` as it stands in the answer, byte for byte. */
const resultOf = ({ text }: CallResponse): string => text.slice(0, text.lastIndexOf(`,"svc":`))

layer(Served.layer, { timeout: "180 seconds", excludeTestServices: true })("many calls at once", (it) => {
  it.effect("300 on a balance of 100: exactly 100 are charged, and the books balance at every moment", () =>
    Effect.gen(function* () {
      const { auditor, host, place } = yield* Served
      const tenant = yield* makeTenant(place, { credits: 100 })
      // Every third is slow, so that reservations stand open while others are admitted and settled.
      const email = (index: number) => `${index % 3 === 0 ? "slow" : "valid"}+${index}@magic.test`
      const load = Effect.forEach(
        range(300),
        (index) => call(host, tenant.apiKey, "verify_email", { email: email(index) }),
        { concurrency: "unbounded" }
      )
      const { looks, outcome } = yield* watched(auditor, tenant.workspaceId, load)

      assert.strictEqual(count(outcome, 200), 100)
      assert.strictEqual(count(outcome, 402), 200)
      for (const { json, status } of outcome) {
        if (status === 402) assert.strictEqual(json.error.code, "insufficient_credits")
        else assert.strictEqual(json.svc.credits_charged, "1")
      }
      assert.isTrue(looks.length > 2, `looked ${looks.length} times`)
      assert.isTrue(looks.some(({ reserved }) => reserved > 0n))
      const after = yield* auditor.books(tenant.workspaceId)
      assert.deepStrictEqual(
        [after.balance, after.reserved, after.charges, after.charged],
        [0n, 0n, 100n, 100n * CREDIT]
      )
      const usage = yield* read(host, tenant.apiKey, "/v1/usage")
      assert.strictEqual(usage.json.result.credits_available, "0")
      yield* assertClean(place)
    })
  )

  it.effect("50 identical calls under one Idempotency-Key: one charge, and 50 times its answer", () =>
    Effect.gen(function* () {
      const { auditor, host, place } = yield* Served
      const tenant = yield* makeTenant(place, { credits: 100 })
      const key = randomUUID()
      const answers = yield* Effect.forEach(
        range(50),
        () => call(host, tenant.apiKey, "verify_email", { email: "slow@magic.test" }, key),
        { concurrency: "unbounded" }
      )

      assert.strictEqual(count(answers, 200), 50, answers.find(({ status }) => status !== 200)?.text)
      assert.strictEqual(new Set(answers.map(resultOf)).size, 1)
      assert.strictEqual(new Set(answers.map(({ json }) => json.svc.request_id)).size, 1)
      assert.strictEqual(new Set(answers.map(({ headers }) => headers["x-request-id"])).size, 1)
      assert.strictEqual(answers.filter(({ json }) => json.svc.replayed === true).length, 49)
      assert.isTrue(answers.every(({ json }) => json.svc.credits_charged === "1"))
      const books = yield* auditor.books(tenant.workspaceId)
      assertBalanced(books)
      assert.deepStrictEqual([books.charges, books.charged, books.balance], [1n, CREDIT, 99n * CREDIT])
      const record = yield* read(host, tenant.apiKey, `/v1/requests/${answers[0]?.json.svc.request_id}`)
      assert.strictEqual(record.json.result.replayed_count, 49)
      yield* assertClean(place)
    })
  )
})
