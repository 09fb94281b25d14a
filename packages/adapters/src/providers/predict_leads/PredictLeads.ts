import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import { spending } from "../spending.js"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeDatasets } from "./datasets.js"
import { CREDENTIAL_FORM, makePredictLeadsHttp, PREDICT_LEADS } from "./http.js"
import { makeIntent } from "./intent.js"
import { PredictLeadsSettings } from "./settings.js"

const FACTS: VendorFacts = {
  name: PREDICT_LEADS,
  title: "PredictLeads",
  baseUrl: "https://predictleads.com/api/v3",
  callsPerMinute: null,
  unit: "credit",
  unitMicros: 20_000,
  serves: ["intent_source", "company_dataset_source"],
  credentialForm: CREDENTIAL_FORM,
  limits: [
    "Its credential is two secrets, the key and the token, written `key:token`.",
    "Of signals it serves hiring, funding and news; of datasets funding and relationships.",
    "Roles narrow nothing there: what does not fit is left out afterwards.",
    "Of funding it tells rounds, and no total.",
    "Which of two connected companies is the parent is not documented (`parent_is_first`)."
  ],
  known: "specification"
}

/** What a month allows, and what of it is used, where it tells either. */
const Subscription = Schema.Struct({
  data: maybe(
    Schema.Union(
      Schema.Struct({ attributes: maybe(Schema.Record({ key: Schema.String, value: Schema.Unknown })) }),
      Schema.Array(Schema.Struct({ attributes: maybe(Schema.Record({ key: Schema.String, value: Schema.Unknown })) }))
    )
  )
})

const numberIn = (attributes: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>): number | null => {
  for (const name of names) {
    const value = attributes[name]
    if (typeof value === "number") return value
  }
  return null
}

const leftOf = ({ data }: typeof Subscription.Type): number | null => {
  const attributes = [data ?? []].flat()[0]?.attributes ?? {}
  const limit = numberIn(attributes, ["monthly_api_limit", "monthly_credit_limit", "monthly_limit"])
  const used = numberIn(attributes, ["api_calls_this_month", "monthly_usage", "credits_used"])
  return limit === null || used === null ? null : Math.max(0, limit - used)
}

export const predictLeads = defineVendor({
  ...FACTS,
  settings: PredictLeadsSettings,
  make: (config, settings) =>
    Effect.map(makePredictLeadsHttp(config), (http) => {
      const spend = spending(FACTS, config)
      return {
        sources: {
          intent_source: makeIntent(http, settings, config, spend),
          company_dataset_source: makeDatasets(http, settings, config, spend)
        },
        account: Effect.map(http.read(Subscription, { method: "GET", path: "/api_subscription" }), (answer) => ({
          left: leftOf(answer),
          missing: []
        }))
      }
    })
})
