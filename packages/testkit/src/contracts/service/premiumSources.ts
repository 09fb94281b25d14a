import { assert, layer as describeLayer } from "@effect/vitest"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import type { LeadCriteria, LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { makeOfferPurge, OFFER_KEPT_MILLIS, OFFER_PURGE_MAX } from "@outbound/domain/data/leads/Offers.js"
import { OfferStore } from "@outbound/domain/data/leads/OfferStore.js"
import type { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { search as searchWorld } from "@outbound/sandbox/world/Search.js"
import { world } from "@outbound/sandbox/world/World.js"
import { assertOfferInvalid, OFFER_MILLIS, offerOf } from "./premiumSupport.js"
import { assertBalance, resultOf, SUITE } from "./support.js"

const source = (
  name: string,
  costMicros: number,
  more: Partial<LeadSource>,
  answer: (query: LeadQuery) => ReturnType<LeadSource["search"]>
): LeadSource => ({ name, costMicros, missRate: 0, latencyMillis: 1, ...more, search: answer })

const bySize = ({ headcountMax, headcountMin }: LeadCriteria): boolean => headcountMin !== null || headcountMax !== null

const everybody = (query: LeadQuery) => Effect.sync(() => searchWorld(world(), query))

/**
 * Of a host whose one standard source knows no sizes and finds at most two, and whose premium sources are, in turn,
 * down, one that finds the same people again, one that finds nobody, and one that knows everybody.
 */
export const premiumLive: ProviderSet = {
  ...noProviders,
  leadSources: [
    source("knows_all", 4, { tier: "premium" }, everybody),
    source("standard", 9, { serves: (query) => !bySize(query) }, (query) =>
      everybody({ ...query, limit: Math.min(2, query.limit) })
    ),
    source("down", 1, { tier: "premium" }, () =>
      Effect.fail(new ProviderFailure({ provider: "down", reason: "transient" }))
    ),
    source("same_again", 2, { tier: "premium" }, (query) => everybody({ ...query, limit: 2 })),
    source("nobody", 3, { tier: "premium" }, () => Effect.succeed({ people: [], totalFound: 0, places: [] }))
  ]
}

/** What is made of several premium sources, of filters that only they know, and of offers when they are old. */
export const premiumSourcesContract = <E>(name: string, service: Layer.Layer<Service | OfferStore | UnitOfWork, E>) => {
  describeLayer(service, SUITE)(`premium sources (${name})`, (it) => {
    it.effect("they are asked in turn until one adds somebody, who is not returned twice", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ kind: "live" })
        const input = { audience: "anybody", limit: 6 }
        const first = yield* client.call("find_leads", input)
        assert.strictEqual(resultOf(first).leads.length, 2)
        const second = yield* client.call("find_leads", { ...input, offer_token: offerOf(first).offer_token })
        assert.strictEqual(resultOf(second).leads.length, 4)
        const both = [...first.result.leads, ...second.result.leads]
        assert.strictEqual(new Set(both.map((lead: { readonly fingerprint: string }) => lead.fingerprint)).size, 6)
        const consented = yield* client.call("find_leads", { ...input, premium: "within_budget", budget_credits: 10 })
        assert.deepStrictEqual(resultOf(consented).leads, both)
        yield* assertBalance(client, "291.2")
      })
    )

    it.effect("a filter that no standard source knows is served by the premium step alone", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ kind: "live" })
        const input = { audience: "anybody", limit: 3, company_headcount: { min: 50 } }
        const plain = yield* client.call("find_leads", input)
        assert.strictEqual(plain.svc.credits_charged, "0")
        assert.deepStrictEqual(resultOf(plain).leads, [])
        assert.deepInclude(offerOf(plain), { reason: "filter_needs_premium", max_results: 3 })
        const dry = yield* client.call("find_leads", { ...input, dry_run: true })
        assert.strictEqual(resultOf(dry).plan.would.candidate_sources, 0)
        const accepted = yield* client.call("find_leads", { ...input, offer_token: offerOf(plain).offer_token })
        // The first source that adds anybody ends the step.
        assert.strictEqual(resultOf(accepted).leads.length, 2)
        assert.strictEqual(accepted.result.match_check.status, "checked")
        const consented = yield* client.call("find_leads", { ...input, premium: "within_budget", budget_credits: 2 })
        assert.strictEqual(resultOf(consented).leads.length, 2)
        yield* assertBalance(client, "296")
      })
    )

    it.effect("an offer is remembered for a day after its end, and then forgotten", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ kind: "live" })
        const offers = yield* OfferStore
        const crypto = yield* Crypto
        const purge = yield* makeOfferPurge
        const input = { audience: "anybody", limit: 6 }
        const { offer_token } = offerOf(yield* client.call("find_leads", input))
        const isKept = Effect.map(offers.find(client.workspaceId, crypto.sha256Hex(offer_token)), Option.isSome)
        const purgeAll = Effect.repeat(purge, { while: (found) => found === OFFER_PURGE_MAX })
        yield* TestClock.adjust(OFFER_MILLIS + OFFER_KEPT_MILLIS)
        yield* purgeAll
        assert.isTrue(yield* isKept)
        assertOfferInvalid(yield* client.call("find_leads", { ...input, offer_token }), /expired/)
        yield* TestClock.adjust("1 millis")
        yield* purgeAll
        assert.isFalse(yield* isKept)
        assertOfferInvalid(yield* client.call("find_leads", { ...input, offer_token }), /Offer not found/)
      }).pipe(Effect.orDie)
    )
  })
}
