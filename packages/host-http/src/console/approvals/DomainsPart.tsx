import type { DomainsShown } from "@outbound/domain/calls/approvals/Snapshot.js"
import { CHECKS } from "@outbound/domain/outreach/authentication/Look.js"
import { count, Moment } from "../../web/Words.js"
import { FINDING_WORDS } from "../findingWords.js"
import { Section, StateBadge, Table } from "../Parts.js"
import type { Part } from "./Part.js"

type Domain = DomainsShown["domains"][number]

const summary = ({ failing, listed, rule, total, unknown }: DomainsShown): string =>
  [
    `${count(total, "domain")}.`,
    failing === 0
      ? "None of them is known to fail."
      : `${count(failing, "domain is", "domains are")} not authenticated: large receivers refuse or distrust such mail.`,
    unknown === 0 ? "" : `Of ${count(unknown, "domain")} not everything is known.`,
    listed === 0 ? "" : `${count(listed, "domain is", "domains are")} on a blocklist.`,
    rule === "require"
      ? "The workspace refuses a launch from a domain that fails."
      : "The workspace only warns of domains that fail."
  ]
    .filter((text) => text !== "")
    .join(" ")

/** When the oldest of its findings was found; null: nobody has looked. */
const oldestOf = (domain: Domain): number | null => {
  const found = CHECKS.flatMap((check) => {
    const at = domain[check].checked_at
    return at === null ? [] : [Date.parse(at)]
  })
  return found.length === 0 ? null : Math.min(...found)
}

/** What is wrong with it, in words. */
const wrongWith = (domain: Domain): ReadonlyArray<string> => [
  ...new Set(CHECKS.flatMap((check) => (domain[check].status === "pass" ? [] : [domain[check].detail]))),
  ...domain.listed_on.map((zone) => `On the blocklist ${zone}.`)
]

/** From which domains it leaves, and whether receivers can tell their mail from forged mail. As it was when asked for. */
export const DomainsPart: Part = ({ of: { approval } }) => {
  const { snapshot } = approval
  const shown = "sending_domains" in snapshot ? snapshot.sending_domains : undefined
  if (shown === undefined || shown.total === 0) return null
  const left = shown.total - shown.domains.length
  const bad = shown.domains.filter((domain) => wrongWith(domain).length > 0)
  return (
    <Section id="sending-domains" title="Sending domains">
      <p>{summary(shown)}</p>
      <Table
        label="Sending domains"
        caption={left === 0 ? undefined : `Those with the most to look at; ${count(left, "domain")} more`}
        head={["Domain", ...CHECKS.map((check) => check.toUpperCase()), "Looked at"]}
        firm={[0, CHECKS.length + 1]}
        rows={shown.domains.map((domain) => {
          const oldest = oldestOf(domain)
          return [
            domain.domain,
            ...CHECKS.map((check) => <StateBadge of={FINDING_WORDS[domain[check].status]} />),
            oldest === null ? "Not yet" : <Moment atMillis={oldest} />
          ]
        })}
      />
      {bad.length === 0 ? null : (
        <ul>
          {bad.map((domain) => (
            <li key={domain.domain}>
              <strong>{domain.domain}</strong>: {wrongWith(domain).join(" ")}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
