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
    "Schedules by itself: campaigns are made there and read back.",
    "Sells no mailboxes through us: those of its account are taken over with `outbound mailbox adopt`.",
    "What it answers where messages are read back is known from others' code: it is to be tried out once.",
    "Allows 1,000 calls an hour on its smaller plans: with many campaigns messages and answers are read later.",
    "Has no daily limit of a campaign: the limits of mailboxes keep the cap, so that of campaigns that share mailboxes " +
      "together less may be sent than the cap allows.",
    "Does not say whether a program wrote an answer: our own reading of its text decides.",
    "Has one block list for the whole account, which all workspaces share.",
    "Names categories of people by numbers; `categories` says which mean what."
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
