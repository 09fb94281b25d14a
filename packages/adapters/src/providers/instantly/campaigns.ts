import type { VendorScheduled, VendorStanding, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { WEEKDAYS } from "@outbound/domain/kernel/sequences/Sequence.js"
import { Effect, Option, Schema } from "effect"
import { htmlBody, plainSubject } from "../sending/html.js"
import { type CampaignThere, differencesOf } from "../sending/readBack.js"
import { maybe, maybeFlags } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"
import { isNotFound } from "../classify.js"
import { dayOf, hoursOf, nameOf, suffixOf } from "../sending/campaigns.js"
import { listedBy, PAGE } from "./listing.js"
import type { InstantlySettings } from "./settings.js"

const Named = Schema.Struct({ id: Schema.String, name: Schema.String })
const Made = Schema.Struct({ id: Schema.String })
const Standing = Schema.Struct({ status: Schema.Number })

/** A campaign as it tells it. */
const Whole = Schema.Struct({
  campaign_schedule: maybe(
    Schema.Struct({
      schedules: Schema.Array(
        Schema.Struct({
          timing: Schema.Struct({ from: Schema.String, to: Schema.String }),
          days: Schema.Record(Schema.String, Schema.Boolean),
          timezone: Schema.String
        })
      )
    })
  ),
  sequences: maybe(
    Schema.Array(
      Schema.Struct({
        steps: Schema.Array(
          Schema.Struct({
            delay: maybe(Schema.Number),
            delay_unit: maybe(Schema.String),
            variants: Schema.Array(Schema.Struct({ subject: maybe(Schema.String), body: maybe(Schema.String) }))
          })
        )
      })
    )
  ),
  email_list: maybe(Schema.Array(Schema.String)),
  email_tag_list: maybe(Schema.Array(Schema.String)),
  cc_list: maybe(Schema.Array(Schema.String)),
  bcc_list: maybe(Schema.Array(Schema.String)),
  daily_limit: maybe(Schema.Number),
  ...maybeFlags("stop_on_reply", "open_tracking", "link_tracking")
})

/** The most pages searched for one of our campaigns. */
const PAGES_MAX = 20

const scheduleOf = (terms: VendorTerms, settings: InstantlySettings) => {
  const { schedule } = terms
  const [from, to] = hoursOf(terms)
  const days = WEEKDAYS.map((_, index) => [String(index), schedule.days.includes(dayOf(index, settings))])
  return {
    schedules: [
      {
        name: "outbound",
        timing: { from, to },
        days: Object.fromEntries(days) as Record<string, boolean>,
        timezone: schedule.timezone
      }
    ]
  }
}

/** Its delay comes before the next message; ours comes after the one before. */
const sequencesOf = ({ steps }: VendorTerms) => [
  {
    steps: steps.map(({ body, subject }, index) => ({
      type: "email",
      delay: steps[index + 1]?.waitDays ?? 0,
      delay_unit: "days",
      variants: [{ subject: subject === null ? "" : plainSubject(subject), body: htmlBody(body) }]
    }))
  }
]

/**
 * Never left to the vendor's defaults: a reply stops the sequence, nobody is tracked, bounces are watched, nobody gets a
 * copy, and no mailbox sends because of its tag.
 */
const FORCED = {
  email_tag_list: [],
  cc_list: [],
  bcc_list: [],
  stop_on_reply: true,
  stop_on_auto_reply: false,
  open_tracking: false,
  link_tracking: false,
  insert_unsubscribe_header: true,
  allow_risky_contacts: false,
  disable_bounce_protect: false
} as const

const bodyOf = (terms: VendorTerms, settings: InstantlySettings) => ({
  name: nameOf(terms),
  campaign_schedule: scheduleOf(terms, settings),
  sequences: sequencesOf(terms),
  ...FORCED,
  text_only: settings.text_only,
  ...(terms.mailboxes.length === 0 ? {} : { email_list: terms.mailboxes }),
  ...(terms.dailySends < 1 ? {} : { daily_limit: terms.dailySends })
})

const waitOf = (step: { readonly delay: number | null; readonly delay_unit: string | null } | undefined) =>
  (step?.delay_unit ?? "days") === "days" ? (step?.delay ?? null) : Number.NaN

const thereOf = (told: typeof Whole.Type, settings: InstantlySettings): CampaignThere => {
  // Several would be united, so one that is not ours opens other hours.
  const [schedule, ...more] = told.campaign_schedule?.schedules ?? []
  const isOne = schedule !== undefined && more.length === 0
  const steps = told.sequences?.length === 1 ? (told.sequences[0]?.steps ?? null) : null
  const { email_list: listed, email_tag_list: tags, link_tracking: links, open_tracking: opens } = told
  return {
    timezone: isOne ? schedule.timezone : null,
    days: isOne
      ? WEEKDAYS.flatMap((_, index) => (schedule.days[index] === true ? [dayOf(index, settings)] : []))
      : null,
    hours: isOne ? [schedule.timing.from, schedule.timing.to] : null,
    // A tag stands for mailboxes that nobody was shown.
    senders: listed === null ? null : [...listed, ...(tags ?? []).map((tag) => `tag ${tag}`)],
    copies: [...(told.cc_list ?? []), ...(told.bcc_list ?? [])],
    messages:
      steps?.map(({ variants }, index) => ({
        subject: variants.map(({ subject }) => subject ?? "").join(),
        body: variants.map(({ body }) => body ?? "").join(),
        waitDays: waitOf(steps[index - 1])
      })) ?? null,
    isTracked: opens === null || links === null ? null : opens || links,
    stopsOnReply: told.stop_on_reply,
    dailySends: told.daily_limit
  }
}

/**
 * 1 active, 4 running subsequences, -1 and -2 waiting for mailboxes to recover, -99 suspended account: all of these may
 * resume by themselves.
 */
const standingOf = (status: number): VendorStanding => {
  switch (status) {
    case 3:
      return "ended"
    case 0:
    case 2:
      return "stopped"
    default:
      return "sending"
  }
}

export const makeCampaigns = (
  http: VendorHttp,
  settings: InstantlySettings
): Pick<VendorScheduled, "find" | "create" | "configure" | "differences" | "activate" | "pause" | "standing"> => {
  const at = (ref: string, action = "") => `/campaigns/${encodeURIComponent(ref)}${action}`

  return {
    find: (marker) => {
      const ours = (items: ReadonlyArray<typeof Named.Type>) =>
        items.find(({ name }) => name.endsWith(suffixOf(marker)))
      return Effect.map(
        listedBy(http, {
          item: Named,
          what: "campaigns",
          pagesMax: PAGES_MAX,
          request: (after) => ({
            method: "GET",
            path: "/campaigns",
            query: { search: marker, limit: PAGE, starting_after: after }
          }),
          isEnough: (items) => ours(items) !== undefined
        }),
        (found) => Option.fromNullishOr(ours(found)?.id)
      )
    },
    create: (terms) => Effect.map(http.make(Made, "/campaigns", bodyOf(terms, settings)), ({ id }) => id),
    // Repeating it changes nothing.
    configure: (ref, terms) =>
      Effect.gen(function* () {
        yield* http.change("PATCH", at(ref), bodyOf(terms, settings))
        if (!settings.set_mailbox_limits) return
        yield* Effect.forEach(
          terms.mailboxes,
          (mailbox) =>
            http.change("PATCH", `/accounts/${encodeURIComponent(mailbox)}`, { daily_limit: terms.mailboxDailySends }),
          { discard: true }
        )
      }),
    differences: (ref, terms) =>
      Effect.map(http.get(Whole, at(ref)), (whole) => {
        const messages = terms.steps.map(({ body, subject, waitDays }) => ({
          subject: subject === null ? "" : plainSubject(subject),
          body: htmlBody(body),
          waitDays
        }))
        return differencesOf(terms, { hours: hoursOf(terms), messages }, thereOf(whole, settings))
      }),
    activate: (ref) => Effect.asVoid(http.change("POST", at(ref, "/activate"), {})),
    pause: (ref) => Effect.asVoid(http.change("POST", at(ref, "/pause"), {})),
    standing: (ref) =>
      http.get(Standing, at(ref)).pipe(
        Effect.map(({ status }) => standingOf(status)),
        Effect.catchIf(isNotFound, () => Effect.succeed("gone" as const))
      )
  }
}
