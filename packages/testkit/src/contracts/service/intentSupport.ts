import { assert } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect } from "effect"
import type { Client } from "../../service/Client.js"
import { resultOf } from "./support.js"

export interface Signal {
  readonly company_domain: string
  readonly signal: string
  readonly summary: string
  readonly observed_at: string
  readonly evidence_url: string | null
  readonly title?: string
  readonly news_type?: string
  readonly why_now?: boolean
  readonly why_now_basis?: string
}

export interface DomainStatus {
  readonly company_domain: string
  readonly status: string
  readonly requested_signals: ReadonlyArray<string>
  readonly completed_signals: ReadonlyArray<string>
  readonly unavailable_signals: ReadonlyArray<JsonObject>
  readonly skipped_signals: ReadonlyArray<{ readonly signal: string; readonly reason: string }>
  readonly charge: { readonly credits: string; readonly signal: boolean; readonly paid_checks: number }
  readonly roles_check?: { readonly method: string; readonly postings_rejected: number }
}

export interface Found {
  readonly signals: ReadonlyArray<Signal>
  readonly historical: ReadonlyArray<Signal>
  readonly next: ReadonlyArray<{
    readonly reason: string
    readonly text: string
    readonly verb: "find_intent" | "find_leads"
    readonly params: JsonObject
    readonly max_credits: string
  }>
  readonly ranking: JsonObject & { readonly companies: ReadonlyArray<string> }
  readonly domain_status: ReadonlyArray<DomainStatus>
  readonly window: JsonObject & { readonly from: string; readonly to: string }
  readonly interpreted?: JsonObject
}

/** Reads the intent of companies, and looks at what it cost. */
export const read = (client: Client, company_domains: ReadonlyArray<string>, input: JsonObject, charge?: string) =>
  Effect.map(client.call("find_intent", { company_domains: [...company_domains], ...input }), (answer) => {
    const result: Found = resultOf(answer)
    if (charge !== undefined) assert.strictEqual(answer.svc.credits_charged, charge, answer.text)
    return result
  })

export const kindsOf = (signals: ReadonlyArray<Signal>) => signals.map(({ signal }) => signal)

export const numbered = (outcome: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${outcome}-${index + 1}.test`)
