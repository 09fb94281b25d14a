import { REPORTERS } from "@outbound/domain/outreach/reputation/reporters.js"
import type { ReputationRule } from "@outbound/domain/outreach/reputation/ReputationRule.js"
import { isOn } from "../control/acting.js"
import { Field, Form, useTyped } from "../Parts.js"

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
export const RuleForm = (props: { readonly rule: ReputationRule }) => {
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
