import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import type { Attempt } from "../../src/calls/Attempt.js"
import { type AdmissionState, applySettlement, decideAdmission } from "../../src/calls/decideAdmission.js"
import { count, emptyWindow } from "../../src/calls/keys/RateWindow.js"
import { invalid, refuse } from "../../src/kernel/errors/Wire.js"
import { credits, zero } from "../../src/kernel/money/Credits.js"
import { ATTEMPT, CLAIM, MONTH, NOW, RECORD, STATE, withKey } from "./attempts.js"

const codeOf = (attempt: Partial<Attempt>, state: AdmissionState = STATE): string => {
  const { decision } = decideAdmission({ ...ATTEMPT, ...attempt }, state)
  return decision._tag === "Refuse" ? decision.error.code : decision._tag
}

it("what costs nothing is let through by caps that are used up, and what costs a millionth is not", () => {
  const spent: AdmissionState = {
    ...withKey({ monthlySpendCap: credits("1"), dailySpendCap: credits("1") })(STATE),
    usage: { ...STATE.usage, spent: credits("2") },
    today: credits("2")
  }
  const costs = (maximum: string) => ({ plan: () => Result.succeed({ maximum: credits(maximum), capabilities: [] }) })
  assert.strictEqual(codeOf(costs("0"), spent), "Admit")
  assert.strictEqual(codeOf(costs("0.000001"), spent), "payment_required")
  const ofDay = withKey({ monthlySpendCap: null })(spent)
  assert.strictEqual(codeOf(costs("0.000001"), ofDay), "payment_required")
  assert.strictEqual(codeOf(costs("0"), ofDay), "Admit")
})

it("what a call is about may need an approval although its verb does not always", () => {
  const state = withKey({ autonomousExternalActions: false })(STATE)
  const about = (asks: boolean) => ({ subject: { missing: null, refusal: null, wouldExceed: [], asks } })
  assert.deepStrictEqual([codeOf(about(true), state), codeOf(about(false), state)], ["forbidden", "Admit"])
})

it("a repeat is counted and leaves no row, whether the first one has ended or not", () => {
  const outcome = { requestId: "first", httpStatus: 200, body: "{}", charged: credits("1"), approvalId: null }
  for (const record of [RECORD, { ...RECORD, outcome }]) {
    const { decision, next, recorded } = decideAdmission(
      { ...ATTEMPT, idempotency: CLAIM },
      { ...STATE, records: [record] }
    )
    assert.strictEqual(decision._tag, record.outcome === null ? "InProgress" : "Replay")
    assert.isFalse(recorded)
    assert.deepStrictEqual(next.usage.rate, count(STATE.usage.rate, NOW))
  }
})

it("who waited for the first one was counted when it arrived: it is neither limited nor counted again", () => {
  const full: AdmissionState = {
    ...withKey({ ratePerMinute: 1 })(STATE),
    usage: { ...STATE.usage, rate: count(emptyWindow, NOW) }
  }
  assert.strictEqual(codeOf({}, full), "rate_limited")
  const { decision, next } = decideAdmission({ ...ATTEMPT, waited: true }, full)
  assert.strictEqual(decision._tag, "Admit")
  assert.deepStrictEqual(next.usage.rate, full.usage.rate)
})

it("a paused key's answer says since when", () => {
  const since = (pausedAtMillis: number | null) => {
    const { decision } = decideAdmission(ATTEMPT, withKey({ state: "paused", pausedAtMillis })(STATE))
    return decision._tag === "Refuse" ? decision.error.details : decision._tag
  }
  assert.deepStrictEqual(since(NOW - 1_500), { paused_at: new Date(NOW - 1_500).toISOString() })
  assert.deepStrictEqual(since(null), { paused_at: new Date(0).toISOString() })
})

it("a plan that is no plan comes first where the request is wrong, else after rate, pause and scope", () => {
  const wrong = { plan: () => Result.fail(invalid([])) }
  const gone = { plan: () => Result.fail(refuse("mailbox_unavailable", {})) }
  const limited = withKey({ ratePerMinute: 0 })(STATE)
  const paused = withKey({ state: "paused" })(STATE)
  const unscoped = withKey({ scopes: [] })(STATE)
  const revoked = withKey({ state: "revoked" })(STATE)
  assert.deepStrictEqual(
    [limited, paused, unscoped, STATE].map((state) => codeOf(wrong, state)),
    Array.from({ length: 4 }, () => "invalid_request")
  )
  assert.strictEqual(codeOf(wrong, revoked), "unauthorized")
  assert.deepStrictEqual(
    [limited, paused, unscoped, STATE].map((state) => codeOf(gone, state)),
    ["rate_limited", "agent_paused", "forbidden", "mailbox_unavailable"]
  )
  // A dry run says what is wrong with the call, whatever its key may do.
  assert.strictEqual(codeOf({ ...gone, mode: "dry_run" }, unscoped), "mailbox_unavailable")
})

it("a tighter maximum changes nothing else of the plan: what it needs is needed", () => {
  const attempt = {
    plan: () => Result.succeed({ maximum: credits("2"), capabilities: ["modes" as const] }),
    subject: { missing: null, refusal: null, wouldExceed: [], maximum: credits("1") }
  }
  assert.strictEqual(codeOf(attempt, withKey({ capabilitiesOff: ["modes"] })(STATE)), "forbidden")
  assert.strictEqual(codeOf(attempt), "Admit")
})

it("a call without an Idempotency-Key is a repeat of none", () => {
  assert.strictEqual(codeOf({ idempotency: null }, { ...STATE, records: [RECORD] }), "Admit")
})

it("a settlement of a run's call leaves the run its budget and its end", () => {
  const run = { budget: credits("9"), spent: credits("1"), reserved: credits("2"), expiresAtMillis: NOW + 1 }
  const account = { ...STATE.account, reserved: credits("2") }
  const usage = { ...STATE.usage, reserved: credits("2") }
  const settled = applySettlement(
    { reserved: credits("2"), charge: credits("1"), month: MONTH },
    { usage, account, run }
  )
  assert.deepStrictEqual(settled.run, { ...run, spent: credits("2"), reserved: zero })
})
