import type {
  AddLeadsSnapshot,
  ApprovalSnapshot,
  LaunchSnapshot,
  PurchaseSnapshot
} from "@outbound/domain/calls/approvals/Snapshot.js"
import { LOOK_KINDS } from "@outbound/domain/calls/approvals/Snapshot.js"
import { type Credits, fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import type { ComponentChildren } from "preact"
import { count, creditWords, dayNames, hourWords } from "../../web/Words.js"
import { type ShownForecast, spanOf, spanWords } from "./ForecastSection.js"
import { Marked } from "./Marked.js"

type Sending = typeof LaunchSnapshot.Type | typeof AddLeadsSnapshot.Type

/** A question that a decision turns on, and its answer in a few words. */
const Fact = (props: { readonly asks: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{props.asks}</dt>
    <dd>{props.children}</dd>
  </div>
)

const Changed = (props: { readonly of: number | null }) => (
  <Fact asks="Changed">
    {props.of === null ? (
      "first request of its kind"
    ) : props.of === 0 ? (
      "nothing since the earlier request"
    ) : (
      <a href="#changes">{count(props.of, "change")} since the earlier request</a>
    )}
  </Fact>
)

const LookAt = (props: { readonly of: Sending }) => {
  const { content } = props.of
  if (content === undefined) return null
  const isQuiet = LOOK_KINDS.every((kind) => (content.looks[kind] ?? 0) === 0)
  return (
    <Fact asks="Look at">
      <a href="#look">
        {content.hosts_total === 0 ? "no links" : `links to ${count(content.hosts_total, "host")}`}
        {isQuiet ? "" : ", unusual values"}
      </a>
    </Fact>
  )
}

const Span = (props: { readonly of: ShownForecast | null }) => {
  const span = props.of === null || props.of === "unavailable" ? null : spanOf(props.of)
  return span === null ? null : (
    <Fact asks="Leaves">
      <a href="#forecast">{spanWords(span)}</a>
    </Fact>
  )
}

const SendingGlance = (props: { readonly of: Sending; readonly forecast: ShownForecast | null }) => {
  const { credits, daily_send_limit, leads, mailboxes, schedule, steps } = props.of
  const variants = steps.reduce((sum, { other_variants = [] }) => sum + other_variants.length, 0)
  return (
    <>
      <Fact asks="Reaches">
        <strong class="big">{count(leads, props.of.kind === "add_leads" ? "more lead" : "lead")}</strong>
      </Fact>
      <Fact asks="Says">
        {count(steps.length, "message")} each, “
        <Marked text={steps[0]?.subject ?? ""} />”
        {variants === 0 ? "" : `, ${count(variants, "other variant")} by chance`}
      </Fact>
      <Fact asks="From">{count(mailboxes.length, "mailbox", "mailboxes")}</Fact>
      <Fact asks="When">
        {dayNames(schedule.days)}, {hourWords(schedule.start_hour)} to {hourWords(schedule.end_hour)}
        {schedule.recipient_timezone === true ? " where each person is" : ""}
        {schedule.skip_holidays === undefined ? "" : ", not on public holidays"}, at most{" "}
        {count(daily_send_limit, "message")} a day
      </Fact>
      <Span of={props.forecast} />
      <Fact asks="Costs">{credits === 0n ? "nothing" : creditWords(credits)}</Fact>
      <LookAt of={props.of} />
    </>
  )
}

/** What is left of an amount, or what is missing. */
const Left = (props: { readonly of: bigint; readonly words: string }) =>
  props.of >= 0n ? (
    <>
      {creditWords(fromMicros(props.of))} {props.words}
    </>
  ) : (
    <span class="short">
      {creditWords(fromMicros(-props.of))} missing {props.words}
    </span>
  )

/** The figures are those of the moment of asking. `available`: what can be spent now, while it waits. */
const PurchaseGlance = (props: { readonly of: typeof PurchaseSnapshot.Type; readonly available: Credits | null }) => {
  const { credits_available, domains, first_month_credits, setup_credits, upkeep_credits_per_month } = props.of
  const mailboxes = domains.reduce((sum, domain) => sum + domain.mailboxes.length, 0)
  const { available } = props
  return (
    <>
      <Fact asks="Buys">
        <strong class="big">
          {count(domains.length, "domain")}, {count(mailboxes, "mailbox", "mailboxes")}
        </strong>
      </Fact>
      <Fact asks="Costs">
        {first_month_credits === undefined ? null : (
          <>
            <strong class="big">{creditWords(first_month_credits)}</strong> for the first month:{" "}
          </>
        )}
        {creditWords(setup_credits)} now
        {first_month_credits === undefined
          ? ""
          : `, ${creditWords(upkeep_credits_per_month)} when the mailboxes are active`}
        ; then {creditWords(upkeep_credits_per_month)} a month
      </Fact>
      {credits_available === undefined || first_month_credits === undefined ? null : (
        <Fact asks="Balance">
          {creditWords(credits_available)} when it was asked for,{" "}
          <Left of={credits_available - setup_credits} words="after buying" />,{" "}
          <Left of={credits_available - first_month_credits} words="after the first month" />
        </Fact>
      )}
      {available !== null && available < setup_credits ? (
        <Fact asks="Now">
          <span class="short">
            {creditWords(available)} can be spent: {creditWords(fromMicros(setup_credits - available))} too little.{" "}
            <a href="/console/credits">Top up</a>
          </span>
        </Fact>
      ) : null}
    </>
  )
}

/** The decision in ten seconds: what it buys, whom it reaches, what it says, from where, what it costs, what changed. */
export const Glance = (props: {
  readonly of: ApprovalSnapshot
  readonly isPending: boolean
  /** Credits that can be spent now, where a purchase waits for a decision; otherwise null. */
  readonly available: Credits | null
  /** What a launch would do; null: not asked. */
  readonly forecast: ShownForecast | null
  /** How many things changed since the earlier request; null: there is none. */
  readonly changes: number | null
}) => {
  const { of } = props
  return (
    <section class="card glance" aria-label="At a glance">
      <dl>
        {of.kind === "purchase" ? (
          <PurchaseGlance of={of} available={props.available} />
        ) : of.kind === "reply" ? (
          <>
            <Fact asks="Reaches">
              <Marked text={of.to_email} />
            </Fact>
            <Fact asks="From">
              <Marked text={of.from_email} />
            </Fact>
            <Fact asks="Costs">nothing</Fact>
          </>
        ) : (
          <SendingGlance of={of} forecast={props.forecast} />
        )}
        <Changed of={props.changes} />
      </dl>
      {props.isPending ? (
        <p class="jump">
          <a href="#decide">Go to the decision</a>
        </p>
      ) : null}
    </section>
  )
}
