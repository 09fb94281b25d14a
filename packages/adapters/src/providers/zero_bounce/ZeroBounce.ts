import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import { type Classified, retryAfterOf } from "../classify.js"
import { ownWordsIn, safely } from "../saying.js"
import { maybe, Numeric } from "../shape.js"
import { spending } from "../spending.js"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { isJsonObject, makeVendorHttp, type VendorAnswer } from "../VendorHttp.js"
import { found, verifierOf } from "../verification.js"

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

const Validation = Schema.Struct({ status: Schema.Literal(...STATUSES), sub_status: maybe(Schema.String) })

/** Sub-statuses that refine its status: disposable or toxic, full mailbox, catch-all. */
const NOBODY = new Set(["disposable", "toxic"])
const FULL = "mailbox_quota_exceeded"
const CATCH_ALL_ROLE = "role_based_catch_all"

const Credits = Schema.Struct({ Credits: Numeric })

const Settings = Schema.Struct({
  /** The time limit per address in seconds, below the 20 we wait for a source. */
  timeout_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(3, 18)), { default: () => 15 }),
  /** The pause when it blocks us, with status 403. */
  shield_seconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 3600)), { default: () => 60 })
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
  make: (config, { shield_seconds, timeout_seconds }) =>
    Effect.map(
      makeVendorHttp({
        ...config,
        name: facts.name,
        authorize: (key) => ({ query: { api_key: key } }),
        classify: classify(shield_seconds)
      }),
      (http) => {
        const spend = spending(facts, config)
        return {
          sources: {
            email_verifier: verifierOf(config, facts.name, { units: 1, missRate: 0.05, latencyMillis: 2500 }, (email) =>
              Effect.gen(function* () {
                const { status, sub_status } = yield* http.read(Validation, {
                  method: "GET",
                  path: "/validate",
                  query: { email, ip_address: "", timeout: timeout_seconds },
                  hasEffect: true
                })
                if (status !== "unknown") yield* spend(1)
                const ours =
                  status === "do_not_mail" && NOBODY.has(sub_status ?? "")
                    ? "invalid"
                    : status === "invalid" && sub_status === FULL
                      ? "risky"
                      : STATUS[status]
                return yield* found(facts.name, ours, status === "catch-all" || sub_status === CATCH_ALL_ROLE, {
                  status,
                  sub_status
                })
              })
            )
          },
          account: Effect.map(http.read(Credits, { method: "GET", path: "/getcredits" }), ({ Credits: left }) => ({
            left,
            missing: []
          }))
        }
      }
    )
})
