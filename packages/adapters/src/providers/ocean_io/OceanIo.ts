import { Effect, Schema } from "effect"
import { classifiedWithSaying } from "../saying.js"
import { maybeNumbers } from "../shape.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { makeCompanies, OceanIoSettings } from "./companies.js"

const FACTS: VendorFacts = {
  name: "ocean_io",
  title: "Ocean.io",
  baseUrl: "https://api.ocean.io",
  callsPerMinute: 60,
  unit: "credit",
  unitMicros: 30_000,
  serves: ["company_source"],
  limits: [
    "Company search: similar only, with every filter.",
    "Uses its own industry names. Map those that differ in `industry_names`; unmapped ones find nobody."
  ],
  known: "third_party"
}

/** The balance has one of these names. */
const Balance = Schema.Struct(maybeNumbers("balance", "credits", "remaining"))

export const oceanIo = defineVendor({
  ...FACTS,
  settings: OceanIoSettings,
  make: overHttp(
    FACTS,
    { authorize: (token) => ({ headers: { "x-api-token": token } }), classify: classifiedWithSaying },
    (parts) => ({
      sources: { company_source: makeCompanies(parts) },
      account: Effect.map(parts.http.get(Balance, "/v2/credits/balance"), ({ balance, credits, remaining }) => ({
        left: balance ?? credits ?? remaining,
        missing: []
      }))
    })
  )
})
