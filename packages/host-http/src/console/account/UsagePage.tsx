import { Payments } from "@outbound/domain/control/payments/Payments.js"
import { maybe, pages } from "../pages.js"
import {
  type DayUsage,
  type KeyUsageLine,
  type LedgerLine,
  ConsoleReads
} from "@outbound/domain/control/console/ConsoleReads.js"
import {
  LEDGER_KINDS,
  type LedgerKind,
  type UsageRow,
  CreditStore
} from "@outbound/domain/calls/credits/CreditStore.js"
import { fromMicros, zero } from "@outbound/domain/kernel/money/Credits.js"
import type { ControlRefused } from "@outbound/domain/control/Control.js"
import type { Payment } from "@outbound/domain/control/payments/PaymentStore.js"
import { isUuid, Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { amountWords, count, creditWords, dayStartOf, grouped, shortDayWords } from "../../web/Words.js"
import { type Problem, Section, Table } from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"
import { acting, countOf, typed } from "../control/acting.js"
import { pageOf, ROWS_MAX } from "../paging.js"
import { type Inside, member, type Page, type Route } from "../Visit.js"
import { creditsPage, paymentPage } from "./CreditsPage.js"

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

const CREDITS = "/console/credits"

const pathOf = ({ paymentId }: Payment): `/${string}` => `/console/payments/${paymentId}`

/** Removes commas and spaces between groups of digits. */
const ungrouped = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams({ credits: (form.get("credits") ?? "").trim().replaceAll(/(?<=\d)[ ,](?=\d{3}\b)/g, "") })

const paymentRoutes = (
  payments: Payments["Service"],
  /** Shows the form's page again. */
  again: (visit: Inside, problem: Problem) => Page
): ReadonlyArray<Route> => {
  const shown = (visit: Inside, work: Effect.Effect<Payment, ControlRefused | StoreUnavailable>): Page =>
    acting(visit, CREDITS, work, { done: (payment) => paymentPage({ viewer: visit.viewer, payment }) })

  return [
    member(`${CREDITS}/top-up`, {
      formOn: CREDITS,
      post: (visit) =>
        acting(
          visit,
          CREDITS,
          Effect.flatMap(typed(countOf(ungrouped(visit.form), "credits")), (credits) =>
            payments.topUp(visit.by, { credits, paymentId: visit.form.get("payment_id") ?? "" })
          ),
          { done: pathOf, again: (problem) => again(visit, problem) }
        )
    }),
    member("/console/payments/:id", {
      // Coming back from the payment provider's page, refresh the payment first.
      get: (visit) =>
        visit.query.has("returned")
          ? acting(visit, CREDITS, payments.look(visit.by, visit.id), { done: pathOf })
          : shown(visit, payments.payment(visit.by, visit.id))
    }),
    member("/console/payments/:id/look", {
      formOn: CREDITS,
      post: (visit) => acting(visit, CREDITS, payments.look(visit.by, visit.id), { done: pathOf })
    })
  ]
}

const USAGE_DAYS = 30
const cursorOf = ({ entryId, kind }: LedgerLine): string => `${entryId}.${kind}`

const entryOf = (text: string | null): { readonly entryId: string; readonly kind: LedgerKind } | null => {
  const [entryId = "", given] = (text ?? "").split(".")
  const kind = LEDGER_KINDS.find((one) => one === given)
  return isUuid(entryId) && kind !== undefined ? { entryId: entryId.toLowerCase(), kind } : null
}

/** One entry per day, including days without use. */
const withEveryDay = (used: ReadonlyArray<DayUsage>, fromDayMillis: number): ReadonlyArray<DayUsage> => {
  const byDay = new Map(used.map((day) => [day.dayMillis, day]))
  return Array.from({ length: USAGE_DAYS }, (_, index) => {
    const dayMillis = fromDayMillis + index * DAY_MILLIS
    return byDay.get(dayMillis) ?? { dayMillis, calls: 0, charged: zero }
  })
}

const NEEDS = { credits: CreditStore, ids: Ids, payments: maybe(Payments), reads: ConsoleReads }

export const accountPages = pages(NEEDS, ({ credits, ids, payments, reads }) => {
  const usage = ({ nowMillis, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const fromDayMillis = dayStartOf(nowMillis) - (USAGE_DAYS - 1) * DAY_MILLIS
      const days = withEveryDay(yield* reads.usageByDay(workspaceId, fromDayMillis), fromDayMillis)
      const verbs = yield* credits.usageSince(workspaceId, fromDayMillis)
      const keys = yield* reads.usageByKey(workspaceId, fromDayMillis, KEYS_SHOWN_MAX)
      return usagePage({ viewer, days, verbs, keys })
    })

  const balance = ({ by, nowMillis, query, viewer, workspaceId }: Inside, problem?: Problem): Page =>
    Effect.gen(function* () {
      const after = entryOf(query.get("after"))
      const found = yield* reads.ledger(workspaceId, after, ROWS_MAX + 1)
      return creditsPage({
        viewer,
        balance: yield* credits.balance(workspaceId),
        topUp: payments === null ? null : { ...(yield* payments.overview(by)), paymentId: ids.next(nowMillis) },
        problem,
        ...pageOf(found, ROWS_MAX, cursorOf, after)
      })
    })

  return [
    member("/console/usage", { get: usage }),
    member("/console/credits", { get: (visit) => balance(visit) }),
    ...(payments === null ? [] : paymentRoutes(payments, balance))
  ]
})
