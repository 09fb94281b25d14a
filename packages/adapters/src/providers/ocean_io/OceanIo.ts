import { Effect, Schema } from "effect"
import { classifiedWithSaying } from "../saying.js"
import { maybe } from "../shape.js"
import { spending } from "../spending.js"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeVendorHttp } from "../VendorHttp.js"
import { makeCompanies, OCEAN_IO } from "./companies.js"
import { OceanIoSettings } from "./settings.js"

const FACTS: VendorFacts = {
  name: OCEAN_IO,
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
const Balance = Schema.Struct({
  balance: maybe(Schema.Number),
  credits: maybe(Schema.Number),
  remaining: maybe(Schema.Number)
})

export const oceanIo = defineVendor({
  ...FACTS,
  settings: OceanIoSettings,
  make: (config, settings) =>
    Effect.map(
      makeVendorHttp({
        name: OCEAN_IO,
        baseUrl: config.baseUrl,
        credential: config.credential,
        callsPerMinute: config.callsPerMinute,
        authorize: (token) => ({ headers: { "x-api-token": token } }),
        classify: classifiedWithSaying
      }),
      (http) => ({
        sources: { company_source: makeCompanies(http, settings, config, spending(FACTS, config)) },
        account: Effect.map(
          http.read(Balance, { method: "GET", path: "/v2/credits/balance" }),
          ({ balance, credits, remaining }) => ({ left: balance ?? credits ?? remaining, missing: [] })
        )
      })
    )
})
