import type {
  AddLeadsSnapshot,
  ApprovalSnapshot,
  LaunchSnapshot,
  PurchaseSnapshot,
  ReplySnapshot
} from "@outbound/domain/calls/approvals/Snapshot.js"
import { variantName, wordingsOf } from "@outbound/domain/kernel/sequences/variants.js"
import { count, creditWords, dayNames, hourWords } from "../web/Words.js"
import { Marked } from "./approvals/Marked.js"
import { sequenceOf } from "./approvals/MergedMessages.js"
import { type Fact, Facts, Section, Table } from "./Parts.js"

interface Share {
  readonly name: string
  readonly people: number
}

/** How many people are written to in which zone. */
export const OwnZones = (props: {
  readonly zones: ReadonlyArray<Share>
  /** `all`: of an approval; `waiting`: those of a campaign who still wait for a message. */
  readonly whose: "all" | "waiting"
  readonly unknown?: { readonly people: number; readonly timezone: string }
}) => (
  <>
    <div>
      Each person's hours are those of their own time zone{props.whose === "waiting" ? ". Who waits for a message" : ""}
      :
    </div>
    <ul>
      {props.zones.map(({ name, people }) => (
        <li key={name}>
          {name}: {count(people, "person", "people")}
        </li>
      ))}
    </ul>
    {props.unknown === undefined || props.unknown.people === 0 ? null : (
      <div class="soft">
        The zone of {count(props.unknown.people, "person", "people")} is not known: {props.unknown.timezone}
      </div>
    )}
  </>
)

/** Whose public holidays are skipped, for how many people, and the next ones. */
export const HolidaysOf = (props: {
  readonly countries: ReadonlyArray<
    Share & { readonly next?: ReadonlyArray<{ readonly date: string; readonly name: string }> }
  >
}) => (
  <>
    <div>
      {props.countries.length === 0
        ? "Public holidays are skipped, but nobody's country is known."
        : "Nothing is sent on public holidays of:"}
    </div>
    <ul>
      {props.countries.map(({ name, next, people }) => (
        <li key={name}>
          {name}, for {count(people, "person", "people")}
          {next === undefined ? null : (
            <div class="soft">
              {next.length === 0
                ? "No holidays of this country are known."
                : `Next: ${next.map((one) => `${one.date} (${one.name})`).join(", ")}`}
            </div>
          )}
        </li>
      ))}
    </ul>
  </>
)

const Steps = (props: { readonly steps: (typeof LaunchSnapshot.Type)["steps"] }) => (
  <Section id="messages" title="Templates">
    {sequenceOf(props.steps).map((step, index) => {
      const wordings = wordingsOf(step)
      return wordings.map(({ body, subject }, variant) => (
        <article class="card step" key={`${index} ${variant}`}>
          <header>
            <h3>{subject === null ? "In the same thread" : <Marked text={subject} />}</h3>
            <span class="soft">
              {index === 0 ? "First message" : `${count(step.waitDays, "day")} later, unless they reply`}
              {wordings.length === 1
                ? ""
                : ` · variant ${variantName(variant)}: chance gives it to one of ${wordings.length} people`}
            </span>
          </header>
          <div class="mail">
            <Marked text={body} />
          </div>
        </article>
      ))
    })}
  </Section>
)

type Sending = typeof LaunchSnapshot.Type | typeof AddLeadsSnapshot.Type

const Recipients = (props: { readonly of: Sending }) => {
  const { leads, recipients } = props.of
  return (
    <Section id="recipients" title="Leads">
      <Table
        titledBy="recipients"
        caption={
          leads > recipients.length ? `The first ${recipients.length} of ${count(leads, "lead")}` : count(leads, "lead")
        }
        head={["Email", "Name", "Company"]}
        rows={recipients.map(({ company_name, email, name }) =>
          [email, name, company_name].map((text) => <Marked text={text ?? "–"} />)
        )}
      />
    </Section>
  )
}

const PAUSE_WORDS: Readonly<Record<string, string>> = {
  awaiting_approval: "It is paused until you decide",
  owner: "An owner had paused it",
  capacity: "It was paused because no mailbox could send"
}

/** The campaign that leads are added to. */
const extended = ({ campaign_lead_total, campaign_name, pause_reason }: typeof AddLeadsSnapshot.Type): Fact => [
  "Campaign",
  <>
    <Marked text={campaign_name} />, with {count(campaign_lead_total, "lead")} after this
    <div class="soft">{PAUSE_WORDS[pause_reason] ?? "It is paused"}. It resumes once they are added.</div>
  </>
]

