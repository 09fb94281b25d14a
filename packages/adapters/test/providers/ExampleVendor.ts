import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import { classifiedByStatus } from "../../src/providers/classify.js"
import { spending } from "../../src/providers/spending.js"
import { declaredOf, defineVendor } from "../../src/providers/Vendor.js"
import { makeVendorHttp } from "../../src/providers/VendorHttp.js"

const NAME = "example_checks"

/** What it answers about an address. A word that it does not document is no proof of anything. */
const Checked = Schema.Struct({ result: Schema.String, catch_all: Schema.optional(Schema.Boolean) })

const STATUS: Readonly<Record<string, "valid" | "invalid">> = { deliverable: "valid", undeliverable: "invalid" }

const Account = Schema.Struct({ credits: Schema.Number, suspended: Schema.optional(Schema.Boolean) })

/** What its own documentation says; `docs/providers.md` shows it. */
const FACTS = {
  name: NAME,
  title: "Example Checks",
  baseUrl: "https://api.example.com/v1",
  callsPerMinute: 120,
  unit: "credit",
  unitMicros: 4_000,
  serves: ["email_verifier"],
  limits: ["Says nothing of role accounts."],
  known: "documentation"
} as const

export const exampleVendor = defineVendor({
  ...FACTS,
  // What only this vendor knows. Every setting has a default.
  settings: Schema.Struct({ thorough: Schema.optionalWith(Schema.Boolean, { default: () => false }) }),
  make: (config, settings) =>
    Effect.map(
      makeVendorHttp({
        name: NAME,
        baseUrl: config.baseUrl,
        credential: config.credential,
        authorize: (key) => ({ headers: { "x-api-key": key } }),
        callsPerMinute: config.callsPerMinute,
        // It says "out of credit" with a status of its own. Everything else is as its status says.
        classify: (answer) => (answer.status === 420 ? { reason: "account" } : classifiedByStatus(answer))
      }),
      (http) => {
        // Notes what an answer cost, in the vendor's unit, for the call's margin.
        const spend = spending(FACTS, config)
        const verifier: EmailVerifier = {
          // For the order in which routes ask; the operator may know better.
          ...declaredOf(config, NAME, "email_verifier", {
            costMicros: config.unitMicros,
            missRate: 0.1,
            latencyMillis: 1_500
          }),
          verify: (email) =>
            http.read(Checked, { method: "GET", path: "/check", query: { email, thorough: settings.thorough } }).pipe(
              Effect.tap(() => spend(1)),
              Effect.map(({ catch_all, result }) => ({
                status: STATUS[result] ?? "unknown",
                isCatchAllDomain: catch_all ?? false
              }))
            )
        }
        return {
          sources: { email_verifier: verifier },
          // Costs nothing: `outbound providers check` asks it.
          account: Effect.map(http.read(Account, { method: "GET", path: "/account" }), ({ credits, suspended }) => ({
            left: credits,
            missing: suspended === true ? ["the account is suspended"] : []
          }))
        }
      }
    )
})
