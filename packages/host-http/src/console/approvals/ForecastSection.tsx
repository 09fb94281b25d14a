import type { CampaignForecast } from "@outbound/domain/control/Forecasts.js"
import type { LeftOutReason } from "@outbound/domain/verbs/ForecastCampaign.js"
import { count, grouped, Moment, shortDayWords } from "../../web/Words.js"
import { DayChart, everyDay } from "../DayChart.js"
import { Note, Section, Table } from "../Parts.js"
import { Marked } from "./Marked.js"

/** What would happen after the approval; `unavailable`: it can't be told just now. */
export type ShownForecast = CampaignForecast | "unavailable"

/** Most days that have a bar each. If it takes longer, each week has one. */
const DAYS_MAX = 92
const WEEK_DAYS = 7

/** Most mailboxes that the page lists. */
const MAILBOXES_MAX = 50

const LEFT_OUT_WORDS: Readonly<Record<LeftOutReason, string>> = {
  opted_out: "opted out, bounced or replied before",
  platform_blocked: "are on a suppression list that an owner imported",
  capped: "were contacted by another campaign in the last 30 days",
  other: "are customers, open deals or somebody else’s contacts in your CRM",
  company_answered: "work for a company that has answered",
  not_approved: "are not approved",
  no_mailbox: "have no active mailbox to be written from",
  scheduled_by_vendor: "are scheduled by the sending provider, which tells no days",
  campaign_over: "are in a campaign that is over",
  beyond_last_day: "would still wait for a message after 400 days"
}

interface Sender {
  readonly mailbox: string
  readonly messages: number
  readonly busiest: number
  readonly first: string
  readonly last: string
}

/** What each mailbox sends in all. Days are in their order. */
const sendersOf = (days: CampaignForecast["days"]): ReadonlyArray<Sender> => {
  const senders = new Map<string, Sender>()
  for (const { date, mailbox, messages } of days) {
    const known = senders.get(mailbox) ?? { mailbox, messages: 0, busiest: 0, first: date, last: date }
    senders.set(mailbox, {
      ...known,
      messages: known.messages + messages,
      busiest: Math.max(known.busiest, messages),
      last: date
    })
  }
  return [...senders.values()]
}

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)

/** The first and the last day on which a message leaves; null: none does. */
export const spanOf = ({ days }: CampaignForecast): { readonly first: number; readonly last: number } | null => {
  const [first, last] = [days[0]?.date, days.at(-1)?.date]
  return first === undefined || last === undefined ? null : { first: dayOf(first), last: dayOf(last) }
}

/** Most messages of a day; 0: none leaves. */
export const busiestOf = ({ days }: CampaignForecast): number => {
  const sums = new Map<string, number>()
  for (const { date, messages } of days) sums.set(date, (sums.get(date) ?? 0) + messages)
  return Math.max(0, ...sums.values())
}

export const spanWords = ({ first, last }: { readonly first: number; readonly last: number }): string =>
  first === last ? shortDayWords(first) : `${shortDayWords(first)} to ${shortDayWords(last)}`

const LeftOut = (props: { readonly of: CampaignForecast["leftOut"] }) => {
  const reasons = (Object.keys(LEFT_OUT_WORDS) as ReadonlyArray<LeftOutReason>).filter(
    (reason) => (props.of[reason] ?? 0) > 0
  )
  return reasons.length === 0 ? (
    <p>Nobody is left out.</p>
  ) : (
    <>
      <p>These people get no message, or not all:</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            {count(props.of[reason] ?? 0, "person", "people")}: they {LEFT_OUT_WORDS[reason]}
          </li>
        ))}
      </ul>
    </>
  )
}

const Senders = (props: { readonly of: ReadonlyArray<Sender> }) =>
  props.of.length === 0 ? null : (
    <>
      <Table
        label="Messages by mailbox"
        head={["Mailbox", "Messages", "Most in a day", "From", "Until"]}
        numbers={[1, 2]}
        firm={[3, 4]}
        rows={props.of
          .slice(0, MAILBOXES_MAX)
          .map(({ busiest, first, last, mailbox, messages }) => [
            <Marked text={mailbox} />,
            grouped(messages),
            grouped(busiest),
            shortDayWords(dayOf(first)),
            shortDayWords(dayOf(last))
          ])}
      />
      {props.of.length <= MAILBOXES_MAX ? null : (
        <p class="soft">and {count(props.of.length - MAILBOXES_MAX, "more mailbox", "more mailboxes")}.</p>
      )}
    </>
  )

const Days = (props: { readonly of: CampaignForecast; readonly first: number; readonly last: number }) => {
  const days = everyDay(props.first, props.last)
  const messages = new Map<number, number>()
  for (const one of props.of.days) {
    const dayMillis = dayOf(one.date)
    messages.set(dayMillis, (messages.get(dayMillis) ?? 0) + one.messages)
  }
  const isByWeek = days.length > DAYS_MAX
  const each = isByWeek ? WEEK_DAYS : 1
  const bars = days.filter((_, index) => index % each === 0)
  const values = bars.map((_, index) =>
    days.slice(index * each, (index + 1) * each).reduce((sum, day) => sum + (messages.get(day) ?? 0), 0)
  )
  return (
    <DayChart
      id="forecast-days"
      label={`Messages that would leave, by ${isByWeek ? "week" : "day"}`}
      days={bars}
      unit={isByWeek ? "week" : "day"}
      series={[{ name: "Messages", one: "message", many: "messages", values }]}
    />
  )
}

/** When the messages of a launch would leave, from where, and who gets none. */
export const ForecastSection = (props: { readonly of: ShownForecast }) => {
  const { of } = props
  if (of === "unavailable") {
    return (
      <Section id="forecast" title="When the messages leave">
        <Note>
          This can’t be told just now, because nobody can check who must not be contacted. Try again in a moment.
        </Note>
      </Section>
    )
  }
  const span = spanOf(of)
  const busy = new Set(of.days.map(({ date }) => date)).size
  return (
    <Section id="forecast" title="When the messages leave">
      {span === null || of.lastMessageAtMillis === null ? (
        <Note>No message would leave.</Note>
      ) : (
        <>
          <p>
            {span.first === span.last ? "On" : "From"} {spanWords(span)}
            {span.first === span.last ? "" : `, on ${count(busy, "day")}`}; the last message leaves{" "}
            <Moment atMillis={of.lastMessageAtMillis} />. This holds if the campaign is launched now and nobody answers;
            what other campaigns send from the same mailboxes is counted. Days are in UTC.
          </p>
          <Days of={of} {...span} />
        </>
      )}
      <LeftOut of={of.leftOut} />
      <Senders of={sendersOf(of.days)} />
    </Section>
  )
}
