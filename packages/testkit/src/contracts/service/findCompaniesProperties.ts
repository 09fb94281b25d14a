import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { credits, format, fromNumberRoundedDown, times, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Clock, Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { type Answered, makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { countryCodeOf } from "@outbound/sandbox/world/CountryCodes.js"
import { aCompanySearch } from "./dataCalls.js"
import { asking, assertRefused, balanceOf, resultOf, SUITE } from "./support.js"

const texts = (value: unknown): ReadonlyArray<string> => (value ?? []) as ReadonlyArray<string>

const holdsAny = (text: string, phrases: ReadonlyArray<string>): boolean =>
  phrases.length === 0 || phrases.some((phrase) => text.toLowerCase().includes(phrase.toLowerCase()))

/** What a caller can check of a company, against what they asked for. */
const assertFits = (input: JsonObject, { result }: Answered, nowMillis: number): void => {
  const size = (input["company_headcount"] ?? {}) as { readonly min?: number; readonly max?: number }
  const isBound = size.min !== undefined || size.max !== undefined
  const codes = texts(input["country_codes"]).map((code) => code.toUpperCase())
  const industries = (result.interpreted_industries ?? []).flatMap(
    (one: { industries: ReadonlyArray<string> }) => one.industries
  )
  const hiring = input["hiring"] as JsonObject | undefined
  const days = (hiring?.["posted_within_days"] ?? 30) as number
  for (const company of [...result.companies, ...(result.low_confidence_companies ?? [])]) {
    const said = JSON.stringify(company)
    if (company.headcount === null) assert.strictEqual(input["mode"], "local", said)
    else {
      assert.isAtLeast(company.headcount, isBound ? (size.min ?? 1) : 10, said)
      assert.isAtMost(company.headcount, size.max ?? Number.MAX_SAFE_INTEGER, said)
    }
    if (codes.length > 0) assert.include(codes, countryCodeOf(company.country) ?? "", said)
    if (input["industries"] !== undefined) assert.include(industries, company.industry, said)
    if (input["keywords"] !== undefined) assert.isTrue(holdsAny(company.description, texts(input["keywords"])), said)
    const kinds = new Set(company.matched_signals.map((one: { signal: string }) => one.signal))
    assert.strictEqual(kinds.has("hiring"), hiring !== undefined, said)
    assert.strictEqual(kinds.has("technology"), input["technologies"] !== undefined, said)
    for (const { observed_at, signal, summary } of company.matched_signals) {
      if (signal === "hiring") {
        assert.isTrue(holdsAny(summary, texts(hiring?.["titles"])), said)
        assert.isTrue(nowMillis - Date.parse(observed_at) <= days * DAY_MILLIS, said)
      }
      if (signal === "technology") assert.isTrue(holdsAny(summary, texts(input["technologies"])), said)
    }
  }
}

/** What holds of any company search. */
export const findCompaniesProperties = <E>(name: string, service: Layer.Layer<Service, E>, runs = 120) => {
  describeLayer(service, SUITE)(`any company search (${name})`, (it) => {
    it.effect(
      "costs its price per company, never more than its plan or its ceiling, and returns what was asked for",
      () =>
        Effect.gen(function* () {
          const client = yield* makeClient()
          const admin = yield* Admin
          yield* admin.grantCredits(client.workspaceId, credits("1000000"))
          yield* admin.setKey(client.keyId, { ratePerMinute: 1_000_000 })
          const now = yield* Clock.currentTimeMillis
          let found = 0
          for (const { input } of fc.sample(aCompanySearch, { numRuns: runs, seed: 20_260_102 })) {
            const price = credits(input["technologies"] === undefined ? "6" : "7")
            const ceiling = input["budget_credits"] as number | undefined
            const before = yield* balanceOf(client)
            const [dry, asked] = yield* asking(client.call("find_companies", { ...input, dry_run: true }))
            assert.deepStrictEqual(asked, [])
            assert.deepStrictEqual(yield* balanceOf(client), before)
            const answer = yield* client.call("find_companies", input)
            if (ceiling !== undefined && fromNumberRoundedDown(ceiling) < price) {
              for (const refused of [dry, answer])
                assertRefused(refused, "invalid_request", { reason: "budget_too_low" })
              continue
            }
            const { companies, company_domains, low_confidence_companies, match_check } = resultOf(answer)
            const { limit, maximum_credits } = resultOf(dry).plan.would
            const charge = credits(answer.svc.credits_charged)
            assert.strictEqual(format(charge), format(times(price, companies.length)))
            assert.strictEqual(maximum_credits, format(times(price, limit)))
            assert.isTrue(charge <= credits(maximum_credits))
            assert.isTrue(ceiling === undefined || credits(maximum_credits) <= fromNumberRoundedDown(ceiling))
            assert.isAtMost(companies.length, limit)
            const domains = companies.map((company: { company_domain: string }) => company.company_domain)
            assert.deepStrictEqual(company_domains, domains)
            assert.strictEqual(new Set(domains).size, domains.length)
            assert.strictEqual(low_confidence_companies !== undefined, input["include_low_confidence"] === true)
            assert.strictEqual(match_check.withheld, 0)
            assertFits(input, answer, now)
            found += companies.length
          }
          assert.isAbove(found, runs)
          assert.strictEqual((yield* balanceOf(client)).reserved, format(zero))
        }).pipe(Effect.orDie)
    )
  })
}
