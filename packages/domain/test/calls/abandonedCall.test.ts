import { assert, it } from "@effect/vitest"
import { endOfAbandoned } from "../../src/calls/abandonedCall.js"
import { zero } from "../../src/kernel/money/Credits.js"

it("a call whose effect had not begun failed, and its Idempotency-Key is free", () => {
  assert.deepStrictEqual(endOfAbandoned({ requestId: "r", effectStarted: false }), {
    status: "failed",
    httpStatus: 500,
    errorCode: "internal",
    outcome: null
  })
})

it("a call whose effect had begun is unknown, and every repeat is told so", () => {
  const { outcome, ...end } = endOfAbandoned({ requestId: "r", effectStarted: true })
  assert.deepStrictEqual(end, { status: "unknown", httpStatus: 502, errorCode: "operation_unknown_state" })
  assert.deepInclude(outcome, { requestId: "r", httpStatus: 502, charged: zero, approvalId: null })
  assert.deepInclude(JSON.parse(outcome?.body ?? ""), {
    code: "operation_unknown_state",
    details: { operation_id: "r" }
  })
})
