import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { count, grouped, shortDayWords } from "../web/Words.js"
import { Table } from "./Parts.js"

/** The size of a chart, in its own units. */
const BAR = 10
const GAP = 4
const HEIGHT = 40

/** What is counted by day. */
export interface Series {
  /** Heads its column of the table. */
  readonly name: string
  /** The words after a number of it. */
  readonly one: string
  readonly many: string
  readonly isBad?: boolean
  /** A number per day. */
  readonly values: ReadonlyArray<number>
}

const indexOfMost = (values: ReadonlyArray<number>): number =>
  values.reduce((found, value, index) => (value > (values[found] ?? 0) ? index : found), 0)

/** How much time a bar stands for. */
type Unit = "day" | "week"

const AT: Readonly<Record<Unit, { readonly head: string; readonly most: string; readonly of: string }>> = {
  day: { head: "Day (UTC)", most: "most on", of: "" },
  week: { head: "Week from (UTC)", most: "most in the week from", of: "Week from " }
}

const Bars = (props: {
  readonly id: string
  readonly days: ReadonlyArray<number>
  readonly unit: Unit
  readonly of: Series
}) => {
  const { days, id, of, unit } = props
  const at = indexOfMost(of.values)
  const most = of.values[at] ?? 0
  const total = of.values.reduce((sum, value) => sum + value, 0)
  const words = (value: number) => count(value, of.one, of.many)
  return (
    <>
      <p>
        <span class="big">{grouped(total)}</span> {total === 1 ? of.one : of.many}
      </p>
      <svg
        viewBox={`0 0 ${days.length * (BAR + GAP) - GAP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-desc`}
      >
        <title id={`${id}-title`}>
          {of.name} by {unit}
        </title>
        <desc id={`${id}-desc`}>
          {total === 0
            ? "None."
            : `${words(total)} in all; ${AT[unit].most} ${shortDayWords(days[at] ?? 0)}: ${words(most)}.`}
        </desc>
        <rect class="rail" width="100%" y={HEIGHT - 0.5} height="0.5" />
        {days.map((dayMillis, index) => {
          const value = of.values[index] ?? 0
          if (value === 0) return null
          const height = Math.max(1, Math.round((10 * HEIGHT * value) / most) / 10)
          return (
            <rect
              key={dayMillis}
              class={of.isBad === true ? "bad" : "fill"}
              x={index * (BAR + GAP)}
              y={HEIGHT - height}
              width={BAR}
              height={height}
            >
              <title>{`${AT[unit].of}${shortDayWords(dayMillis)}: ${words(value)}`}</title>
            </rect>
          )
        })}
      </svg>
    </>
  )
}

/** Numbers by day: a row of bars for each, and all of them as a table. */
export const DayChart = (props: {
  readonly id: string
  readonly label: string
  /** Midnights (UTC), one after another. */
  readonly days: ReadonlyArray<number>
  readonly unit?: Unit
  readonly series: ReadonlyArray<Series>
}) => {
  const { days, id, label, series, unit = "day" } = props
  const busy = days
    .map((dayMillis, index) => ({ dayMillis, values: series.map(({ values }) => values[index] ?? 0) }))
    .filter(({ values }) => values.some((value) => value > 0))
  return (
    <>
      <figure class="card chart days" aria-label={label}>
        {series.map((of, index) => (
          <Bars key={of.name} id={`${id}-${index}`} days={days} unit={unit} of={of} />
        ))}
        <div class="axis soft" aria-hidden="true">
          <span>{shortDayWords(days[0] ?? 0)}</span>
          <span>{shortDayWords(days.at(-1) ?? 0)}</span>
        </div>
      </figure>
      <details class="fold card">
        <summary>As a table</summary>
        <Table
          label={label}
          head={[AT[unit].head, ...series.map(({ name }) => name)]}
          numbers={series.map((_, index) => index + 1)}
          rows={busy.map(({ dayMillis, values }) => [shortDayWords(dayMillis), ...values.map(grouped)])}
        />
      </details>
    </>
  )
}

/** Every midnight from one to another. */
export const everyDay = (fromDayMillis: number, toDayMillis: number): ReadonlyArray<number> =>
  Array.from(
    { length: Math.round((toDayMillis - fromDayMillis) / DAY_MILLIS) + 1 },
    (_, index) => fromDayMillis + index * DAY_MILLIS
  )
