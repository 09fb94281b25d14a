import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import { classifiedByStatus } from "../../src/providers/classify.js"
import { declaredOf, defineVendor, spending } from "../../src/providers/Vendor.js"
import { makeVendorHttp } from "../../src/providers/VendorHttp.js"

const NAME = "example_checks"

/** The response to a check. An undocumented result counts as unknown. */
const Checked = Schema.Struct({ result: Schema.String, catch_all: Schema.optional(Schema.Boolean) })

const STATUS: Readonly<Record<string, "valid" | "invalid">> = { deliverable: "valid", undeliverable: "invalid" }

const Account = Schema.Struct({ credits: Schema.Number, suspended: Schema.optional(Schema.Boolean) })

/** Facts from its documentation. `docs/providers.md` lists them. */
const FACTS = {
  name: NAME,
  title: "Example Checks",
  baseUrl: "https://api.example.com/v1",
  callsPerMinute: 120,
  unit: "credit",
  unitMicros: 4_000,
  serves: ["email_verifier"],
  limits: ["Does not flag role accounts."],
  known: "documentation"
} as const

export const exampleVendor = defineVendor({
  ...FACTS,
  // The vendor's own settings. Each has a default.
  settings: Schema.Struct({ thorough: Schema.Boolean.pipe(Schema.withDecodingDefault(Effect.succeed(false))) }),
  make: (config, settings) =>
    Effect.map(
      makeVendorHttp({
        name: NAME,
        baseUrl: config.baseUrl,
        credential: config.credential,
        authorize: (key) => ({ headers: { "x-api-key": key } }),
        callsPerMinute: config.callsPerMinute,
        // 420 means out of credit. Every other status has its usual meaning.
        classify: (answer) => (answer.status === 420 ? { reason: "account" } : classifiedByStatus(answer))
      }),
      (http) => {
        // Records what a response cost, in the vendor's unit, for the call's margin.
        const spend = spending(FACTS, config)
        const verifier: EmailVerifier = {
          // Routes order sources by these. The operator can override them.
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
          // `outbound providers check` calls it. It must cost nothing.
          account: Effect.map(http.read(Account, { method: "GET", path: "/account" }), ({ credits, suspended }) => ({
            left: credits,
            missing: suspended === true ? ["the account is suspended"] : []
          }))
        }
      }
    )
})
