import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import { type Classified, retryAfterOf } from "../classify.js"
import { ownWordsIn, safely } from "../saying.js"
import { maybe, Numeric } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"
import { found } from "../verification.js"

const facts = {
  name: "zero_bounce",
  title: "ZeroBounce",
  baseUrl: "https://api.zerobounce.net/v2",
  callsPerMinute: null,
  unit: "credit",
  unitMicros: 9000,
  serves: ["email_verifier"],
  limits: [
    "Returns the same error for a wrong key and an empty account.",
    "After 200 calls with a wrong key within an hour it blocks the caller for an hour, without saying how long (`shield_seconds`).",
    "Regional accounts have their own addresses: https://api-us.zerobounce.net/v2, https://api-eu.zerobounce.net/v2."
  ],
  known: "specification"
} as const satisfies VendorFacts

const STATUSES = ["valid", "invalid", "catch-all", "unknown", "spamtrap", "abuse", "do_not_mail"] as const

const STATUS: Readonly<Record<(typeof STATUSES)[number], EmailStatus>> = {
  valid: "valid",
  invalid: "invalid",
  "catch-all": "catch_all_unknown",
  unknown: "unknown",
  spamtrap: "invalid",
  abuse: "risky",
  do_not_mail: "risky"
}

const Validation = Schema.Struct({ status: Schema.Literals(STATUSES), sub_status: maybe(Schema.String) })

/** Sub-statuses that refine its status: disposable or toxic, full mailbox, catch-all. */
const NOBODY = new Set(["disposable", "toxic"])
const FULL = "mailbox_quota_exceeded"
const CATCH_ALL_ROLE = "role_based_catch_all"

const statusOf = (status: (typeof STATUSES)[number], subStatus: string | null): EmailStatus => {
  if (status === "do_not_mail" && NOBODY.has(subStatus ?? "")) return "invalid"
  return status === "invalid" && subStatus === FULL ? "risky" : STATUS[status]
}

const Credits = Schema.Struct({ Credits: Numeric })

const Settings = Schema.Struct({
  /** The time limit per address in seconds, below the 20 we wait for a source. */
  timeout_seconds: setting(Schema.Int.check(Schema.isBetween({ minimum: 3, maximum: 18 })), 15),
  /** The pause when it blocks us, with status 403. */
  shield_seconds: setting(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3600 })), 60)
})

const ABOUT_THE_ACCOUNT = /api key|credit/i

/** Errors have status 200 too, with one text or several. A wrong key shows as -1 credits. */
const classify =
  (shieldSeconds: number) =>
  (answer: VendorAnswer): Classified | null => {
    const { json, status } = answer
    if (status === 403) {
      const classified = { reason: "rate_limited", cause: "its shield is up" } as const
      return { retryAfterSeconds: shieldSeconds, ...classified, ...retryAfterOf(answer, classified) }
    }
    if (!isJsonObject(json)) return null
    if (Number(json["Credits"]) === -1) return { reason: "account", cause: "does not know the key" }
    const errors = [json["error"]].flat().filter((text) => typeof text === "string")
    if (errors.length === 0) return null
    const cause = `says ${safely(errors.join("; "))}`
    if (errors.some((text) => ABOUT_THE_ACCOUNT.test(ownWordsIn(text)))) return { reason: "account", cause }
    return status === 200 ? { reason: "transient", cause } : null
  }

/** Verifies addresses. The key goes in the query. */
export const zeroBounce = defineVendor({
  ...facts,
  settings: Settings,
  make: (config, settings) =>
    overHttp(
      facts,
      { authorize: (key) => ({ query: { api_key: key } }), classify: classify(settings.shield_seconds) },
      ({ charged, declared, http }) => ({
        sources: {
          email_verifier: {
            ...declared("email_verifier", { units: 1, missRate: 0.05, latencyMillis: 2500 }),
            verify: (email) => {
              const query = { email, ip_address: "", timeout: settings.timeout_seconds }
              const cost = ({ status }: typeof Validation.Type) => (status === "unknown" ? 0 : 1)
              return Effect.flatMap(
                charged(Validation, { method: "GET", path: "/validate", query }, cost),
                ({ status, sub_status }) => {
                  const isCatchAll = status === "catch-all" || sub_status === CATCH_ALL_ROLE
                  return found(facts.name, statusOf(status, sub_status), isCatchAll, { status, sub_status })
                }
              )
            }
          }
        },
        account: Effect.map(http.get(Credits, "/getcredits"), ({ Credits: left }) => ({
          left,
          missing: []
        }))
      })
    )(config, settings)
})
