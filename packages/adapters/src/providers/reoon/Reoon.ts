import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import type { Classified } from "../classify.js"
import { ownWordsIn, safely } from "../saying.js"
import { maybe, maybeFlags } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { defineVendor, partsOf, type VendorFacts } from "../Vendor.js"
import { isJsonObject, makeVendorHttp, type VendorAnswer } from "../VendorHttp.js"
import { found } from "../verification.js"
import { makeLateAnswers } from "./late.js"

const facts = {
  name: "reoon",
  title: "Reoon Email Verifier",
  baseUrl: "https://emailverifier.reoon.com/api/v1",
  callsPerMinute: null,
  unit: "credit",
  unitMicros: 1200,
  serves: ["email_verifier"],
  limits: [
    "In power mode an address can take a minute. If it takes longer than `wait_seconds`, the next call gets the result.",
    "In quick mode it does not check the mailbox: `valid` only means that the domain accepts mail.",
    "We have not confirmed that it refunds an `unknown`, so we count it as charged (`charges_unknown`)."
  ],
  known: "documentation"
} as const satisfies VendorFacts

const STATUS = {
  safe: "valid",
  valid: "valid",
  invalid: "invalid",
  disabled: "invalid",
  disposable: "invalid",
  spamtrap: "invalid",
  catch_all: "catch_all_unknown",
  role_account: "risky",
  inbox_full: "risky",
  unknown: "unknown"
} as const satisfies Readonly<Record<string, EmailStatus>>

const STATUSES = Object.keys(STATUS) as ReadonlyArray<keyof typeof STATUS>

const Verification = Schema.Struct({
  status: Schema.Literals(STATUSES),
  overall_score: maybe(Schema.Number),
  ...maybeFlags("is_catch_all", "is_deliverable"),
  verification_mode: maybe(Schema.String)
})

const Balance = Schema.Struct({
  api_status: maybe(Schema.String),
  remaining_daily_credits: Schema.Number,
  remaining_instant_credits: Schema.Number
})

const Settings = Schema.Struct({
  mode: setting(Schema.Literals(["power", "quick"]), "power"),
  /** How long a call waits; less than for any source. */
  wait_seconds: setting(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 18 })), 15),
  /** The minimum score for `catch_all_valid`: a deliverable address at a catch-all domain. Null: never. */
  catch_all_score_min: setting(Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))), null),
  charges_unknown: setting(Schema.Boolean, true)
})

/** `reason` texts about the key or the credits. */
const ABOUT_THE_ACCOUNT = /key|credit|balance|account|plan|subscri/i

/** On failure the status is `error`, with the reason in `reason`. */
const classify = ({ json }: VendorAnswer): Classified | null => {
  if (!isJsonObject(json) || json["status"] !== "error") return null
  const reason = typeof json["reason"] === "string" ? json["reason"] : ""
  return {
    reason: ABOUT_THE_ACCOUNT.test(ownWordsIn(reason)) ? "account" : "transient",
    cause: `says ${safely(reason)}`
  }
}

/** Verifies addresses. The key goes in the query. */
export const reoon = defineVendor({
  ...facts,
  settings: Settings,
  make: (config, settings) =>
    Effect.gen(function* () {
      const { catch_all_score_min, charges_unknown, mode, wait_seconds } = settings
      const options = { ...config, name: facts.name, authorize: (key: string) => ({ query: { key } }), classify }
      const { declared, http, spend } = partsOf(facts, config, settings, yield* makeVendorHttp(options))
      const late = makeLateAnswers({
        name: "reoon_verifications",
        vendor: facts.name,
        waitSeconds: wait_seconds,
        kept: Schema.toType(Verification),
        spend,
        scope: yield* Effect.scope
      })
      /** Whether an address at a catch-all domain is almost certain. */
      const isSure = ({ is_deliverable, overall_score }: typeof Verification.Type): boolean =>
        catch_all_score_min !== null && is_deliverable === true && (overall_score ?? 0) >= catch_all_score_min
      const verified = (email: string) =>
        Effect.map(
          http.read(Verification, { method: "GET", path: "/verify", query: { email, mode }, hasEffect: true }),
          (answer) => ({ answer, amount: answer.status !== "unknown" || charges_unknown ? 1 : 0 })
        )
      return {
        sources: {
          email_verifier: {
            ...declared("email_verifier", { units: 1, missRate: 0.1, latencyMillis: mode === "power" ? 5000 : 500 }),
            verify: (email) =>
              Effect.flatMap(late.ask(email, verified(email)), (verification) => {
                const { is_catch_all, overall_score, status, verification_mode } = verification
                const ours = status === "catch_all" && isSure(verification) ? "catch_all_valid" : STATUS[status]
                const isCatchAll = status === "catch_all" || is_catch_all === true
                return found(facts.name, ours, isCatchAll, { status, overall_score, verification_mode })
              })
          }
        },
        followUps: [late.followUp],
        account: Effect.map(
          http.get(Balance, "/check-account-balance/"),
          ({ api_status, remaining_daily_credits, remaining_instant_credits }) => ({
            left: remaining_daily_credits + remaining_instant_credits,
            missing: api_status === null || api_status === "active" ? [] : [`Its key is ${api_status}.`]
          })
        )
      }
    })
})
