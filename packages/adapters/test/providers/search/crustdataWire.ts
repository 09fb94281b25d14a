import type { VendorFailure } from "@outbound/testkit/contracts/providers/sources.js"
import type { Exchange } from "@outbound/testkit/vendors/Exchange.js"

export const post = (path: string, json: unknown, body: Readonly<Record<string, unknown>> = {}): Exchange => ({
  request: { method: "POST", path, body },
  answer: { json }
})

/** The same, of requests that look so. */
export const postWhen = (
  path: string,
  json: unknown,
  when: NonNullable<Exchange["request"]["when"]>,
  body: Readonly<Record<string, unknown>> = {}
): Exchange => ({ request: { method: "POST", path, body, when }, answer: { json } })

/** What it suggests for a text. */
export const suggests = (dataset: "person" | "company", field: string, query: string, values: ReadonlyArray<string>) =>
  post(
    `/${dataset}/search/autocomplete`,
    { suggestions: values.map((value) => ({ value, count: 1 })) },
    { field, query }
  )

export const NO_PLAN: VendorFailure["answer"] = {
  status: 403,
  json: { error: "permission denied", reason: "field metadata.updated_at is not in your plan" }
}

/** What its errors are called says more than their status, and a header of its own for how long it is to be left alone. */
export const OWN_ERRORS: ReadonlyArray<VendorFailure> = [
  {
    says: "has no credits left",
    answer: {
      status: 400,
      json: { error: { type: "insufficient_credits", message: "Not enough credits", metadata: [] } }
    },
    reason: "account"
  },
  {
    says: "is asked too often",
    answer: {
      status: 429,
      headers: { "x-ratelimit-limit": "30", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "41" },
      json: { error: { type: "rate_limit_error", message: "Too many requests", metadata: [] } }
    },
    reason: "rate_limited",
    retryAfterSeconds: 41
  }
]

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
