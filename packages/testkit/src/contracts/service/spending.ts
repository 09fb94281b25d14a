import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { type Credits, credits, format, fromMicros, plus, times, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Clock, Effect, Fiber, type Layer } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Answered, makeClient, makeKey } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { aDataCall, type DataCall } from "./dataCalls.js"
import { assertBalance, assertIssues, assertRefused, balanceOf, resultOf, SUITE, untilAsked } from "./support.js"

const PROBE = "sandbox_probe"
const UNKNOWN_RUN = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

const codesOf = (answers: ReadonlyArray<Answered>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { error } of answers) counts[error?.code ?? "ok"] = (counts[error?.code ?? "ok"] ?? 0) + 1
  return counts
}

/** The price list applied to an answer (contract: credits, prices), for somebody of whom nothing was known before. */
const priceOf = ({ input, verb }: DataCall, { result }: Answered): Credits => {
  if (verb === "verify_email") return result.status === "unknown" ? zero : credits("1")
  if (verb === "find_leads") {
    const added: number = result.premium_step?.results_added ?? 0
    return plus(times(credits("0.2"), result.leads.length - added), times(credits("1"), added))
  }
  if (verb === "find_companies") {
    return times(credits(input["technologies"] === undefined ? "6" : "7"), result.companies.length)
  }
  if (verb === "check_companies") {
    const answers: ReadonlyArray<{ readonly answer: string | null }> = result.companies
    return times(credits("3"), answers.filter(({ answer }) => answer === "yes" || answer === "not_found").length)
  }
  if (verb === "find_posts") {
    const scope = input["scope"] as { readonly type: string }
    const isAnswered = result.platform_status.every((one: { readonly status: string }) => one.status !== "unavailable")
    const base = scope.type === "profile" && result.candidates === undefined && isAnswered ? credits("1") : zero
    return plus(base, times(credits("0.5"), result.posts.length))
  }
  if (verb === "enrich_company") {
    if (result.brief !== undefined) {
      return result.brief.status === "hit" ? credits(result.brief.depth === "fast" ? "10" : "40") : zero
    }
    const outcomes: ReadonlyArray<{ readonly status: string }> = Object.values(result.datasets)
    return times(credits("7"), outcomes.filter(({ status }) => status === "hit").length)
  }
  if (verb === "find_intent") {
    const charges: ReadonlyArray<{ readonly charge: { readonly signal: boolean; readonly paid_checks: number } }> =
      result.domain_status
    return charges
      .map(({ charge }) => (charge.signal ? credits("10") : charge.paid_checks > 0 ? credits("0.5") : zero))
      .reduce(plus, zero)
  }
  const { contact } = result
  if (contact === null) return zero
  const email = contact.work_email === null ? zero : credits("5")
  const person = input["person"] as { readonly email: string }
  const bySearch = contact.mobile_phone !== null && person.email.startsWith("mobile-search")
  return plus(email, bySearch ? credits("17") : zero)
}

