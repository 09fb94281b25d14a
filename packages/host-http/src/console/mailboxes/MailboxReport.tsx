import type { ProbeStep } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { AddReport } from "@outbound/domain/outreach/sending/MailboxAdmin.js"
import type { VitalName, VitalState } from "@outbound/domain/outreach/sending/vitals.js"
import { Badge, Table } from "../Parts.js"

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
export const MailboxReport = (props: { readonly of: AddReport }) => {
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
