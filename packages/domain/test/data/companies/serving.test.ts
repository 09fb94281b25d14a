import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { findCompanies } from "../../../src/data/companies/findCompanies.js"
import type { ApiKey } from "../../../src/calls/keys/KeyStore.js"
import { credits } from "../../../src/kernel/money/Credits.js"
import type { CompanyCriteria, CompanySource } from "../../../src/sources/ports/CompanySource.js"
import { noProviders } from "../../../src/sources/ports/Providers.js"

const KEY: ApiKey = {
  keyId: "k",
  workspaceId: "w",
  workspaceKind: "live",
  name: "k",
  prefix: "k",
  state: "active",
  pausedAtMillis: null,
  scopes: ["data:read"],
  capabilitiesOff: [],
  autonomousExternalActions: false,
  monthlySpendCap: null,
  dailySpendCap: null,
  premiumAllowance: credits("0"),
  ratePerMinute: 60,
  runRequired: false,
  createdAtMillis: 0
}

const source = (name: string, serves?: (criteria: CompanyCriteria) => boolean): CompanySource => ({
  name,
  costMicros: 1,
  missRate: 0,
  latencyMillis: 1,
  kinds: ["firmographic"],
  ...(serves === undefined ? {} : { serves }),
  search: () => Effect.die("not asked for a plan")
})

const noIndustries = source("no_industries", ({ industries }) => industries.length === 0)

const namesIn = (
  sources: ReadonlyArray<CompanySource>,
  request: { readonly keywords?: ReadonlyArray<string>; readonly industries?: ReadonlyArray<string> }
) =>
  Effect.map(findCompanies, ({ plan }) =>
    Result.match(
      plan(
        { mode: "firmographic", ...request },
        { key: KEY, nowMillis: 0, providers: { ...noProviders, companySources: sources } }
      ),
      { onFailure: ({ code }) => code, onSuccess: (planned) => planned.sources.map(({ name }) => name) }
    )
  )

it.effect("a source that can't apply every filter is not asked, and where it is the only one, that is said", () =>
  Effect.gen(function* () {
    const both = [noIndustries, source("all")]
    assert.deepStrictEqual(yield* namesIn(both, { keywords: ["payroll"] }), ["no_industries", "all"])
    assert.deepStrictEqual(yield* namesIn(both, { industries: ["banks"] }), ["all"])
    assert.deepStrictEqual(yield* namesIn([noIndustries], { industries: ["banks"] }), "tool_unavailable")
  })
)

it.effect("what a source is asked whether it serves is what it would be asked for", () =>
  Effect.gen(function* () {
    const asked: Array<CompanyCriteria> = []
    const noting = source("noting", (criteria) => asked.push(criteria) > 0)
    yield* namesIn([noting], { industries: ["banks"] })
    assert.deepStrictEqual(asked, [
      {
        search: { kind: "firmographic", locations: [], keywords: [], excludeKeywords: [] },
        audience: "",
        industries: ["Banking"],
        countryCodes: [],
        headcountMin: 10,
        headcountMax: null
      }
    ])
  })
)
