import { Effect, Schema } from "effect"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeVendorHttp } from "../VendorHttp.js"
import { makeCampaigns } from "./campaigns.js"
import { classify } from "./classify.js"
import { makeExisting } from "./existing.js"
import { makeMail } from "./mail.js"
import { makeOrders } from "./orders.js"
import { makePeople, PUSH_MAX } from "./people.js"
import { InstantlySettings } from "./settings.js"
import { TIMEZONES } from "./zones.js"

const facts = {
  name: "instantly",
  title: "Instantly",
  baseUrl: "https://api.instantly.ai/api/v2",
  callsPerMinute: 6_000,
  unit: "email",
  unitMicros: 0,
  serves: ["sending"],
  limits: [
    "Schedules messages itself: we create campaigns there and read the results back.",
    "Knows 102 time zones. A schedule that fits none of them is refused.",
    "Allows 20 message listings a minute per account, so with many campaigns replies are read later.",
    "Has one block list per account, shared by all workspaces.",
    "Does not document the first day of its week. Set `first_weekday`, and test it once."
  ],
  known: "specification"
} as const satisfies VendorFacts

/** Sells domains and mailboxes, and sends campaigns from them. */
export const instantly = defineVendor({
  ...facts,
  settings: InstantlySettings,
  make: (config, settings) =>
    Effect.map(
      makeVendorHttp({
        ...config,
        name: facts.name,
        authorize: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
        classify
      }),
      (http) => ({
        sources: {
          sending: {
            schedules: "vendor",
            name: facts.name,
            capacity: makeOrders(http, settings),
            pushMax: PUSH_MAX,
            timezones: TIMEZONES,
            existing: makeExisting(http),
            ...makeCampaigns(http, settings),
            ...makePeople(http),
            ...makeMail(http)
          }
        },
        account: Effect.as(
          http.read(Schema.Struct({ items: Schema.Array(Schema.Unknown) }), {
            method: "GET",
            path: "/accounts",
            query: { limit: 1 }
          }),
          { left: null, missing: [] }
        )
      })
    )
})
