import { assert, layer as describeLayer } from "@effect/vitest"
import { type Schedule, WEEKDAYS } from "@outbound/domain/kernel/sequences/Sequence.js"
import { nextWindow } from "@outbound/domain/outreach/sending/planner.js"
import { STARTS, GROWTH } from "@outbound/domain/outreach/sending/ramp.js"
import { Clock, Effect } from "effect"
import * as FastCheck from "fast-check"
import { TestClock } from "effect/testing"
import { Memory } from "../../src/memory/Memory.js"
import { campaign, ownTurn, people, taken, team, type Team } from "../../src/contracts/service/ownStories.js"
import { freshKey, leadOf, ok, SUITE } from "../../src/contracts/service/stories.js"
import { rounds } from "../../src/thorough.js"
import { quietMemory } from "../../src/service/Service.js"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Days around which these zones change their clocks. */
const CHANGES = [
  ["Europe/Berlin", Date.UTC(2027, 2, 28)],
  ["Europe/Berlin", Date.UTC(2027, 9, 31)],
  ["America/New_York", Date.UTC(2027, 2, 14)],
  ["America/Havana", Date.UTC(2027, 10, 7)],
  ["Australia/Lord_Howe", Date.UTC(2027, 3, 4)],
  ["Pacific/Chatham", Date.UTC(2027, 8, 26)],
  ["Asia/Kathmandu", Date.UTC(2027, 5, 1)],
  ["Africa/Casablanca", Date.UTC(2027, 1, 7)]
] as const

interface Story {
  readonly schedule: Schedule
  readonly beginsMillis: number
  readonly waits: ReadonlyArray<number>
  readonly leads: number
  readonly mailboxes: number
  readonly ageDays: number
  readonly caps: { readonly dailySends: number; readonly mailboxDailySends: number }
  /** The person of this number says no after so many messages of the campaign. */
  readonly stops: { readonly lead: number; readonly after: number }
}

const stories: FastCheck.Arbitrary<Story> = FastCheck.record({
  change: FastCheck.constantFrom(...CHANGES),
  days: FastCheck.subarray([...WEEKDAYS], { minLength: 2 }),
  startHour: FastCheck.integer({ min: 0, max: 21 }),
  hours: FastCheck.integer({ min: 2, max: 8 }),
  before: FastCheck.integer({ min: 0, max: 3 * DAY }),
  waits: FastCheck.array(FastCheck.integer({ min: 0, max: 3 }), { maxLength: 2 }),
  leads: FastCheck.integer({ min: 1, max: 14 }),
  mailboxes: FastCheck.integer({ min: 1, max: 3 }),
  ageDays: FastCheck.constantFrom(0, 6, 40),
  caps: FastCheck.record({
    dailySends: FastCheck.integer({ min: 3, max: 20 }),
    mailboxDailySends: FastCheck.integer({ min: 1, max: 9 })
  }),
  stops: FastCheck.record({ lead: FastCheck.nat(13), after: FastCheck.nat(12) })
}).map(({ before, change: [timezone, changeMillis], days, hours, startHour, waits, ...rest }) => ({
  ...rest,
  schedule: { timezone, days, startHour, endHour: Math.min(24, startHour + hours) },
  beginsMillis: changeMillis - before,
  waits
}))

const STEPS_MAX = 2_000

/** Lets a host work, from window to window, until everybody has heard everything or said no. */
const play = (story: Story, owner: Team, campaign_id: string, messages: number) =>
  Effect.gen(function* () {
    let stoppedMillis: number | null = null
    const email = people(story.leads, owner.client.workspaceId)[story.stops.lead]?.email
    for (let step = 0; step < STEPS_MAX; step += 1) {
      yield* ownTurn
      const nowMillis = yield* Clock.currentTimeMillis
      const sent = yield* taken(owner)
      if (stoppedMillis === null && email !== undefined && sent.length >= story.stops.after) {
        const campaign_lead_id = yield* leadOf(owner.client, campaign_id, email)
        const no = { campaign_lead_id, status: "not_interested" }
        ok(yield* owner.client.call("set_lead_status", no, { key: freshKey() }))
        stoppedMillis = nowMillis
      }
      const missed =
        email === undefined ? 0 : story.waits.length + 1 - sent.filter(({ mail }) => mail.to.address === email).length
      if (sent.length >= messages - (stoppedMillis === null ? 0 : missed)) break
      const window = nextWindow(story.schedule, nowMillis)
      const jump = window !== null && window.opensAtMillis > nowMillis ? window.opensAtMillis : nowMillis + 12 * MINUTE
      yield* TestClock.setTime(jump)
    }
    return { email, stoppedMillis }
  })

