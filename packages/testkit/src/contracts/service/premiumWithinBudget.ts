import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { type Credits, credits, format, fromMicros, min, minusOrZero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { Behaviour } from "../../providers/Faulty.js"
import { type Answered, makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { accept, offerOf, PREMIUM_SOURCES, search } from "./premiumSupport.js"
import {
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  LEAD_SOURCE,
  resultOf,
  SUITE,
  whileSources
} from "./support.js"

const [PREMIUM, BROAD] = PREMIUM_SOURCES
const STANDARD_MICROS = 200_000
const PREMIUM_MICROS = 1_000_000

const consent = (budget_credits: number) => ({ premium: "within_budget", budget_credits }) as const

/** The price list applied to an answer: what the premium step added costs 1, everything else 0.2. */
const priceOf = ({ result }: Answered): Credits => {
  const added: number = result.premium_step?.results_added ?? 0
  return fromMicros(BigInt((result.leads.length - added) * STANDARD_MICROS + added * PREMIUM_MICROS))
}

/** The most that a call which consents can cost, by trying whatever its standard sources could find. */
const mostOf = (limit: number, ceilingMicros: number, allowanceMicros: number): Credits => {
  const costs = Array.from({ length: limit + 1 }, (_, found) => {
    const left = Math.min(ceilingMicros - found * STANDARD_MICROS, allowanceMicros)
    return found * STANDARD_MICROS + Math.min(limit - found, Math.floor(left / PREMIUM_MICROS)) * PREMIUM_MICROS
  })
  return fromMicros(BigInt(Math.max(...costs)))
}

/** What consent within a budget guarantees, and what premium leads cost (contract: data, premium). */
export const premiumWithinBudgetContract = <E>(name: string, service: Layer.Layer<Service, E>, runs = 40) => {
  describeLayer(service, SUITE)(`premium within a budget (${name})`, (it) => {
    it.effect("the premium step runs in the same call, and is told apart", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "10" })
        const [answer, asked] = yield* asking(search(client, consent(10)))
        assert.deepStrictEqual(asked, [LEAD_SOURCE, PREMIUM])
        assert.strictEqual(resultOf(answer).leads.length, 10)
        assert.deepStrictEqual(answer.result.premium_step, {
          request_id: answer.requestId,
          results_added: 5,
          credits_charged: "5"
        })
        assert.strictEqual(answer.svc.credits_charged, "6")
        assert.isUndefined(answer.result.offer)
        assert.strictEqual(answer.result.match_check.not_checked, 10)
        const record = resultOf(yield* client.call("get_request", { request_id: answer.requestId }))
        assert.strictEqual(record.credits_charged, "6")
        yield* assertBalance(client, "4")
      })
    )

    it.effect("consent needs a budget, and a budget alone is no consent", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        assertIssues(yield* search(client, { premium: "within_budget" }), ["budget_credits"])
        assertIssues(yield* search(client, { premium: "always", budget_credits: 5 }), ["premium"])
        assertIssues(yield* search(client, { premium: null, limit: 0 }), ["premium", "budget_credits", "limit"])
        const [, asked] = yield* asking(search(client, { budget_credits: 2000 }))
        assert.deepStrictEqual(asked, [LEAD_SOURCE])
      })
    )

    it.effect("budget and allowance bound the step; what they leave no room for is offered", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const three = yield* search(client, consent(3))
        assert.deepInclude(resultOf(three).premium_step, { results_added: 2, credits_charged: "2" })
        assert.strictEqual(three.svc.credits_charged, "3")
        const [none, asked] = yield* asking(search(client, consent(1.2)))
        assert.deepStrictEqual(asked, [LEAD_SOURCE])
        assert.isUndefined(resultOf(none).premium_step)
        assert.deepInclude(offerOf(none), { max_results: 1 })
        const [step, premiumAsked] = yield* asking(accept(client, offerOf(none).offer_token, consent(1.2)))
        assert.deepStrictEqual(premiumAsked, [PREMIUM])
        assert.strictEqual(step.svc.credits_charged, "1")
        yield* admin.setKey(client.keyId, { premiumAllowance: credits("4.5") })
        const allowed = yield* search(client, consent(100))
        assert.deepInclude(resultOf(allowed).premium_step, { results_added: 4, credits_charged: "4" })
      }).pipe(Effect.orDie)
    )

    it.effect("a search that is filled asks no premium source", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const [answer, asked] = yield* asking(search(client, { ...consent(100), audience: "anybody" }))
        assert.deepStrictEqual(asked, [LEAD_SOURCE])
        assert.isUndefined(resultOf(answer).premium_step)
        assert.strictEqual(answer.svc.credits_charged, "2")
      })
    )

    it.effect("premium sources that fail cost nothing, and what was found is delivered with an offer of the rest", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const failing = Behaviour.Fail({ reason: "transient" })
        const [answer, asked] = yield* asking(whileSources(PREMIUM_SOURCES, failing, search(client, consent(100))))
        assert.deepStrictEqual(asked, [LEAD_SOURCE, PREMIUM, BROAD])
        assert.strictEqual(answer.svc.credits_charged, "1")
        assert.isUndefined(resultOf(answer).premium_step)
        const accepted = yield* accept(client, offerOf(answer).offer_token, consent(100))
        assert.strictEqual(accepted.svc.credits_charged, "5")
      })
    )

    it.effect("premium sources do not stand in for standard ones that fail", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const failing = Behaviour.Fail({ reason: "transient" })
        const [answer, asked] = yield* asking(whileSources([LEAD_SOURCE], failing, search(client, consent(100))))
        assertRefused(answer, "provider_unavailable")
        assert.deepStrictEqual([...new Set(asked)], [LEAD_SOURCE])
        yield* assertBalance(client, "300")
      })
    )

    it.effect("a lead that both kinds of source find is returned and charged once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const sources = [LEAD_SOURCE, ...PREMIUM_SOURCES]
        const answer = yield* whileSources(sources, Behaviour.Twice(), search(client, consent(100)))
        const leads = resultOf(answer).leads.map(({ fingerprint }: { readonly fingerprint: string }) => fingerprint)
        assert.strictEqual(new Set(leads).size, 10)
        assert.strictEqual(answer.svc.credits_charged, "6")
      })
    )

    it.effect("the dry run names the maximum, and that much must be there", () =>
      Effect.gen(function* () {
        const input = consent(9.9)
        const client = yield* makeClient({ credits: "9.2" })
        const admin = yield* Admin
        const [dry, asked] = yield* asking(search(client, { ...input, dry_run: true }))
        const { plan } = resultOf(dry)
        assert.deepStrictEqual(asked, [])
        // One found and nine added come to more than none found and nine added.
        assert.strictEqual(plan.credits_estimate, "9.2")
        assert.deepStrictEqual(plan.would, {
          limit: 10,
          budget_applied: null,
          candidate_sources: 3,
          maximum_credits: "9.2",
          budget_credits: "9.9"
        })
        assert.deepStrictEqual(plan.would_exceed, [])
        const poor = yield* makeClient({ credits: "9.199999" })
        assert.deepStrictEqual(resultOf(yield* search(poor, { ...input, dry_run: true })).plan.would_exceed, [
          "insufficient_credits"
        ])
        assertRefused(yield* search(poor, input), "insufficient_credits", { required: "9.2" })
        yield* admin.grantCredits(poor.workspaceId, credits("0.000001"))
        assert.strictEqual((yield* search(poor, input)).svc.credits_charged, "6")
      }).pipe(Effect.orDie)
    )

    it.effect(
      "whatever is consented to, the charge is the price of what came, within maximum, ceiling and allowance",
      () =>
        Effect.gen(function* () {
          const admin = yield* Admin
          const calls = fc.sample(
            fc.record({
              limit: fc.integer({ min: 1, max: 60 }),
              thousandths: fc.integer({ min: 200, max: 40_000 }),
              allowance: fc.constantFrom("0", "0.5", "1", "7.25", "50"),
              titles: fc.constantFrom([], ["sales"], ["Court Jester"]),
              route: fc.constantFrom("balanced", "cheapest", "broadest", "fastest"),
              fails: fc.constantFrom(false, false, true)
            }),
            { numRuns: runs, seed: 5 }
          )
          const client = yield* makeClient({ credits: "100000" })
          yield* admin.setKey(client.keyId, { ratePerMinute: 1_000_000 })
          let spent = credits("0")
          for (const { allowance, fails, limit, route, thousandths, titles } of calls) {
            const ceiling = thousandths / 1000
            yield* admin.setKey(client.keyId, { premiumAllowance: credits(allowance) })
            const input: JsonObject = { ...consent(ceiling), limit, route, titles }
            const [planned, looked] = yield* asking(search(client, { ...input, dry_run: true }))
            assert.deepStrictEqual(looked, [])
            const { plan } = resultOf(planned)
            const used = Math.min(limit, Math.floor(thousandths / 200))
            const most = mostOf(used, thousandths * 1000, Number(credits(allowance)))
            assert.strictEqual(plan.credits_estimate, format(most), JSON.stringify(input))
            const behaviour = fails ? Behaviour.Fail({ reason: "transient" as const }) : Behaviour.Answer()
            const answer = yield* whileSources(PREMIUM_SOURCES, behaviour, search(client, input))
            const charge = credits(resultOf(answer).leads && answer.svc.credits_charged)
            assert.strictEqual(format(charge), format(priceOf(answer)), JSON.stringify(input))
            assert.isTrue(charge <= min(most, credits(plan.would.budget_credits)))
            assert.isAtMost(answer.result.leads.length, used)
            const step = credits(answer.result.premium_step?.credits_charged ?? "0")
            assert.isTrue(step <= credits(allowance))
            spent = fromMicros(spent + charge)
            const { offer } = answer.result
            if (offer === undefined) continue
            const accepted = yield* accept(client, offer.offer_token, input)
            if (credits(offer.max_credits) > credits(allowance)) {
              assertRefused(accepted, "invalid_request", { reason: "offer_invalid" })
              continue
            }
            const second = credits(resultOf(accepted).leads && accepted.svc.credits_charged)
            assert.strictEqual(format(second), format(priceOf(accepted)))
            assert.strictEqual(accepted.result.premium_step.results_added, accepted.result.leads.length)
            assert.isTrue(second <= min(credits(offer.max_credits), credits(plan.would.budget_credits)))
            spent = fromMicros(spent + second)
          }
          yield* assertBalance(client, format(minusOrZero(credits("100000"), spent)))
        }).pipe(Effect.orDie)
    )
  })
}
