import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import * as FC from "fast-check"
import type { Attempt } from "../../src/calls/Attempt.js"
import {
  type AdmissionState,
  applySettlement,
  available,
  decideAdmission,
  monthOf
} from "../../src/calls/decideAdmission.js"
import { type AnyWireError, invalid, refuse } from "../../src/kernel/errors/Wire.js"
import type { ApiKey } from "../../src/calls/keys/KeyStore.js"
import { ATTEMPT, CLAIM, KEY, MONTH, NOW, RECORD, STATE, withKey } from "./attempts.js"
import { SCOPES } from "../../src/verbs/Policy.js"
import { count, emptyWindow } from "../../src/calls/keys/RateWindow.js"
import { credits, fromMicros, plus, zero } from "../../src/kernel/money/Credits.js"

const MANY = { numRuns: 1_000 }
const micros = FC.bigInt({ min: 0n, max: 10_000_000n }).map(fromMicros)
const sometimes = <A>(arbitrary: FC.Arbitrary<A>) => FC.option(arbitrary, { freq: 3 })
/** Mostly what lets a call through: else nearly every one would fail its first checks. */
const mostly = <A>(usual: A, ...others: ReadonlyArray<A>): FC.Arbitrary<A> =>
  FC.oneof({ weight: 12, arbitrary: FC.constant(usual) }, { weight: 1, arbitrary: FC.constantFrom(...others) })

/** An account never has more reserved than it holds, and a run never more than its budget. */
const states: FC.Arbitrary<AdmissionState> = FC.record({
  scopes: mostly<ApiKey["scopes"]>(SCOPES, ["usage:read"]),
  state: mostly<ApiKey["state"]>("active", "paused", "revoked"),
  autonomous: mostly(true, false),
  off: mostly<ApiKey["capabilitiesOff"]>([], ["modes"]),
  cap: sometimes(micros),
  runRequired: mostly(false, true),
  daily: sometimes(micros),
  today: micros,
  spent: micros,
  usageReserved: micros,
  month: mostly(MONTH, "2026-02", "", "2026-04"),
  calls: FC.integer({ min: 0, max: 10 }),
  reserved: micros,
  free: micros,
  hasPaymentMethod: mostly(true, false),
  run: sometimes(FC.tuple(micros, micros, micros, mostly(NOW + 1, NOW, NOW - 1)))
}).map((given) => ({
  key: {
    ...KEY,
    scopes: given.scopes,
    state: given.state,
    autonomousExternalActions: given.autonomous,
    capabilitiesOff: given.off,
    monthlySpendCap: given.cap,
    dailySpendCap: given.daily,
    runRequired: given.runRequired
  },
  usage: {
    month: given.month,
    spent: given.spent,
    reserved: given.usageReserved,
    rate: Array.from({ length: given.calls }).reduce<typeof emptyWindow>((window) => count(window, NOW), emptyWindow)
  },
  today: given.today,
  account: {
    balance: plus(given.reserved, given.free),
    reserved: given.reserved,
    hasPaymentMethod: given.hasPaymentMethod
  },
  run:
    given.run === null
      ? null
      : {
          budget: plus(plus(given.run[0], given.run[1]), given.run[2]),
          spent: given.run[0],
          reserved: given.run[1],
          expiresAtMillis: given.run[3]
        },
  records: []
}))

const attempts: FC.Arbitrary<Attempt> = FC.record({
  reject: mostly<AnyWireError | null>(null, invalid([])),
  needsAutonomy: FC.boolean(),
  isPurchase: FC.boolean(),
  runId: FC.constantFrom(null, "run"),
  capabilities: FC.constantFrom([], ["modes" as const]),
  subject: mostly<AnyWireError | null>(null, refuse("mailbox_unavailable", {}), refuse("not_found", {})),
  maximum: micros
}).map(({ capabilities, maximum, subject, ...given }) => ({
  ...ATTEMPT,
  ...given,
  subject:
    subject === null
      ? null
      : {
          missing: subject.code === "not_found" ? subject : null,
          refusal: subject.code === "not_found" ? null : subject,
          wouldExceed: subject.code === "not_found" ? [] : [subject.code]
        },
  plan: () => Result.succeed({ maximum, capabilities })
}))