const counts = (keys: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1)
  return found
}

describeLayer(quietMemory, SUITE)("the planning of own mailboxes", (it) => {
  it.effect(
    "never leaves a window, passes a cap, goes on after a stop or changes an order; and everything due is sent",
    () =>
      Effect.gen(function* () {
        const memory = yield* Memory
        const sampled = FastCheck.sample(stories, { numRuns: rounds(24, 8), seed: 20_271 }).sort(
          (a, b) => a.beginsMillis - b.beginsMillis
        )
        for (const story of sampled) {
          const told = JSON.stringify(story)
          yield* TestClock.setTime(story.beginsMillis)
          const owner = yield* team(story.mailboxes, { ageDays: story.ageDays })
          const { workspaceId } = owner.client
          yield* memory.atomically(
            memory.write(({ workspaces }) =>
              workspaces.update(workspaceId, (one) => ({ ...one, caps: { ...one.caps, ...story.caps } }))
            )
          )
          const { days, endHour, startHour, timezone } = story.schedule
          const campaign_id = yield* campaign(owner, {
            recipients: people(story.leads, workspaceId),
            schedule: { timezone, days: [...days], start_hour: startHour, end_hour: endHour },
            sequence: [{ subject: "a", body: "b" }, ...story.waits.map((wait_days) => ({ body: "c", wait_days }))]
          })
          const steps = story.waits.length + 1
          const { email, stoppedMillis } = yield* play(story, owner, campaign_id, story.leads * steps)
          const sent = yield* taken(owner)

          for (const { atMillis } of sent) {
            const window = nextWindow(story.schedule, atMillis)
            assert.isTrue(
              window !== null && window.opensAtMillis <= atMillis,
              `${told}: ${new Date(atMillis).toISOString()}`
            )
          }
          const dayOf = (atMillis: number) => Math.floor(atMillis / DAY)
          const perDay = counts(sent.map(({ atMillis, from }) => `${from} ${dayOf(atMillis)}`))
          for (const [key, count] of perDay) {
            const [from = "", day = ""] = key.split(" ")
            const before = [...Array(14).keys()].map((ago) => perDay.get(`${from} ${Number(day) - ago - 1}`) ?? 0)
            const ramp = story.ageDays >= 28 ? Infinity : Math.max(STARTS.mailbox.first, GROWTH * Math.max(...before))
            assert.isAtMost(count, Math.min(ramp, story.caps.mailboxDailySends), told)
          }
          for (const count of counts(sent.map(({ atMillis }) => String(dayOf(atMillis)))).values()) {
            assert.isAtMost(count, story.caps.dailySends, told)
          }
          for (const { email: address } of people(story.leads, workspaceId)) {
            const heard = sent.filter(({ mail }) => mail.to.address === address)
            assert.isAtMost(new Set(heard.map(({ from }) => from)).size, 1, told)
            heard.forEach(({ mail }, index) => assert.lengthOf(mail.references, index, told))
            if (address === email && stoppedMillis !== null) {
              assert.isTrue(
                heard.every(({ atMillis }) => atMillis <= stoppedMillis),
                told
              )
            } else assert.lengthOf(heard, steps, told)
          }
          for (const { address } of owner.mailboxes) {
            const firsts = sent.filter(({ from, mail }) => from === address && mail.references.length === 0)
            const order = people(story.leads, workspaceId).map((one) => one.email)
            const positions = firsts.map(({ mail }) => order.indexOf(mail.to.address))
            assert.deepStrictEqual(
              positions,
              [...positions].sort((a, b) => a - b),
              told
            )
          }
        }
      }),
    240_000
  )
})
