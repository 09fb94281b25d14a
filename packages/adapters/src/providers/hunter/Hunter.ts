import { Effect, Schema } from "effect"
import { spending } from "../spending.js"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeVendorHttp } from "../VendorHttp.js"
import { account } from "./account.js"
import { classify } from "./classify.js"
import { similarCompanies } from "./similar.js"
import { verifier } from "./verifier.js"

const facts = {
  name: "hunter",
  title: "Hunter",
  baseUrl: "https://api.hunter.io/v2",
  callsPerMinute: 300,
  unit: "credit",
  unitMicros: 24_500,
  serves: ["email_verifier", "company_source"],
  limits: [
    "If an address's owner objected to processing (451), the status is `unknown`, and no source is asked again for 90 days.",
    "A similarity search needs a plan with premium filters, and returns at most 100 companies.",
    "Company search: similar only, by country and size. It is skipped for searches by industry.",
    "Uses its own size ranges: for 40 to 300 employees it returns companies with 51 to 200."
  ],
  known: "documentation"
} as const satisfies VendorFacts

const positive = (max: number, otherwise: number) =>
  Schema.optionalWith(Schema.Int.pipe(Schema.between(0, max)), { default: () => otherwise })

/** It is given up when it has been waited for some seconds more than this. */
const POLLS_MILLIS_MAX = 18_000

export const HunterSettings = Schema.Struct({
  /** How often a verification that is still running is asked for again, and how long after the time before. */
  polls_max: positive(20, 5),
  poll_millis: positive(10_000, 2000),
  /** What is said of an address at a webmail provider, which it can't look for. */
  webmail: Schema.optionalWith(Schema.Literal("risky", "valid", "unknown"), { default: () => "risky" as const }),
  /** What a verification costs, in credits. */
  verification_credits: Schema.optionalWith(Schema.Number.pipe(Schema.nonNegative()), { default: () => 0.5 }),
  /** Searches for companies have a limit of their own. */
  discover_calls_per_minute: Schema.optionalWith(Schema.Int.pipe(Schema.positive()), { default: () => 50 })
}).pipe(
  Schema.filter(({ poll_millis, polls_max }) =>
    poll_millis * polls_max <= POLLS_MILLIS_MAX
      ? []
      : [{ path: ["poll_millis"], message: `times polls_max must be ${POLLS_MILLIS_MAX} at most` }]
  )
)

/** Verifies addresses, and finds companies that are like another. */
export const hunter = defineVendor({
  ...facts,
  settings: HunterSettings,
  make: (config, settings) =>
    Effect.gen(function* () {
      const options = {
        ...config,
        name: facts.name,
        authorize: (key: string) => ({ headers: { "x-api-key": key } }),
        classify
      }
      const http = yield* makeVendorHttp(options)
      const discovering = yield* makeVendorHttp({ ...options, callsPerMinute: settings.discover_calls_per_minute })
      return {
        sources: {
          email_verifier: verifier(http, config, settings, spending(facts, config)),
          company_source: similarCompanies(discovering, config)
        },
        account: account(http)
      }
    })
})
