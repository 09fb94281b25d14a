import type { DayUsage, KeyUsageLine } from "@outbound/domain/control/console/ConsoleReads.js"
import type { UsageRow } from "@outbound/domain/calls/credits/CreditStore.js"
import { fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import type { Reply } from "../../http/Reply.js"
import { amountWords, count, creditWords, grouped, shortDayWords } from "../../web/Words.js"
import { Section, Table } from "../Parts.js"
import { titledPage, type Viewer } from "../Shell.js"

/** The size of the chart, in its own units. */
const BAR = 10
const GAP = 4
const HEIGHT = 100

/** Credits used, a bar per day. */
const Chart = (props: { readonly days: ReadonlyArray<DayUsage> }) => {
  const most = props.days.reduce((max, { charged }) => (charged > max ? charged : max), fromMicros(0n))
  const total = props.days.reduce((sum, { charged }) => sum + charged, 0n)
  const [first] = props.days
  const last = props.days.at(-1)
  const width = props.days.length * (BAR + GAP) - GAP
  return (
    <figure class="card chart">
      <figcaption>
        <span class="big">{creditWords(fromMicros(total))}</span> used in {props.days.length} days; highest day:{" "}
        {amountWords(most)}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label="Credits used, by day">
        {props.days.map(({ calls, charged, dayMillis }, index) => {
          const height = most === 0n ? 0 : Number((charged * BigInt(HEIGHT * 100)) / most) / 100
          return (
            <g key={dayMillis}>
              <title>{`${shortDayWords(dayMillis)}: ${amountWords(charged)} credits, ${count(calls, "call")}`}</title>
              <rect class="rail" x={index * (BAR + GAP)} y={HEIGHT - 1} width={BAR} height="1" />
              <rect
                class="fill"
                x={index * (BAR + GAP)}
                y={HEIGHT - Math.max(height, charged > 0n ? 1 : 0)}
                width={BAR}
                height={Math.max(height, charged > 0n ? 1 : 0)}
              />
            </g>
          )
        })}
      </svg>
      <div class="axis soft" aria-hidden="true">
        <span>{first === undefined ? "" : shortDayWords(first.dayMillis)}</span>
        <span>{last === undefined ? "" : shortDayWords(last.dayMillis)}</span>
      </div>
    </figure>
  )
}

/** How many keys the page lists. */
export const KEYS_SHOWN_MAX = 100

export const usagePage = (options: {
  readonly viewer: Viewer
  /** Every day, oldest first. */
  readonly days: ReadonlyArray<DayUsage>
  readonly verbs: ReadonlyArray<UsageRow>
  /** The most expensive keys. */
  readonly keys: ReadonlyArray<KeyUsageLine>
}): Reply => {
  const verbs = [...options.verbs].sort((a, b) =>
    a.charged === b.charged ? b.calls - a.calls : a.charged > b.charged ? -1 : 1
  )
  const usedDays = options.days.filter(({ calls }) => calls > 0).reverse()
  return titledPage(
    {
      title: "Usage",
      viewer: options.viewer,
      at: "usage",
      lead: (
        <>
          Credits used in the last {options.days.length} days (UTC). For your balance, see{" "}
          <a href="/console/credits">credits</a>.
        </>
      )
    },
    <>
      <Chart days={options.days} />
      <Section id="verbs" title="By verb">
        <Table
          label="By verb"
          head={["Verb", "Calls", "Credits"]}
          numbers={[1, 2]}
          none="No calls yet."
          rows={verbs.map(({ calls, charged, verb }) => [<code>{verb}</code>, grouped(calls), amountWords(charged)])}
        />
      </Section>
      <Section id="keys" title="By key">
        {options.keys.length < KEYS_SHOWN_MAX ? null : (
          <p class="soft">The {KEYS_SHOWN_MAX} keys that used the most credits.</p>
        )}
        <Table
          label="By key"
          head={["Key", "Prefix", "Calls", "Credits"]}
          numbers={[2, 3]}
          none="No key has been used yet."
          rows={options.keys.map(({ calls, charged, keyId, name, prefix }) => [
            <a href={`/console/keys/${keyId}`}>{name}</a>,
            <code>{prefix}…</code>,
            grouped(calls),
            amountWords(charged)
          ])}
        />
      </Section>
      <Section id="days" title="By day">
        <Table
          label="By day"
          head={["Day", "Calls", "Credits"]}
          numbers={[1, 2]}
          none="No usage yet."
          rows={usedDays.map(({ calls, charged, dayMillis }) => [
            shortDayWords(dayMillis),
            grouped(calls),
            amountWords(charged)
          ])}
        />
      </Section>
    </>
  )
}
