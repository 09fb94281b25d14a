import type { AddReport, MailboxSummary } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { PROVIDER_NAMES } from "@outbound/domain/outreach/sending/connect/consent.js"
import type { GrantProvider } from "@outbound/domain/outreach/sending/mailGrant.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import type { Reply } from "../../http/Reply.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Field, Form, LinkLine, Note, type Problem, Select, useTyped } from "../Parts.js"
import { MailboxReport } from "./MailboxReport.js"
import { titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

/** The page with a button for each provider. */
export const CONNECT = "/console/mailboxes/connect"

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

/** A button for each provider whose mailboxes need no settings; none where the operator has no client there. */
export const ConnectButtons = (props: { readonly of: ReadonlyArray<GrantProvider> }) =>
  props.of.length === 0 ? null : (
    <p class="actions">
      {props.of.map((provider) => (
        <a key={provider} class="button" href={CONNECT}>
          Connect {PROVIDER_NAMES[provider]}
        </a>
      ))}
    </p>
  )

export const newMailboxPage = (options: {
  readonly viewer: Viewer
  readonly isLive: boolean
  /** The providers whose mailboxes are connected by a button. */
  readonly providers: ReadonlyArray<GrantProvider>
  readonly problem?: Problem | undefined
  /** A test that just failed. */
  readonly failed?: { readonly report: AddReport; readonly form: URLSearchParams } | undefined
}): Reply => {
  const { failed, isLive, problem, providers, viewer } = options
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
          {mayLoosen(viewer) ? (
            <>
              <ConnectButtons of={providers} />
              <Settings />
            </>
          ) : null}
        </>
      ) : (
        <Note>
          This is a sandbox workspace. It never sends real email, so you can’t connect your own mailboxes. Ask the
          operator of this service for a live workspace.
        </Note>
      )}
      <LinkLine to="/console/mailboxes/table" text="Many mailboxes from a table" />
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
