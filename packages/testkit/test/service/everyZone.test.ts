import { assert, layer as describeLayer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { campaign, ownTurn, taken, team } from "../../src/contracts/service/ownStories.js"
import { declare } from "../../src/contracts/service/rampStories.js"
import { SUITE } from "../../src/contracts/service/stories.js"
import { rounds } from "../../src/thorough.js"
import { Memory } from "../../src/memory/Memory.js"
import { quietMemory } from "../../src/service/Service.js"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const LONG = 600_000
const BEGIN = Date.UTC(2027, 0, 4)

/** Seven follow-ups 52 days apart: a year, with all changes of the clocks. */
const SEQUENCE = [
  { subject: "Hello", body: "Hi" },
  ...Array.from({ length: 7 }, () => ({ body: "Again", wait_days: 52 }))
]

/** A store of their own keeps each part small; a quick run tells the first of many. */
const PARTS = rounds(4, 24)

const storyOf = (part: number) =>
  describeLayer(quietMemory, SUITE)(`a year in every zone (${part + 1} of ${PARTS})`, (it) => {
    it.effect(
      "nobody is written to outside their own hours or on a holiday, and nobody is forgotten",
      () =>
        Effect.gen(function* () {
          const memory = yield* Memory
          const all = Intl.supportedValuesOf("timeZone")
          const zones = all.filter((_, index) => index % PARTS === part)
          yield* TestClock.setTime(BEGIN)
          const owner = yield* team(8)
          const { workspaceId } = owner.client
          const caps = { dailySends: 5_000, mailboxDailySends: 1_000 }
          yield* memory.atomically(
            memory.write(({ workspaces }) =>
              workspaces.update(workspaceId, (one) => ({ ...one, caps: { ...one.caps, ...caps } }))
            )
          )
          yield* campaign(owner, {
            recipients: zones.map((timezone, index) => ({
              email: `p${index}@zones.test`,
              custom: { timezone, country: "DE" }
            })),
            sequence: SEQUENCE,
            schedule: {
              timezone: "UTC",
              days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
              start_hour: 9,
              end_hour: 12,
              recipient_timezone: true,
              skip_holidays: ["recipient"]
            }
          })
          for (const [wave] of SEQUENCE.entries()) {
            // Everybody's next message is due by then, or within the days that are followed.
            yield* TestClock.setTime(BEGIN + wave * 53 * DAY)
            // What left before was weeks ago, and no ramp is to stand before the hours.
            yield* declare(owner, 2_000)
            for (let step = 0; step < 4 * 24; step += 1) {
              yield* ownTurn
              yield* TestClock.setTime((yield* Clock.currentTimeMillis) + 60 * MINUTE)
              if ((yield* taken(owner)).length === zones.length * (wave + 1)) break
            }
          }
          const formats = new Map(
            zones.map((timezone) => [
              timezone,
              new Intl.DateTimeFormat("en-US", {
                timeZone: timezone,
                month: "numeric",
                day: "numeric",
                hour: "numeric",
                hourCycle: "h23"
              })
            ])
          )
          const counts = new Map<string, number>()
          for (const { atMillis, mail } of yield* taken(owner)) {
            const { address } = mail.to
            counts.set(address, (counts.get(address) ?? 0) + 1)
            const timezone = zones[Number(address.slice(1, address.indexOf("@")))] ?? ""
            const parts = new Map(
              formats
                .get(timezone)
                ?.formatToParts(atMillis)
                .map((one) => [one.type, one.value])
            )
            const hour = Number(parts.get("hour"))
            const told = `${timezone} at ${new Date(atMillis).toISOString()}`
            assert.isTrue(hour >= 9 && hour < 12, told)
            assert.notInclude(["1/1", "5/1", "10/3", "12/25"], `${parts.get("month")}/${parts.get("day")}`, told)
          }
          assert.deepStrictEqual(new Set(counts.values()), new Set([SEQUENCE.length]))
          assert.strictEqual(counts.size, zones.length)
        }),
      LONG
    )
  })

for (let part = 0; part < rounds(PARTS, 1); part += 1) storyOf(part)
