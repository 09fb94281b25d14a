import { Effect, Schema } from "effect"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { GooglePlacesSettings, makeCompanies } from "./companies.js"
import type { Classified } from "../classify.js"
import { classifiedWithSaying, sayingOf } from "../saying.js"
import type { VendorAnswer } from "../VendorHttp.js"

/** It answers an unknown key with "bad request". */
const REFUSED_KEY = /api[ _]key|API_KEY_INVALID/i

const classify = (answer: VendorAnswer): Classified | null => {
  const own = classifiedWithSaying(answer)
  return own?.reason === "invalid" && REFUSED_KEY.test(sayingOf(answer.json)) ? { ...own, reason: "account" } : own
}

const FACTS: VendorFacts = {
  name: "google_places",
  title: "Google Places",
  baseUrl: "https://places.googleapis.com",
  callsPerMinute: null,
  unit: "request",
  unitMicros: 35_000,
  serves: ["company_source"],
  limits: [
    "Company search: local only.",
    "Returns only places with their own website; pages on social networks don't count.",
    "Knows no size or industry: it is skipped for searches by either.",
    "Returns at most 60 places per category and city. We make at most 15 requests per search.",
    "A request's cost depends on `field_mask`."
  ],
  known: "third_party"
}

export const googlePlaces = defineVendor({
  ...FACTS,
  settings: GooglePlacesSettings,
  make: overHttp(FACTS, { authorize: (key) => ({ headers: { "x-goog-api-key": key } }), classify }, (parts) => ({
    sources: { company_source: makeCompanies(parts) },
    // There is no account endpoint. A search for ids alone is free.
    account: Effect.as(
      parts.http.read(Schema.Struct({}), {
        method: "POST",
        path: "/v1/places:searchText",
        headers: { "x-goog-fieldmask": "places.id" },
        body: { textQuery: "Brandenburg Gate, Berlin", pageSize: 1 }
      }),
      { left: null, missing: [] }
    )
  }))
})
