import type { ProbeStep } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { AddReport, MailboxSummary } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { MailboxMachine } from "@outbound/domain/outreach/sending/MailboxMachine.js"
import type { VitalName, VitalState } from "@outbound/domain/outreach/sending/vitals.js"
import type { Reply } from "../../http/Reply.js"
import { mayLoosen, MayNote } from "../control/acting.js"
import { Badge, Csrf, Field, Note, type Problem, ProblemNote, Select, Table } from "../Parts.js"
import { consolePage, type Viewer } from "../Shell.js"

type Words = readonly [words: string, tone: "good" | "bad" | "wait" | undefined]

const STEPS = [
  ["smtpLogin", "Signing in to send"],
  ["imapLogin", "Signing in to read"],
  ["send", "Sending a message to itself"],
  ["read", "Finding that message again"]
] as const

const STEP_WORDS: Readonly<Record<ProbeStep["state"], Words>> = {
  ok: ["Works", "good"],
  failed: ["Failed", "bad"],
  not_tried: ["Not tried", undefined]
}

const VITAL_NAMES: Readonly<Record<VitalName, readonly [name: string, about: string]>> = {
  mx: ["MX", "which servers take its mail"],
  spf: ["SPF", "which servers may send for it"],
  dkim: ["DKIM", "by which keys its mail is signed"],
  dmarc: ["DMARC", "what to do with mail that only claims to be from it"]
}

const VITAL_WORDS: Readonly<Record<VitalState, Words>> = {
  good: ["In order", "good"],
  weak: ["Weak", "wait"],
  missing: ["Missing", "bad"],
  unknown: ["Not known", undefined]
}

const saysOf = (step: ProbeStep): string | null => ("says" in step ? step.says : null)

