import type { ZoneVendor } from "@outbound/domain/outreach/domains/DnsZones.js"
import {
  added,
  type PlanAction,
  type Planned,
  type RecordKind,
  removed
} from "@outbound/domain/outreach/domains/planRecords.js"
import type { SendingDomainState } from "@outbound/domain/outreach/domains/SendingDomainMachine.js"
import { StateBadge, type StateWords } from "../Parts.js"

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
