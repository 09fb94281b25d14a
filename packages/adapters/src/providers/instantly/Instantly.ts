import type { VendorScheduled } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Schema } from "effect"
import { maybe, maybeTexts } from "../shape.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { makeCampaigns } from "./campaigns.js"
import { classifiedNotFound } from "../classify.js"
import { classifiedWithSaying } from "../saying.js"
import { listedBy, PAGE } from "./listing.js"
import { makeMail } from "./mail.js"
import { makeOrders } from "./orders.js"
import { makePeople, PUSH_MAX } from "./people.js"
import { InstantlySettings } from "./settings.js"

const within = (area: string, places: string): ReadonlyArray<string> =>
  places.split(" ").map((place) => `${area}/${place}`)

/** All zones that its schedules accept. */
export const TIMEZONES: ReadonlyArray<string> = [
  ...within("Etc", "GMT+12 GMT+11 GMT+10 GMT-12 GMT-13"),
  ...within(
    "America",
    "Anchorage Dawson Creston Chihuahua Boise Belize Chicago Bahia_Banderas Regina Bogota Detroit Indiana/Marengo Caracas Asuncion Glace_Bay Campo_Grande Anguilla Santiago St_Johns Sao_Paulo Argentina/La_Rioja Araguaina Godthab Montevideo Bahia Noronha Scoresbysund Danmarkshavn"
  ),
  ...within("Atlantic", "Cape_Verde Canary"),
  ...within("Africa", "Casablanca Abidjan Ceuta Algiers Windhoek Cairo Blantyre Tripoli Addis_Ababa"),
  ...within("Europe", "Isle_of_Man Belgrade Sarajevo Bucharest Helsinki Istanbul Kaliningrad Kirov Astrakhan"),
  ...within("Arctic", "Longyearbyen"),
  ...within(
    "Asia",
    "Nicosia Beirut Damascus Jerusalem Amman Baghdad Aden Tehran Dubai Baku Tbilisi Yerevan Kabul Yekaterinburg Karachi Kolkata Colombo Kathmandu Dhaka Rangoon Novokuznetsk Hong_Kong Krasnoyarsk Brunei Taipei Choibalsan Irkutsk Dili Pyongyang Chita Sakhalin Anadyr Kamchatka"
  ),
  ...within("Indian", "Mahe"),
  ...within("Antarctica", "Mawson Vostok Davis DumontDUrville Macquarie"),
  ...within("Australia", "Perth Adelaide Darwin Brisbane Melbourne Currie"),
  ...within("Pacific", "Auckland Fiji Apia")
]

const Account = Schema.Struct({
  email: Schema.String,
  ...maybeTexts("first_name", "last_name"),
  status: maybe(Schema.Number),
  setup_pending: maybe(Schema.Boolean)
})
type Account = typeof Account.Type

const PAGES_MAX = 50

const mailboxOf = ({ email, first_name, last_name, setup_pending, status }: Account) => ({
  address: email.toLowerCase(),
  displayName: [first_name, last_name].filter((name) => (name ?? "") !== "").join(" "),
  isActive: status === 1 && setup_pending !== true
})

/** Every mailbox of the account, no matter who bought it. */
const makeExisting = (http: VendorHttp): NonNullable<VendorScheduled["existing"]> =>
  Effect.map(
    listedBy(http, {
      item: Account,
      what: "mailboxes",
      pagesMax: PAGES_MAX,
      request: (after) => ({ method: "GET", path: "/accounts", query: { limit: PAGE, starting_after: after } })
    }),
    (found) => found.map(mailboxOf)
  )

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
  make: overHttp(
    facts,
    {
      authorize: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
      classify: (answer) => classifiedNotFound(answer) ?? classifiedWithSaying(answer)
    },
    ({ http, settings }) => ({
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
      account: Effect.as(http.get(Schema.Struct({ items: Schema.Array(Schema.Unknown) }), "/accounts", { limit: 1 }), {
        left: null,
        missing: []
      })
    })
  )
})
