import { Effect, Schema } from "effect"
import type { Classified } from "../classify.js"
import { maybe } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"
import { makeEnrich } from "./enrich.js"
import { makeSearch } from "./search.js"

const facts = {
  name: "prospeo",
  title: "Prospeo",
  baseUrl: "https://api.prospeo.io",
  callsPerMinute: null,
  unit: "credit",
  unitMicros: 39_000,
  serves: ["premium_lead_source", "contact_enricher", "mobile_finder"],
  limits: [
    "Finds people by profile, by address, or by name and company.",
    "A people search uses its own names of places and industries, and needs at least one filter.",
    "We ignore addresses that it could not verify, unless `only_verified_email` is false."
  ],
  known: "specification"
} as const satisfies VendorFacts

const Settings = Schema.Struct({
  only_verified_email: setting(Schema.Boolean, true),
  only_verified_mobile: setting(Schema.Boolean, true)
})

const Account = Schema.Struct({ response: Schema.Struct({ remaining_credits: maybe(Schema.Number) }) })

/** The pause if it names the exhausted window but no time. */
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * 60

const limited = ({ header }: VendorAnswer): Classified => {
  const isUsedUp = (name: string) => header(name)?.trim() === "0"
  if (isUsedUp("x-daily-request-left")) return { reason: "rate_limited", retryAfterSeconds: HOUR_SECONDS }
  if (isUsedUp("x-minute-request-left")) return { reason: "rate_limited", retryAfterSeconds: MINUTE_SECONDS }
  return { reason: "rate_limited" }
}

/** Nobody was found; the last: the known data doesn't identify a person. */
const ANSWERS = new Set(["NO_MATCH", "NO_RESULTS", "INVALID_DATAPOINTS"])

const REASONS = new Map<string, Classified["reason"]>([
  ["INSUFFICIENT_CREDITS", "account"],
  ["INVALID_API_KEY", "account"],
  ["ACCOUNT_RESTRICTED", "account"],
  ["INTERNAL_ERROR", "transient"],
  ["INVALID_REQUEST", "invalid"],
  ["INVALID_FILTERS", "invalid"]
])

/** Failures have any status; the body has the reason. An unknown person is reported the same way. */
export const classify = (answer: VendorAnswer): Classified | "answer" | null => {
  const { json, status } = answer
  if (!isJsonObject(json) || json["error"] !== true) return null
  const code = typeof json["error_code"] === "string" ? json["error_code"] : ""
  const cause = `says ${code.slice(0, 100)}`
  if (ANSWERS.has(code)) return "answer"
  if (code === "RATE_LIMITED" || code === "RATE_LIMIT_EXCEEDED") return { ...limited(answer), cause }
  const reason = REASONS.get(code) ?? (status >= 400 ? null : "transient")
  return reason === null ? null : { reason, cause }
}

/** Reveals addresses and mobile numbers at once. Repeated results are free. */
export const prospeo = defineVendor({
  ...facts,
  settings: Settings,
  make: overHttp(facts, { authorize: (key) => ({ headers: { "x-key": key } }), classify }, (parts) => {
    const { declared, http } = parts
    const { find, lookup } = makeEnrich(parts)
    return {
      sources: {
        premium_lead_source: {
          ...declared("premium_lead_source", { units: 1, missRate: 0.2, latencyMillis: 3_000 }),
          tier: "premium",
          ...makeSearch(parts)
        },
        contact_enricher: {
          ...declared("contact_enricher", { units: 1, missRate: 0.35, latencyMillis: 2_500 }),
          lookup
        },
        mobile_finder: { ...declared("mobile_finder", { units: 10, missRate: 0.6, latencyMillis: 4_000 }), find }
      },
      account: Effect.map(http.get(Account, "/account-information"), ({ response }) => ({
        left: response.remaining_credits,
        missing: response.remaining_credits === 0 ? ["no credits are left"] : []
      }))
    }
  })
})
