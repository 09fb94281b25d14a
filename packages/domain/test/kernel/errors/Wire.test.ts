import { assert, it } from "@effect/vitest"
import { credits } from "../../../src/kernel/money/Credits.js"
import {
  encodeError,
  invalid,
  INVALID_REASONS,
  isRetryable,
  isWireError,
  ISSUES_MAX,
  RATE_LIMITS,
  refuse,
  type Retry,
  statusOf,
  TRANSPORT_STATUS,
  WIRE,
  WIRE_CODES,
  type WireCode
} from "../../../src/kernel/errors/Wire.js"

/** Every code with its status, details and retry rule, which is never unless given (contract: calls, errors). */
const TABLE: Readonly<Record<string, readonly [number, ReadonlyArray<string>, Retry?]>> = {
  unauthorized: [401, []],
  forbidden: [403, ["required_scope", "reason", "capability"]],
  confirmation_required: [428, ["approval_url", "expires_at"]],
  payment_required: [
    402,
    ["required", "monthly_spend_cap", "spent_this_month", "daily_spend_cap", "spent_today", "resets_at"]
  ],
  insufficient_credits: [402, ["required", "credits_available"]],
  rate_limited: [429, ["retry_after_seconds", "limit"], "same_key"],
  idempotency_conflict: [409, ["reason"]],
  invalid_request: [
    400,
    [
      "issues",
      "reason",
      "minimum_credits",
      "state",
      "max_bytes",
      "values",
      "values_total",
      "unverified",
      "of",
      "max_percent",
      "domains"
    ]
  ],
  suppressed_recipient: [409, ["suppressed_reason"]],
  not_found: [404, []],
  operation_unknown_state: [502, ["operation_id"], "poll"],
  provider_unavailable: [503, ["retry_after_seconds", "reason"], "same_key"],
  contact_history_unavailable: [503, []],
  internal: [500, [], "same_key"],
  reply_intent_pending: [409, []],
  reply_already_sent: [409, ["sent_reply_id"]],
  reply_content_unavailable: [409, []],
  reply_send_disabled: [403, []],
  mailbox_unavailable: [409, []],
  self_modification: [403, []],
  owner_required: [403, ["change_request_id", "console_url"]],
  agent_suspended: [403, ["suspended_at", "reason"]],
  card_required: [402, ["console_url"]],
  payment_action_required: [402, ["console_url"]],
  billing_unknown: [503, []],
  agent_paused: [403, ["paused_at"]],
  stream_consumed: [409, ["request_id"]],
  run_budget_exceeded: [402, ["run_id", "remaining", "required"]],
  run_unavailable: [409, ["run_id"]],
  run_required: [403, ["run_id"]],
  own_key_failed: [424, ["provider"]],
  change_request_closed: [409, ["change_request_id"]],
  tool_key_invalid: [424, ["provider"]],
  tool_unavailable: [503, ["tool", "reason"]],
  approval_declined: [409, ["approval_url", "reason"]],
  approval_expired: [409, ["approval_url"]],
  approval_superseded: [409, ["approval_url"]],
  approval_cancelled: [409, ["approval_url"]],
  approval_changed: [409, ["approval_url"]]
}

it("there are exactly the codes of the interface", () => {
  assert.sameMembers([...WIRE_CODES], Object.keys(TABLE))
})

for (const code of WIRE_CODES) {
  it(`${code} has the status, the details and the retry rule that are documented`, () => {
    const [status, details, retry = "never"] = TABLE[code] ?? [0, []]
    assert.strictEqual(WIRE[code].status, status)
    assert.sameMembers(Object.keys(WIRE[code].details.fields), [...details])
    assert.strictEqual<Retry>(WIRE[code].retry, retry)
    assert.strictEqual(isRetryable(code), retry === "same_key")
  })
}

it("only what may be retried names when, and only that", () => {
  const named = WIRE_CODES.filter((code) => "retry_after_seconds" in WIRE[code].details.fields)
  assert.sameMembers<WireCode>([...named], ["rate_limited", "provider_unavailable"])
})

it("every invalid request has the status of its reason", () => {
  for (const reason of INVALID_REASONS) {
    const expected = reason in TRANSPORT_STATUS ? TRANSPORT_STATUS[reason as keyof typeof TRANSPORT_STATUS] : 400
    assert.strictEqual(statusOf(refuse("invalid_request", { reason })), expected, reason)
    assert.isAbove(refuse("invalid_request", { reason }).message.length, 20, reason)
  }
})

it("an error is encoded with its amounts as decimal strings, and without empty details", () => {
  const error = refuse("insufficient_credits", { required: credits("0.5"), credits_available: credits("0") })
  assert.deepStrictEqual(encodeError(error), {
    code: "insufficient_credits",
    message: "This call needs up to 0.5 credits, but only 0 are available.",
    details: { required: "0.5", credits_available: "0" }
  })
  assert.deepStrictEqual(encodeError(refuse("not_found", {})), {
    code: "not_found",
    message: "Not found in this workspace. Check the id."
  })
})

it("an error is told from others by its code", () => {
  const error = refuse("rate_limited", { retry_after_seconds: 3, limit: RATE_LIMITS[0] })
  assert.isTrue(isWireError(error))
  assert.strictEqual(error._tag, "rate_limited")
  assert.include(error.message, "3 s")
  assert.isFalse(isWireError(new Error("rate_limited")))
})

it("at most so many issues are named at once", () => {
  const issues = Array.from({ length: ISSUES_MAX + 5 }, (_, i) => ({ path: `recipients.${i}`, message: "is wrong" }))
  assert.lengthOf(invalid(issues).details.issues ?? [], ISSUES_MAX)
  assert.strictEqual(ISSUES_MAX, 20)
})
