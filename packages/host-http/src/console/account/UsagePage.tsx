import {
  type DayKeyUsage,
  type DayUsage,
  type KeyUsageLine,
  ConsoleReads
} from "@outbound/domain/control/console/ConsoleReads.js"
import { type UsageRow, CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { amountWords, count, creditWords, dayStartOf, grouped, shortDayWords } from "../../web/Words.js"
import { Facts, LinkLine, type Problem, Section, Table } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { wingCredits } from "../../wings/credits.js"
import { pages } from "../pages.js"
import { pageOf, ROWS_MAX } from "../paging.js"
import { type Inside, member, type Page } from "../Visit.js"
import { creditsPage } from "./CreditsPage.js"
import { cursorOf, dayOf, dayText, entryOf, ledgerPath, ledgerQueryOf } from "./ledgerQuery.js"

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

const sumOf = (of: ReadonlyArray<{ readonly calls: number; readonly charged: bigint }>) => ({
  calls: of.reduce((sum, { calls }) => sum + calls, 0),
  charged: of.reduce((sum, { charged }) => sum + charged, 0n)
})

/** How many keys the page lists. */
const KEYS_SHOWN_MAX = 100

const usagePage = (options: {
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
  const total = sumOf(options.days)
  const upkeep = sumOf(verbs.filter(({ verb }) => verb === "upkeep"))
  const shown = sumOf(options.keys)
  // The rest: keys that are not listed, and calls that hosts of an earlier version counted.
  const rest = {
    calls: total.calls - upkeep.calls - shown.calls,
    charged: total.charged - upkeep.charged - shown.charged
  }
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
          rows={
            total.calls === 0
              ? []
              : [
                  ...options.keys.map(({ calls, charged, keyId, name, prefix }) => [
                    <a href={`/console/keys/${keyId}`}>{name}</a>,
                    <code>{prefix}…</code>,
                    grouped(calls),
                    <a href={ledgerPath({ keyId })}>{amountWords(charged)}</a>
                  ]),
                  ...(upkeep.calls === 0
                    ? []
                    : [["Mailbox upkeep", "–", grouped(upkeep.calls), amountWords(upkeep.charged)]]),
                  ...(rest.calls === 0 && rest.charged === 0n
                    ? []
                    : [["Others", "–", grouped(rest.calls), amountWords(rest.charged)]]),
                  [<b>Total</b>, "", <b>{grouped(total.calls)}</b>, <b>{amountWords(total.charged)}</b>]
                ]
          }
        />
      </Section>
      <Section id="days" title="By day">
        <Table
          label="By day"
          head={["Day", "Calls", "Credits"]}
          numbers={[1, 2]}
          none="No usage yet."
          rows={usedDays.map(({ calls, charged, dayMillis }) => [
            <a href={`/console/usage?day=${dayText(dayMillis)}`}>{shortDayWords(dayMillis)}</a>,
            grouped(calls),
            amountWords(charged)
          ])}
        />
      </Section>
    </>
  )
}

/** Who used credits on one day, most expensive first; each amount leads to its entries. */
const usageOfDayPage = (options: {
  readonly viewer: Viewer
  readonly dayMillis: number
  readonly of: DayUsage
  readonly lines: ReadonlyArray<DayKeyUsage>
}): Reply => {
  const { dayMillis, lines } = options
  const keys = sumOf(lines)
  const [restCalls, rest] = [options.of.calls - keys.calls, options.of.charged - keys.charged]
  return titledPage(
    {
      title: `Usage on ${shortDayWords(dayMillis)}`,
      viewer: options.viewer,
      at: "usage",
      lead: (
        <>
          Credits used on this day (UTC), by key and verb. <a href="/console/usage">All days</a>
        </>
      )
    },
    <>
      <Facts
        of={[
          ["Used", creditWords(options.of.charged), "big"],
          ["Calls", grouped(options.of.calls)]
        ]}
      />
      <Section id="keys" title="By key and verb">
        {lines.length < KEYS_SHOWN_MAX ? null : <p class="soft">The {KEYS_SHOWN_MAX} that used the most credits.</p>}
        <Table
          label="By key and verb"
          head={["Key", "Verb", "Calls", "Credits"]}
          numbers={[2, 3]}
          none="Nothing was used on this day."
          rows={
            options.of.calls === 0
              ? []
              : [
                  ...lines.map(({ calls, charged, keyId, name, verb }) => [
                    <a href={ledgerPath({ dayMillis, keyId })}>{name}</a>,
                    <code>{verb}</code>,
                    grouped(calls),
                    charged === 0n ? (
                      amountWords(charged)
                    ) : (
                      <a href={ledgerPath({ dayMillis, keyId, verb })}>{amountWords(charged)}</a>
                    )
                  ]),
                  ...(restCalls === 0 && rest === 0n
                    ? []
                    : [["Mailbox upkeep and others", "–", grouped(restCalls), amountWords(rest)]]),
                  [<b>Total</b>, "", <b>{grouped(options.of.calls)}</b>, <b>{amountWords(options.of.charged)}</b>]
                ]
          }
        />
        <LinkLine to={ledgerPath({ dayMillis })} text="All entries of this day" />
      </Section>
    </>
  )
}

const USAGE_DAYS = 30
/** One entry per day, including days without use. */
const withEveryDay = (used: ReadonlyArray<DayUsage>, fromDayMillis: number): ReadonlyArray<DayUsage> => {
  const byDay = new Map(used.map((day) => [day.dayMillis, day]))
  return Array.from({ length: USAGE_DAYS }, (_, index) => {
    const dayMillis = fromDayMillis + index * DAY_MILLIS
    return byDay.get(dayMillis) ?? { dayMillis, calls: 0, charged: zero }
  })
}

const NEEDS = { added: wingCredits, credits: CreditStore, keys: KeyStore, reads: ConsoleReads }

export const accountPages = pages(NEEDS, ({ added, credits, keys, reads }) => {
  const usage = ({ nowMillis, query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const dayMillis = dayOf(query.get("day"))
      if (dayMillis !== null) {
        const used = yield* reads.usageByDay(workspaceId, dayMillis)
        const of = used.find((day) => day.dayMillis === dayMillis) ?? { dayMillis, calls: 0, charged: zero }
        const lines = yield* reads.usageOfDay(workspaceId, dayMillis, KEYS_SHOWN_MAX)
        return usageOfDayPage({ viewer, dayMillis, of, lines })
      }
      const fromDayMillis = dayStartOf(nowMillis) - (USAGE_DAYS - 1) * DAY_MILLIS
      const days = withEveryDay(yield* reads.usageByDay(workspaceId, fromDayMillis), fromDayMillis)
      const verbs = yield* credits.usageSince(workspaceId, fromDayMillis)
      const keys = yield* reads.usageByKey(workspaceId, fromDayMillis, KEYS_SHOWN_MAX)
      return usagePage({ viewer, days, verbs, keys })
    })

  const balance = (visit: Inside, problem?: Problem): Page =>
    Effect.gen(function* () {
      const { query, viewer, workspaceId } = visit
      const after = entryOf(query.get("after"))
      const asked = ledgerQueryOf(query)
      const found = yield* reads.ledger(workspaceId, asked, after, ROWS_MAX + 1)
      return creditsPage({
        viewer,
        balance: yield* credits.balance(workspaceId),
        query: asked,
        keys: yield* keys.list(workspaceId),
        above: yield* Effect.forEach(added, ({ above }) => above(visit, problem)),
        problem,
        ...pageOf(found, ROWS_MAX, cursorOf, after)
      })
    })

  return [
    member("/console/usage", { get: usage }),
    member("/console/credits", { get: (visit) => balance(visit) }),
    ...added.flatMap(({ routes }) => routes(balance))
  ]
})
