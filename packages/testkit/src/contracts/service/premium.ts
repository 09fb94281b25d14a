import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient, makeKey } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import {
  accept,
  assertOfferInvalid,
  expiryFromNow,
  fingerprintsOf,
  OFFER_MILLIS,
  offered,
  offerOf,
  PREMIUM_SOURCES,
  search,
  SEARCH
} from "./premiumSupport.js"
import {
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  balanceOf,
  LEAD_SOURCE,
  resultOf,
  SUITE,
  untilAsked,
  whileSources
} from "./support.js"

const [PREMIUM, BROAD] = PREMIUM_SOURCES
const AT_ONCE = 50
const UNKNOWN_TOKEN = `svc_offer_${"x".repeat(43)}`

/** What a premium offer guarantees (contract: data, premium). */
export const premiumOffersContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`premium offers (${name})`, (it) => {
    it.effect("an offer says what it may cost, and accepting it runs only the premium step, as its own charge", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "10" })
        const [first, askedFirst] = yield* asking(search(client))
        assert.deepStrictEqual(askedFirst, [LEAD_SOURCE])
        assert.strictEqual(first.svc.credits_charged, "1")
        assert.strictEqual(first.result.leads.length, 5)
        const { offer_token, ...offer } = offerOf(first)
        assert.deepStrictEqual(offer, {
          reason: "partially_filled",
          credits_per_result: "1",
          max_results: 5,
          max_credits: "5",
          expires_at: yield* expiryFromNow
        })
        const [second, askedSecond] = yield* asking(accept(client, offer_token))
        assert.deepStrictEqual(askedSecond, [PREMIUM])
        assert.strictEqual(resultOf(second) && second.svc.credits_charged, "5")
        assert.deepStrictEqual(second.svc.route, { used: "balanced", source: "default" })
        assert.deepStrictEqual(second.result.premium_step, {
          request_id: second.requestId,
          results_added: 5,
          credits_charged: "5"
        })
        assert.isUndefined(second.result.offer)
        const plain = yield* client.call("find_leads", { ...SEARCH, audience: "anybody offer" })
        assert.deepStrictEqual([...fingerprintsOf(first), ...fingerprintsOf(second)], fingerprintsOf(plain))
        yield* assertBalance(client, "2")
      })
    )

    it.effect("where the standard sources find nobody the offer is for all, and a step that adds nobody is free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1" })
        const none = yield* search(client, { limit: 1 })
        assert.deepInclude(offerOf(none), { reason: "none_found_standard", max_results: 1, max_credits: "1" })
        assert.strictEqual(none.svc.credits_charged, "0")
        const nobody = { titles: ["Court Jester of the Moon"], limit: 1 }
        const token = yield* offered(client, nobody)
        const answer = yield* accept(client, token, nobody)
        assert.deepInclude(resultOf(answer).premium_step, { results_added: 0, credits_charged: "0" })
        assertOfferInvalid(yield* accept(client, token, nobody), /already used/)
        yield* assertBalance(client, "1")
      })
    )

    it.effect("an offer works for its own call alone, once, until it expires; every refusal says what to do", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const stranger = yield* makeClient()
        const colleague = yield* makeKey(client.workspaceId, client.ownerEmail)
        const token = yield* offered(client)
        const refused = yield* Effect.map(
          asking(
            Effect.gen(function* () {
              assertOfferInvalid(yield* accept(client, UNKNOWN_TOKEN), /Offer not found.*without offer_token/)
              // Whatever it asks for: here no premium source could serve it.
              const plain = accept(client, UNKNOWN_TOKEN, { audience: "anybody" })
              assertOfferInvalid(yield* plain, /Offer not found.*without offer_token/)
              assertOfferInvalid(yield* accept(client, token, { audience: "anybody" }), /another request/)
              assertOfferInvalid(yield* accept(stranger, token), /Offer not found/)
              assertOfferInvalid(yield* accept(colleague, token), /another API key/)
              for (const other of [
                { limit: 11 },
                { audience: "somebody [[offer]]" },
                { titles: ["sales"] },
                { route: "balanced" },
                { budget_credits: 100 },
                { budget_credits: 100, premium: "within_budget" }
              ] as const) {
                assertOfferInvalid(yield* accept(client, token, other), /another request.*unchanged/)
              }
            })
          ),
          ([, asked]) => asked
        )
        assert.deepStrictEqual(refused, [])
        yield* assertBalance(stranger, "300")
        yield* TestClock.adjust(OFFER_MILLIS - 1)
        assert.strictEqual(resultOf(yield* accept(client, token)).leads.length, 5)
        assertOfferInvalid(yield* accept(client, token), /already used.*without offer_token/)
        const late = yield* offered(client)
        yield* TestClock.adjust(OFFER_MILLIS)
        assertOfferInvalid(yield* accept(client, late), /expired at .*without offer_token/)
        yield* assertBalance(client, "293")
      })
    )

    it.effect("a token that could be none is refused by its place, and a dry run takes none", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const offer_token of ["", "svc_offer_short", `svc_confirm_${"x".repeat(43)}`, `${UNKNOWN_TOKEN}x`]) {
          assertIssues(yield* accept(client, offer_token), ["offer_token"])
        }
        const token = yield* offered(client)
        const dry = yield* accept(client, token, { dry_run: true })
        assertRefused(dry, "invalid_request", { reason: "dry_run_with_token" })
        resultOf(yield* accept(client, token, { dry_run: false }))
      })
    )

    it.effect("a refusal for credits leaves it as it was", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "5.999999" })
        const admin = yield* Admin
        const token = yield* offered(client)
        const refused = yield* accept(client, token, {}, { key: "mine" })
        assertRefused(refused, "insufficient_credits", { required: "5", credits_available: "4.999999" })
        yield* admin.grantCredits(client.workspaceId, credits("0.000001"))
        assert.strictEqual((yield* accept(client, token, {}, { key: "mine" })).svc.credits_charged, "5")
        yield* assertBalance(client, "0")
      }).pipe(Effect.orDie)
    )

    it.effect("a step that no source serves is free and leaves it usable; the next source in turn serves it", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const token = yield* offered(client)
        const behaviours = [
          Behaviour.Fail({ reason: "transient" }),
          Behaviour.Garbage(),
          Behaviour.ActThenFail({ reason: "rate_limited" })
        ]
        for (const behaviour of behaviours) {
          const failed = yield* whileSources(PREMIUM_SOURCES, behaviour, accept(client, token, {}, { key: "mine" }))
          assertRefused(failed, "provider_unavailable")
        }
        const broken = yield* whileSources(PREMIUM_SOURCES, Behaviour.Die({ defect: "a test" }), accept(client, token))
        assertRefused(broken, "internal")
        yield* assertBalance(client, "299")
        const failing = Behaviour.Fail({ reason: "transient" })
        const call = whileSources([PREMIUM], failing, accept(client, token, {}, { key: "mine" }))
        const [served, asked] = yield* asking(call)
        assert.deepStrictEqual(asked, [PREMIUM, BROAD])
        assert.strictEqual(resultOf(served).leads.length, 5)
        yield* assertBalance(client, "294")
      })
    )

    it.effect("the premium sources are asked in the order of the route", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const token = yield* offered(client, { route: "broadest" })
        const [answer, asked] = yield* asking(accept(client, token, { route: "broadest" }))
        assert.deepStrictEqual(asked, [BROAD])
        assert.deepStrictEqual(answer.svc.route, { used: "broadest", source: "request" })
      })
    )

    it.effect("an Idempotency-Key replays both calls, token and all, and never one as the other", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const first = yield* search(client, {}, { key: "first" })
        const { offer_token } = offerOf(first)
        assertRefused(yield* accept(client, offer_token, {}, { key: "first" }), "idempotency_conflict", {
          reason: "different_request"
        })
        const second = yield* accept(client, offer_token, {}, { key: "second" })
        const [again, asked] = yield* asking(
          Effect.all([search(client, {}, { key: "first" }), accept(client, offer_token, {}, { key: "second" })])
        )
        assert.deepStrictEqual(asked, [])
        assert.deepStrictEqual(again[0].result, first.result)
        assert.deepStrictEqual(again[1].result, second.result)
        assert.deepStrictEqual([again[0].svc.replayed, again[1].svc.replayed], [true, true])
        yield* TestClock.adjust("1 days")
        assert.deepStrictEqual((yield* accept(client, offer_token, {}, { key: "second" })).result, second.result)
        assertRefused(yield* search(client, {}, { key: "second" }), "idempotency_conflict")
        yield* assertBalance(client, "294")
      })
    )

    it.effect("of many that accept it at once one does, and the source is asked once", () =>
      Effect.gen(function* () {
        // Enough for one call: a call that waits for its turn holds no credits.
        const client = yield* makeClient({ credits: "6" })
        const token = yield* offered(client)
        const calls = Array.from({ length: AT_ONCE }, () => accept(client, token))
        const [answers, asked] = yield* asking(Effect.all(calls, { concurrency: "unbounded" }))
        assert.deepStrictEqual(asked, [PREMIUM])
        const charged = answers.filter(({ status }) => status === 200)
        assert.deepStrictEqual(
          charged.map(({ svc }) => svc.credits_charged),
          ["5"]
        )
        for (const answer of answers) if (answer.status !== 200) assertOfferInvalid(answer, /already used/)
        yield* assertBalance(client, "0")
        const key = { key: "mine" }
        yield* Effect.orDie(Effect.flatMap(Admin, (admin) => admin.grantCredits(client.workspaceId, credits("6"))))
        const next = yield* offered(client)
        const same = Array.from({ length: AT_ONCE }, () => accept(client, next, {}, key))
        const repeats = yield* Effect.all(same, { concurrency: "unbounded" })
        for (const repeat of repeats) assert.deepStrictEqual(resultOf(repeat), resultOf(repeats[0] ?? repeat))
        assert.strictEqual(repeats.filter(({ svc }) => svc.replayed === undefined).length, 1)
        yield* assertBalance(client, "0")
      })
    )

    it.effect("while a call that accepts it runs no other does, however long it waited", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "300" })
        const faults = yield* Faults
        const token = yield* offered(client)
        yield* faults.forgetCalls
        const slow = whileSources(PREMIUM_SOURCES, Behaviour.Never(), accept(client, token))
        const first = yield* Effect.forkChild(slow)
        yield* untilAsked(PREMIUM, 1)
        assert.strictEqual((yield* balanceOf(client)).reserved, "5")
        const second = yield* Effect.forkChild(accept(client, token))
        yield* TestClock.adjust("20 seconds")
        yield* untilAsked(BROAD, 1)
        yield* TestClock.adjust("10 seconds")
        assertOfferInvalid(yield* Fiber.join(second), /still running/)
        yield* TestClock.adjust("10 seconds")
        assertRefused(yield* Fiber.join(first), "provider_unavailable")
        assert.strictEqual((yield* faults.calls()).length, 2)
        assert.strictEqual((yield* accept(client, token)).svc.credits_charged, "5")
        yield* assertBalance(client, "294")
      })
    )

    it.effect("an offer beyond the key's premium allowance is not accepted until that is raised", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const input = { limit: 200 }
        const answer = yield* search(client, input)
        const { max_credits, offer_token } = offerOf(answer)
        assert.strictEqual(max_credits, "100")
        const [refused, asked] = yield* asking(accept(client, offer_token, input))
        assertOfferInvalid(refused, /100 credits.*allowance of 50.*Lower limit/)
        assert.deepStrictEqual(asked, [])
        yield* admin.setKey(client.keyId, { premiumAllowance: credits("99.999999") })
        assertOfferInvalid(yield* accept(client, offer_token, input), /allowance of 99.999999/)
        yield* admin.setKey(client.keyId, { premiumAllowance: credits("100") })
        assert.strictEqual((yield* accept(client, offer_token, input)).svc.credits_charged, "100")
        yield* admin.setKey(client.keyId, { premiumAllowance: credits("0.999999") })
        assert.isUndefined(resultOf(yield* search(client)).offer)
        yield* assertBalance(client, "179")
      }).pipe(Effect.orDie)
    )

    it.effect("a key without the capability gets no offers, and can accept none", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const token = yield* offered(client)
        yield* admin.setKey(client.keyId, { capabilities: [{ name: "premium_offers", on: false }] })
        assert.isUndefined(resultOf(yield* search(client)).offer)
        for (const input of [{ offer_token: token }, { premium: "within_budget", budget_credits: 10 }] as const) {
          const refused = yield* search(client, input)
          assertRefused(refused, "forbidden", { reason: "capability_not_enabled", capability: "premium_offers" })
        }
      }).pipe(Effect.orDie)
    )

    it.effect("a ceiling bounds its offer too, for the accepting call repeats it", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const [budget_credits, most] of [
          [100, 5],
          [5, 5],
          [4.9, 4],
          [2, 2]
        ] as const) {
          const token = offerOf(yield* search(client, { budget_credits }))
          assert.deepInclude(token, { max_results: most, max_credits: String(most) })
          const accepted = yield* accept(client, token.offer_token, { budget_credits })
          assert.strictEqual(accepted.svc.credits_charged, String(most))
        }
        const scarce = yield* search(client, { budget_credits: 0.9 })
        assert.deepStrictEqual(resultOf(scarce).budget_applied, { limit_requested: 10, limit_used: 4 })
        assert.isUndefined(scarce.result.offer)
      })
    )

    it.effect("a search that the standard sources fill, or that no premium source serves, has no offer", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const [filled, asked] = yield* asking(search(client, { audience: "anybody" }))
        assert.isUndefined(resultOf(filled).offer)
        const short = yield* search(client, { audience: "anybody", titles: ["Court Jester of the Moon"] })
        assert.isUndefined(resultOf(short).offer)
        assert.deepStrictEqual(asked, [LEAD_SOURCE])
      })
    )
  })
}
