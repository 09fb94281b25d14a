import { CHECKS } from "@outbound/domain/outreach/authentication/Look.js"
import { recordsToPaste, type PasteFacts } from "@outbound/domain/outreach/authentication/recordsToPaste.js"
import { RECEIVED_DAYS } from "@outbound/domain/control/reads/sendingHealth.js"
import { count, grouped, Moment } from "../../web/Words.js"
import { Values } from "../domains/DomainsPage.js"
import { FINDING_WORDS } from "../findingWords.js"
import { LinkLine, Note, StateBadge, Table } from "../Parts.js"
import { ALIGNED_WORDS, type DomainHealth, MEASURED_BY, placementWords, STATE, worstFirst } from "./healthWords.js"

/** Organisations that a card shows. `get_sending_health` has more. */
export const RECEIVERS_ON_CARD_MAX = 12

export const momentOf = (at: string | null) => (at === null ? "–" : <Moment atMillis={Date.parse(at)} />)

/** Records that are missing, each to be copied as it stands. */
const ToPaste = (props: { readonly of: DomainHealth; readonly facts: PasteFacts }) => {
  const records = CHECKS.flatMap((check) => recordsToPaste(check, props.of[check].status, props.facts))
  if (records.length === 0) return null
  return (
    <div class="card">
      <h4>To paste where the domain’s DNS is kept</h4>
      {records.map(({ name, type, values }) => (
        <Values key={`${type} ${name}`} label={`${type} at ${name}`} values={values} />
      ))}
    </div>
  )
}

const Records = ({ of }: { readonly of: DomainHealth }) => (
  <Table
    label={`Records of ${of.domain}`}
    head={["Check", "Result", "Aligned", "Found, or what to publish", "Looked at"]}
    firm={[0]}
    rows={CHECKS.map((check) => {
      const { aligned, checked_at, detail, status } = of[check]
      return [
        check.toUpperCase(),
        <StateBadge of={FINDING_WORDS[status]} />,
        check === "mx" ? "–" : ALIGNED_WORDS(aligned),
        status === "pass" ? <code>{detail}</code> : detail,
        momentOf(checked_at)
      ]
    })}
  />
)

const Receivers = ({ of }: { readonly of: DomainHealth }) => {
  const shown = worstFirst(of.receivers).slice(0, RECEIVERS_ON_CARD_MAX)
  const left = of.receivers.length - shown.length
  const measured = shown.flatMap(({ evidence, organisation }) => evidence.map((one) => ({ ...one, organisation })))
  const isMeasured = of.receivers.some(({ placement }) => placement !== null)
  return (
    <>
      <Table
        label={`How ${of.domain} was received`}
        caption={`How its mail was received in ${RECEIVED_DAYS} days`}
        head={[
          "Organisation",
          "State",
          "Sent",
          "Bounced",
          "Refused",
          "Complaints",
          "Answered",
          ...(isMeasured ? ["Placement"] : []),
          "Rests until"
        ]}
        numbers={[2, 3, 4, 5, 6]}
        firm={[0]}
        none={`No message left from it in ${RECEIVED_DAYS} days.`}
        rows={shown.map((one) => [
          one.organisation,
          <StateBadge of={STATE[one.state]} />,
          grouped(one.sent),
          grouped(one.bounced),
          grouped(one.refused),
          grouped(one.complained),
          grouped(one.replied),
          ...(isMeasured ? [placementWords(one.placement)] : []),
          momentOf(one.resting_until)
        ])}
      />
      {measured.length === 0 ? null : (
        <>
          <Table
            label={`What was measured of ${of.domain}`}
            caption="What was measured beside these counts"
            head={["Organisation", "Measured by", "Found", "When"]}
            firm={[0]}
            rows={measured.map(({ at, by, organisation, says }) => [
              organisation,
              MEASURED_BY[by] ?? by,
              says,
              momentOf(at)
            ])}
          />
          <p class="soft">
            Canaries go between your own mailboxes alone. Nobody has shown that strangers’ mail lands alike.
          </p>
        </>
      )}
      {left === 0 ? null : (
        <p class="soft">
          {count(left, "more organisation")} with less to look at: <code>get_sending_health</code> has them.
        </p>
      )}
    </>
  )
}

/** A sending domain: what proves its state, how old that is, and what to publish. */
export const DomainCard = (props: {
  readonly of: DomainHealth
  readonly facts: PasteFacts
  /** Its page among the domains that the owner brought; null: it is none of them. */
  readonly path: string | null
}) => {
  const { domain, listed_on, state } = props.of
  return (
    <section>
      <h3>
        {domain} <StateBadge of={STATE[state]} />
      </h3>
      {listed_on.length === 0 ? null : <Note tone="bad">On the blocklist {listed_on.join(", ")}.</Note>}
      {props.path === null ? null : <LinkLine to={props.path} text="Its records, reports and blocklists in full" />}
      <div class="stack">
        <Records of={props.of} />
        <ToPaste of={props.of} facts={props.facts} />
        <Receivers of={props.of} />
      </div>
    </section>
  )
}
