import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Effect, type Layer } from "effect"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { enrich, person, wants } from "./enrichCalls.js"
import {
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  ENRICHERS,
  MOBILE_FINDER,
  resultOf,
  SUITE,
  whileSources
} from "./support.js"

const [INDEX, BROAD] = ENRICHERS

/** Who is asked for, what is wanted, under which ceiling; then outcome, charge and what is found. */
type Row = readonly [
  who: string,
  want: ReadonlyArray<string> | null,
  ceiling: string | null,
  outcome: "hit" | "partial" | "miss",
  charge: string,
  found: "" | "email" | "mobile" | "email mobile"
]

const ROWS: ReadonlyArray<Row> = [
  ["email-only", null, null, "hit", "5", "email"],
  ["email-only", [], null, "hit", "5", "email"],
  ["email-only", ["work_email"], null, "hit", "5", "email"],
  ["email-only", ["profile"], null, "hit", "5", "email"],
  ["email-only", ["work_email", "profile"], null, "hit", "5", "email"],
  ["email-only", ["work_email", "mobile_phone"], null, "partial", "5", "email"],
  ["email-only", ["profile", "mobile_phone"], null, "partial", "5", "email"],
  ["email-only", ["mobile_phone"], null, "miss", "0", ""],
  ["email-only", ["mobile_phone", "mobile_phone"], null, "miss", "0", ""],
  ["email-only", ["work_email"], "5", "hit", "5", "email"],
  ["email-and-mobile", null, null, "hit", "5", "email mobile"],
  ["email-and-mobile", ["work_email", "mobile_phone"], null, "hit", "5", "email mobile"],
  ["email-and-mobile", ["mobile_phone"], null, "hit", "5", "email mobile"],
  ["email-and-mobile", ["mobile_phone"], "5", "hit", "5", "email mobile"],
  ["email-and-mobile", ["work_email", "mobile_phone"], "21.99", "hit", "5", "email mobile"],
  ["mobile-search", null, null, "hit", "5", "email"],
  ["mobile-search", ["work_email", "mobile_phone"], null, "hit", "22", "email mobile"],
  ["mobile-search", ["work_email", "profile", "mobile_phone"], null, "hit", "22", "email mobile"],
  ["mobile-search", ["profile", "mobile_phone"], null, "hit", "22", "email mobile"],
  ["mobile-search", ["mobile_phone"], null, "hit", "17", "mobile"],
  ["mobile-search", ["mobile_phone"], "22", "hit", "17", "mobile"],
  ["mobile-search", ["mobile_phone"], "21.999999", "miss", "0", ""],
  ["mobile-search", ["work_email", "mobile_phone"], "5", "partial", "5", "email"],
  ["mobile-search", ["work_email", "mobile_phone"], "21.99", "partial", "5", "email"],
  ["mobile-search", ["work_email", "mobile_phone"], "22", "hit", "22", "email mobile"],
  ["mobile-search", ["work_email", "mobile_phone"], "22.000000", "hit", "22", "email mobile"],
  ["miss", null, null, "miss", "0", ""],
  ["miss", ["work_email", "profile", "mobile_phone"], null, "miss", "0", ""],
  ["miss", ["mobile_phone"], null, "miss", "0", ""]
]

