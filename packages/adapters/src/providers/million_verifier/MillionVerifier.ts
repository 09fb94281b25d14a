import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import type { Classified } from "../classify.js"
import { ownWordsIn, safely } from "../saying.js"
import { maybe } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"
import { found } from "../verification.js"

const facts = {
  name: "million_verifier",
  title: "MillionVerifier",
  baseUrl: "https://api.millionverifier.com/api/v3",
  callsPerMinute: null,
  unit: "credit",
  unitMicros: 600,
  serves: ["email_verifier"],
  limits: [
    "For a catch-all domain it says only that.",
    "We have not confirmed which results it charges for. `charged` lists them; by default all but errors."
  ],
  known: "third_party"
} as const satisfies VendorFacts

const RESULTS = ["ok", "catch_all", "unknown", "disposable", "invalid", "error"] as const

type Result = (typeof RESULTS)[number]

const STATUS: Readonly<Record<Result, EmailStatus>> = {
  ok: "valid",
  catch_all: "catch_all_unknown",
  unknown: "unknown",
  disposable: "invalid",
  invalid: "invalid",
  error: "unknown"
}

const Verification = Schema.Struct({
  result: Schema.Literals(RESULTS),
  subresult: maybe(Schema.String),
  role: maybe(Schema.Boolean)
})

const Credits = Schema.Struct({ credits: Schema.Number })

const Settings = Schema.Struct({
  /** The time limit per address in seconds, below the 20 we wait for a source. */
  timeout_seconds: setting(Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 18 })), 15),
  /** Whether a working role address, such as `info@`, is `risky`. */
  role_is_risky: setting(Schema.Boolean, true),
  charged: setting(
    Schema.Array(Schema.Literals(RESULTS)),
    RESULTS.filter((result) => result !== "error")
  )
})

/** `error` texts, with status 200, about the key, the credits or the caller's IP address. */
const ABOUT_THE_ACCOUNT = /api|key|credit|account|blocked|\bip\b|plan|payment/i
const TIMED_OUT = /time.?d?.?out/i

/** Failures have status 200 and a reason in `error`. */
const classify = ({ json, status }: VendorAnswer): Classified | "answer" | null => {
  if (status !== 200 || !isJsonObject(json)) return null
  const { error, livemode } = json
  // With a test key its answers are random.
  if (livemode === false) return { reason: "account", cause: "answers for tests only: it is its test key" }
  if (typeof error !== "string" || error.trim() === "" || TIMED_OUT.test(error)) return null
  return { reason: ABOUT_THE_ACCOUNT.test(ownWordsIn(error)) ? "account" : "transient", cause: `says ${safely(error)}` }
}

/** Verifies addresses, at the lowest price. The key goes in the query. */
export const millionVerifier = defineVendor({
  ...facts,
  settings: Settings,
  make: overHttp(
    facts,
    { authorize: (key) => ({ query: { api: key } }), classify },
    ({ charged, declared, http, settings }) => ({
      sources: {
        email_verifier: {
          ...declared("email_verifier", { units: 1, missRate: 0.15, latencyMillis: 1500 }),
          verify: (email) => {
            const query = { email, timeout: settings.timeout_seconds }
            const cost = ({ result }: typeof Verification.Type) => (settings.charged.includes(result) ? 1 : 0)
            return Effect.flatMap(
              charged(Verification, { method: "GET", path: "/", query }, cost),
              ({ result, role, subresult }) => {
                const status = result === "ok" && role === true && settings.role_is_risky ? "risky" : STATUS[result]
                return found(facts.name, status, result === "catch_all", { result, subresult, role })
              }
            )
          }
        }
      },
      account: Effect.map(http.get(Credits, "/credits"), ({ credits }) => ({
        left: credits,
        missing: []
      }))
    })
  )
})