/** Everything that trying a mailbox out found, in words. */
const MailboxReport = (props: { readonly of: AddReport }) => {
  const { advice, probe, vitals } = props.of
  const told = new Set([...STEPS.map(([name]) => saysOf(probe[name])), ...vitals.map((one) => one.advice)])
  const rest = advice.filter((text) => !told.has(text))
  return (
    <>
      <section aria-labelledby="tried">
        <h2 id="tried">What was tried</h2>
        <Table label="What was tried" head={["Step", "Came to", "The server says"]}>
          {STEPS.map(([name, words]) => {
            const [state, tone] = STEP_WORDS[probe[name].state]
            return (
              <tr key={name}>
                <td>{words}</td>
                <td>
                  <Badge tone={tone}>{state}</Badge>
                </td>
                <td>{saysOf(probe[name]) ?? "–"}</td>
              </tr>
            )
          })}
        </Table>
        {rest.length === 0 ? null : (
          <ul>
            {rest.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="domain">
        <h2 id="domain">Its domain</h2>
        <p class="soft">What receivers look up before they trust its mail. Nothing missing here keeps a mailbox out.</p>
        <Table label="Its domain" head={["Record", "Is", "What was found, and what to do"]}>
          {vitals.map((vital) => {
            const [name, about] = VITAL_NAMES[vital.name]
            const [state, tone] = VITAL_WORDS[vital.state]
            return (
              <tr key={name}>
                <td>
                  {name}
                  <div class="soft">{about}</div>
                </td>
                <td>
                  <Badge tone={tone}>{state}</Badge>
                </td>
                <td>
                  {vital.found === null ? null : <code>{vital.found}</code>}
                  {vital.advice === null ? null : <div>{vital.advice}</div>}
                </td>
              </tr>
            )
          })}
        </Table>
      </section>
    </>
  )
}

const AUTHS = [
  ["password", "A password"],
  ["google", "Google: an OAuth 2 refresh token"],
  ["microsoft", "Microsoft: an OAuth 2 refresh token"],
  ["oauth", "Another provider: an OAuth 2 refresh token"],
  ["xoauth2", "An OAuth 2 access token, which is not renewed"]
] as const

/** The ways of signing in that need more than one secret. */
const GRANTS: ReadonlyArray<string> = ["google", "microsoft", "oauth"]

/** What was typed is typed again, the secrets excepted. */
const Form = (props: { readonly viewer: Viewer; readonly typed: URLSearchParams | undefined }) => {
  const typed = (name: string): string => props.typed?.get(name) ?? ""
  return (
    <form class="card" method="post" action="/console/mailboxes" autocomplete="off">
      <Csrf viewer={props.viewer} />
      <div class="pairs">
        <Field label="Address" name="address" isEmail required maxLength={254} value={typed("address")} />
        <Field label="Name that its messages are from" name="name" required maxLength={120} value={typed("name")} />
      </div>
      <Field
        label="Where it sends (SMTP)"
        name="smtp"
        required
        maxLength={300}
        value={typed("smtp")}
        hint="smtps://host:465 or smtp+starttls://host:587"
      />
      <Field
        label="Where it is read (IMAP)"
        name="imap"
        required
        maxLength={300}
        value={typed("imap")}
        hint="imaps://host:993 or imap+starttls://host:143"
      />
      <Field
        label="User name"
        name="username"
        maxLength={320}
        value={typed("username")}
        hint="Left empty, it is the address."
      />
      <Select label="It signs in with" name="auth" value={typed("auth") || "password"} options={AUTHS} />
      <Field
        label="Password or token"
        name="secret"
        isSecret
        required
        hint="It is kept encrypted, for this mailbox alone, and shown to nobody again."
      />
      <details open={GRANTS.includes(typed("auth"))}>
        <summary>With a refresh token</summary>
        <div class="pairs">
          <Field label="Client id" name="client_id" maxLength={512} value={typed("client_id")} />
          <Field label="Client secret" name="client_secret" isSecret hint="Left empty where the client has none." />
        </div>
        <Field
          label="Token endpoint"
          name="token_url"
          maxLength={2048}
          value={typed("token_url")}
          hint="Left empty, it is Google's or Microsoft's own."
        />
      </details>
      <Field
        label="DKIM selectors"
        name="dkim_selectors"
        maxLength={640}
        value={typed("dkim_selectors")}
        hint="Only where they are none of the usual ones, with spaces between them."
      />
      <p class="soft">
        It signs in, sends a message to itself and looks for it there. That takes up to two minutes; the answer comes on
        this page. Where any of it fails, nothing is stored.
      </p>
      <button class="go" type="submit">
        Try it out and add it
      </button>
    </form>
  )
}

export const newMailboxPage = (options: {
  readonly viewer: Viewer
  readonly nowMillis: number
  readonly isLive: boolean
  readonly problem?: Problem | undefined
  /** A mailbox that was tried out just now, and does not work. */
  readonly failed?: { readonly report: AddReport; readonly form: URLSearchParams } | undefined
}): Reply => {
  const { failed, isLive, nowMillis, problem, viewer } = options
  return consolePage({
    status: problem === undefined && failed === undefined ? 200 : 400,
    title: "Add a mailbox",
    viewer,
    at: "sending",
    isNarrow: true,
    children: (
      <>
        <h1>Add a mailbox</h1>
        <p class="lead">
          A mailbox that you have already, at any provider that lets programs send by SMTP and read by IMAP. To give one
          a new secret, add it again.
        </p>
        <ProblemNote of={problem} />
        {failed === undefined ? null : (
          <>
            <Note tone="bad" role="alert">
              <p>It is not added: it does not work yet. Nothing was stored. Type its secret again to try once more.</p>
            </Note>
            <MailboxReport of={failed.report} />
            <h2>Try again</h2>
          </>
        )}
        {isLive ? (
          <>
            <MayNote viewer={viewer} nowMillis={nowMillis} path="/console/mailboxes/new" loosening="add a mailbox" />
            {mayLoosen(viewer) ? <Form viewer={viewer} typed={failed?.form ?? problem?.form} /> : null}
          </>
        ) : (
          <Note>
            <p>
              This workspace is a sandbox, which never sends real mail: its people do not exist, and a test list must
              not become mail to anybody. It has no mailboxes of its own. Whoever runs this service makes a live
              workspace for them.
            </p>
          </Note>
        )}
        <p>
          <a href="/console/sending">Back to sending</a>
        </p>
      </>
    )
  })
}

export const mailboxAddedPage = (viewer: Viewer, report: AddReport, added: MailboxSummary): Reply =>
  consolePage({
    title: "The mailbox is added",
    viewer,
    at: "sending",
    isNarrow: true,
    children: (
      <>
        <h1>The mailbox is added</h1>
        <Note tone="good" role="status">
          <p>
            {added.address} works
            {MailboxMachine.is.sending(added.state)
              ? ", and messages may leave from it."
              : ". It stays paused for what it was paused for before."}
          </p>
        </Note>
        <MailboxReport of={report} />
        <p>
          <a href="/console/sending">Go to sending</a> · <a href="/console/mailboxes/new">Add another</a>
        </p>
      </>
    )
  })