/** What `enrich` guarantees (contract: data, enrich). */
export const enrichContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`enrich (${name})`, (it) => {
    it.effect("every outcome has its price, and shows what was paid for and nothing else", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        for (const [index, [who, want, ceiling, outcome, charge, found]] of ROWS.entries()) {
          const row = JSON.stringify(ROWS[index])
          const email = `${who}+${index}@magic.test`
          const answer = yield* client.call("enrich", {
            person: { email },
            ...(want === null ? {} : { want }),
            ...(ceiling === null ? {} : { max_credits: ceiling })
          })
          const { contact, dropped_to_fit, from_cache, outcome: was } = resultOf(answer)
          assert.strictEqual(was, outcome, row)
          assert.strictEqual(answer.svc.credits_charged, charge, row)
          assert.strictEqual(from_cache, false, row)
          assert.strictEqual(contact === null, found === "", row)
          if (contact !== null) {
            assert.strictEqual(contact.work_email, found.includes("email") ? email : null, row)
            assert.strictEqual(contact.work_email_status, found.includes("email") ? "valid" : null, row)
            assert.strictEqual(contact.mobile_phone !== null, found.includes("mobile"), row)
          }
          const dropped = want?.includes("mobile_phone") === true && ceiling !== null && Number(ceiling) < 22
          assert.deepStrictEqual(dropped_to_fit, dropped ? ["mobile_phone"] : undefined, row)
        }
      })
    )

    it.effect("a ceiling below the email lookup refuses the call; either form of it counts, never both", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const asked = wants("mobile-search@magic.test", "work_email", "mobile_phone")
        for (const ceiling of [{ max_credits: "4.99" }, { budget_credits: 4.99 }, { max_credits: "0" }]) {
          const [answer, sources] = yield* asking(client.call("enrich", { ...asked, ...ceiling }))
          assert.strictEqual(answer.status, 400)
          assertRefused(answer, "invalid_request", { reason: "budget_too_low", minimum_credits: "5" })
          assert.deepStrictEqual(sources, [])
        }
        const both = yield* client.call("enrich", { ...asked, max_credits: "22", budget_credits: 22 })
        assertIssues(both, ["max_credits"])
        for (const max_credits of [5, "05", "5.", ".5", "-5", "5.0000001", "1e2", ""]) {
          assertIssues(yield* client.call("enrich", { ...asked, max_credits }), ["max_credits"])
        }
        const dropped = yield* enrich(client, { ...asked, budget_credits: 21.99 }, "5")
        assert.deepStrictEqual(dropped.dropped_to_fit, ["mobile_phone"])
        yield* enrich(client, { ...wants("mobile-search+2@magic.test", "mobile_phone"), budget_credits: 22 }, "17")
      })
    )

    it.effect("with want handling off every call runs the same email lookup, whatever it wants", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        yield* admin.setKey(client.keyId, { capabilities: [{ name: "want_handling", on: false }] })
        const [answer, asked] = yield* asking(client.call("enrich", wants("mobile-search@magic.test", "mobile_phone")))
        assert.strictEqual(resultOf(answer).outcome, "hit")
        assert.strictEqual(answer.result.contact.work_email, "mobile-search@magic.test")
        assert.strictEqual(answer.svc.credits_charged, "5")
        assert.notInclude(asked, MOBILE_FINDER)
        const plan = yield* client.call("enrich", { ...wants("miss@magic.test", "mobile_phone"), dry_run: true })
        assert.strictEqual(resultOf(plan).plan.credits_estimate, "5")
      }).pipe(Effect.orDie)
    )

    it.effect("only a combination that can identify somebody is accepted", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const good: ReadonlyArray<JsonObject> = [
          { email: "miss@magic.test" },
          { email: "not an address" },
          { email: "mobile-search+a,b@magic.test" },
          { social_url: "https://social.example/in/nobody" },
          { full_name: "No Body", company_domain: "magic.test" },
          { first_name: "No", last_name: "Body", company_domain: "https://www.magic.test/about" },
          { full_name: "No Body", company_name: "Magic", title: "", email: "", company_domain: "magic.test" }
        ]
        for (const given of good) yield* enrich(client, { person: given }, "0")
        const bad: ReadonlyArray<JsonObject> = [
          {},
          { full_name: "No Body" },
          { full_name: "No Body", company_name: "Magic" },
          { first_name: "No", company_domain: "magic.test" },
          { last_name: "Body", company_domain: "magic.test" },
          { full_name: "  ", company_domain: "magic.test" },
          { company_domain: "magic.test", title: "CEO" },
          { email: "   " }
        ]
        for (const given of bad) assertIssues(yield* client.call("enrich", { person: given }), ["person"])
        const malformed = {
          full_name: "x".repeat(201),
          first_name: "",
          last_name: "x".repeat(101),
          email: "x".repeat(321),
          social_url: "not a url",
          company_name: "x".repeat(201),
          company_domain: "co.uk",
          title: "x".repeat(201),
          phone: "1"
        }
        const paths = Object.keys(malformed).map((field) => `person.${field}`)
        assertIssues(yield* client.call("enrich", { person: malformed }), paths)
        const more = {
          person: { email: "miss@magic.test" },
          want: ["email"],
          route: "dearest",
          confirmation_token: "x"
        }
        assertIssues(yield* client.call("enrich", more), ["want.0", "route", "confirmation_token"])
        const many = { person: { email: "miss@magic.test" }, want: new Array<string>(13).fill("profile") }
        assertIssues(yield* client.call("enrich", many), ["want"])
        const nobody = { person: { full_name: "No Body", phone: "1" }, max_credits: "5", budget_credits: 5, zone: 1 }
        assertIssues(yield* client.call("enrich", nobody), ["person", "person.phone", "max_credits", "zone"])
      })
    )

    it.effect("an address that its source did not verify is marked unknown", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const statuses = [
          ["valid", "valid", "valid"],
          ["catch_all_valid", "catch_all", "catch_all_valid"],
          ["unknown", "unknown", "unknown"]
        ] as const
        for (const [who, status, verdict] of statuses) {
          const { contact } = yield* enrich(client, person(`${who}@magic.test`), "5")
          assert.strictEqual(contact.work_email_status, status, who)
          assert.strictEqual(contact.email_verdict, verdict, who)
        }
      })
    )

    it.effect("sources are asked in the order of the route, which never changes the price", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const orders = [
          [undefined, INDEX],
          ["balanced", INDEX],
          ["cheapest", INDEX],
          ["fastest", INDEX],
          ["broadest", BROAD]
        ] as const
        for (const [route, first] of orders) {
          const input = person(`email-only+${route ?? "none"}@magic.test`)
          const [answer, asked] = yield* asking(
            client.call("enrich", route === undefined ? input : { ...input, route })
          )
          assert.strictEqual(resultOf(answer) && answer.svc.credits_charged, "5")
          assert.strictEqual(asked[0], first)
          const source = route === undefined ? "default" : "request"
          assert.deepStrictEqual(answer.svc.route, { used: route ?? "balanced", source })
        }
      })
    )

    it.effect("where every source fails the call fails, refunded; where one answers it is enough", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const magic = yield* client.call("enrich", person("unavailable@magic.test"))
        assert.strictEqual(magic.status, 503)
        assertRefused(magic, "provider_unavailable")
        yield* assertBalance(client, "300")
        const one = whileSources(
          [INDEX],
          Behaviour.Fail({ reason: "account" }),
          enrich(client, person("email-only@magic.test"), "5")
        )
        assert.strictEqual((yield* one).outcome, "hit")
      })
    )

    it.effect("a mobile search that fails takes away nothing that was found, and is made up for later", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const both = wants("mobile-search@magic.test", "work_email", "mobile_phone")
        const down = Behaviour.Fail({ reason: "transient" })
        const partial = yield* whileSources([MOBILE_FINDER], down, enrich(client, both, "5"))
        assert.strictEqual(partial.outcome, "partial")
        const known = yield* whileSources([MOBILE_FINDER], down, client.call("enrich", both))
        assertRefused(known, "provider_unavailable")
        assert.strictEqual((yield* enrich(client, both, "17")).outcome, "hit")
        const alone = wants("mobile-search+2@magic.test", "mobile_phone")
        assertRefused(yield* whileSources([MOBILE_FINDER], down, client.call("enrich", alone)), "provider_unavailable")
        yield* assertBalance(client, "278")
      })
    )

    it.effect("a source that answers nonsense is not believed", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const both = wants("mobile-search@magic.test", "work_email", "mobile_phone")
        const nonsense = Behaviour.Garbage()
        assertRefused(yield* whileSources(ENRICHERS, nonsense, client.call("enrich", both)), "provider_unavailable")
        const mobile = wants("mobile-search@magic.test", "mobile_phone")
        const all = [...ENRICHERS, MOBILE_FINDER]
        assertRefused(yield* whileSources(all, nonsense, client.call("enrich", mobile)), "provider_unavailable")
        assert.strictEqual((yield* whileSources([INDEX], nonsense, enrich(client, both, "22"))).outcome, "hit")
        yield* assertBalance(client, "278")
      })
    )

    it.effect("a lead and the contact that it is chained into are the same person", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        const leads = resultOf(yield* client.call("find_leads", { audience: "anybody", limit: 20 })).leads
        let hits = 0
        for (const lead of leads) {
          yield* faults.forgetCalls
          const answer = yield* client.call("enrich", { person: { social_url: lead.social_url } })
          if (resultOf(answer).outcome === "miss") continue
          hits += 1
          const { company_domain, fingerprint, full_name, title } = answer.result.contact
          assert.deepStrictEqual(
            { company_domain, fingerprint, full_name, title },
            {
              company_domain: lead.company_domain,
              fingerprint: lead.fingerprint,
              full_name: lead.full_name,
              title: lead.title
            }
          )
        }
        assert.isAbove(hits, 0)
      })
    )
  })
}
