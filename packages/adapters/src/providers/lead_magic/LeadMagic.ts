import { Effect, Schema } from "effect"
import type { Classified } from "../classify.js"
import { ownWordsIn, sayingOf } from "../saying.js"
import { maybe, Numeric } from "../shape.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { isJsonObject, type VendorAnswer } from "../VendorHttp.js"
import { LeadMagicSettings, makePeople } from "./people.js"

const facts = {
  name: "lead_magic",
  title: "LeadMagic",
  baseUrl: "https://api.leadmagic.io",
  callsPerMinute: null,
  unit: "credit",
  unitMicros: 24_000,
  serves: ["contact_enricher", "mobile_finder", "email_verifier"],
  limits: [
    "Finds addresses by name and company, and mobile numbers by profile or work address.",
    "Documents its paths in two ways; `paths` selects them."
  ],
  known: "specification"
} as const satisfies VendorFacts

const Credits = Schema.Struct({ credits: Numeric, is_frozen: maybe(Schema.Boolean) })

const ABOUT_THE_PATH = /\b(?:route|endpoint|path|url|cannot (?:get|post))\b/i
const ABOUT_CREDITS = /credit|balance|payment|subscription/i

/** A 404 means an unknown person or an unknown path. */
export const classify = ({ json, status }: VendorAnswer): Classified | "answer" | null => {
  if (!isJsonObject(json)) return null
  const { error = null } = json
  const isRefusal = json["success"] === false || (error !== null && error !== false)
  const saying = sayingOf(Array.isArray(json["errors"]) ? json["errors"][0] : json)
  const cause = `status ${status}: ${saying}`
  const words = ownWordsIn(saying)
  if (status === 404) return ABOUT_THE_PATH.test(words) ? { reason: "invalid", cause } : "answer"
  if (status === 400 && ABOUT_CREDITS.test(words)) return { reason: "account", cause }
  if (status < 300 && isRefusal) return { reason: ABOUT_CREDITS.test(words) ? "account" : "transient", cause }
  return null
}

/** Finds addresses and mobile numbers, and verifies addresses. Its answers report their cost. */
export const leadMagic = defineVendor({
  ...facts,
  settings: LeadMagicSettings,
  make: overHttp(facts, { authorize: (key) => ({ headers: { "x-api-key": key } }), classify }, (parts) => {
    const { declared, http, settings } = parts
    const { find, lookup, verify } = makePeople(parts)
    return {
      sources: {
        contact_enricher: {
          ...declared("contact_enricher", { units: 1, missRate: 0.45, latencyMillis: 3_000 }),
          lookup
        },
        mobile_finder: { ...declared("mobile_finder", { units: 5, missRate: 0.7, latencyMillis: 4_000 }), find },
        email_verifier: {
          ...declared("email_verifier", { units: 0.25, missRate: 0.15, latencyMillis: 2_500 }),
          verify
        }
      },
      account: Effect.map(http.get(Credits, settings.paths.credits), ({ credits, is_frozen }) => ({
        left: credits,
        missing: [
          ...(credits <= 0 ? ["no credits are left"] : []),
          ...(is_frozen === true ? ["its credits are frozen"] : [])
        ]
      }))
    }
  })
})
