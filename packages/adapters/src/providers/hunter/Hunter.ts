import type { EmailStatus, EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Duration, Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import { type Spend, spending } from "../spending.js"
import { defineVendor, type MadeVendor, type VendorConfig, type VendorFacts } from "../Vendor.js"
import { makeVendorHttp, type VendorAnswer, type VendorHttp, type VendorRequest } from "../VendorHttp.js"
import { found, verifierOf } from "../verification.js"
import { classify, OBJECTED } from "./classify.js"
import { similarCompanies } from "./similar.js"

const STATUSES = ["valid", "invalid", "accept_all", "webmail", "disposable", "unknown"] as const

const Verification = Schema.Struct({
  data: Schema.Struct({
    status: Schema.Literal(...STATUSES),
    score: maybe(Schema.Number),
    accept_all: maybe(Schema.Boolean),
    block: maybe(Schema.Boolean)
  })
})

/** It works on it still, and is to be asked again. */
const RUNNING = 202

/** The mail server gave it no answer that it understands: nobody knows, whatever its body looks like. */
const NO_ANSWER = 222

interface VerifierSettings {
  readonly polls_max: number
  readonly poll_millis: number
  readonly webmail: EmailStatus
  readonly verification_credits: number
}

/** Asks again while it is told that the verification is running, so often at most. */
const verifier = (
  http: VendorHttp,
  config: VendorConfig,
  { poll_millis, polls_max, verification_credits, webmail }: VerifierSettings,
  spend: Spend
): EmailVerifier => {
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

  return verifierOf(config, http.name, { units: verification_credits, missRate: 0.12, latencyMillis: 2500 }, (email) =>
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
  )
}

/** What a plan allows for a month, and how much of it is gone. */
const Allowance = Schema.Struct({ used: Schema.Number, available: Schema.Number })

const Account = Schema.Struct({
  data: Schema.Struct({
    requests: Schema.Struct({ credits: maybe(Allowance), verifications: maybe(Allowance) })
  })
})

/** Newer plans count credits for everything, older ones each kind of request. */
const account = (http: VendorHttp): MadeVendor["account"] =>
  Effect.map(http.read(Account, { method: "GET", path: "/account" }), ({ data: { requests } }) => {
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
