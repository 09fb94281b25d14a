import type { EmailStatus, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Duration, Effect, Schema } from "effect"
import { maybe, maybeFlags } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { defineVendor, type MadeVendor, partsOf, type VendorFacts, type VendorParts } from "../Vendor.js"
import { makeVendorHttp, type VendorAnswer, type VendorHttp, type VendorRequest } from "../VendorHttp.js"
import { found } from "../verification.js"
import { similarCompanies } from "./similar.js"
import type { Classified } from "../classify.js"
import { ownWordsIn, safely } from "../saying.js"

const Errors = Schema.Struct({
  errors: Schema.Array(Schema.Struct({ id: Schema.optional(Schema.String), details: Schema.optional(Schema.String) }))
})

const errorTextIn = (json: unknown): string =>
  Schema.is(Errors)(json) ? json.errors.map(({ details = "", id = "" }) => `${id} ${details}`).join("; ") : ""

const OVER_QUOTA = /usage|quota|credit|plan|upgrade|premium/i
const TOO_FAST = /rate.?limit|too fast/i

/** The person asked Hunter not to process their data. */
const OBJECTED = 451

/** An objection is an answer. 403 and 429 both mean too many requests or an exhausted plan: the text tells which. */
const classify = ({ json, status }: VendorAnswer): Classified | "answer" | null => {
  if (status === OBJECTED) return "answer"
  if (status < 400 || status >= 500) return null
  const errorText = errorTextIn(json)
  const cause = `status ${status}: ${safely(errorText)}`
  const words = ownWordsIn(errorText)
  if (OVER_QUOTA.test(words)) return { reason: "account", cause }
  return TOO_FAST.test(words) ? { reason: "rate_limited", cause } : null
}

const STATUSES = ["valid", "invalid", "accept_all", "webmail", "disposable", "unknown"] as const

const Verification = Schema.Struct({
  data: Schema.Struct({
    status: Schema.Literals(STATUSES),
    score: maybe(Schema.Number),
    ...maybeFlags("accept_all", "block")
  })
})

/** Still running: ask again. */
const RUNNING = 202

/** The mail server's answer was unclear: the status is unknown, whatever the body says. */
const NO_ANSWER = 222

/** Asks again while the verification runs, a bounded number of times. */
const verifier = ({ declared, http, settings, spend }: VendorParts<HunterSettings>): EmailVerifier => {
  const { poll_millis, polls_max, verification_credits, webmail } = settings
  const statusOf: Readonly<Record<(typeof STATUSES)[number], EmailStatus>> = {
    valid: "valid",
    invalid: "invalid",
    disposable: "invalid",
    accept_all: "catch_all_unknown",
    webmail,
    unknown: "unknown"
  }

  const settled = (request: VendorRequest): Effect.Effect<VendorAnswer, ProviderFailure> =>
    Effect.gen(function* () {
      let answer = yield* http.send(request)
      for (let polls = 0; polls < polls_max && answer.status === RUNNING; polls += 1) {
        yield* Effect.sleep(Duration.millis(poll_millis))
        answer = yield* http.send(request)
      }
      return answer
    })

  const verify: EmailVerifier["verify"] = (email) =>
    Effect.gen(function* () {
      const request: VendorRequest = { method: "GET", path: "/email-verifier", query: { email }, hasEffect: true }
      const answer = yield* settled(request)
      if (answer.status === RUNNING) return yield* found(http.name, "unknown", false, { status: "running" })
      if (answer.status === NO_ANSWER) return yield* found(http.name, "unknown", false, { status: "no answer" })
      if (answer.status === OBJECTED) {
        return { ...(yield* found(http.name, "unknown", false, { status: "objected" })), isObjected: true as const }
      }
      const { accept_all, block, score, status } = (yield* http.understand(Verification, request, answer)).data
      yield* spend(verification_credits)
      const isCatchAll = status === "accept_all" || accept_all === true
      return yield* found(http.name, statusOf[status], isCatchAll, { status, score, block })
    })

  return { ...declared("email_verifier", { units: verification_credits, missRate: 0.12, latencyMillis: 2500 }), verify }
}

/** A plan's monthly allowance and its use. */
const Allowance = Schema.Struct({ used: Schema.Number, available: Schema.Number })

const Account = Schema.Struct({
  data: Schema.Struct({
    requests: Schema.Struct({ credits: maybe(Allowance), verifications: maybe(Allowance) })
  })
})

/** Newer plans count credits for all requests, older ones each kind of request. */
const account = (http: VendorHttp): MadeVendor["account"] =>
  Effect.map(http.get(Account, "/account"), ({ data: { requests } }) => {
    const allowance = requests.credits ?? requests.verifications
    return { left: allowance === null ? null : Math.max(0, allowance.available - allowance.used), missing: [] }
  })

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
  setting(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: max })), otherwise)

/** We stop waiting some seconds after this. */
const POLLS_MILLIS_MAX = 18_000

export const HunterSettings = Schema.Struct({
  /** How often, and at what interval, to ask again about a running verification. */
  polls_max: positive(20, 5),
  poll_millis: positive(10_000, 2000),
  /** The status of webmail addresses, which it can't check. */
  webmail: setting(Schema.Literals(["risky", "valid", "unknown"]), "risky"),
  /** Credits per verification. */
  verification_credits: setting(Schema.Number.check(Schema.isGreaterThanOrEqualTo(0)), 0.5),
  /** Company searches have their own limit. */
  discover_calls_per_minute: setting(Schema.Int.check(Schema.isGreaterThan(0)), 50)
}).check(
  Schema.makeFilter(({ poll_millis, polls_max }) =>
    poll_millis * polls_max <= POLLS_MILLIS_MAX
      ? []
      : [{ path: ["poll_millis"], issue: `times polls_max must be ${POLLS_MILLIS_MAX} at most` }]
  )
)

type HunterSettings = typeof HunterSettings.Type

/** Verifies addresses and finds similar companies. */
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
      const verifying = partsOf(facts, config, settings, yield* makeVendorHttp(options))
      const discovering = yield* makeVendorHttp({ ...options, callsPerMinute: settings.discover_calls_per_minute })
      return {
        sources: {
          email_verifier: verifier(verifying),
          company_source: similarCompanies({ ...verifying, http: discovering })
        },
        account: account(verifying.http)
      }
    })
})
