import { Effect, Schema } from "effect"
import { spending } from "../spending.js"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeCompanies } from "./companies.js"
import { GOOGLE_PLACES, makeGooglePlacesHttp } from "./http.js"
import { GooglePlacesSettings } from "./settings.js"

const FACTS: VendorFacts = {
  name: GOOGLE_PLACES,
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
  make: (config, settings) =>
    Effect.map(makeGooglePlacesHttp(config), (http) => ({
      sources: { company_source: makeCompanies(http, settings, config, spending(FACTS, config)) },
      // There is no account endpoint. A search for ids alone is free.
      account: Effect.as(
        http.read(Schema.Struct({}), {
          method: "POST",
          path: "/v1/places:searchText",
          headers: { "x-goog-fieldmask": "places.id" },
          body: { textQuery: "Brandenburg Gate, Berlin", pageSize: 1 }
        }),
        { left: null, missing: [] }
      )
    }))
})
