import type { EmailStatus } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Effect, Schema } from "effect"
import type { Classified } from "../classify.js"
import { maybe, maybeFlags } from "../shape.js"
import { setting } from "../../platform/setting.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import type { VendorAnswer } from "../VendorHttp.js"
import { found } from "../verification.js"

const facts = {
  name: "reacher",
  title: "Reacher (self-hosted)",
  baseUrl: "http://localhost:8080",
  callsPerMinute: null,
  unit: "check",
  unitMicros: 0,
  serves: ["email_verifier"],
  limits: [
    "Runs on your own server (`base_url`), which needs outgoing TCP port 25. Without it every status is `unknown`.",
    "Returns `risky`, not `invalid`, for disposable addresses."
  ],
  needsNoCredential: true,
  known: "specification"
} as const satisfies VendorFacts

const REACHABLE = ["safe", "risky", "invalid", "unknown"] as const

const STATUS: Readonly<Record<(typeof REACHABLE)[number], EmailStatus>> = {
  safe: "valid",
  risky: "risky",
  invalid: "invalid",
  unknown: "unknown"
}

/** A part that it couldn't check holds an error instead. */
const Smtp = Schema.Struct(
  maybeFlags("can_connect_smtp", "has_full_inbox", "is_catch_all", "is_deliverable", "is_disabled")
)

const Checked = Schema.Struct({ is_reachable: Schema.Literals(REACHABLE), smtp: maybe(Smtp) })

const Settings = Schema.Struct({
  path: setting(Schema.String.check(Schema.isPattern(/^\//)), "/v1/check_email"),
  /** The sender for mail servers. Default: Reacher's own configuration. */
  from_email: setting(Schema.NullOr(Schema.String), null),
  hello_name: setting(Schema.NullOr(Schema.String), null)
})

/** Not an address: Reacher checks the secret, then rejects this without asking any server. */
const NO_ADDRESS = "no-address"

/** It reports a wrong secret as an invalid header. */
const classify = ({ status, text }: VendorAnswer): Classified | null =>
  status === 400 && /header|secret/i.test(text) ? { reason: "account", cause: "refuses the secret" } : null

/** Verifies addresses over SMTP from the operator's own server. The secret, if any, goes in a header. */
export const reacher = defineVendor({
  ...facts,
  settings: Settings,
  make: overHttp(
    facts,
    { authorize: (secret) => ({ headers: { "x-reacher-secret": secret } }), classify },
    ({ declared, http, settings: { from_email, hello_name, path } }) => {
      const sender = {
        ...(from_email === null ? {} : { from_email }),
        ...(hello_name === null ? {} : { hello_name })
      }
      const ask = (email: string) => http.ask(Checked, path, { to_email: email, ...sender })
      return {
        sources: {
          email_verifier: {
            ...declared("email_verifier", { units: 1, missRate: 0.25, latencyMillis: 4000 }),
            verify: (email) =>
              Effect.flatMap(ask(email), ({ is_reachable, smtp }) => {
                const isCatchAll = smtp?.is_catch_all === true
                const status = is_reachable === "risky" && isCatchAll ? "catch_all_unknown" : STATUS[is_reachable]
                return found(facts.name, status, isCatchAll, { is_reachable, ...smtp })
              })
          }
        },
        account: Effect.as(ask(NO_ADDRESS), { left: null, missing: [] })
      }
    }
  )
})
