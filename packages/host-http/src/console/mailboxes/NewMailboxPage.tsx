import type { ProbeStep } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { AddReport, MailboxSummary } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import type { VitalName, VitalState } from "@outbound/domain/outreach/authentication/vitals.js"
import type { Reply } from "../../http/Reply.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import {
  Field,
  Form,
  LinkLine,
  Note,
  type Problem,
  Section,
  Select,
  StateBadge,
  type StateWords,
  Table,
  useTyped
} from "../Parts.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

const STEPS = [
  ["smtpLogin", "Sign in to SMTP"],
  ["imapLogin", "Sign in to IMAP"],
  ["send", "Send a message to itself"],
  ["read", "Find that message by IMAP"]
] as const

const STEP_WORDS: Readonly<Record<ProbeStep["state"], StateWords>> = {
  ok: ["Works", "good"],
  failed: ["Failed", "bad"],
  not_tried: ["Skipped", undefined]
}

const VITAL_NAMES: Readonly<Record<VitalName, readonly [name: string, about: string]>> = {
  mx: ["MX", "the servers that receive its mail"],
  spf: ["SPF", "the servers that may send for the domain"],
  dkim: ["DKIM", "the keys that sign its mail"],
  dmarc: ["DMARC", "what receivers do with forged mail"]
}

const VITAL_WORDS: Readonly<Record<VitalState, StateWords>> = {
  good: ["Good", "good"],
  weak: ["Weak", "wait"],
  missing: ["Missing", "bad"],
  unknown: ["Unknown", undefined]
}

const saysOf = (step: ProbeStep): string | null => ("says" in step ? step.says : null)

/** The results of testing a mailbox. */
const MailboxReport = (props: { readonly of: AddReport }) => {
  const { advice, probe, vitals } = props.of
  const told = new Set([...STEPS.map(([name]) => saysOf(probe[name])), ...vitals.map((one) => one.advice)])
  const rest = advice.filter((text) => !told.has(text))
  return (
    <>
      <Section id="tried" title="Connection test">
        <Table
          label="Connection test"
          head={["Step", "Result", "Server’s answer"]}
          rows={STEPS.map(([name, words]) => [
            words,
            <StateBadge of={STEP_WORDS[probe[name].state]} />,
            saysOf(probe[name]) ?? "–"
          ])}
        />
        {rest.length === 0 ? null : (
          <ul>
            {rest.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </Section>
      <Section id="domain" title="Domain records">
        <p class="soft">
          Receivers check these records before they trust mail from this domain. You can add the mailbox without them.
        </p>
        <Table
          label="Domain records"
          head={["Record", "State", "Found, and what to do"]}
          rows={vitals.map((vital) => {
            const [name, about] = VITAL_NAMES[vital.name]
            return [
              <>
                {name}
                <div class="soft">{about}</div>
              </>,
              <StateBadge of={VITAL_WORDS[vital.state]} />,
              <>
                {vital.found === null ? null : <code>{vital.found}</code>}
                {vital.advice === null ? null : <div>{vital.advice}</div>}
              </>
            ]
          })}
        />
      </Section>
    </>
  )
}

const AUTHS = [
  ["password", "Password"],
  ["google", "Google: OAuth 2 refresh token"],
  ["microsoft", "Microsoft: OAuth 2 refresh token"],
  ["oauth", "Another provider: OAuth 2 refresh token"],
  ["xoauth2", "OAuth 2 access token (expires, not renewed)"]
] as const

/** The ways to sign in that use a refresh token. */
const GRANTS: ReadonlyArray<string> = ["google", "microsoft", "oauth"]

/** The form, filled in with what was typed except secrets. */
const Settings = () => (
  <Form class="card" action="/console/mailboxes" autocomplete="off" button="Test and add" tone="go">
    <div class="pairs">
      <Field label="Email" name="address" isEmail required maxLength={254} />
      <Field label="Sender name" name="name" required maxLength={120} />
    </div>
    <Field
      label="SMTP server"
      name="smtp"
      required
      maxLength={300}
      hint="smtps://host:465 or smtp+starttls://host:587"
    />
    <Field
      label="IMAP server"
      name="imap"
      required
      maxLength={300}
      hint="imaps://host:993 or imap+starttls://host:143"
    />
    <Field label="User name" name="username" maxLength={320} hint="Leave empty to use the email address." />
    <Select label="Sign in with" name="auth" value="password" options={AUTHS} />
    <Field
      label="Password or token"
      name="secret"
      isSecret
      required
      hint="Stored encrypted for this mailbox and never shown again."
    />
    <details open={GRANTS.includes(useTyped()?.get("auth") ?? "")}>
      <summary>For a refresh token</summary>
      <div class="pairs">
        <Field label="Client id" name="client_id" maxLength={512} />
        <Field label="Client secret" name="client_secret" isSecret hint="Leave empty if the client has none." />
      </div>
      <Field label="Token endpoint" name="token_url" maxLength={2048} hint="Leave empty for Google or Microsoft." />
    </details>
    <Field
      label="DKIM selectors"
      name="dkim_selectors"
      maxLength={640}
      hint="Only if they are unusual. Separate them by spaces."
    />
    <p class="soft">
      We test the mailbox first: we sign in, send a message from it to itself, and look for that message. This takes up
      to two minutes. If a step fails, nothing is stored.
    </p>
  </Form>
)

export const newMailboxPage = (options: {
  readonly viewer: Viewer
  readonly isLive: boolean
  readonly problem?: Problem | undefined
  /** A test that just failed. */
  readonly failed?: { readonly report: AddReport; readonly form: URLSearchParams } | undefined
}): Reply => {
  const { failed, isLive, problem, viewer } = options
  return titledPage(
    {
      status: failed === undefined ? undefined : 400,
      title: "Add a mailbox",
      viewer,
      at: "sending",
      isNarrow: true,
      problem,
      typed: failed?.form,
      lead: "Connect a mailbox that you already have, at any provider with SMTP and IMAP. To change the password or token of a connected mailbox, add it again."
    },
    <>
      {failed === undefined ? null : (
        <>
          <Note tone="bad" role="alert">
            The mailbox was not added: a step of the test failed. Correct the settings below and enter the secret again.
          </Note>
          <MailboxReport of={failed.report} />
          <h2>Try again</h2>
        </>
      )}
      {isLive ? (
        <>
          <MayNote path="/console/mailboxes/new" loosening="add a mailbox" />
          {mayLoosen(viewer) ? <Settings /> : null}
        </>
      ) : (
        <Note>
          This is a sandbox workspace. It never sends real email, so you can’t connect your own mailboxes. Ask the
          operator of this service for a live workspace.
        </Note>
      )}
      <LinkLine to="/console/sending" text="Back to sending" />
    </>
  )
}

export const mailboxAddedPage = (viewer: Viewer, report: AddReport, added: MailboxSummary): Reply =>
  titledPage(
    { title: "Mailbox added", viewer, at: "sending", isNarrow: true },
    <>
      <Note tone="good" role="status">
        {added.address} works.{" "}
        {MailboxMachine.is.sending(added.state)
          ? "Campaigns can send from it now."
          : "It is still paused, for the same reason as before."}
      </Note>
      <MailboxReport of={report} />
      <p>
        <a href="/console/sending">Go to sending</a> · <a href="/console/mailboxes/new">Add another</a>
      </p>
    </>
  )
