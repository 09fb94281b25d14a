import type { CampaignDay } from "@outbound/domain/control/console/ConsoleReads.js"
import { DayChart, everyDay } from "../DayChart.js"
import { Section } from "../Parts.js"

const DAY_MILLIS = 86_400_000

/** Most days that the page shows, and how many it shows at least. */
export const DAYS_SHOWN_MAX = 60
const DAYS_SHOWN_MIN = 14

/** Messages, replies and bounces by day, up to the last day on which anything happened. `of`: newest first. */
export const DaysSection = (props: { readonly of: ReadonlyArray<CampaignDay> }) => {
  const newest = props.of[0]?.dayMillis
  const oldest = props.of.at(-1)?.dayMillis
  const byDay = new Map(props.of.map((day) => [day.dayMillis, day]))
  if (newest === undefined || oldest === undefined) return null
  const first = newest - (DAYS_SHOWN_MAX - 1) * DAY_MILLIS
  const days = everyDay(Math.max(first, Math.min(oldest, newest - (DAYS_SHOWN_MIN - 1) * DAY_MILLIS)), newest)
  const valuesOf = (what: "sent" | "replied" | "bounced") => days.map((dayMillis) => byDay.get(dayMillis)?.[what] ?? 0)
  return (
    <Section id="days" title="Day by day">
      {oldest < first ? <p class="soft">The last {DAYS_SHOWN_MAX} days.</p> : null}
      <DayChart
        id="day"
        label="Messages sent, replies and bounces by day"
        days={days}
        series={[
          { name: "Sent", one: "message sent", many: "messages sent", values: valuesOf("sent") },
          { name: "Replied", one: "person replied", many: "people replied", values: valuesOf("replied") },
          {
            name: "Bounced",
            one: "address bounced",
            many: "addresses bounced",
            values: valuesOf("bounced"),
            isBad: true
          }
        ]}
      />
    </Section>
  )
}
