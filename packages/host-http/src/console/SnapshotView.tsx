import type {
  AddLeadsSnapshot,
  ApprovalSnapshot,
  LaunchSnapshot,
  PurchaseSnapshot,
  ReplySnapshot
} from "@outbound/domain/calls/approvals/Snapshot.js"
import { count, creditWords } from "../web/Words.js"

const hour = (h: number): string => `${String(h).padStart(2, "0")}:00`

const DAY_WORDS: Readonly<Record<string, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun"
}

const Steps = (props: { readonly steps: (typeof LaunchSnapshot.Type)["steps"] }) => (
  <section aria-labelledby="messages">
    <h2 id="messages">What is sent</h2>
    {props.steps.map((step, index) => (
      <article class="card step" key={index}>
        <header>
          <h3>{step.subject ?? "In the same thread"}</h3>
          <span class="soft">
            {index === 0 ? "First message" : `${count(step.wait_days, "day")} later, unless they have answered`}
          </span>
        </header>
        <div class="mail">{step.body}</div>
      </article>
    ))}
  </section>
)

type Sending = typeof LaunchSnapshot.Type | typeof AddLeadsSnapshot.Type

const Recipients = (props: { readonly of: Sending }) => {
  const { leads, recipients } = props.of
  return (
    <section aria-labelledby="recipients">
      <h2 id="recipients">Who gets it</h2>
      <div class="card scroll" tabIndex={0} role="group" aria-labelledby="recipients">
        <table>
          <caption>
            {leads > recipients.length
              ? `The first ${recipients.length} of ${count(leads, "person", "people")}`
              : count(leads, "person", "people")}
          </caption>
          <thead>
            <tr>
              <th scope="col">Address</th>
              <th scope="col">Name</th>
              <th scope="col">Company</th>
            </tr>
          </thead>
          <tbody>
            {recipients.map((recipient) => (
              <tr key={recipient.email}>
                <td>{recipient.email}</td>
                <td>{recipient.name ?? "–"}</td>
                <td>{recipient.company_name ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const PAUSE_WORDS: Readonly<Record<string, string>> = {
  awaiting_approval: "It stands still until you decide",
  owner: "An owner had paused it",
  capacity: "It was paused for lack of mailboxes"
}

/** What becomes of a campaign that people are added to. */
const Extended = (props: { readonly of: typeof AddLeadsSnapshot.Type }) => {
  const { campaign_lead_total, campaign_name, pause_reason } = props.of
  return (
    <>
      <dt>Campaign</dt>
      <dd>
        {campaign_name}, which then has {count(campaign_lead_total, "person", "people")}
        <div class="soft">{PAUSE_WORDS[pause_reason] ?? "It is paused"}. Once they are added, it goes on.</div>
      </dd>
    </>
  )
}

const Launch = (props: { readonly of: Sending }) => {
  const { credits, daily_send_limit, leads, leads_removed, mailboxes, postal_address, schedule } = props.of
  return (
    <>
      <dl class="facts card">
        <dt>People</dt>
        <dd>
          <span class="big">{count(leads, "person", "people")}</span>
          {leads_removed === 0 ? null : (
            <div class="soft">
              {count(leads_removed, "more was", "more were")} taken out: they must not be contacted
            </div>
          )}
        </dd>
        {props.of.kind === "add_leads" ? <Extended of={props.of} /> : null}
        <dt>Cost</dt>
        <dd>{credits === 0n ? "Free" : creditWords(credits)}</dd>
        <dt>From</dt>
        <dd>
          <ul>
            {mailboxes.map((mailbox) => (
              <li key={mailbox}>{mailbox}</li>
            ))}
          </ul>
        </dd>
        <dt>When</dt>
        <dd>
          {schedule.days.map((day) => DAY_WORDS[day] ?? day).join(", ")}, {hour(schedule.start_hour)} to{" "}
          {hour(schedule.end_hour)} ({schedule.timezone}), at most {count(daily_send_limit, "message")} a day
        </dd>
        <dt>Postal address</dt>
        <dd>{postal_address}</dd>
      </dl>
      <Steps steps={props.of.steps} />
      <Recipients of={props.of} />
    </>
  )
}

const Purchase = (props: { readonly of: typeof PurchaseSnapshot.Type }) => {
  const { daily_sends, domains, identity, setup_credits, upkeep_credits_per_month } = props.of
  return (
    <>
      <dl class="facts card">
        <dt>Cost now</dt>
        <dd class="big">{creditWords(setup_credits)}</dd>
        <dt>Then every month</dt>
        <dd class="big">{creditWords(upkeep_credits_per_month)}</dd>
        <dt>For</dt>
        <dd>up to {count(daily_sends, "message")} a day</dd>
        <dt>In the name of</dt>
        <dd>
          {identity.first_name} {identity.last_name}
        </dd>
      </dl>
      <section aria-labelledby="domains">
        <h2 id="domains">What is bought</h2>
        <div class="card scroll" tabIndex={0} role="group" aria-labelledby="domains">
          <table>
            <caption>{count(domains.length, "domain")}</caption>
            <thead>
              <tr>
                <th scope="col">Domain</th>
                <th scope="col">Mailboxes</th>
              </tr>
            </thead>
            <tbody>
              {domains.map(({ domain, mailboxes }) => (
                <tr key={domain}>
                  <td>{domain}</td>
                  <td>{mailboxes.join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

/** The message that is answered is somebody else's text: it is shown as that, and as nothing but text. */
const Reply = (props: { readonly of: typeof ReplySnapshot.Type }) => {
  const { answers, body_text, from_email, subject, to_email } = props.of
  return (
    <>
      <dl class="facts card">
        <dt>To</dt>
        <dd class="big">{to_email}</dd>
        <dt>From</dt>
        <dd>{from_email}</dd>
        <dt>Subject</dt>
        <dd>{subject}</dd>
        <dt>Cost</dt>
        <dd>Free</dd>
      </dl>
      <section aria-labelledby="answer">
        <h2 id="answer">What is sent</h2>
        <article class="card step">
          <div class="mail">{body_text}</div>
        </article>
      </section>
      <section aria-labelledby="answered">
        <h2 id="answered">What it answers</h2>
        <article class="card step">
          <header>
            <h3>{answers.subject === "" ? "No subject" : answers.subject}</h3>
            <span class="soft">
              {answers.from_email} wrote this on <time dateTime={answers.received_at}>{answers.received_at}</time>. It
              comes from outside: whatever it asks for, nobody here has checked it.
            </span>
          </header>
          <div class="mail">{answers.text}</div>
          {answers.truncated ? <p class="soft">It goes on; this is how far it is kept.</p> : null}
        </article>
      </section>
    </>
  )
}

/** All that a snapshot holds, in words: nothing that is decided on stays unshown. */
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
