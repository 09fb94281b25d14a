import { assert } from "@effect/vitest"
import { Console } from "@outbound/domain/control/console/Console.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, decide } from "../../service/Client.js"
import { describeStories } from "./describeStories.js"
import { add, askLeads, idOf } from "./addLeadsSupport.js"
import { askLaunch, draft, launch, ok, refused } from "./stories.js"
import { campaign, ONE_STEP, ownPass, ownTurn, type OwnService, taken, team, type Team } from "./ownStories.js"

const HOUR = 3_600_000

/** Midnight (UTC) before the 24th of December 2027, a Friday. */
const CHRISTMAS_EVE = Date.UTC(2027, 11, 24)

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** Nine to eleven, on every day. The unknown have the campaign's zone. */
const SCHEDULE: JsonObject = {
  timezone: "UTC",
  days: DAYS,
  start_hour: 9,
  end_hour: 11,
  recipient_timezone: true,
  skip_holidays: ["recipient"]
}

const PEOPLE: ReadonlyArray<readonly [name: string, timezone: string, custom: JsonObject]> = [
  ["berlin", "Europe/Berlin", { country: "Germany" }],
  ["york", "America/New_York", { Country: "US", state: "NY" }],
  ["tokyo", "Asia/Tokyo", { phone: "+81 3 1234 5678" }],
  ["kathmandu", "Asia/Kathmandu", { country: "NP" }],
  ["unknown", "UTC", {}]
]

const RECIPIENTS = PEOPLE.map(([name, , custom]) => ({ email: `${name}@hours.test`, custom }))

const SEQUENCE = [...ONE_STEP, { body: "Again", wait_days: 1 }]

/** Day and hour on the wall where the person is, by the platform alone. */
const wallOf = (timezone: string, millis: number) => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    day: "numeric",
    hour: "numeric",
    hourCycle: "h23"
  })
  const parts = new Map(format.formatToParts(millis).map(({ type, value }) => [type, Number(value)]))
  return { day: parts.get("day") ?? 0, hour: parts.get("hour") ?? 0 }
}

/** On which local days each person was written to; every hour is checked. */
const localDays = (owner: Team) =>
  Effect.map(taken(owner), (mails) =>
    Object.fromEntries(
      PEOPLE.map(([name, timezone]) => [
        name,
        mails
          .filter(({ mail }) => mail.to.address === `${name}@hours.test`)
          .map(({ atMillis }) => {
            const { day, hour } = wallOf(timezone, atMillis)
            assert.isTrue(hour >= 9 && hour < 11, `${name} at ${new Date(atMillis).toISOString()}`)
            return day
          })
      ])
    )
  )

const snapshotOf = (client: Client, approvalUrl: string) =>
  Effect.gen(function* () {
    const shown = yield* (yield* Console).approval(client.workspaceId, idOf(approvalUrl))
    return Option.getOrThrow(shown).approval.snapshot
  })

const ZONES = PEOPLE.map(([, timezone]) => ({ timezone, people: 1 }))

