import type { ControlAction, ControlLogEntry } from "@outbound/domain/control/ControlLog.js"
import { Moment, momentWords } from "../../web/Words.js"
import { Badge, Cards, fieldWords, fitted } from "../Parts.js"
import { useViewer } from "../Viewer.js"

const ACTION_WORDS: Readonly<Record<ControlAction, string>> = {
  create_key: "Key created",
  pause_key: "Key paused",
  resume_key: "Key resumed",
  revoke_key: "Key revoked",
  set_policy: "Policy changed",
  create_run: "Run created",
  close_run: "Run closed",
  set_caps: "Caps changed",
  set_overlap: "People in two campaigns",
  add_domain: "Sending domain added",
  remove_domain: "Sending domain removed",
  set_dns_access: "Access to DNS given",
  remove_dns_access: "Access to DNS removed",
  approve_dns_records: "DNS records approved",
  check_domain: "Checks of a domain started",
  set_reputation_rule: "Alerts and pauses of domains changed",
  export_person: "A person’s file exported",
  set_words: "Words by country changed",
  set_link_host: "Link host set",
  remove_link_host: "Link host removed",
  set_canaries: "Canaries turned on or off",
  set_postmaster: "Google Postmaster Tools connected or disconnected",
  set_rules: "Rules of launches changed",
  set_postal_address: "Postal address changed",
  set_reply_send: "Outgoing replies switched",
  kill: "All sending stopped",
  clear_suspension: "Sending resumed",
  add_member: "Member added",
  set_role: "Role changed",
  remove_member: "Member removed",
  add_webhook: "Webhook added",
  set_webhook: "Webhook changed",
  rotate_webhook_secret: "Webhook secret rotated",
  set_alert_threshold: "Low-balance alert changed",
  set_own_key: "Own key for a vendor added",
  remove_own_key: "Own key for a vendor removed",
  set_chat_channel: "Chat channel for approvals set",
  remove_chat_channel: "Chat channel for approvals removed",
  set_approval_rules: "Rules of approving changed",
  choose_variant: "Variant of a message chosen",
  set_winner_rule: "Rule that chooses variants switched",
  start_list: "List started from a CSV",
  set_crm: "CRM connected or its settings changed",
  remove_crm: "CRM disconnected",
  map_crm_owner: "Owner in the CRM assigned",
  save_answer: "Saved answer written",
  remove_saved_answer: "Saved answer removed"
}

/** The most bytes of a value that are shown. */
const VALUE_BYTES_MAX = 400

const actorWords = (of: ControlLogEntry["actor"]): string => {
  switch (of.kind) {
    case "key":
      return `the key “${of.name}”`
    case "user":
      return of.email
    case "operator":
      return "the operator"
    case "rule":
      return "a rule that was approved"
  }
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** A changed value in words; a moment in the reader's time zone. */
const valueWords = (value: unknown, zone: string): string => {
  const wordsOf = (one: unknown) => valueWords(one, zone)
  if (value === null || value === undefined) return "none"
  if (typeof value === "boolean") return value ? "on" : "off"
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(wordsOf).join(", ")
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, one]) => `${fieldWords(name)} ${wordsOf(one)}`)
      .join(", ")
  }
  if (typeof value === "string" && MOMENT.test(value)) return momentWords(Date.parse(value), zone)
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

const Values = (props: { readonly of: ControlLogEntry }) => {
  const { after, before } = props.of
  const { zone } = useViewer()
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  )
  return (
    <>
      {names.map((name) => (
        <p key={name}>
          {fieldWords(name)}:{" "}
          {name in before ? (
            <>
              <del>{fitted(valueWords(before[name], zone), VALUE_BYTES_MAX).text}</del>{" "}
              <span aria-hidden="true">→</span>{" "}
            </>
          ) : null}
          <ins>{fitted(valueWords(after[name], zone), VALUE_BYTES_MAX).text}</ins>
        </p>
      ))}
    </>
  )
}

/** The control log, newest first. */
export const History = (props: { readonly of: ReadonlyArray<ControlLogEntry>; readonly ofKey?: boolean }) => (
  <Cards
    of={props.of}
    none="No changes yet."
    each={(entry) => (
      <li class="card">
        <strong>{ACTION_WORDS[entry.action]}</strong>
        <Badge tone={entry.direction === "loosen" ? "wait" : entry.direction === "tighten" ? "good" : undefined}>
          {entry.direction === "loosen" ? "Loosened" : entry.direction === "tighten" ? "Tightened" : "Neutral"}
        </Badge>
        <div class="values">
          <Values of={entry} />
        </div>
        <p class="soft">
          By {actorWords(entry.actor)}
          {entry.actor.kind === "rule" ? (
            <>
              {" with "}
              <a href={`/console/approvals/${entry.actor.approvalId}`}>this request</a>
            </>
          ) : null}
          , <Moment atMillis={entry.atMillis} />
          {props.ofKey === true || entry.keyId === null ? null : (
            <>
              {" · "}
              <a href={`/console/keys/${entry.keyId}`}>the key</a>
            </>
          )}
        </p>
      </li>
    )}
  />
)
