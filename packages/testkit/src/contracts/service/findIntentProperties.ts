import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits, format, fromNumberRoundedDown, plus, times, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, type Layer } from "effect"
import * as fc from "fast-check"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { anIntentSearch } from "./dataCalls.js"
import type { Found } from "./intentSupport.js"
import { asking, assertRefused, balanceOf, resultOf, SUITE } from "./support.js"

/** Of any request: what it costs, and what its answer says of that. */
export const findIntentProperties = <E>(name: string, service: Layer.Layer<Service, E>, runs = 150) => {
  describeLayer(service, SUITE)(`any find_intent (${name})`, (it) => {
    it.effect("is charged 10 per company with signals and 0.5 per other one that was checked, as its plan allows", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100000" })
        const admin = yield* Admin
        yield* admin.setKey(client.keyId, { ratePerMinute: 100_000 })
        let found = 0
        for (const { input } of fc.sample(anIntentSearch, { numRuns: runs, seed: 20_260_103 })) {
          const domains = [...new Set(input["company_domains"] as ReadonlyArray<string>)]
          const maximum = times(credits("10"), domains.length)
          const ceiling = input["budget_credits"] as number | undefined
          const before = yield* balanceOf(client)
          const [dry, asked] = yield* asking(client.call("find_intent", { ...input, dry_run: true }))
          assert.deepStrictEqual(asked, [])
          assert.deepStrictEqual(yield* balanceOf(client), before)
          const answer = yield* client.call("find_intent", input)
          if (ceiling !== undefined && fromNumberRoundedDown(ceiling) < maximum) {
            for (const refused of [dry, answer]) assertRefused(refused, "invalid_request", { reason: "budget_too_low" })
            continue
          }
          assert.strictEqual(resultOf(dry).plan.credits_estimate, format(maximum))
          const { domain_status, historical, signals, window }: Found = answer.result
          const hit = new Set(signals.map(({ company_domain }) => company_domain))
          const quiet = domains.filter((domain) => !hit.has(domain) && !domain.startsWith("unavailable"))
          const price = plus(times(credits("10"), hit.size), times(credits("0.5"), quiet.length))
          assert.strictEqual(answer.svc.credits_charged, format(price), answer.text)
          assert.isTrue(price <= maximum)
          const told = domain_status.map(({ charge }) => credits(charge.credits)).reduce(plus, zero)
          assert.strictEqual(format(told), format(price))
          assert.deepStrictEqual(
            domain_status.map(({ company_domain }) => company_domain),
            domains.toSorted()
          )
          for (const { observed_at } of signals) assert.isTrue(observed_at.slice(0, 10) >= window.from)
          for (const { observed_at } of historical) assert.isTrue(observed_at.slice(0, 10) < window.from)
          for (const { charge, company_domain } of domain_status) {
            assert.strictEqual(charge.signal, hit.has(company_domain))
          }
          found += hit.size
        }
        assert.isAbove(found, runs / 8)
        assert.strictEqual((yield* balanceOf(client)).reserved, format(zero))
      }).pipe(Effect.orDie)
    )
  })
}
