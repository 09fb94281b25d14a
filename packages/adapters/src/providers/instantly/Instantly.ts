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
    "Schedules by itself: campaigns are made there and read back.",
    "Knows 102 time zones; hours that can't be said in one of them are refused.",
    "Lists messages 20 times a minute for the whole account: with many campaigns answers are read later.",
    "Has one block list for the whole account, which all workspaces share.",
    "Does not say which day its weeks begin with; `first_weekday` does, and is to be tried out once."
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
