import { assert, layer as describeLayer } from "@effect/vitest"
import type { PersonIdentity } from "@outbound/domain/ports/providers/Person.js"
import { ProviderFailure } from "@outbound/domain/ports/providers/ProviderFailure.js"
import { noProviders, type ProviderSet } from "@outbound/domain/ports/providers/Providers.js"
import { Effect, Option } from "effect"
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

const PROFILE = "https://social.example/in/pat-doe"

const providers: ProviderSet = {
  ...noProviders,
  emailVerifiers: [verifier("first", 1, "unknown"), verifier("second", 2, "objected"), verifier("third", 3, "valid")],
  contactEnrichers: [
    {
      ...source("contacts", 1),
      lookup: (identity) =>
        Effect.succeedSome({
          fullName: "Pat Doe",
          firstName: "Pat",
          lastName: "Doe",
          title: null,
          companyName: "Acme",
          companyDomain: identity.companyDomain,
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

  it.effect("a tool whose sources can't do what is asked for says so, and not that there are none", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const unable = (tool: string) => ({
        tool,
        reason: "no provider of this workspace can do what this request asks for"
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
