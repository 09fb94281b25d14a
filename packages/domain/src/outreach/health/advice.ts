import type { ADVICE_CODES } from "../../verbs/SendingHealth.js"
import { AUTHENTICATING, type Authenticating, currentFinding, type DomainLook } from "../authentication/Look.js"
import type { MailboxPauseReason } from "../sending/MailboxMachine.js"
import type { ReceiverHealth } from "./judgeReceivers.js"

export type AdviceCode = (typeof ADVICE_CODES)[number]

/** Who can do it: an owner in the console, who keeps the domain’s DNS, or the agent with a call. */
export const ADVISED = ["owner", "dns", "agent"] as const

export interface Advice {
  readonly code: AdviceCode
  /** The domain, the mailbox, or the domain and the organisation. */
  readonly subject: string
  readonly text: string
  /** What it would change. */
  readonly effect: string
  readonly by: (typeof ADVISED)[number]
}

/** Most pieces of advice in one answer. */
export const ADVICE_MAX = 200

const CODE_OF: Readonly<Record<Authenticating, AdviceCode>> = {
  spf: "publish_spf",
  dkim: "publish_dkim",
  dmarc: "publish_dmarc"
}

const EFFECT_OF: Readonly<Record<Authenticating, string>> = {
  spf: "Receivers can tell the domain's servers from those of forgers.",
  dkim: "Receivers can tell that a message is the domain's own, also after it was forwarded.",
  dmarc:
    "Large receivers refuse bulk mail of domains without DMARC; with it, the reports say who sends in the domain's name."
}

const ofRecords = ({ domain, findings }: DomainLook, nowMillis: number): ReadonlyArray<Advice> => {
  const failing = AUTHENTICATING.flatMap((check): ReadonlyArray<Advice> => {
    const { detail, status } = currentFinding(findings[check], nowMillis)
    if (status !== "fail" && status !== "missing") return []
    const effect = `${EFFECT_OF[check]} A launch that needs authentication is possible once SPF, DKIM and DMARC pass.`
    return [{ code: CODE_OF[check], subject: domain, text: detail, effect, by: "dns" }]
  })
  const mx = currentFinding(findings.mx, nowMillis)
  if (mx.status !== "missing" && mx.status !== "fail") return failing
  return [
    ...failing,
    { code: "publish_mx", subject: domain, text: mx.detail, effect: "Answers and bounces arrive.", by: "dns" }
  ]
}

/** What is advised about one domain. */
export const domainAdvice = (
  domain: string,
  facts: {
    readonly look: DomainLook | null
    readonly listedOn: ReadonlyArray<string>
    readonly receivers: ReadonlyArray<ReceiverHealth>
  },
  nowMillis: number
): ReadonlyArray<Advice> => [
  ...(facts.look === null ? [] : ofRecords(facts.look, nowMillis)),
  ...facts.listedOn.map((zone): Advice => ({
    code: "ask_for_delisting",
    subject: domain,
    text: `${domain} is on the blocklist ${zone}. Find out at the list why, end the cause, and ask it to remove the domain.`,
    effect: "Receivers that ask the list accept mail from the domain again.",
    by: "owner"
  })),
  ...facts.receivers
    .filter(({ state }) => state === "bad")
    .map(({ organisation }): Advice => ({
      code: "write_less_to_receiver",
      subject: `${domain} ${organisation}`,
      text: `${organisation} takes little mail from ${domain}. Add no people there until it is well again.`,
      effect: "Its refusals stop counting against the domain's mailboxes.",
      by: "agent"
    })),
  ...facts.receivers.flatMap(({ measured, organisation }) =>
    measured.flatMap(({ advice }): ReadonlyArray<Advice> =>
      advice === null
        ? []
        : [{ code: "mend_what_was_measured", subject: `${domain} ${organisation}`, ...advice, by: "owner" }]
    )
  )
]

/** Why a mailbox is not well, beside `paused_because`. */
export const STATE_REASONS = [
  "domain_not_authenticated",
  "domain_listed",
  "bounces_high",
  "resting",
  "receiver_rests",
  "cap_reached",
  "ramping"
] as const
export type StateReason = (typeof STATE_REASONS)[number]

/** Pauses that end only when a person looks. */
const TO_RESUME: ReadonlyArray<MailboxPauseReason> = ["bounces", "complaints", "dmarc", "blocklist", "owner"]

/** What is advised about one mailbox. */
export const mailboxAdvice = (
  mailbox: string,
  pausedBecause: MailboxPauseReason | null,
  reasons: ReadonlyArray<StateReason>
): ReadonlyArray<Advice> => {
  if (pausedBecause === "login" || pausedBecause === "unreachable") {
    return [
      {
        code: "reconnect_mailbox",
        subject: mailbox,
        text:
          pausedBecause === "login"
            ? `The server of ${mailbox} refuses our sign-in. Enter its password or grant again.`
            : `The outgoing server of ${mailbox} could not be reached for long. Check its address and whether it runs.`,
        effect: "The mailbox sends again, and its replies are read.",
        by: "owner"
      }
    ]
  }
  if (pausedBecause === "upkeep") {
    const text = `The upkeep of ${mailbox} could not be paid. Add credits.`
    return [{ code: "top_up", subject: mailbox, text, effect: "The mailbox goes on by itself.", by: "owner" }]
  }
  if (pausedBecause !== null && TO_RESUME.includes(pausedBecause)) {
    return [
      {
        code: "resume_mailbox",
        subject: mailbox,
        text: `${mailbox} is paused (${pausedBecause}). Resume it once the cause is gone.`,
        effect: "The mailbox sends again and is judged from then on.",
        by: "owner"
      }
    ]
  }
  if (!reasons.includes("bounces_high")) return []
  return [
    {
      code: "verify_addresses",
      subject: mailbox,
      text: `More than 2 % of what ${mailbox} sent went to addresses that do not exist. Call verify_emails for those who are still to be written to, and leave out what is not valid.`,
      effect: "The mailbox stays below 3 %, at which it stops.",
      by: "agent"
    }
  ]
}
