import { assert, layer as describeLayer } from "@effect/vitest"
import type { EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { PersonIdentity } from "@outbound/domain/sources/ports/Person.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { assertBalance, assertRefused, resultOf, SUITE } from "../../src/contracts/service/support.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { makeClient } from "../../src/service/Client.js"
import { over } from "../../src/service/Service.js"

const asked: Array<string> = []
const soughtMobiles: Array<PersonIdentity> = []

const source = (name: string, costMicros: number) => ({ name, costMicros, missRate: 0, latencyMillis: 1 })

const verifier = (name: string, costMicros: number, answer: "unknown" | "objected" | "valid") => ({
  ...source(name, costMicros),
  verify: () =>
    Effect.sync(() => {
      asked.push(name)
      return answer === "objected"
        ? { status: "unknown" as const, isCatchAllDomain: false, isObjected: true as const }
        : { status: answer, isCatchAllDomain: false }
    })
})

/** Whether the slow one has an answer by now; it is asked after the other, which knows nobody. */
let isDone = false
const pending = new ProviderFailure({ provider: "slow", reason: "transient", concluded: "pending" })

/** Whether the slow one has the address by now of whom the other knows by their profile alone. */
let isFound = false
let soughtLate = 0

const PROFILE = "https://social.example/in/pat-doe"

const contact = ({ companyDomain }: PersonIdentity): EnrichedContact => ({
  fullName: "Pat Doe",
  firstName: "Pat",
  lastName: "Doe",
  title: null,
  companyName: "Acme",
  companyDomain,
  companyHeadcount: null,
  companyIndustry: null,
  city: null,
  country: null,
  socialUrl: PROFILE,
  observedAt: null,
  workEmail: "pat@acme.example",
  workEmailStatus: "valid",
  emailVerdict: "valid",
  mobilePhone: null
})

const WITHOUT_ADDRESS = { workEmail: null, workEmailStatus: "not_found", emailVerdict: null } as const

const providers: ProviderSet = {
  ...noProviders,
  emailVerifiers: [verifier("first", 1, "unknown"), verifier("second", 2, "objected"), verifier("third", 3, "valid")],
  contactEnrichers: [
    {
      ...source("contacts", 1),
      lookup: (identity) =>
        Effect.succeedSome({
          ...contact(identity),
          ...(identity.fullName === "Lou Low" ? WITHOUT_ADDRESS : {})
        })
    },
    {
      ...source("slow", 2),
      lookup: (identity) =>
        Effect.suspend(() => {
          soughtLate += 1
          return isFound ? Effect.succeedSome(contact(identity)) : Effect.fail(pending)
        })
    }
  ],
  mobileFinders: [
    {
      ...source("mobiles", 1),
      find: (identity) =>
        Effect.sync(() => {
          soughtMobiles.push(identity)
          return identity.fullName === "Pat Doe" && identity.email !== null
            ? Option.some("+15125550100")
            : Option.none()
        })
    },
    {
      ...source("slow", 2),
      find: () => Effect.suspend(() => (isDone ? Effect.succeedSome("+15125550111") : Effect.fail(pending)))
    }
  ],
  leadSources: [{ ...source("leads", 1), serves: () => false, search: () => Effect.die("it was not to be asked") }],
  companySources: [
    {
      ...source("companies", 1),
      kinds: ["local"],
      serves: ({ headcountMin }) => headcountMin <= 10,
      search: () => Effect.succeed({ companies: [], moreAvailable: false, places: [] })
    }
  ]
}

describeLayer(over(MemoryLayer.layer, providers), SUITE)("who is asked, and what for", (it) => {
  it.effect("once one says that the person objected nobody else is asked, and the call is a free miss", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const answer = yield* client.call("verify_email", { email: "pat@acme.example" })
      assert.strictEqual(resultOf(answer).status, "unknown")
      assert.strictEqual(answer.svc.credits_charged, "0")
      assert.deepStrictEqual(asked, ["first", "second"])
      yield* assertBalance(client, "300")
    })
  )

  it.effect("an objection is remembered by address: from then on no source is asked, in that workspace", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const verify = (one: typeof client, email: string) =>
        Effect.suspend(() => {
          asked.length = 0
          return Effect.map(one.call("verify_email", { email }), (answer) => {
            assert.strictEqual(resultOf(answer).status, "unknown")
            assert.strictEqual(answer.svc.credits_charged, "0")
            return [...asked]
          })
        })
      const all = ["first", "second"]
      assert.deepStrictEqual(yield* verify(client, "kim@acme.example"), all)
      assert.deepStrictEqual(yield* verify(client, " Kim@ACME.example"), [])
      assert.deepStrictEqual(yield* verify(client, "another@acme.example"), all)
      assert.deepStrictEqual(yield* verify(yield* makeClient({ kind: "live" }), "kim@acme.example"), all)
      yield* TestClock.adjust("89 days")
      assert.deepStrictEqual(yield* verify(client, "kim@acme.example"), [])
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* verify(client, "kim@acme.example"), all)
      yield* assertBalance(client, "300")
    })
  )

  it.effect("a search for a mobile number is told the profile and the address that the email lookup found", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const person = { full_name: "Pat Doe", company_domain: "acme.example" }
      const answer = yield* client.call("enrich", { person, want: ["work_email", "mobile_phone"] })
      assert.strictEqual(resultOf(answer).contact?.mobile_phone, "+15125550100")
      assert.strictEqual(answer.svc.credits_charged, "22")
      const [sought] = soughtMobiles
      assert.deepInclude(sought, { fullName: "Pat Doe", email: "pat@acme.example", socialUrl: PROFILE })
    })
  )

  it.effect(
    "a number that is still looked for is not remembered as none: the next call has it, at the price of it",
    () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ kind: "live" })
        const request = {
          person: { full_name: "Kim Roe", company_domain: "acme.example" },
          want: ["work_email", "mobile_phone"]
        }
        const first = yield* client.call("enrich", request)
        assert.strictEqual(resultOf(first).outcome, "partial")
        assert.strictEqual(first.svc.credits_charged, "5")
        isDone = true
        const next = yield* client.call("enrich", request)
        assert.strictEqual(resultOf(next).contact?.mobile_phone, "+15125550111")
        assert.strictEqual(next.svc.credits_charged, "17")
      })
  )

  it.effect("an address that comes after a profile was paid for is told by the next call, for nothing, and kept", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const person = { full_name: "Lou Low", company_domain: "acme.example" }
      const ask = (...want: ReadonlyArray<string>) => client.call("enrich", { person, want })
      const first = yield* ask("profile")
      assert.deepInclude(resultOf(first), { outcome: "hit", from_cache: false })
      assert.strictEqual(first.svc.credits_charged, "5")

      const meanwhile = yield* ask("work_email", "profile")
      assert.deepInclude(resultOf(meanwhile), { outcome: "partial", from_cache: true })
      assert.strictEqual(meanwhile.svc.credits_charged, "0")

      isFound = true
      const sought = soughtLate
      for (const want of [["work_email"], ["work_email", "profile"], ["profile"]]) {
        const next = yield* ask(...want)
        assert.strictEqual(resultOf(next).contact?.work_email, "pat@acme.example", want.join())
        assert.deepInclude(resultOf(next), { outcome: "hit", from_cache: true })
        assert.strictEqual(next.svc.credits_charged, "0")
      }
      assert.strictEqual(soughtLate, sought + 1, "once it is known it is asked for no more")
      isFound = false
      yield* assertBalance(client, "295")
    })
  )

  it.effect("what comes late does not lengthen the 90 days that were paid for", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const person = { full_name: "Lou Low", company_domain: "acme.example" }
      const chargeOf = (...want: ReadonlyArray<string>) =>
        Effect.map(client.call("enrich", { person, want }), ({ svc }) => svc.credits_charged)
      assert.strictEqual(yield* chargeOf("profile"), "5")
      yield* TestClock.adjust("89 days")
      isFound = true
      assert.strictEqual(yield* chargeOf("work_email", "profile"), "0")
      isFound = false
      yield* TestClock.adjust("2 days")
      assert.strictEqual(yield* chargeOf("profile"), "5")
      yield* assertBalance(client, "290")
    })
  )

  it.effect("a tool whose sources can't do what is asked for says so, and not that there are none", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const unable = (tool: string) => ({
        tool,
        reason: "no provider of this workspace supports this request"
      })
      const local = { mode: "local", locations: ["Berlin, Germany"], categories: ["Dentists"] }
      resultOf(yield* client.call("find_companies", local))
      for (const request of [{ ...local, company_headcount: { min: 50 } }, { technologies: ["HubSpot"] }]) {
        assertRefused(yield* client.call("find_companies", request), "tool_unavailable", unable("find_companies"))
      }
      assertRefused(yield* client.call("find_leads", { audience: "anybody" }), "tool_unavailable", unable("find_leads"))
      const posts = yield* client.call("find_posts", { scope: { type: "keyword", query: "payroll" } })
      assertRefused(posts, "tool_unavailable", {
        tool: "find_posts",
        reason: "no provider is configured for this workspace"
      })
    })
  )
})
