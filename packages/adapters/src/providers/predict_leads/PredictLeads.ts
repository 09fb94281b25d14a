import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { makeDatasets } from "./datasets.js"
import { authorize, classify, CREDENTIAL_FORM, PredictLeadsSettings } from "./http.js"
import { makeIntent } from "./intent.js"

const FACTS: VendorFacts = {
  name: "predict_leads",
  title: "PredictLeads",
  baseUrl: "https://predictleads.com/api/v3",
  callsPerMinute: null,
  unit: "credit",
  unitMicros: 20_000,
  serves: ["intent_source", "company_dataset_source"],
  credentialForm: CREDENTIAL_FORM,
  limits: [
    "The credential is two secrets, key and token, written `key:token`.",
    "Signals: hiring, funding and news. Datasets: funding and relationships.",
    "Can't filter by role: we filter its results.",
    "Returns funding rounds, but no total.",
    "Does not document which of two related companies is the parent (`parent_is_first`)."
  ],
  known: "specification"
}

/** A month's allowance and use, if reported. */
const Subscription = Schema.Struct({
  data: maybe(
    Schema.Union([
      Schema.Struct({ attributes: maybe(Schema.Record(Schema.String, Schema.Unknown)) }),
      Schema.Array(Schema.Struct({ attributes: maybe(Schema.Record(Schema.String, Schema.Unknown)) }))
    ])
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
  make: overHttp(FACTS, { authorize, classify }, (parts) => ({
    sources: { intent_source: makeIntent(parts), company_dataset_source: makeDatasets(parts) },
    account: Effect.map(parts.http.get(Subscription, "/api_subscription"), (answer) => ({
      left: leftOf(answer),
      missing: []
    }))
  }))
})
