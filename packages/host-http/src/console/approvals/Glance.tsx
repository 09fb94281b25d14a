import type {
  AddLeadsSnapshot,
  ApprovalSnapshot,
  LaunchSnapshot,
  PurchaseSnapshot,
  ReplySnapshot
} from "@outbound/domain/calls/approvals/Snapshot.js"
import type { Risk } from "@outbound/domain/control/risks/Risk.js"
import { type Credits, fromMicros } from "@outbound/domain/kernel/money/Credits.js"
import type { ComponentChildren } from "preact"
import { AtAnyHour } from "../Parts.js"
import { count, creditWords, dayNames, grouped, hourWords } from "../../web/Words.js"
import { busiestOf, type ShownForecast, spanOf, spanWords } from "./ForecastSection.js"
import { Marked } from "./Marked.js"
import { RiskChips } from "./RiskChips.js"

type Sending = typeof LaunchSnapshot.Type | typeof AddLeadsSnapshot.Type

/** Most mailboxes that the card names. The others stand in their own part of the page. */
export const NAMED_MAILBOXES_MAX = 3

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

const Whom = (props: { readonly of: Sending }) => {
  const { kind, leads, leads_removed } = props.of
  return (
    <Fact asks="Whom">
      <strong class="big">{count(leads, kind === "add_leads" ? "more lead" : "lead")}</strong>
      {leads_removed === 0 ? null : (
        <div class="soft">
          {count(leads_removed, "lead was", "leads were")} left out because they must not be contacted
        </div>
      )}
    </Fact>
  )
}

const What = (props: { readonly of: Sending }) => {
  const { steps } = props.of
  const variants = steps.reduce((sum, { other_variants = [] }) => sum + other_variants.length, 0)
  return (
    <Fact asks="What">
      at most {count(steps.length, "message")} each, “
      <Marked text={steps[0]?.subject ?? ""} />”
      {variants === 0 ? "" : `, ${count(variants, "other variant")} by chance`}
    </Fact>
  )
}

const PAUSE_WORDS: Readonly<Record<string, string>> = {
  awaiting_approval: "It is paused until you decide",
  owner: "An owner had paused it",
  capacity: "It was paused because no mailbox could send"
}

/** The campaign that leads are added to. */
const Extended = (props: { readonly of: Sending }) => {
  if (props.of.kind !== "add_leads") return null
  const { campaign_lead_total, pause_reason } = props.of
  return (
    <Fact asks="Campaign">
      with {count(campaign_lead_total, "lead")} after this
      <div class="soft">{PAUSE_WORDS[pause_reason] ?? "It is paused"}. It resumes once they are added.</div>
    </Fact>
  )
}

const From = (props: { readonly of: Sending }) => {
  const { mailboxes, postal_address } = props.of
  return (
    <Fact asks="From">
      {mailboxes.length > NAMED_MAILBOXES_MAX ? (
        <a href="#from">{count(mailboxes.length, "mailbox", "mailboxes")}</a>
      ) : (
        mailboxes.map((mailbox) => (
          <div key={mailbox}>
            <Marked text={mailbox} />
          </div>
        ))
      )}
      <div class="soft">
        <Marked text={postal_address} />
      </div>
    </Fact>
  )
}

const When = (props: { readonly of: Sending; readonly forecast: ShownForecast | null }) => {
  const { daily_send_limit, schedule } = props.of
  const forecast = props.forecast === "unavailable" ? null : props.forecast
  const span = forecast === null ? null : spanOf(forecast)
  const busiest = forecast === null ? 0 : busiestOf(forecast)
  return (
    <Fact asks="When">
      {dayNames(schedule.days)}, {hourWords(schedule.start_hour)} to {hourWords(schedule.end_hour)}
      {schedule.recipient_timezone === true ? " where each person is" : ` (${schedule.timezone})`}
      {schedule.skip_holidays === undefined ? "" : ", not on public holidays"}, at most{" "}
      {count(daily_send_limit, "message")} a day
      {busiest > daily_send_limit ? `, later up to ${grouped(busiest)}, as new mailboxes may send more` : ""}
      {forecast === null || forecast.windows ? null : <AtAnyHour />}
      {span === null ? null : (
        <div>
          <a href="#forecast">{spanWords(span)}</a>
        </div>
      )}
    </Fact>
  )
}

const SendingFacts = (props: { readonly of: Sending; readonly forecast: ShownForecast | null }) => {
  const { of } = props
  return (
    <>
      <Whom of={of} />
      <What of={of} />
      <Extended of={of} />
      <When of={of} forecast={props.forecast} />
      <From of={of} />
      <Fact asks="Cost">{of.credits === 0n ? "Free" : creditWords(of.credits)}</Fact>
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
const PurchaseFacts = (props: { readonly of: typeof PurchaseSnapshot.Type; readonly available: Credits | null }) => {
  const { credits_available, domains, first_month_credits, setup_credits, upkeep_credits_per_month } = props.of
  const { daily_sends, identity } = props.of
  const mailboxes = domains.reduce((sum, domain) => sum + domain.mailboxes.length, 0)
  const { available } = props
  return (
    <>
      <Fact asks="Buys">
        <strong class="big">
          {count(domains.length, "domain")}, {count(mailboxes, "mailbox", "mailboxes")}
        </strong>
        <div>up to {count(daily_sends, "message")} a day</div>
      </Fact>
      <Fact asks="Cost">
        <span id="costs">
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
        </span>
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
      <Fact asks="Sender">
        <Marked text={`${identity.first_name} ${identity.last_name}`} />
      </Fact>
    </>
  )
}

const ReplyFacts = (props: { readonly of: typeof ReplySnapshot.Type }) => (
  <>
    <Fact asks="Whom">
      <strong>
        <Marked text={props.of.to_email} />
      </strong>
    </Fact>
    <Fact asks="What">
      one email, “
      <Marked text={props.of.subject} />”
    </Fact>
    <Fact asks="From">
      <Marked text={props.of.from_email} />
    </Fact>
    <Fact asks="Cost">Free</Fact>
  </>
)

/** What a decision turns on: what is done, whom it reaches, when, from where, what it costs, what changed, what to look at. */
export const Glance = (props: {
  readonly of: ApprovalSnapshot
  /** Credits that can be spent now, where a purchase waits for a decision; otherwise null. */
  readonly available: Credits | null
  /** What a launch would do; null: not asked. */
  readonly forecast: ShownForecast | null
  /** How many things changed since the earlier request; null: there is none. */
  readonly changes: number | null
  readonly risks: ReadonlyArray<Risk>
}) => {
  const { of, risks } = props
  return (
    <section class="card glance" aria-label="At a glance">
      <RiskChips label="Look at these" of={risks.filter(({ weight }) => weight !== "note")} />
      <dl>
        {of.kind === "purchase" ? (
          <PurchaseFacts of={of} available={props.available} />
        ) : of.kind === "reply" ? (
          <ReplyFacts of={of} />
        ) : (
          <SendingFacts of={of} forecast={props.forecast} />
        )}
        <Changed of={props.changes} />
      </dl>
      <RiskChips label="Good to know" of={risks.filter(({ weight }) => weight === "note")} />
    </section>
  )
}