it("what is admitted is covered by balance, cap and run, and reserved in full", () =>
  FC.assert(
    FC.property(states, attempts, (state, attempt) => {
      const { decision, next } = decideAdmission(attempt, state)
      if (decision._tag !== "Admit") return
      const { maximum } = decision.plan
      assert.strictEqual<bigint>(next.account.reserved - state.account.reserved, maximum)
      assert.isTrue(next.account.reserved <= next.account.balance)
      const cap = state.key.monthlySpendCap
      if (cap !== null && maximum > 0n) assert.isTrue(next.usage.spent + next.usage.reserved <= cap)
      const daily = state.key.dailySpendCap
      if (daily !== null && maximum > 0n) assert.isTrue(next.today <= daily)
      if (attempt.runId !== null) {
        assert.isNotNull(next.run)
        if (next.run !== null) assert.isTrue(next.run.spent + next.run.reserved <= next.run.budget)
      }
    }),
    MANY
  ))

it("what is not admitted reserves nothing, and nothing is ever charged here", () =>
  FC.assert(
    FC.property(states, attempts, FC.boolean(), (state, attempt, dryRun) => {
      const { decision, next } = decideAdmission({ ...attempt, mode: dryRun ? "dry_run" : "act" }, state)
      assert.strictEqual(next.account.balance, state.account.balance)
      if (decision._tag === "Admit") return
      assert.strictEqual(next.account.reserved, state.account.reserved)
      assert.deepStrictEqual(next.run, state.run)
      const isNewMonth = state.usage.month < MONTH
      assert.strictEqual<bigint>(next.usage.spent, isNewMonth ? 0n : state.usage.spent)
      assert.strictEqual<bigint>(next.usage.reserved, isNewMonth ? 0n : state.usage.reserved)
    }),
    MANY
  ))

it("a dry run names first what the call itself would answer, and nothing where it would be admitted", () =>
  FC.assert(
    FC.property(states, attempts, (state, attempt) => {
      const real = decideAdmission(attempt, state).decision
      const preview = decideAdmission({ ...attempt, mode: "dry_run" }, state).decision
      if (preview._tag === "Refuse") {
        assert.strictEqual(real._tag, "Refuse")
        return
      }
      assert.strictEqual(preview._tag, "Preview")
      if (preview._tag !== "Preview") return
      assert.strictEqual(new Set(preview.wouldExceed).size, preview.wouldExceed.length)
      assert.strictEqual(preview.wouldExceed[0] ?? "Admit", real._tag === "Refuse" ? real.error.code : real._tag)
    }),
    MANY
  ))

it("every authenticated call counts once but a 429, and a repeat, a 401 and a 429 leave no row", () =>
  FC.assert(
    FC.property(states, attempts, (state, attempt) => {
      const { decision, next, rate, recorded } = decideAdmission(attempt, state)
      const code = decision._tag === "Refuse" ? decision.error.code : null
      const counted = code !== "rate_limited" && code !== "unauthorized"
      const sum = (counts: ReadonlyArray<number>) => counts.reduce((a, b) => a + b, 0)
      assert.strictEqual(sum(next.usage.rate.counts) - sum(state.usage.rate.counts), counted ? 1 : 0)
      assert.strictEqual(recorded, counted)
      assert.strictEqual(rate.limit, state.key.ratePerMinute)
      if (decision._tag === "Admit") assert.isAtMost(sum(next.usage.rate.counts), state.key.ratePerMinute)
    }),
    MANY
  ))

