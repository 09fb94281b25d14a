import type { VitalName, VitalState } from "@outbound/domain/outreach/authentication/vitals.js"
import type { ProbeStep } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { AddReport } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import { Section, StateBadge, type StateWords, Table } from "../Parts.js"

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
export const MailboxReport = (props: { readonly of: AddReport }) => {
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
