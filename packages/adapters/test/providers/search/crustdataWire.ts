import type { VendorFailure } from "@outbound/testkit/contracts/providers/sources.js"
import type { Exchange } from "@outbound/testkit/vendors/Exchange.js"

export const post = (path: string, json: unknown, body: Readonly<Record<string, unknown>> = {}): Exchange => ({
  request: { method: "POST", path, body },
  answer: { json }
})

export /** What it suggests for a text. */
const suggests = (dataset: "person" | "company", field: string, query: string, values: ReadonlyArray<string>) =>
  post(
    `/${dataset}/search/autocomplete`,
    { suggestions: values.map((value) => ({ value, count: 1 })) },
    { field, query }
  )

export const NO_PLAN: VendorFailure["answer"] = {
  status: 403,
  json: { error: "permission denied", reason: "field metadata.updated_at is not in your plan" }
}

/** A refusal that names what is missing, and one of the older kind. */
export const failures: ReadonlyArray<VendorFailure> = [
  { says: "lacks a field in the plan", answer: NO_PLAN, reason: "account" as const },
  {
    says: "does not know a filter",
    answer: { status: 400, json: { error: { type: "invalid_request", message: "Unsupported columns" } } },
    reason: "invalid" as const
  },
  {
    says: "tells a name that is no text",
    answer: { json: { profiles: [{ basic_profile: { name: 7 } }] } },
    reason: "unknown_outcome" as const
  }
]
