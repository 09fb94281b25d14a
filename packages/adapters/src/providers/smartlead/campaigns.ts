import type { VendorScheduled, VendorStanding, VendorTerms } from "@outbound/domain/sources/ports/VendorScheduled.js"
import { Effect, Option } from "effect"
import { type CampaignThere, differencesOf } from "../sending/readBack.js"
import type { VendorHttp } from "../VendorHttp.js"
import { isNotFound } from "../classify.js"
import { dayOf, hoursOf, nameOf, suffixOf } from "../sending/campaigns.js"
import { makeMailboxes } from "./mailboxes.js"
import type { SmartleadSettings } from "./settings.js"
import { bodyOf, listAt, Named, Sequence, Settings, Standing, subjectOf } from "./shapes.js"

const Campaigns = listAt(Named, "data", "campaigns")
const Sequences = listAt(Sequence, "data", "sequences")

const scheduleOf = (terms: VendorTerms, settings: SmartleadSettings) => {
  const { dailySends, schedule } = terms
  const [start_hour, end_hour] = hoursOf(terms)
  const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => schedule.days.includes(dayOf(day, settings)))
  return {
    timezone: schedule.timezone,
    days_of_the_week: days,
    start_hour,
    end_hour,
    min_time_btw_emails: settings.minutes_between,
    max_new_leads_per_day: Math.max(1, dailySends)
  }
}

/** A value of its schedule, by any of its names, quoted or not. */
const valueOf = (text: string, names: string): string | null =>
  new RegExp(`\\b(?:${names})["']?\\s*:\\s*["']([^"']+)["']`, "i").exec(text)?.[1] ?? null

const DAYS = /\b(?:days|days_of_the_week|days_of_week)["']?\s*:\s*\[([^\]]*)\]/i

type SettingsThere = Pick<CampaignThere, "timezone" | "days" | "hours" | "isTracked" | "stopsOnReply">

const settingsOf = (
  { schedule, scheduler_cron_value, stop_lead_settings, track_settings }: typeof Settings.Type,
  settings: SmartleadSettings
): SettingsThere => {
  const given = scheduler_cron_value ?? schedule ?? ""
  const text = typeof given === "string" ? given : JSON.stringify(given)
  const from = valueOf(text, "startHour|start_hour|start_time")
  const to = valueOf(text, "endHour|end_hour|end_time")
  const days = DAYS.exec(text)?.[1]
  const tracks = track_settings === null ? null : [track_settings].flat().join(" ").toUpperCase()
  return {
    timezone: valueOf(text, "tz|timezone"),
    days: days === undefined ? null : (days.match(/\d/g) ?? []).map((day) => dayOf(Number(day), settings)),
    hours: from === null || to === null ? null : [from, to],
    // It lists what it does not track.
    isTracked: tracks === null ? null : !(tracks.includes("OPEN") && tracks.includes("CLICK")),
    stopsOnReply: stop_lead_settings === null ? null : stop_lead_settings.toUpperCase().includes("REPLY")
  }
}

const isScheduled = (terms: VendorTerms, found: SettingsThere): boolean =>
  found.timezone === terms.schedule.timezone &&
  found.hours?.join() === hoursOf(terms).join() &&
  found.days?.toSorted().join() === terms.schedule.days.toSorted().join()

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
): Pick<
  VendorScheduled,
  "find" | "create" | "configure" | "differences" | "activate" | "pause" | "standing" | "existing"
> => {
  const at = (ref: string, action = "") => `/campaigns/${encodeURIComponent(ref)}${action}`
  const { assign, existing, senders } = makeMailboxes(http, settings)

  const settingsThere = (ref: string) => Effect.map(http.get(Settings, at(ref)), (told) => settingsOf(told, settings))

  /**
   * Its documentation and others' code name the members differently, and it doesn't refuse what it doesn't know. So the
   * second form is said where the first one was refused or had no effect.
   */
  const setSchedule = (ref: string, terms: VendorTerms) =>
    Effect.gen(function* () {
      const request = { method: "POST", path: at(ref, "/schedule"), hasEffect: true } as const
      const flat = scheduleOf(terms, settings)
      const isDone = yield* http.send({ ...request, body: flat }).pipe(
        Effect.andThen(settingsThere(ref)),
        Effect.map((found) => found.hours === null || isScheduled(terms, found)),
        Effect.catchIf(
          ({ reason }) => reason === "invalid",
          () => Effect.succeed(false)
        )
      )
      if (isDone) return
      const { days_of_the_week: days, end_hour, min_time_btw_emails, start_hour, timezone } = flat
      const schedule = { timezone, days, start_hour, end_hour, min_time_btw_emails }
      yield* http.send({ ...request, body: { schedule } })
    })

  /** Skips messages that are already there: the effect of sending them again is undocumented. */
  const setSequences = (ref: string, terms: VendorTerms) =>
    Effect.gen(function* () {
      const path = at(ref, "/sequences")
      const existing = new Map((yield* http.get(Sequences, path)).map((one) => [one.seq_number, one] as const))
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
      yield* http.change("POST", path, { sequences })
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
      Effect.map(http.get(Campaigns, "/campaigns/"), (all) =>
        Option.map(
          Option.fromNullishOr(all.find(({ name }) => name?.endsWith(suffixOf(marker)) === true)),
          ({ id }) => id
        )
      ),
    create: (terms) =>
      Effect.map(
        http.make(Named, "/campaigns/create", {
          name: nameOf(terms),
          ...(settings.client_id === null ? {} : { client_id: settings.client_id })
        }),
        ({ id }) => id
      ),
    configure: (ref, terms) =>
      Effect.gen(function* () {
        yield* http.change("POST", at(ref, "/settings"), FORCED)
        yield* setSchedule(ref, terms)
        yield* setSequences(ref, terms)
        yield* assign(at(ref), terms)
      }),
    differences: (ref, terms) =>
      Effect.gen(function* () {
        const told = yield* settingsThere(ref)
        const found = yield* http.get(Sequences, at(ref, "/sequences"))
        const messages = found
          .toSorted((a, b) => a.seq_number - b.seq_number)
          .map(({ email_body, seq_delay_details: delay, sequence_variants: variants, subject }) => {
            // One variant may repeat the message; more would be chosen from.
            const all = (variants ?? []).length > 1 ? (variants ?? []) : [{ email_body, subject }]
            return {
              subject: all.map((one) => one.subject ?? "").join(),
              body: all.map((one) => one.email_body ?? "").join(),
              waitDays: delay?.delay_in_days ?? delay?.delayInDays ?? null
            }
          })
        const wanted = sequencesOf(terms).map(
          ({ email_body: body, seq_delay_details: { delay_in_days }, subject }) => ({
            subject,
            body,
            waitDays: delay_in_days
          })
        )
        const asStored = { ...told, messages, senders: yield* senders(at(ref)) }
        return differencesOf(terms, { hours: hoursOf(terms), messages: wanted }, asStored)
      }),
    activate: (ref) => Effect.asVoid(http.send(statusRequest(ref, "START"))),
    // `STOPPED` is final: the campaign could never resume.
    pause: (ref) => Effect.asVoid(http.send(statusRequest(ref, "PAUSED"))),
    standing: (ref) =>
      http.get(Standing, at(ref)).pipe(
        Effect.map(({ status }) => STANDING[status.toUpperCase()] ?? "sending"),
        Effect.catchIf(isNotFound, () => Effect.succeed("gone" as const))
      )
  }
}
