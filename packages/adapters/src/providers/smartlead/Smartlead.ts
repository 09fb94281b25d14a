import { Effect, Schema } from "effect"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeVendorHttp } from "../VendorHttp.js"
import { makeAnswers } from "./answers.js"
import { makeCampaigns } from "./campaigns.js"
import { classify } from "./classify.js"
import { makeEvents } from "./events.js"
import { makePeople, PUSH_MAX } from "./people.js"
import { SmartleadSettings } from "./settings.js"
import { listAt } from "./shapes.js"
import { makeThreads } from "./threads.js"

const facts = {
  name: "smartlead",
  title: "Smartlead",
  baseUrl: "https://server.smartlead.ai/api/v1",
  callsPerMinute: 60,
  unit: "email",
  unitMicros: 0,
  serves: ["sending"],
  limits: [
    "Schedules messages itself: we create campaigns there and read the results back.",
    "Sells no mailboxes through us. Adopt those of its account with `outbound mailbox adopt`.",
    "We know the format of its message lists only from others' code. Test it once.",
    "Allows 1,000 calls an hour on smaller plans, so with many campaigns messages and replies are read later.",
    "Has no daily limit per campaign. We limit its mailboxes instead, so campaigns that share mailboxes may send less than the cap allows.",
    "Does not say whether a reply is automatic: our own rules decide.",
    "Has one block list per account, shared by all workspaces.",
    "Numbers its lead categories; `categories` maps them."
  ],
  known: "third_party"
} as const satisfies VendorFacts

const Anything = listAt(Schema.Unknown, "data", "email_accounts")

/** Sends campaigns from the mailboxes of an account. */
export const smartlead = defineVendor({
  ...facts,
  settings: SmartleadSettings,
  make: (config, settings) =>
    Effect.map(
      makeVendorHttp({
        ...config,
        name: facts.name,
        authorize: (key) => ({ query: { api_key: key } }),
        classify
      }),
      (http) => {
        const threads = makeThreads(http)
        return {
          sources: {
            sending: {
              schedules: "vendor",
              name: facts.name,
              capacity: null,
              pushMax: PUSH_MAX,
              timezones: null,
              ...makeCampaigns(http, settings),
              ...makePeople(http, settings, threads),
              events: makeEvents(http, threads),
              ...makeAnswers(http, threads)
            }
          },
          account: Effect.as(
            http.read(Anything, { method: "GET", path: "/email-accounts/", query: { offset: 0, limit: 1 } }),
            { left: null, missing: [] }
          )
        }
      }
    )
})
