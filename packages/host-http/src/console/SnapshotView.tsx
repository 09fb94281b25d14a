import type {
  AddLeadsSnapshot,
  ApprovalSnapshot,
  LaunchSnapshot,
  PurchaseSnapshot,
  ReplySnapshot
} from "@outbound/domain/calls/approvals/Snapshot.js"
import { variantName, wordingsOf } from "@outbound/domain/kernel/sequences/variants.js"
import { count } from "../web/Words.js"
import { NAMED_MAILBOXES_MAX } from "./approvals/Glance.js"
import { Marked } from "./approvals/Marked.js"
import { sequenceOf } from "./approvals/MergedMessages.js"
import { Section, Table } from "./Parts.js"

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

/** What the messages are merged from. One lead's own stand whole above it. */
const Steps = (props: { readonly steps: Sending["steps"]; readonly isOpen: boolean }) => (
  <Section id="templates" title="Templates">
    <details class="plain" open={props.isOpen}>
      <summary>
        {props.steps.length === 1 ? "The text that is" : `The ${count(props.steps.length, "text")} that are`} merged
        with each lead’s values
      </summary>
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
    </details>
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

const Mailboxes = (props: { readonly of: Sending }) =>
  props.of.mailboxes.length <= NAMED_MAILBOXES_MAX ? null : (
    <Section id="from" title="Mailboxes">
      <ul class="card names">
        {props.of.mailboxes.map((mailbox) => (
          <li key={mailbox}>
            <Marked text={mailbox} />
          </li>
        ))}
      </ul>
    </Section>
  )

/** Whose hours and whose holidays are kept. */
const Hours = (props: { readonly of: Sending }) => {
  const { holidays, schedule, timezone_unknown, timezones } = props.of
  return timezones === undefined && holidays === undefined ? null : (
    <Section id="hours" title="Whose hours and holidays" isCard>
      {timezones === undefined ? null : (
        <OwnZones
          zones={timezones.map(({ people, timezone }) => ({ name: timezone, people }))}
          whose="all"
          unknown={{ people: timezone_unknown ?? 0, timezone: schedule.timezone }}
        />
      )}
      {holidays === undefined ? null : (
        <HolidaysOf countries={holidays.map(({ country, next, people }) => ({ name: country, people, next }))} />
      )}
    </Section>
  )
}

const CompanyRules = (props: { readonly of: Sending }) => {
  const { max_per_company_per_day: max, stop_for_company: stops } = props.of
  return stops === undefined && max === undefined ? null : (
    <Section id="companies" title="Companies" isCard>
      {stops === undefined ? null : <p>When one person answers or refuses, nobody of their company gets more.</p>}
      {max === undefined ? null : <p>At most {count(max, "message")} per day to one company.</p>}
      <p class="soft">Addresses at mail providers, such as gmail.com, belong to no company.</p>
    </Section>
  )
}

const Launch = (props: { readonly of: Sending }) => {
  const { of } = props
  return (
    <>
      <Hours of={of} />
      <Mailboxes of={of} />
      <CompanyRules of={of} />
      <Steps steps={of.steps} isOpen={of.content === undefined} />
      {of.content === undefined ? <Recipients of={of} /> : null}
    </>
  )
}

const Purchase = (props: { readonly of: typeof PurchaseSnapshot.Type }) => (
  <Section id="domains" title="Domains and mailboxes">
    <Table
      titledBy="domains"
      head={["Domain", "Mailboxes"]}
      rows={props.of.domains.map(({ domain, mailboxes }) => [
        <Marked text={domain} />,
        <Marked text={mailboxes.join(", ")} />
      ])}
    />
  </Section>
)

/** The original message is somebody else's text, so it is shown as plain text and marked as theirs. */
const Reply = (props: { readonly of: typeof ReplySnapshot.Type }) => {
  const { answers, body_text } = props.of
  return (
    <>
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

/** Shows everything that a snapshot holds, but for what the card says. */
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
