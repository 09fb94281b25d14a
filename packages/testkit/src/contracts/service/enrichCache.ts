import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { ENRICHMENT_CACHE_DAYS } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeClient, makeKey } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { enrich, person, wants } from "./enrichCalls.js"
import { asking, MOBILE_FINDER, resultOf, SUITE } from "./support.js"

const passDays = (days: number, lessMillis = 0) => TestClock.adjust(days * DAY - lessMillis)

/** What `enrich` knows again, for whom and for how long (contract: data, enrich). */
export const enrichCacheContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`what enrich knows again (${name})`, (it) => {
    it.effect("a repeat is free for 90 days, to the millisecond, in whatever form the person is given", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const first = yield* enrich(client, person("email-only@magic.test"), "5")
        yield* passDays(ENRICHMENT_CACHE_DAYS, 1)
        const [again, asked] = yield* asking(enrich(client, person(" Email-Only@MAGIC.test "), "0"))
        assert.deepStrictEqual(again, { ...first, from_cache: true })
        assert.deepStrictEqual(asked, [])
        yield* TestClock.adjust("1 millis")
        const late = yield* enrich(client, person("email-only@magic.test"), "5")
        assert.strictEqual(late.from_cache, false)
      })
    )

    it.effect("nobody is another for being written otherwise", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const [lead] = resultOf(yield* client.call("find_leads", { audience: "anybody", limit: 1 })).leads
        const url = lead.social_url as string
        const first = yield* client.call("enrich", { person: { social_url: url }, want: ["profile"] })
        assert.strictEqual(resultOf(first).outcome, "hit")
        yield* enrich(client, { person: { social_url: `${url.toUpperCase().replace("HTTPS", "https")}/` } }, "0")
        const name = lead.full_name as string
        const company_domain = lead.company_domain as string
        const named = { full_name: name, company_domain }
        const byName = yield* client.call("enrich", { person: named, want: ["profile"] })
        assert.strictEqual(resultOf(byName).outcome, "hit")
        const written = {
          full_name: ` ${name.toUpperCase().replace(" ", "  ")}`,
          company_domain: `www.${company_domain}/x`
        }
        const again = yield* enrich(client, { person: written, want: ["profile"] }, "0")
        assert.strictEqual(again.from_cache, true)
      })
    )

    it.effect("what one workspace found is no other's; the keys of one share it", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const stranger = yield* makeClient()
        const colleague = yield* makeKey(client.workspaceId, client.ownerEmail)
        yield* enrich(client, person("email-only@magic.test"), "5")
        assert.strictEqual((yield* enrich(colleague, person("email-only@magic.test"), "0")).from_cache, true)
        assert.strictEqual((yield* enrich(stranger, person("email-only@magic.test"), "5")).from_cache, false)
      })
    )

    it.effect("a mobile that is wanted later costs its own search and nothing more", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const both = wants("mobile-search@magic.test", "work_email", "mobile_phone")
        yield* enrich(client, { ...both, max_credits: "5" }, "5")
        const [later, asked] = yield* asking(enrich(client, both, "17"))
        assert.deepStrictEqual(asked, [MOBILE_FINDER])
        assert.strictEqual(later.outcome, "hit")
        assert.strictEqual(later.from_cache, false)
        assert.deepStrictEqual(yield* enrich(client, both, "0"), { ...later, from_cache: true })
        const mobile = yield* enrich(client, wants("mobile-search@magic.test", "mobile_phone"), "0")
        assert.strictEqual(mobile.contact.mobile_phone, later.contact.mobile_phone)
      })
    )

    it.effect("an email that is wanted later costs its own lookup, and the mobile stays known", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const mobileOnly = wants("mobile-search@magic.test", "mobile_phone")
        const first = yield* enrich(client, mobileOnly, "17")
        const [again, asked] = yield* asking(enrich(client, mobileOnly, "0"))
        assert.deepStrictEqual(again, { ...first, from_cache: true })
        assert.deepStrictEqual(asked, [])
        yield* enrich(client, person("mobile-search@magic.test"), "5")
        const both = yield* enrich(client, wants("mobile-search@magic.test", "work_email", "mobile_phone"), "0")
        assert.strictEqual(both.from_cache, true)
        assert.strictEqual(both.contact.mobile_phone, first.contact.mobile_phone)
        assert.strictEqual(both.contact.fingerprint, first.contact.fingerprint)
      })
    )

    it.effect("email and mobile stay known for 90 days each", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100" })
        const both = wants("mobile-search@magic.test", "work_email", "mobile_phone")
        yield* enrich(client, person("mobile-search@magic.test"), "5")
        yield* passDays(80)
        yield* enrich(client, both, "17")
        yield* passDays(10, 1)
        yield* enrich(client, both, "0")
        yield* TestClock.adjust("1 millis")
        const renewed = yield* enrich(client, both, "5")
        assert.strictEqual(renewed.outcome, "hit")
        yield* passDays(80)
        yield* enrich(client, both, "17")
      })
    )

    it.effect("a miss is never kept, and a search that found nothing beside a hit is not repeated", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const input of [person("miss@magic.test"), wants("email-only@magic.test", "mobile_phone")]) {
          yield* enrich(client, input, "0")
          const [again, asked] = yield* asking(enrich(client, input, "0"))
          assert.strictEqual(again.from_cache, false)
          assert.isNotEmpty(asked)
        }
        const both = wants("email-only@magic.test", "work_email", "mobile_phone")
        const first = yield* enrich(client, both, "5")
        const [again, asked] = yield* asking(enrich(client, both, "0"))
        assert.deepStrictEqual(again, { ...first, from_cache: true })
        assert.deepStrictEqual(asked, [])
      })
    )
  })
}
