import { assert, layer as describeLayer } from "@effect/vitest"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { sealOwnKey } from "@outbound/domain/sources/ownKeys/secret.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect, type Option } from "effect"
import { TestClock } from "effect/testing"
import { assertBalance, assertRefused, resultOf, SUITE } from "../../src/contracts/service/support.js"
import * as MemoryLayer from "../../src/memory/layer.js"
import { makeClient } from "../../src/service/Client.js"
import { over } from "../../src/service/Service.js"

const VENDOR = "vendor"

/** How the source named `vendor` fails. The other one of each port finds nothing. */
type Fault = "refused" | "unusable" | "no_credential" | "down"
let fault: Fault = "refused"

/** What happens while it is asked. */
let meanwhile: Effect.Effect<void> = Effect.void

const failing = Effect.suspend(() => {
  const happens = meanwhile
  meanwhile = Effect.void
  return Effect.andThen(happens, failed)
})

const failed = Effect.suspend(() => {
  const account = { provider: VENDOR, reason: "account" } as const
  if (fault === "down") return Effect.fail(new ProviderFailure({ provider: VENDOR, reason: "transient" }))
  return Effect.fail(
    fault === "no_credential"
      ? new ProviderFailure({ ...account, concluded: "skipped" })
      : new ProviderFailure({ ...account, ownKey: fault })
  )
})

const source = (name: string) => ({ name, costMicros: 1, missRate: 0, latencyMillis: 1 })
const bad = source(VENDOR)
const empty = source("other")

const KINDS = ["query"] as const
const SIGNALS = ["hiring", "funding", "news", "job_change"] as const
const NOTHING = () => Effect.succeedNone
const lookups = (lookup: () => Effect.Effect<Option.Option<never>, ProviderFailure>) => ({
  profile: lookup,
  technologies: null,
  funding: lookup,
  relationships: null
})

/** Of every port one source that fails and one that finds nothing. */
const both: ProviderSet = {
  ...noProviders,
  leadSources: [
    { ...bad, search: () => failing },
    { ...empty, search: () => Effect.succeed({ people: [], totalFound: 0, places: [] }) }
  ],
  companySources: [
    { ...bad, kinds: KINDS, search: () => failing },
    { ...empty, kinds: KINDS, search: () => Effect.succeed({ companies: [], moreAvailable: false, places: [] }) }
  ],
  companyDatasetSources: [
    { ...bad, lookups: lookups(() => failing) },
    { ...empty, lookups: lookups(NOTHING) }
  ],
  intentSources: [
    { ...bad, signals: SIGNALS, check: () => failing },
    { ...empty, signals: SIGNALS, check: () => Effect.succeed([]) }
  ],
  postSources: [
    { ...bad, platform: "reddit", search: () => failing, ofProfile: () => failing },
    {
      ...empty,
      platform: "reddit",
      search: () => Effect.succeed({ posts: [], isComplete: true }),
      ofProfile: () => failing
    }
  ],
  contactEnrichers: [
    { ...bad, lookup: () => failing },
    { ...empty, lookup: NOTHING }
  ],
  emailVerifiers: [
    { ...bad, verify: () => failing },
    { ...empty, verify: () => Effect.succeed({ status: "unknown", isCatchAllDomain: false }) }
  ]
}

/** Only those that fail. */
const alone: ProviderSet = {
  ...both,
  leadSources: both.leadSources.slice(0, 1),
  companySources: both.companySources.slice(0, 1),
  companyDatasetSources: both.companyDatasetSources.slice(0, 1),
  intentSources: both.intentSources.slice(0, 1),
  postSources: both.postSources.slice(0, 1),
  contactEnrichers: both.contactEnrichers.slice(0, 1),
  emailVerifiers: both.emailVerifiers.slice(0, 1)
}

const CALLS: ReadonlyArray<readonly [VerbName, JsonObject]> = [
  ["find_leads", { audience: "anybody" }],
  ["find_companies", { query: "makers of pumps" }],
  ["find_intent", { company_domains: ["corp.example"] }],
  ["find_posts", { scope: { type: "keyword", query: "pumps" } }],
  ["enrich", { person: { email: "ada@corp.example" } }],
  ["enrich_company", { company_domain: "corp.example", datasets: ["profile", "funding"] }],
  ["verify_email", { email: "ada@corp.example" }]
]

/** Brings a key now, in the place of the one before. */
const bring = (workspaceId: string) =>
  Effect.gen(function* () {
    const store = yield* OwnKeyStore
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    yield* atomically(
      store.put({
        workspaceId,
        vendor: VENDOR,
        sealedSecret: sealOwnKey(crypto, { workspaceId, vendor: VENDOR }, "0123456789"),
        last4: "6789",
        addedBy: "owner@example.test",
        addedAtMillis: yield* Clock.currentTimeMillis,
        refusedAtMillis: null
      })
    )
  }).pipe(Effect.orDie)

const CODES = { refused: "own_key_failed", unusable: "tool_key_invalid" } as const

describeLayer(over(MemoryLayer.layer, both), SUITE)("an own key that fails, where the others find nothing", (it) => {
  it.effect("is told by every verb that asks sources, free of charge", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      for (const [verb, input] of CALLS) {
        for (const one of ["refused", "unusable"] as const) {
          fault = one
          const answer = yield* client.call(verb, input)
          assertRefused(answer, CODES[one], { provider: VENDOR })
          assert.strictEqual(answer.status, 424, verb)
        }
      }
      yield* assertBalance(client, "300")
    })
  )

  it.effect("and a vendor that nobody has a credential for changes nothing", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      fault = "no_credential"
      for (const [verb, input] of CALLS) resultOf(yield* client.call(verb, input))
    })
  )
})

describeLayer(over(MemoryLayer.layer, alone), SUITE)("a vendor that is the only source", (it) => {
  it.effect("is as if not configured where nobody has a credential for it", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      fault = "no_credential"
      for (const [verb, input] of CALLS) {
        const answer = yield* client.call(verb, input)
        assertRefused(answer, "tool_unavailable", {
          tool: verb,
          reason: "no provider is configured for this workspace"
        })
      }
      yield* assertBalance(client, "300")
    })
  )

  it.effect("says nothing of a key that was brought while it was asked with the one before", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      const { workspaceId } = client
      const store = yield* OwnKeyStore
      const isRefused = Effect.map(store.list(workspaceId), (keys) => keys[0]?.refusedAtMillis != null)
      fault = "refused"
      yield* bring(workspaceId)
      const here = yield* Effect.context<OwnKeyStore | Crypto | UnitOfWork>()
      meanwhile = Effect.andThen(TestClock.adjust("1 second"), bring(workspaceId)).pipe(Effect.provide(here))
      const verify = client.call("verify_email", { email: "ada@corp.example" })
      assertRefused(yield* verify, "own_key_failed", { provider: VENDOR })
      assert.isFalse(yield* isRefused)
      assertRefused(yield* verify, "own_key_failed", { provider: VENDOR })
      assert.isTrue(yield* isRefused)
    })
  )

  it.effect("is told in parts where a call has several and some other thing failed", () =>
    Effect.gen(function* () {
      const client = yield* makeClient({ kind: "live" })
      fault = "down"
      const posts = yield* client.call("find_posts", { scope: { type: "keyword", query: "pumps" } })
      assert.deepStrictEqual(
        resultOf(posts).platform_status.map(({ status }: { status: string }) => status),
        resultOf(posts).platform_status.map(() => "unavailable")
      )
    })
  )
})