interface Problem {
  readonly code: string
  readonly state?: (state: AdmissionState) => AdmissionState
  readonly attempt?: Partial<Attempt>
}

const subject = (missing: AnyWireError | null, refusal: AnyWireError | null) => ({
  subject: { missing, refusal, wouldExceed: [] }
})

/** Everything that may stand against a call, in the order of the checks (contract: calls, order of checks). */
const PROBLEMS: ReadonlyArray<Problem> = [
  { code: "unauthorized", state: withKey({ state: "revoked" }) },
  { code: "invalid_request", attempt: { reject: invalid([]) } },
  { code: "rate_limited", state: withKey({ ratePerMinute: 0 }) },
  { code: "agent_paused", state: withKey({ state: "paused" }) },
  { code: "forbidden", state: withKey({ scopes: [] }) },
  { code: "idempotency_conflict", state: (state) => ({ ...state, records: [{ ...RECORD, verb: "enrich" }] }) },
  { code: "not_found", attempt: subject(refuse("not_found", {}), null) },
  { code: "mailbox_unavailable", attempt: subject(null, refuse("mailbox_unavailable", {})) },
  { code: "run_required", state: withKey({ runRequired: true }) },
  { code: "card_required", state: (state) => ({ ...state, account: { ...state.account, hasPaymentMethod: false } }) },
  { code: "payment_required", state: withKey({ monthlySpendCap: zero }) },
  { code: "insufficient_credits", state: (state) => ({ ...state, account: { ...state.account, balance: zero } }) }
]

it("of any problems together the first in the order of the checks answers", () =>
  FC.assert(
    FC.property(FC.subarray([...PROBLEMS]), (problems) => {
      // From the last to the first, so that where two set the same thing the earlier check's stands.
      const state = problems.reduceRight((found, problem) => problem.state?.(found) ?? found, STATE)
      const given = problems.reduceRight<Partial<Attempt>>((found, problem) => ({ ...found, ...problem.attempt }), {})
      const { decision } = decideAdmission({ ...ATTEMPT, isPurchase: true, idempotency: CLAIM, ...given }, state)
      const answer = decision._tag === "Refuse" ? decision.error.code : decision._tag
      assert.strictEqual(answer, problems[0]?.code ?? "Admit")
    }),
    MANY
  ))

it("scope comes before capability, capability before autonomy", () => {
  const off = { autonomousExternalActions: false, capabilitiesOff: ["modes"] } as const
  const plan: Attempt["plan"] = () => Result.succeed({ maximum: zero, capabilities: ["modes"] })
  const details = (key: Partial<ApiKey>) => {
    const { decision } = decideAdmission({ ...ATTEMPT, needsAutonomy: true, plan }, withKey(key)(STATE))
    return decision._tag === "Refuse" ? decision.error.details : decision._tag
  }
  assert.deepStrictEqual(details({ ...off, scopes: [] }), { required_scope: "data:read" })
  assert.deepStrictEqual(details(off), { reason: "capability_not_enabled", capability: "modes" })
  assert.deepStrictEqual(details({ autonomousExternalActions: false }), { reason: "autonomy_off" })
})

it("a dry run needs the capability of previews, and the call does not", () => {
  const state = withKey({ capabilitiesOff: ["previews"] })(STATE)
  const preview = decideAdmission({ ...ATTEMPT, mode: "dry_run" }, state).decision
  assert.strictEqual(preview._tag === "Refuse" ? preview.error.code : preview._tag, "forbidden")
  assert.strictEqual(decideAdmission(ATTEMPT, state).decision._tag, "Admit")
})

it("a read names no run although its key must name one for everything else", () => {
  const state = withKey({ runRequired: true })(STATE)
  const plan: Attempt["plan"] = () => Result.succeed({ maximum: zero, capabilities: [] })
  assert.strictEqual(decideAdmission({ ...ATTEMPT, mode: "read", plan }, state).decision._tag, "Admit")
})

