import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect } from "effect"
import type { Client } from "../../service/Client.js"
import { resultOf } from "./support.js"

interface Signal {
  readonly signal: string
  readonly summary: string
  readonly observed_at: string
  readonly score: number
  readonly match_confidence: string
}

export interface Company {
  readonly company_domain: string
  readonly headcount: number | null
  readonly country: string
  readonly city: string
  readonly industry: string
  readonly description: string | null
  readonly matched_signals: ReadonlyArray<Signal>
}

interface Found {
  readonly companies: ReadonlyArray<Company>
  readonly company_domains: ReadonlyArray<string>
  readonly more_available: boolean | null
  readonly low_confidence_companies?: ReadonlyArray<Company & { readonly match_confidence: string }>
  readonly match_check: { readonly withheld: number }
  readonly budget_applied?: JsonObject
  readonly interpreted_industries?: ReadonlyArray<{ readonly industries: ReadonlyArray<string> }>
}

/** Finds companies, and looks at what it cost. */
export const find = (client: Client, input: JsonObject, charge?: string) =>
  Effect.map(client.call("find_companies", input), (answer) => {
    const result: Found = resultOf(answer)
    if (charge !== undefined) assert.strictEqual(answer.svc.credits_charged, charge, answer.text.slice(-300))
    return result
  })

export const domainsOf = (companies: ReadonlyArray<Company>) => companies.map((company) => company.company_domain)
