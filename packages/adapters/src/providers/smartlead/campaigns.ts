import { WEEKDAYS } from "@outbound/domain/kernel/sequences/Sequence.js"
import type { VendorScheduled, VendorStanding, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Option } from "effect"
import type { VendorHttp } from "../VendorHttp.js"
import { isNotFound } from "./classify.js"
import { makeMailboxes } from "./mailboxes.js"
import type { SmartleadSettings } from "./settings.js"
import { listAt, Named, Sequence, Standing } from "./shapes.js"
import { bodyOf, subjectOf } from "./texts.js"

const Campaigns = listAt(Named, "data", "campaigns")
const Sequences = listAt(Sequence, "data", "sequences")

const NAME_CHARS_MAX = 120

/** The end of a campaign's name: our marker. */
const suffixOf = (marker: string): string => ` [${marker}]`

const hour = (value: number): string => (value === 24 ? "23:59" : `${String(value).padStart(2, "0")}:00`)

const scheduleOf = ({ dailySends, schedule }: VendorTerms, settings: SmartleadSettings) => {
  const first = settings.first_weekday === "sunday" ? 6 : 0
  const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => schedule.days.includes(WEEKDAYS[(first + day) % 7] ?? "mon"))
  return {
    timezone: schedule.timezone,
    days_of_the_week: days,
    start_hour: hour(schedule.startHour),
    end_hour: hour(schedule.endHour),
    min_time_btw_emails: settings.minutes_between,
    max_new_leads_per_day: Math.max(1, dailySends)
  }
}

const sequencesOf = ({ steps }: VendorTerms) =>
  steps.map(({ body, subject, waitDays }, index) => ({
    seq_number: index + 1,
    seq_delay_details: { delay_in_days: waitDays },
    subject: subject === null ? "" : subjectOf(subject),
    email_body: bodyOf(body)
  }))

/** Never left to the vendor's defaults: nobody is tracked, a reply stops the sequence, and text is plain. */
const FORCED = {
  track_settings: ["DONT_TRACK_EMAIL_OPEN", "DONT_TRACK_LINK_CLICK"],
  stop_lead_settings: "REPLY_TO_AN_EMAIL",
  // Messages end with our own unsubscribe line.
  unsubscribe_text: "",
  send_as_plain_text: true,
  follow_up_percentage: 100
} as const

/** An unknown status counts as sending. */
const STANDING: Readonly<Record<string, VendorStanding>> = {
  DRAFTED: "stopped",
  DRAFT: "stopped",
  PAUSED: "stopped",
  STOPPED: "stopped",
  ARCHIVED: "stopped",
  COMPLETED: "ended"
}

export const makeCampaigns = (
  http: VendorHttp,
  settings: SmartleadSettings
): Pick<VendorScheduled, "find" | "create" | "configure" | "activate" | "pause" | "standing" | "existing"> => {
  const at = (ref: string, action = "") => `/campaigns/${encodeURIComponent(ref)}${action}`
  const { assign, existing } = makeMailboxes(http, settings)

  /** Skips messages that are already there: the effect of sending them again is undocumented. */
  const setSequences = (ref: string, terms: VendorTerms) =>
    Effect.gen(function* () {
      const path = at(ref, "/sequences")
      const existing = new Map(
        (yield* http.read(Sequences, { method: "GET", path })).map((one) => [one.seq_number, one] as const)
      )
      const wanted = sequencesOf(terms)
      const isThere = wanted.every(({ email_body, seq_number, subject }) => {
        const one = existing.get(seq_number)
        return one !== undefined && (one.subject ?? "") === subject && one.email_body === email_body
      })
      if (isThere && existing.size === wanted.length) return
      const sequences = wanted.map((one) => {
        const id = existing.get(one.seq_number)?.id
        return id === undefined ? one : { id: Number(id), ...one }
      })
      yield* http.send({ method: "POST", path, body: { sequences }, hasEffect: true })
    })

  const statusRequest = (ref: string, status: "START" | "PAUSED") => ({
    method: "POST" as const,
    path: at(ref, "/status"),
    body: { status },
    hasEffect: true as const
  })

  return {
    existing,
    find: (marker) =>
      Effect.map(http.read(Campaigns, { method: "GET", path: "/campaigns/" }), (all) =>
        Option.map(
          Option.fromNullable(all.find(({ name }) => name?.endsWith(suffixOf(marker)) === true)),
          ({ id }) => id
        )
      ),
    create: ({ marker, title }) =>
      Effect.map(
        http.read(Named, {
          method: "POST",
          path: "/campaigns/create",
          body: {
            name: `${title.slice(0, NAME_CHARS_MAX)}${suffixOf(marker)}`,
            ...(settings.client_id === null ? {} : { client_id: settings.client_id })
          },
          hasEffect: true
        }),
        ({ id }) => id
      ),
    configure: (ref, terms) =>
      Effect.gen(function* () {
        yield* http.send({ method: "POST", path: at(ref, "/settings"), body: FORCED, hasEffect: true })
        const schedule = scheduleOf(terms, settings)
        yield* http.send({ method: "POST", path: at(ref, "/schedule"), body: schedule, hasEffect: true })
        yield* setSequences(ref, terms)
        yield* assign(at(ref), terms)
      }),
    activate: (ref) => Effect.asVoid(http.send(statusRequest(ref, "START"))),
    // `STOPPED` is final: the campaign could never resume.
    pause: (ref) => Effect.asVoid(http.send(statusRequest(ref, "PAUSED"))),
    standing: (ref) =>
      http.read(Standing, { method: "GET", path: at(ref) }).pipe(
        Effect.map(({ status }) => STANDING[status.toUpperCase()] ?? "sending"),
        Effect.catchIf(isNotFound, () => Effect.succeed("gone" as const))
      )
  }
}
