import type { SendingDomain } from "@outbound/domain/outreach/domains/SendingDomainStore.js"
import type { ReputationRule } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import type { ZoneVendor } from "@outbound/domain/outreach/domains/DnsZones.js"
import {
  added,
  type PlanAction,
  type Planned,
  type RecordKind,
  removed
} from "@outbound/domain/outreach/domains/planRecords.js"
import type { SendingDomainState } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import { REPORTERS } from "@outbound/domain/outreach/reputation/reporters.js"
import type { Reply } from "../../http/Reply.js"
import { isOn, mayLoosen, MayNote } from "../control/acting.js"
import { Cards, Field, Form, type Problem, Select, StateBadge, type StateWords, useTyped } from "../Parts.js"
import { saidOf, titledPage } from "../Shell.js"
import type { Viewer } from "../Viewer.js"

/** Where the form posts. */
export const RULE = "/console/domains/rule"

const whole = (form: URLSearchParams, name: string): number => {
  const text = (form.get(name) ?? "").trim()
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

/** The rule in a form. A number that is none is refused with the others' mistakes. */
export const ruleIn = (form: URLSearchParams): ReputationRule => {
  const server = (form.get("trusted_server") ?? "").trim().toLowerCase()
  return {
    failingPercentMax: whole(form, "failing_percent"),
    failingMessagesMin: whole(form, "failing_messages"),
    pausesForDmarc: isOn(form, "pauses_for_dmarc"),
    pausesForBlocklists: isOn(form, "pauses_for_blocklists"),
    trustedServer: server === "" ? null : server
  }
}

const Tick = (props: { readonly name: string; readonly text: string; readonly isOn: boolean }) => (
  <p class="field">
    <label class="tick">
      <input type="checkbox" name={props.name} value="on" checked={props.isOn} /> {props.text}
    </label>
  </p>
)

/** What the workspace does about failing mail and listings, for owners to set. */
const RuleForm = (props: { readonly rule: ReputationRule }) => {
  const typed = useTyped()
  // The page's other form has none of these fields.
  const form = typed?.has("failing_percent") === true ? typed : null
  const { rule } = props
  return (
    <Form class="card" action={RULE} button="Save rule">
      <h2>Alerts and pauses</h2>
      <p class="soft">For all domains of the workspace. A paused mailbox is resumed by an owner.</p>
      <Field
        label="Alert if more than this percentage fails DMARC"
        name="failing_percent"
        inputMode="numeric"
        required
        value={String(rule.failingPercentMax)}
        hint="Of the domain’s own mail in the last 7 days, by the reports of receivers."
      />
      <Field
        label="And at least this many messages"
        name="failing_messages"
        inputMode="numeric"
        required
        value={String(rule.failingMessagesMin)}
      />
      <Tick
        name="pauses_for_dmarc"
        text="Pause the domain’s mailboxes then, if proven reports say so"
        isOn={form === null ? rule.pausesForDmarc : isOn(form, "pauses_for_dmarc")}
      />
      <Field
        label="Server that checks the reports’ sender"
        name="trusted_server"
        maxLength={253}
        value={rule.trustedServer ?? ""}
        hint={`Such as mx.google.com: the first word of Authentication-Results in mail that the mailbox receives. Anyone can send a report, so it proves something only if this server says that DMARC passed, and it came from one of: ${REPORTERS.join(", ")}.`}
      />
      <Tick
        name="pauses_for_blocklists"
        text="Pause the domain’s mailboxes if a blocklist newly lists it or its server"
        isOn={form === null ? rule.pausesForBlocklists : isOn(form, "pauses_for_blocklists")}
      />
    </Form>
  )
}

export const STATE_WORDS: Readonly<Record<SendingDomainState, StateWords>> = {
  open: ["Records to set", "wait"],
  applying: ["Being set", "wait"],
  checking: ["Being checked", "wait"],
  good: ["All checks green", "good"],
  late: ["Not found in time", "bad"]
}

export const VENDOR_NAMES: Readonly<Record<ZoneVendor, string>> = {
  cloudflare: "Cloudflare",
  route53: "Amazon Route 53"
}

const ACTION_WORDS: Readonly<Record<PlanAction, StateWords>> = {
  leave: ["Green", "good"],
  create: ["Missing", "bad"],
  merge: ["Different", "wait"],
  conflict: ["Conflict", "bad"],
  unknown: ["Unknown", undefined]
}

const KIND_WORDS: Readonly<Record<RecordKind, readonly [name: string, about: string]>> = {
  spf: ["SPF", "the servers that may send for the domain"],
  dkim: ["DKIM", "a key that signs its mail"],
  dmarc: ["DMARC", "what receivers do with forged mail, and where they report"],
  mx: ["MX", "the servers that receive its mail"]
}

/** Values, each to be copied as it stands. */
export const Values = (props: { readonly label: string; readonly values: ReadonlyArray<string> }) => (
  <>
    <p class="soft">{props.label}</p>
    {props.values.map((value) => (
      <pre key={value} class="copied" tabIndex={0} aria-label={props.label}>
        <code>{value}</code>
      </pre>
    ))}
  </>
)

const ADDED: Readonly<Record<"create" | "merge", string>> = {
  create: "Add this value",
  merge: "Put this value in the place of the one found"
}

/** A record that shall stand there, beside what was found. */
export const RecordCard = (props: { readonly of: Planned }) => {
  const { action, after, before, kind, name, reason, type } = props.of
  const [title, about] = KIND_WORDS[kind]
  const [coming, going] = [added(props.of), removed(props.of)]
  return (
    <section class="card">
      <h3>
        {title} <StateBadge of={ACTION_WORDS[action]} />
      </h3>
      <p class="soft">
        {title}: {about}. A record of the type {type}.
      </p>
      <Values label="Name" values={[name]} />
      {action === "create" || action === "merge" ? <Values label={ADDED[action]} values={coming} /> : null}
      {action === "conflict" || action === "unknown" ? <Values label="Wanted" values={after} /> : null}
      {action === "leave" ? <Values label="Found" values={before} /> : null}
      {action === "merge" ? <Values label="Found" values={going} /> : null}
      {action === "conflict" && before.length > 0 ? <Values label="Found" values={before} /> : null}
      {action === "unknown" ? <p>The name servers did not answer. Load the page again later.</p> : null}
      {reason === null ? null : <p>{reason}</p>}
    </section>
  )
}

export const DOMAINS = "/console/domains"

const Lines = (props: { readonly label: string; readonly name: string; readonly hint: string }) => (
  <p class="field">
    <label for={`f-${props.name}`}>{props.label}</label>
    <textarea id={`f-${props.name}`} name={props.name} rows={3} aria-describedby={`f-${props.name}-hint`}>
      {useTyped()?.get(props.name) ?? ""}
    </textarea>
    <span class="hint" id={`f-${props.name}-hint`}>
      {props.hint}
    </span>
  </p>
)

const Add = () => (
  <Form class="card" action={DOMAINS} button="Add domain">
    <h2>Add a domain</h2>
    <Field label="Domain" name="domain" required maxLength={253} hint="Such as acme.example" />
    <Select
      label="Who keeps its mailboxes"
      name="mail_host"
      value="google"
      options={[
        ["google", "Google Workspace"],
        ["microsoft", "Microsoft 365"],
        ["fastmail", "Fastmail"],
        ["other", "Another provider"]
      ]}
    />
    <Lines
      label="DKIM records"
      name="dkim"
      hint="One per line, as your provider shows them: google TXT v=DKIM1; k=rsa; p=… or selector1 CNAME host. Fastmail needs none here."
    />
    <Lines
      label="Further senders (SPF)"
      name="spf"
      hint="One per line, such as include:_spf.example.com. Needed for another provider."
    />
    <Field
      label="Address for DMARC reports"
      name="reports_to"
      maxLength={254}
      hint="An address of the domain that somebody reads. Empty: dmarc@ the domain."
    />
    <p class="field">
      <label class="tick">
        <input type="checkbox" name="takes_mail" value="on" checked={useTyped()?.get("takes_mail") === "on"} /> Set the
        provider’s MX records too, if the domain has none
      </label>
    </p>
    <Lines label="Other MX records" name="mx" hint="One per line, such as 10 mx.example.com. Empty: none." />
  </Form>
)

const DONE: Readonly<Record<string, string>> = {
  removed: "The domain is removed here. Its DNS records stay as they are.",
  rule: "The rule is saved."
}

/** The workspace's sending domains. */
export const domainsPage = (options: {
  readonly viewer: Viewer
  readonly isLive: boolean
  readonly domains: ReadonlyArray<SendingDomain>
  readonly problem?: Problem | undefined
  readonly done: string | null
  readonly rule: ReputationRule
}): Reply => {
  const { domains, isLive, problem, rule, viewer } = options
  return titledPage(
    {
      said: saidOf(DONE, options.done),
      problem,
      title: "Domains",
      viewer,
      at: "sending",
      isNarrow: true,
      lead: (
        <>
          Your sending domains, the DNS records that they need, and whether the world sees them.{" "}
          <a href="/console/sending">Back to sending</a>
        </>
      )
    },
    <>
      <Cards
        of={domains}
        none={isLive ? "No domains yet." : "A sandbox workspace never sends real email, so it has no domains."}
        each={({ domain, domainId, state }) => (
          <li class="card">
            <a href={`${DOMAINS}/${domainId}`}>{domain}</a> <StateBadge of={STATE_WORDS[state]} />
          </li>
        )}
      />
      {isLive ? <MayNote path={DOMAINS} loosening="add a domain or change the rule" /> : null}
      {isLive && mayLoosen(viewer) ? <Add /> : null}
      {isLive && mayLoosen(viewer) ? <RuleForm rule={rule} /> : null}
    </>
  )
}