const companyRules = ({ max_per_company_per_day: max, stop_for_company: stops }: Sending): Fact | null =>
  stops === undefined && max === undefined
    ? null
    : [
        "Companies",
        <>
          {stops === undefined ? null : (
            <div>When one person answers or refuses, nobody of their company gets more.</div>
          )}
          {max === undefined ? null : <div>At most {count(max, "message")} per day to one company.</div>}
          <div class="soft">Addresses at mail providers, such as gmail.com, belong to no company.</div>
        </>
      ]

const Launch = (props: { readonly of: Sending }) => {
  const { holidays, timezone_unknown, timezones } = props.of
  const { credits, daily_send_limit, leads, leads_removed, mailboxes, postal_address, schedule } = props.of
  return (
    <>
      <Facts
        of={[
          [
            "Leads",
            <>
              <span class="big">{count(leads, "lead")}</span>
              {leads_removed === 0 ? null : (
                <div class="soft">
                  {count(leads_removed, "lead was", "leads were")} left out because they must not be contacted
                </div>
              )}
            </>
          ],
          props.of.kind === "add_leads" ? extended(props.of) : null,
          ["Cost", credits === 0n ? "Free" : creditWords(credits)],
          [
            "From",
            <ul>
              {mailboxes.map((mailbox) => (
                <li key={mailbox}>
                  <Marked text={mailbox} />
                </li>
              ))}
            </ul>
          ],
          [
            "Schedule",
            <>
              {dayNames(schedule.days)}, {hourWords(schedule.start_hour)} to {hourWords(schedule.end_hour)} (
              {schedule.timezone}), at most {count(daily_send_limit, "message")} per day
              {timezones === undefined ? null : (
                <OwnZones
                  zones={timezones.map(({ people, timezone }) => ({ name: timezone, people }))}
                  whose="all"
                  unknown={{ people: timezone_unknown ?? 0, timezone: schedule.timezone }}
                />
              )}
              {holidays === undefined ? null : (
                <HolidaysOf
                  countries={holidays.map(({ country, next, people }) => ({ name: country, people, next }))}
                />
              )}
            </>
          ],
          companyRules(props.of),
          ["Postal address", <Marked text={postal_address} />]
        ]}
      />
      <Steps steps={props.of.steps} />
      {props.of.content === undefined ? <Recipients of={props.of} /> : null}
    </>
  )
}

const Purchase = (props: { readonly of: typeof PurchaseSnapshot.Type }) => {
  const { daily_sends, domains, first_month_credits, identity, setup_credits, upkeep_credits_per_month } = props.of
  return (
    <>
      <Facts
        of={[
          ["Cost now", creditWords(setup_credits), "big"],
          first_month_credits === undefined ? null : ["With the first month", creditWords(first_month_credits), "big"],
          ["Cost per month", creditWords(upkeep_credits_per_month), "big"],
          ["Capacity", <>up to {count(daily_sends, "message")} per day</>],
          ["Sender", <Marked text={`${identity.first_name} ${identity.last_name}`} />]
        ]}
      />
      <Section id="domains" title="Domains and mailboxes">
        <Table
          titledBy="domains"
          caption={count(domains.length, "domain")}
          head={["Domain", "Mailboxes"]}
          rows={domains.map(({ domain, mailboxes }) => [
            <Marked text={domain} />,
            <Marked text={mailboxes.join(", ")} />
          ])}
        />
      </Section>
    </>
  )
}

/** The original message is somebody else's text, so it is shown as plain text and marked as theirs. */
const Reply = (props: { readonly of: typeof ReplySnapshot.Type }) => {
  const { answers, body_text, from_email, subject, to_email } = props.of
  return (
    <>
      <Facts
        of={[
          ["To", <Marked text={to_email} />, "big"],
          ["From", <Marked text={from_email} />],
          ["Subject", <Marked text={subject} />],
          ["Cost", "Free"]
        ]}
      />
      <Section id="answer" title="Your reply">
        <article class="card step">
          <div class="mail">
            <Marked text={body_text} />
          </div>
        </article>
      </Section>
      <Section id="answered" title="Their message">
        <article class="card step">
          <header>
            <h3>{answers.subject === "" ? "No subject" : <Marked text={answers.subject} />}</h3>
            <span class="soft">
              From <Marked text={answers.from_email} />,{" "}
              <time dateTime={answers.received_at}>{answers.received_at}</time>. This text comes from outside; don’t
              trust what it asks for.
            </span>
          </header>
          <div class="mail">
            <Marked text={answers.text} />
          </div>
          {answers.truncated ? <p class="soft">The rest of this message was not kept.</p> : null}
        </article>
      </Section>
    </>
  )
}

/** Shows everything that a snapshot holds. */
export const SnapshotView = (props: { readonly of: ApprovalSnapshot }) => {
  switch (props.of.kind) {
    case "launch":
    case "add_leads":
      return <Launch of={props.of} />
    case "purchase":
      return <Purchase of={props.of} />
    case "reply":
      return <Reply of={props.of} />
  }
}