it("a repeat is answered although nothing could be paid any more", () => {
  const outcome = { requestId: "first", httpStatus: 200, body: "{}", charged: credits("1"), approvalId: null }
  const broke: AdmissionState = {
    ...STATE,
    account: { ...STATE.account, balance: zero, hasPaymentMethod: false },
    records: [{ ...RECORD, outcome }]
  }
  const { decision } = decideAdmission({ ...ATTEMPT, idempotency: CLAIM }, broke)
  assert.deepStrictEqual(decision, { _tag: "Replay", outcome })
})

it("a month begins when it has come, and one that has begun does not end before the next", () => {
  const capped = withKey({ monthlySpendCap: credits("1") })(STATE)
  const spent = { ...capped, usage: { ...capped.usage, spent: credits("1") } }
  const at = (nowMillis: number) => decideAdmission({ ...ATTEMPT, nowMillis }, spent)
  assert.strictEqual(at(Date.UTC(2026, 3, 1) - 1).decision._tag, "Refuse")
  const april = at(Date.UTC(2026, 3, 1))
  assert.strictEqual(april.decision._tag, "Admit")
  assert.deepInclude(april.next.usage, { month: "2026-04", spent: zero, reserved: credits("1") })
  const back = at(Date.UTC(2026, 1, 28))
  assert.strictEqual(back.decision._tag, "Refuse")
  assert.strictEqual(back.next.usage.month, MONTH)
  assert.strictEqual(monthOf(Date.UTC(2026, 11, 31, 23, 59, 59, 999)), "2026-12")
})

it("an admission and its settlement charge at most what was reserved, and leave nothing reserved", () =>
  FC.assert(
    FC.property(states, attempts, micros, (state, attempt, charge) => {
      const { decision, next } = decideAdmission(attempt, state)
      if (decision._tag !== "Admit") return
      const reserved = decision.plan.maximum
      const settled = applySettlement({ reserved, charge, month: next.usage.month }, next)
      assert.isTrue(settled.charged <= charge && settled.charged <= reserved)
      assert.strictEqual(settled.account.reserved, state.account.reserved)
      assert.strictEqual<bigint>(settled.account.balance, state.account.balance - settled.charged)
      assert.isTrue(available(settled.account) >= available(next.account))
      assert.strictEqual<bigint>(settled.usage.spent - next.usage.spent, settled.charged)
      if (state.run !== null) {
        assert.strictEqual(settled.run?.reserved, state.run.reserved)
        assert.strictEqual<bigint>((settled.run?.spent ?? 0n) - state.run.spent, settled.charged)
      }
    }),
    MANY
  ))

it("a charge of a month that is over changes the new month's usage by nothing", () => {
  const usage = { ...STATE.usage, month: "2026-04", spent: credits("3"), reserved: credits("2") }
  const account = { ...STATE.account, reserved: credits("5") }
  const settled = applySettlement(
    { reserved: credits("5"), charge: credits("4"), month: MONTH },
    { usage, account, run: null }
  )
  assert.deepStrictEqual(settled.usage, usage)
  assert.deepInclude(settled.account, { balance: credits("96"), reserved: zero })
})

it("what a call is about may say its maximum more exactly than its plan", () => {
  const attempt = {
    ...ATTEMPT,
    plan: () => Result.succeed({ maximum: credits("200"), capabilities: [] }),
    subject: { missing: null, refusal: null, wouldExceed: [] }
  }
  const refused = decideAdmission(attempt, STATE).decision
  assert.strictEqual(refused._tag === "Refuse" ? refused.error.code : null, "insufficient_credits")
  const exactly = { ...attempt, subject: { ...attempt.subject, maximum: credits("100") } }
  const { decision, next } = decideAdmission(exactly, STATE)
  assert.strictEqual(decision._tag === "Admit" ? decision.plan.maximum : null, credits("100"))
  assert.strictEqual(next.account.reserved, credits("100"))
})