/** Sending in each person's own hours (contract: campaigns, hours). */
export const ownHoursContract = <E>(name: string, service: Layer.Layer<OwnService, E>) => {
  describeStories(service)(`people's own hours (${name})`, (it) => {
    it.effect("each is written to in their own hours, not on their own holidays, as foreseen", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(CHRISTMAS_EVE)
        const owner = yield* team(1)
        const body = { recipients: RECIPIENTS, sequence: SEQUENCE, schedule: SCHEDULE }
        const { campaign_id } = (yield* draft(owner.client, body)).result
        const foreseen = ok(yield* owner.client.call("forecast_campaign", { campaign_id })).result
        yield* launch(owner.client, campaign_id)
        const why = ok(yield* owner.client.call("get_campaign", { campaign_id })).result.why_not_sending
        // Tokyo's window opens first.
        assert.deepStrictEqual(why, [])
        yield* ownPass("66 hours", "20 minutes")
        assert.deepStrictEqual(yield* localDays(owner), {
          berlin: [24, 26],
          york: [24, 26],
          tokyo: [24, 25],
          kathmandu: [24, 25],
          unknown: [24, 25]
        })
        const counts = new Map<string, number>()
        for (const { atMillis } of yield* taken(owner)) {
          const date = new Date(atMillis).toISOString().slice(0, 10)
          counts.set(date, (counts.get(date) ?? 0) + 1)
        }
        const days = foreseen.days.map(({ date, messages }: { date: string; messages: number }) => [date, messages])
        assert.deepStrictEqual(days, [...counts])
      })
    )

    it.effect("a host that comes back after days writes to nobody outside their hours, and misses nobody", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(CHRISTMAS_EVE)
        const owner = yield* team(1)
        yield* campaign(owner, { recipients: RECIPIENTS, schedule: SCHEDULE })
        // Every window that was set has closed. In Berlin it is half past eleven at night.
        yield* TestClock.setTime(CHRISTMAS_EVE + 4 * 24 * HOUR - 1.5 * HOUR)
        yield* ownTurn
        assert.isEmpty(yield* taken(owner))
        yield* ownPass("26 hours", "20 minutes")
        assert.deepStrictEqual(Object.values(yield* localDays(owner)).flat(), [28, 28, 28, 28, 28])
      })
    )

    it.effect("holidays of named countries are nobody's, in each person's own day", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(CHRISTMAS_EVE + 12 * HOUR)
        const owner = yield* team(1)
        const schedule = { ...SCHEDULE, skip_holidays: ["DE"] }
        yield* campaign(owner, { recipients: RECIPIENTS, schedule })
        yield* ownPass("52 hours", "20 minutes")
        assert.deepStrictEqual(yield* localDays(owner), {
          berlin: [26],
          york: [24],
          tokyo: [26],
          kathmandu: [26],
          unknown: [26]
        })
      })
    )

    it.effect(
      "the approval, its preview and get_campaign say who is written to in which zone, and what is skipped",
      () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(CHRISTMAS_EVE)
          const { client } = yield* team(1)
          const { campaign_id } = (yield* draft(client, { recipients: RECIPIENTS, schedule: SCHEDULE })).result
          const { approval_url, preview } = (yield* askLaunch(client, campaign_id)).result
          const christmas = { date: "2027-12-25", name: "Christmas Day" }
          const people = {
            timezones: ZONES.toSorted((a, b) => (a.timezone < b.timezone ? -1 : 1)),
            timezone_unknown: 1
          }
          assert.deepInclude(preview, people)
          const snapshot = yield* snapshotOf(client, approval_url)
          assert.deepInclude(snapshot, people)
          assert.deepInclude((snapshot as { readonly schedule: object }).schedule, {
            recipient_timezone: true,
            skip_holidays: ["recipient"]
          })
          const holidays = preview.holidays as ReadonlyArray<{ country: string; people: number; next: Array<unknown> }>
          assert.deepStrictEqual(
            holidays.map(({ country, people: count }) => [country, count]),
            [
              ["DE", 1],
              ["JP", 1],
              ["NP", 1],
              ["US", 1]
            ]
          )
          assert.deepStrictEqual(holidays[0]?.next[0], christmas)
          // The calendar knows nothing of Nepal, and the approval says so.
          assert.deepStrictEqual(holidays[2]?.next, [])
          const { schedule } = ok(yield* client.call("get_campaign", { campaign_id })).result
          assert.deepStrictEqual(schedule, SCHEDULE)

          // The country's holidays are known, its zone is not: it has several.
          const recipients = [{ email: "american@hours.test", custom: { country: "US" } }]
          const american = (yield* draft(client, { recipients, schedule: SCHEDULE })).result.campaign_id
          const { preview: of } = (yield* askLaunch(client, american)).result
          assert.deepInclude(of, { timezones: [{ timezone: SCHEDULE.timezone, people: 1 }], timezone_unknown: 1 })
          assert.deepInclude((of.holidays as ReadonlyArray<object>)[0], { country: "US", people: 1 })

          const plain = (yield* draft(client, { recipients: RECIPIENTS })).result.campaign_id
          const asked = (yield* askLaunch(client, plain)).result
          for (const one of [asked.preview, yield* snapshotOf(client, asked.approval_url)]) {
            for (const name of ["timezones", "timezone_unknown", "holidays"]) assert.notProperty(one, name)
          }
          const shown = ok(yield* client.call("get_campaign", { campaign_id: plain })).result.schedule
          assert.deepInclude(shown, { recipient_timezone: false, skip_holidays: [] })
        })
    )

    it.effect("people who are added have their own hours too, and those that were approved", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(CHRISTMAS_EVE)
        const owner = yield* team(1)
        const { client } = owner
        const campaign_id = yield* campaign(owner, { recipients: RECIPIENTS.slice(0, 1), schedule: SCHEDULE })
        const leads = RECIPIENTS.slice(1)
        const { approval_url, confirmation_token, preview } = yield* askLeads(client, campaign_id, leads)
        assert.strictEqual(preview.timezone_unknown, 1)
        yield* decide(client, approval_url, "approve")
        const elsewhere = leads.map((lead) => ({ ...lead, custom: { country: "JP" } }))
        const changed = yield* add(client, campaign_id, { leads: elsewhere, confirmation_token })
        refused(changed, 409, "approval_changed", { approval_url })
        ok(yield* add(client, campaign_id, { leads, confirmation_token }))
        yield* ownPass("30 hours", "20 minutes")
        assert.deepStrictEqual(Object.values(yield* localDays(owner)).flat(), [24, 24, 24, 24, 24])
      })
    )
  })
}