/** What is spent, and what bounds it (contract: credits, reservation; credits, ceilings; credits, runs). */
export const spendingContract = <E>(name: string, service: Layer.Layer<Service, E>, runs = 12) => {
  describeLayer(service, SUITE)(`spending (${name})`, (it) => {
    it.effect("of 300 calls at once, 100 credits pay for exactly 100", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100" })
        const other = yield* makeKey(client.workspaceId, client.ownerEmail)
        const emails = Array.from({ length: 300 }, (_, index) => `valid+${index}@magic.test`)
        const answers = yield* Effect.forEach(emails, (email) => client.call("verify_email", { email }), {
          concurrency: "unbounded"
        })
        const { insufficient_credits, ok } = codesOf(answers)
        assert.strictEqual((ok ?? 0) + (insufficient_credits ?? 0), 300, JSON.stringify(codesOf(answers)))
        // Who comes while all is reserved is refused, and nobody else is.
        assert.strictEqual(ok, 100)
        yield* assertBalance(other, "0")
      })
    )

    it.effect("what a call reserves is not available to another until it has ended", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1" })
        const faults = yield* Faults
        yield* faults.forgetCalls
        yield* faults.script(PROBE, [Behaviour.Late({ after: "2 seconds" })])
        const open = yield* Effect.forkChild(client.call("verify_email", { email: "unknown@magic.test" }))
        yield* untilAsked(PROBE, 1)
        assert.deepStrictEqual(yield* balanceOf(client), { available: "0", balance: "1", reserved: "1" })
        const refused = yield* client.call("verify_email", { email: "valid@magic.test" })
        assertRefused(refused, "insufficient_credits", { required: "1", credits_available: "0" })
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(open)).svc.credits_charged, "0")
        resultOf(yield* client.call("verify_email", { email: "valid@magic.test" }))
        yield* assertBalance(client, "0")
      })
    )

    it.effect("a monthly cap counts charges and open reservations, and begins anew with the month", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ cap: credits("2") })
        const faults = yield* Faults
        const valid = client.call("verify_email", { email: "valid@magic.test" })
        resultOf(yield* valid)
        yield* faults.forgetCalls
        yield* faults.script(PROBE, [Behaviour.Late({ after: "2 seconds" })])
        const open = yield* Effect.forkChild(client.call("verify_email", { email: "unknown@magic.test" }))
        yield* untilAsked(PROBE, 1)
        const details = { monthly_spend_cap: "2", spent_this_month: "2", required: "1" }
        const refused = yield* valid
        assert.strictEqual(refused.status, 402)
        assertRefused(refused, "payment_required", details)
        assert.strictEqual(resultOf(yield* client.call("get_me")).spent_this_month, "2")
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.join(open)
        assert.strictEqual(resultOf(yield* client.call("get_me")).spent_this_month, "1")
        resultOf(yield* valid)
        assertRefused(yield* valid, "payment_required", details)
        assertRefused(yield* client.call("find_leads", { audience: "anybody", limit: 1 }), "payment_required", {
          required: "0.2"
        })
        resultOf(yield* client.call("get_replies"))
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* TestClock.adjust(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime() - 1)
        assertRefused(yield* valid, "payment_required", details)
        yield* TestClock.adjust("1 millis")
        resultOf(yield* valid)
        assert.strictEqual(resultOf(yield* client.call("get_me")).spent_this_month, "1")
      })
    )

    it.effect("a daily cap refuses what it does not cover, shows where it stands, and begins anew at midnight", () =>
      Effect.gen(function* () {
        const owner = yield* makeClient()
        const client = yield* makeKey(owner.workspaceId, owner.ownerEmail, { dailyCap: credits("2") })
        const admin = yield* Admin
        const valid = client.call("verify_email", { email: "valid@magic.test" })
        const now = yield* Clock.currentTimeMillis
        const midnight = Date.UTC(1970, 0, Math.floor(now / 86_400_000) + 2)
        yield* TestClock.adjust(midnight - now - 1)
        resultOf(yield* valid)
        resultOf(yield* valid)
        const resetsAt = new Date(midnight).toISOString()
        const details = { daily_spend_cap: "2", spent_today: "2", required: "1", resets_at: resetsAt }
        assertRefused(yield* valid, "payment_required", details)
        const dry = resultOf(yield* client.call("verify_email", { email: "valid@magic.test", dry_run: true }))
        assert.deepInclude(dry.plan, { would_exceed: ["payment_required"] })
        assert.deepInclude(resultOf(yield* client.call("get_me")), { daily_spend_cap: "2", spent_today: "2" })
        yield* TestClock.adjust("1 millis")
        resultOf(yield* valid)
        assert.deepInclude(resultOf(yield* client.call("get_me")), { daily_spend_cap: "2", spent_today: "1" })
        yield* admin.setKey(client.keyId, { dailySpendCap: null })
        resultOf(yield* valid)
        resultOf(yield* valid)
        assert.deepInclude(resultOf(yield* client.call("get_me")), { daily_spend_cap: null, spent_today: "3" })
      })
    )

    it.effect("a charge counts in the month in which it was reserved", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ cap: credits("1") })
        const faults = yield* Faults
        const spent = Effect.map(client.call("get_me"), (me) => resultOf(me).spent_this_month)
        const now = new Date(yield* Clock.currentTimeMillis)
        const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
        yield* TestClock.adjust(nextMonth - now.getTime() - 1000)
        yield* faults.forgetCalls
        const open = yield* Effect.forkChild(client.call("verify_email", { email: "slow@magic.test" }))
        yield* untilAsked(PROBE, 1)
        assert.strictEqual(yield* spent, "1")
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual(yield* spent, "0")
        resultOf(yield* client.call("verify_email", { email: "valid@magic.test" }))
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(open)).svc.credits_charged, "1")
        assert.strictEqual(yield* spent, "1")
        yield* assertBalance(client, "298")
      })
    )

    it.effect("a cap is each key's own, and holds at once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ cap: credits("3") })
        const free = yield* makeKey(client.workspaceId, client.ownerEmail)
        const call = client.call("verify_email", { email: "valid@magic.test" })
        const answers = yield* Effect.all(new Array<typeof call>(10).fill(call), { concurrency: "unbounded" })
        assert.deepStrictEqual(codesOf(answers), { ok: 3, payment_required: 7 })
        resultOf(yield* free.call("verify_email", { email: "valid@magic.test" }))
        yield* assertBalance(client, "296")
      })
    )

    it.effect("a run bounds what is spent in its name", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const stranger = yield* makeClient()
        const admin = yield* Admin
        const made = (budget: string, expiresInMillis: number) =>
          Effect.map(
            admin.createRun({
              workspaceId: client.workspaceId,
              name: "research",
              budget: credits(budget),
              expiresInMillis
            }),
            ({ runId }) => runId
          )
        const run = yield* made("1.5", 60_000)
        const verify = (email: string, named?: string) =>
          client.call("verify_email", { email }, named === undefined ? {} : { run: named })
        resultOf(yield* verify("unknown@magic.test", run))
        resultOf(yield* verify("valid@magic.test", run.toUpperCase()))
        const over = yield* verify("valid@magic.test", run)
        assert.strictEqual(over.status, 402)
        assertRefused(over, "run_budget_exceeded", { run_id: run, remaining: "0.5", required: "1" })
        resultOf(yield* client.call("find_leads", { audience: "anybody", limit: 2 }, { run }))
        resultOf(yield* client.call("get_me", {}, { run }))
        resultOf(yield* verify("valid@magic.test"))
        const foreign = yield* stranger.call("verify_email", { email: "valid@magic.test" }, { run })
        assert.strictEqual(foreign.status, 409)
        assertRefused(foreign, "run_unavailable", { run_id: run })
        assertRefused(yield* verify("valid@magic.test", UNKNOWN_RUN), "run_unavailable", { run_id: UNKNOWN_RUN })
        assertIssues(yield* verify("valid@magic.test", "my run"), ["Svc-Run-Id"])
        yield* TestClock.adjust(59_999)
        resultOf(yield* client.call("verify_email", { email: "unknown@magic.test" }, { run: yield* made("1", 1) }))
        yield* TestClock.adjust("1 millis")
        assertRefused(yield* verify("unknown@magic.test", run), "run_unavailable", { run_id: run })
        yield* assertBalance(client, "297.6")
      }).pipe(Effect.orDie)
    )

    it.effect("a key that must name a run is refused without one, but for reads", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        yield* admin.setKey(client.keyId, { runRequired: true })
        const refused = yield* client.call("verify_email", { email: "unknown@magic.test" })
        assert.strictEqual(refused.status, 403)
        assertRefused(refused, "run_required")
        for (const verb of ["get_me", "get_usage", "get_replies"] as const) resultOf(yield* client.call(verb))
        const made = { workspaceId: client.workspaceId, name: "r", budget: credits("1"), expiresInMillis: 1000 }
        const { runId: run } = yield* admin.createRun(made)
        resultOf(yield* client.call("verify_email", { email: "unknown@magic.test" }, { run }))
      }).pipe(Effect.orDie)
    )

    it.effect("a run's budget holds at once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const made = { workspaceId: client.workspaceId, name: "r", budget: credits("4.9"), expiresInMillis: 60_000 }
        const { runId: run } = yield* admin.createRun(made)
        const call = client.call("verify_email", { email: "valid@magic.test" }, { run })
        const answers = yield* Effect.all(new Array<typeof call>(10).fill(call), { concurrency: "unbounded" })
        assert.deepStrictEqual(codesOf(answers), { ok: 4, run_budget_exceeded: 6 })
      }).pipe(Effect.orDie)
    )

    it.effect("whatever is asked for, the charge is the price of what came, within plan and ceiling", () =>
      Effect.gen(function* () {
        const seeded = fc.sample(
          fc.record({
            credits: fc.constantFrom("0", "3", "22", "300"),
            cap: fc.constantFrom(null, null, "10", "50"),
            calls: fc.uniqueArray(aDataCall, {
              minLength: 5,
              maxLength: 30,
              // A second enrichment of the same person may be free: the price list is for those not known yet.
              selector: ({ input, verb }) => (verb === "enrich" ? JSON.stringify(input["person"]) : {})
            })
          }),
          { numRuns: runs, seed: 7 }
        )
        for (const { calls, cap, credits: granted } of seeded) {
          const client = yield* makeClient({ credits: granted, ...(cap === null ? {} : { cap: credits(cap) }) })
          let spent = zero
          for (const call of calls) {
            const planned = yield* client.call(call.verb, { ...call.input, dry_run: true })
            const answer = yield* client.call(call.verb, call.input)
            if (answer.status !== 200) {
              const refusals = planned.status === 200 ? planned.result.plan.would_exceed : [planned.error?.code]
              assert.isTrue(refusals[0] === answer.error?.code || answer.status === 503, answer.text)
              continue
            }
            assert.deepStrictEqual(resultOf(planned).plan.would_exceed, [])
            const charge = credits(answer.svc.credits_charged)
            assert.strictEqual(format(charge), format(priceOf(call, answer)), JSON.stringify(call))
            assert.isTrue(charge <= credits(planned.result.plan.credits_estimate), JSON.stringify(call))
            const ceiling = call.input["budget_credits"] ?? call.input["max_credits"]
            if (ceiling !== undefined) assert.isAtMost(Number(format(charge)), Number(ceiling), JSON.stringify(call))
            spent = plus(spent, charge)
          }
          const left = format(fromMicros(credits(granted) - spent))
          yield* assertBalance(client, left)
          if (cap !== null) assert.isTrue(spent <= credits(cap))
          assert.strictEqual(resultOf(yield* client.call("get_me")).spent_this_month, format(spent))
        }
      })
    )
  })
}
